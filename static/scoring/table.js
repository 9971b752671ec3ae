// The Auditor's page: it opens what this device holds of the table (store.js), and lets the machine
// (machine.js) agree with the server. Everything on the page is drawn from there (page.js).

import { takesBack } from "./board.js";
import { choose, choosing, hint, unpick } from "./choose.js";
import { leave, listen } from "./forms.js";
import { written } from "./guard.js";
import { placeIn } from "./log.js";
import { Machine } from "./machine.js";
import { corner, decide, listWaiting, offline, recovered, tell } from "./notices.js";
import { draw, drawNothing, drawScores, live } from "./page.js";
import { renew, reopen, install, uninstall } from "./shell.js";
import { stores } from "./store.js";
import { listenToStream } from "./sync.js";
import { doubts } from "./words.js";

const root = document.getElementById("scoring");
const { shell } = root.dataset;
const key = location.pathname.match(/^.*?\/s\/[^/]+\//)?.[0] ?? location.pathname;
const dialog = document.getElementById("confirm");
const plain = document.getElementById("plain");
const EVERY = 4000;
const EVERY_WITH_STREAM = 30000;
let unsaid = false; // an entry was tapped, and the page has not yet shown that it is written
let own = false; // the change now drawn follows from a tap here

/** Draw the page as the machine now is. */
const show = () => {
  const { view, state, table, taps } = machine;
  machine.drawing = false;
  draw(table, view, { own });
  own = false;
  corner(machine);
  offline(machine);
  if (machine.stopped && state === "conflict") return;
  listWaiting(machine, "stored" in plain.dataset ? "" : plain.textContent);
  document.getElementById("entry")?.classList.toggle("busy", !machine.ready);
  if (unsaid && (!taps.length || state === "offline")) {
    unsaid = false;
    written();
    document.getElementById("announcement").textContent = live().querySelector(".undo-text")?.textContent ?? "";
  }
  if (machine.newShell) renew(machine, quiet);
  listenToStream(table.document.live, () => machine.agree());
};

const machine = new Machine(key, shell, {
  changed() {
    const { view, state } = machine;
    if (!view) {
      if (state === "nothing") drawNothing(machine.why === "unknown" ? root.dataset.nothing : root.dataset.waiting);
      corner(machine);
    } else if (own && !machine.drawing && !document.hidden && drawScores(view)) {
      // Whoever tapped looks at the score: the rest comes after the frame that shows it, and takes no tap before.
      machine.drawing = true;
      requestAnimationFrame(() => setTimeout(show));
    } else if (!machine.drawing) show();
  },
  refused(tap, refused) {
    if (machine.state === "confirming") askTwice(tap, refused.problem.message, true);
    else decide(machine, unpick);
  },
  said(text, tap) {
    if (tap?.act === "entry" && document.getElementById("hint")) hint(text);
    else tell(tap?.waited ? `${root.dataset.notwritten} ${tap.label}. ${text}` : text);
  },
  closed(text) {
    uninstall(key).finally(() => location.reload());
    drawNothing(text);
  },
  unstored() {
    plain.textContent = plain.dataset.unstored;
    delete plain.dataset.stored;
  },
  given(count, told) {
    recovered(count, told);
  },
});

// ---------------------------------------------------------------------- asking twice

const asked = []; // {tap, text, sent}: the dialog is about the last one

const showAsked = () => {
  if (!asked.length) return dialog.close();
  const { tap, text } = asked.at(-1);
  document.getElementById("confirm-what").textContent = tap.label;
  document.getElementById("confirm-text").textContent = text;
  if (!dialog.open) dialog.showModal();
};
/** Ask about a tap; what the server asks comes before what the page had asked, which comes again after it. */
const askTwice = (tap, text, sent = false) => {
  asked.push({ tap, text, sent });
  showAsked();
};

/** One answer per question, at once: a busy browser fires the dialog's close event late. */
const answer = (yes) => {
  if (!asked.length) return;
  const { tap, sent } = asked.pop();
  // What the page asked about was tapped on a board with that tap.
  if (sent && !yes) asked.length = 0;
  showAsked();
  if (sent) machine.decide(yes ? { change: { confirmed: true } } : { gone: [tap] });
  else if (yes) start({ ...tap, confirmed: true });
  if (!yes) unpick();
};
dialog.addEventListener("click", (event) => {
  const button = event.target.closest("[data-answer]");
  if (button) answer(button.dataset.answer === "yes");
});
// Closed by a key.
dialog.addEventListener("close", () => !dialog.open && answer(false));

// ---------------------------------------------------------------------- taps

const start = (tap) => {
  if (!machine.ready) return;
  // A declared Chicago, too; without a seat it is taken back.
  unsaid = tap.act === "entry" || (tap.act === "chicago" && tap.seat !== null);
  own = true;
  machine.add(tap);
};

const write = (entry, label, { told, sure }) => {
  const { view } = machine;
  const tap = { act: "entry", label, ...placeIn(view), entry, confirmed: told };
  const text = sure || (told ? "" : doubts(view, entry));
  if (text) askTwice(tap, text);
  else start(tap);
};
const declare = (seat, label) => start({ act: "chicago", label, ...placeIn(machine.view), seat });

const takeBack = async (button) => {
  if (!machine.ready) return;
  const { view } = machine;
  const back = takesBack(view);
  const [, ...words] = button.children; // without the sign
  const label = words.map((word) => word.textContent).join(" ");
  const last = machine.taps.at(-1);
  own = true;
  if (back.kind === "chicago") {
    if (last?.act !== "chicago" || !(await machine.forget())) declare(null, label);
  } else if (back.kind === "game") {
    if (last !== view.opened || !(await machine.forget())) start({ act: "return", label, game: view.game });
  } else if (last?.id !== back.target || !(await machine.forget())) {
    start({ act: "back", label, ...placeIn(view), target: back.target });
  }
};

root.addEventListener("click", (event) => {
  const back = event.target.closest("[data-take-back]");
  if (back) takeBack(back);
  const next = event.target.closest("[data-next-game]");
  if (next && machine.ready) start({ act: "next", label: next.textContent.trim(), game: machine.view.games[0].game });
  if (event.target.id === "offline" || event.target.matches("#pending.refusal")) tell("");
});
// A tap that carries on beyond the page's own.
choose({ machine, write, declare });
listen({ root, machine, say: tell, untold: () => offline(machine, true) });

/** Whether nobody is choosing on the page, which nothing leaves until then. */
let touching = false;
for (const [name, on] of [["pointerdown", true], ["pointerup", false], ["pointercancel", false]]) {
  document.addEventListener(name, () => { touching = on; }, true);
}
const quiet = () => !(touching || choosing() || dialog.open || machine.taps.length);
leave({ root, machine });

// ---------------------------------------------------------------------- the shot clock

// A tap starts it, it counts down on this device only, another tap restarts it.
let ends = 0;
let over = false;

const tick = () => {
  const button = document.querySelector("[data-shot]");
  if (!button || button.hidden) return;
  const whole = Number(button.dataset.shot);
  const left = ends ? Math.max(0, Math.ceil((ends - Date.now()) / 1000)) : whole;
  const counter = button.querySelector(".shot-left");
  if (counter.textContent !== String(left)) counter.textContent = left;
  button.classList.toggle("is-over", ends > 0 && left === 0);
  if (ends && left === 0 && !over) {
    over = true;
    if (navigator.vibrate) navigator.vibrate(300);
  }
};

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-shot]");
  if (!button) return;
  ends = Date.now() + Number(button.dataset.shot) * 1000;
  over = false;
  tick();
});
tick();
setInterval(tick, 250);

// ---------------------------------------------------------------------- time, network, sleep

const streaming = () => document.body.classList.contains("is-streaming");
let asking = 0;
const poll = () => {
  clearTimeout(asking);
  asking = setTimeout(poll, streaming() ? EVERY_WITH_STREAM : EVERY);
  if (!document.hidden && machine.state === "asking" && !dialog.open) machine.agree();
};
asking = setTimeout(poll, EVERY);
const again = () => {
  machine.attempts = 0;
  machine.agree();
};
window.addEventListener("online", again);
document.addEventListener("visibilitychange", () => !document.hidden && machine.reload());
window.addEventListener("pageshow", ({ persisted }) => persisted && machine.reload());
window.addEventListener("stored", () => reopen(machine, quiet));

// Without this the phone would go dark between two deals and need unlocking for every entry.
let awake = null;
const stayAwake = async () => {
  if (awake?.released === false || document.hidden || live().dataset.mode !== "play") return;
  awake = await navigator.wakeLock?.request("screen").catch(() => null);
};
document.addEventListener("visibilitychange", stayAwake);
document.addEventListener("pointerup", stayAwake);

plain.hidden = false;
if (install.able) plain.textContent = plain.dataset.unready;
document.getElementById("iphone").hidden = !navigator.userAgent.includes("iPhone");
stores().then((does) => does || machine.page.unstored());
machine.open()
  // A game that no server has yet is stored with the start page.
  .then(() => key.includes("/s/") && install(key, async () => plain.toggleAttribute("data-stored", await stores())))
  .catch(reportError); // without it the open page goes on nevertheless
