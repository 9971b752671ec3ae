// Keeps a page for readers up to date: asks every few seconds whether anything has changed (304 if not),
// inserts the new live part, and shows when the connection is lost. Its few buttons go to the server.

import { keeping } from "./parts.js";

const root = document.getElementById("scoring");
const { base } = root.dataset;
const EVERY = 4000;
const EVERY_WITH_STREAM = 30000;
const SLOWEST = 30000;
const TOLD = 6000; // how long it is said that an action was lost: it covers the page's foot
let wait = EVERY;
let timer = 0;
let lost = null;
let untold = false;
let telling = 0;

const live = () => document.getElementById("live");

/** Replace the live part; what is unfolded or half typed stays. `sent`: the form that has been sent. */
const show = (html, etag, sent = null) => {
  const before = live();
  const holder = document.createElement("template");
  holder.innerHTML = html;
  const after = holder.content.getElementById("live");
  if (!after) return;
  keeping(
    before,
    () => {
      const refusal = before.querySelector("#pending.refusal:not([hidden])");
      before.replaceWith(after);
      if (refusal) after.querySelector("#pending").replaceWith(refusal);
      after.dataset.etag = etag;
      return after;
    },
    sent,
  );
  const line = after.querySelector(".latest");
  if (line && before.dataset.version !== after.dataset.version) document.getElementById("announcement").textContent = line.textContent;
  root.dispatchEvent(new CustomEvent("scoring:shown"));
  connection(true);
};

const connection = (there, failed = false) => {
  untold = !there && (untold || failed);
  if (failed) {
    clearTimeout(telling);
    telling = setTimeout(forget, TOLD);
  }
  lost = there ? null : (lost ?? new Date());
  document.getElementById("saving").dataset.state = there ? "saved" : "waiting";
  const notice = document.getElementById("offline");
  notice.hidden = lost === null;
  notice.classList.toggle("untold", untold);
  if (!lost) return;
  const time = lost.toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  notice.textContent = untold ? root.dataset.untold : root.dataset.offline.replace("{time}", time);
};
const forget = () => {
  untold = false;
  if (lost) connection(false);
};

const tell = (text) => {
  const box = document.getElementById("pending");
  box.textContent = text;
  box.hidden = !text;
  box.classList.toggle("refusal", Boolean(text));
};
root.addEventListener("click", (event) => {
  if (event.target.id === "offline") forget();
  if (event.target.matches("#pending.refusal")) tell("");
});

const ask = async (sent = null) => {
  const asked = live();
  if (!document.hidden || sent) {
    try {
      const response = await fetch(`${base}live/`, {
        headers: { "If-None-Match": asked.dataset.etag, "X-Requested-With": "fetch" },
        cache: "no-store",
        signal: AbortSignal.timeout(12000),
      });
      if (response.status === 404 || response.status === 410) {
        location.reload();
        return;
      }
      if (!response.ok && response.status !== 304) throw new Error(String(response.status));
      const html = response.status === 304 ? "" : await response.text();
      if (html && asked === live()) show(html, (response.headers.get("ETag") ?? "").replace(/^W\//, ""), sent);
      connection(true);
      wait = EVERY;
    } catch {
      connection(false);
      wait = Math.min(wait * 1.6, SLOWEST);
    }
  }
  clearTimeout(timer);
  timer = setTimeout(ask, document.body.classList.contains("is-streaming") && !lost ? EVERY_WITH_STREAM : wait);
};

root.addEventListener("submit", async (event) => {
  const { target: form, submitter: button } = event;
  const act = form.dataset.do;
  if (!act) return;
  event.preventDefault();
  const fields = Object.fromEntries(new FormData(form));
  // A PIN is sent for checking and must not stay on the device.
  for (const input of form.querySelectorAll("[data-once]")) input.value = "";
  if (button?.name) fields[button.name] = button.value;
  for (const name of ["game", "deal"]) if (name in fields) fields[name] = Number(fields[name]);
  const once = (form.dataset.tap ??= uuid());
  if (button) button.disabled = true;
  tell("");
  try {
    const response = await fetch(`${base}sync/`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "application/json" },
      body: JSON.stringify({ taps: [{ ...fields, id: once, act, at: Date.now() }] }),
      signal: AbortSignal.timeout(12000),
    });
    const answer = await response.json();
    const problem = answer.problems?.[0] ?? answer.refused?.problem;
    if (answer.mark !== "chicago-table") throw new Error();
    delete form.dataset.tap;
    if (problem) tell(problem.message);
    else form.closest("details")?.removeAttribute("open");
    await ask(problem ? null : form);
  } catch {
    connection(false, true);
    document.getElementById("offline").scrollIntoView({ block: "center", behavior: "instant" });
  } finally {
    if (button) button.disabled = false;
  }
});

/** A UUID, also over plain http, where browsers have no randomUUID. */
const uuid = () => crypto.randomUUID?.() ?? "10000000-1000-4000-8000-100000000000".replace(/[018]/g, (sign) =>
  (Number(sign) ^ (crypto.getRandomValues(new Uint8Array(1))[0] & (15 >> (Number(sign) / 4)))).toString(16));

document.addEventListener("visibilitychange", () => document.hidden || ask());
window.addEventListener("online", () => ask());
document.body.addEventListener("stream-changed", () => ask());
window.addEventListener("offline", () => connection(false));
timer = setTimeout(ask, wait);
