// Links and forms lead away from the page only if there is a server, never to the browser's own error
// page. A line is corrected once every tap has been sent.

import { offline, notice } from "./notices.js";
import { forgetShell } from "./shell.js";

const AGAIN = 200;
const PATIENCE = 5000;
const pause = () => new Promise((resolve) => setTimeout(resolve, AGAIN));

/** Take over links and the forms that lead to another page. */
export const leave = ({ root, machine }) => {
  const sent = async () => {
    for (const end = Date.now() + PATIENCE; machine.taps.length && machine.state === "sending" && Date.now() < end; ) await pause();
    return !machine.taps.length;
  };
  /** Whether there is a server, and nothing waits for it. */
  const reachable = async () => {
    if (!(await sent())) return false;
    await machine.agree();
    for (const end = Date.now() + PATIENCE; machine.busy && Date.now() < end; ) await pause();
    return machine.state === "asking";
  };
  const stay = () => {
    if (machine.stopped) {
      notice(root.dataset.decide);
      const merge = document.getElementById("merge");
      merge.scrollIntoView({ block: "start", behavior: "instant" });
      merge.querySelector("h2")?.focus({ preventScroll: true });
    } else offline(machine, true);
  };
  document.addEventListener("click", async (event) => {
    const link = event.target.closest("a[href]");
    if (!link || event.defaultPrevented || link.hash || link.origin !== location.origin) return;
    event.preventDefault();
    if (await reachable()) location.assign(link.href);
    else stay();
  });
  document.addEventListener("submit", async (event) => {
    const { target: form, submitter } = event;
    if (event.defaultPrevented || form.method === "dialog" || form.dataset.do) return;
    event.preventDefault();
    if (!(await reachable())) {
      stay();
      return;
    }
    if (form.matches(".language-switch")) await forgetShell(machine.key).catch(() => {});
    if (submitter?.name) form.append(Object.assign(document.createElement("input"), { type: "hidden", name: submitter.name, value: submitter.value }));
    form.submit();
  });
};
