// The buttons that are no entries: each form on the page names what it does (`data-do`). What can wait
// does so like an entry; the rest needs the server, and the page says so when there is none. Links and forms
// lead away from the page only if there is a server, never to the browser's own error page.

import { notice, offline } from "./notices.js";
import { forgetShell } from "./shell.js";

const WAIT = ["next", "return", "call", "uncall", "slow", "read", "sign"];

/** What a form says, as the fields of a tap. */
const fieldsOf = (form, button) => {
  const fields = Object.fromEntries(new FormData(form));
  if (button?.name) fields[button.name] = button.value;
  return fields;
};

const about = {
  seats: (fields) => {
    const order = Object.keys(fields).filter((name) => /^seat-\d$/.test(name)).sort().map((name) => fields[name]);
    return { game: Number(fields.game), version: Number(fields.version), order: fields.order ? order : null };
  },
  object: ({ player, pin, text, game, deal }) => ({ player, pin, text, game: Number(game), deal: Number(deal) }),
  flip: (fields) => {
    if (fields.lots) return { lots: fields.lots.split("\n") };
    const places = Object.keys(fields).filter((name) => name.startsWith("order")).sort();
    return { order: places.flatMap((name) => fields[name].split("\n")) };
  },
};

/** Listen for these forms. `say(text)` tells a refusal, `untold()` that there was no server. */
export const listen = ({ root, machine, say, untold }) => {
  root.addEventListener("submit", async (event) => {
    const { target: form, submitter: button } = event;
    const act = form.dataset.do;
    if (!act) return;
    event.preventDefault();
    const fields = fieldsOf(form, button);
    // A PIN is sent for checking and must not stay on the device.
    for (const input of form.querySelectorAll("[data-once]")) input.value = "";
    const tap = { act, ...(about[act]?.(fields) ?? fields) };
    say("");
    const waits = WAIT.includes(act) || (act === "seats" && !tap.order);
    if (waits) {
      // Tapped twice: what it says stays on the page until the server has answered.
      const last = machine.taps.at(-1);
      if (last && Object.entries(tap).every(([name, value]) => last[name] === value)) return;
      const asked = form.closest("details")?.querySelector("summary")?.textContent.trim();
      const text = button?.textContent.trim() ?? "";
      form.closest("[data-closes]")?.removeAttribute("open");
      if (act === "read") form.closest(".rulings").hidden = true;
      machine.add({ ...tap, label: asked ? `${asked}: ${text}` : text });
      return;
    }
    if (button) button.disabled = true;
    const problem = await machine.askNow(tap);
    if (button) button.disabled = false;
    if (problem?.lost) untold();
    else if (problem) say(problem.message);
    else (form.closest("details") ?? form.querySelector("details"))?.removeAttribute("open");
  });
};

// ---------------------------------------------------------------------- away from the page

const AGAIN = 200;
const PATIENCE = 5000;
const pause = () => new Promise((resolve) => setTimeout(resolve, AGAIN));

/** Take over links and the forms that lead to another page: a line is corrected once every tap has been sent. */
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
