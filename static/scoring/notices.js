// What the page says about what was tapped: in its corner, under the question, and above it; both sides of a
// conflict, of which a person chooses one; and what a server has lost that the director alone can enter again.

import { time, waitingLine } from "./words.js";

const root = document.getElementById("scoring");
const TOLD = 6000; // how long it is said that something was not sent: it covers the page's foot
let untold = 0;

/** The corner: saved, on its way, waiting, not written; live where this phone only reads. */
export const corner = ({ state, taps, view, why }) => {
  const corner = document.getElementById("saving");
  const names = { asking: "saved", confirming: "saved", sending: taps.length ? "sending" : "saved", offline: taps.length ? "waiting" : "saved", conflict: "conflict", closed: "waiting" };
  const name = state === "confirming" && taps.length > 1 ? "waiting" : (names[state] ?? "loading");
  const reads = view && !view.writes && state === "asking";
  const text = root.dataset[reads ? "live" : name];
  if (corner.dataset.state === name && corner.dataset.text === text) return;
  corner.dataset.state = name;
  corner.dataset.text = text;
  corner.dataset.why = why;
  corner.querySelector(".saving-text").textContent = text;
};

const box = () => document.getElementById("pending");
let refusal = false;

/** Say something above the question. */
export const notice = (text) => {
  box().hidden = !text;
  box().textContent = text;
  refusal = false;
  box().classList.remove("refusal");
};

/** Say why something was refused, until the next try or a tap on it. */
export const tell = (text) => {
  if (!text && !refusal) return;
  notice(text);
  refusal = Boolean(text);
  box().classList.toggle("refusal", refusal);
};

/** "3 lines wait here since 21:14"; unfolded, it lists them, and after them says `more`. */
export const listWaiting = ({ taps, state }, more) => {
  const waits = state === "offline" && taps.length > 0;
  if (!waits) {
    if (!refusal) notice("");
    return;
  }
  const sentence = (taps.length === 1 ? root.dataset.waitsOne : root.dataset.waits).replace("{count}", taps.length).replace("{time}", time(taps[0].at));
  const details = document.createElement("details");
  details.open = Boolean(box().querySelector("details[open]"));
  const summary = Object.assign(document.createElement("summary"), { textContent: sentence });
  const list = document.createElement("ol");
  list.setAttribute("translate", "no");
  for (const tap of taps) list.append(Object.assign(document.createElement("li"), { textContent: waitingLine(tap) }));
  details.append(summary, list, more);
  notice("");
  box().hidden = false;
  box().replaceChildren(details);
};

/** Since when there is no connection, or who answers in the server's place; `lost`: something was not sent. */
export const offline = (machine, lost = false) => {
  const line = document.getElementById("offline");
  if (lost) {
    clearTimeout(untold);
    untold = setTimeout(() => {
      untold = 0;
      offline(machine);
    }, TOLD);
  }
  const { state, since, why, taps } = machine;
  const out = state === "offline" || state === "nothing";
  const words = { foreign: root.dataset.foreign, unknown: root.dataset.unknown, network: root.dataset.offline };
  // With lines that wait, their notice says since when.
  const said = out && (why !== "network" || !taps.length) ? (words[why] ?? why).replace("{time}", time(since)) : "";
  line.textContent = untold ? root.dataset.untold : said;
  line.hidden = !line.textContent;
  line.classList.toggle("untold", Boolean(untold));
  if (lost) line.scrollIntoView({ block: "center", behavior: "instant" });
};

const panel = () => document.getElementById("merge");

const closePanel = () => {
  panel().hidden = true;
  panel().replaceChildren();
};

/** Show both sides of the refused tap's game, and carry out the choice. */
export const decide = (machine, after) => {
  const { refused } = machine.stopped;
  panel().innerHTML = refused.sides.html;
  panel().hidden = false;
  panel().scrollIntoView({ block: "start", behavior: "instant" });
  panel().querySelector("h2")?.focus({ preventScroll: true });
  for (const button of panel().querySelectorAll("[data-choice]")) {
    button.addEventListener("click", () => {
      for (const other of panel().querySelectorAll("button")) other.disabled = true;
      closePanel();
      after();
      machine.decide({ take: button.dataset.choice });
    });
  }
  panel().querySelector('[data-do="take"]')?.addEventListener("submit", async (event) => {
    event.preventDefault();
    event.stopPropagation();
    const problem = await machine.askNow({ act: "take" });
    if (problem) return;
    closePanel();
    machine.decide();
  });
};

/** Say that lines went to a server which had lost them, and what only the director can enter again. */
export const recovered = (count, told) => {
  const { dataset } = document.getElementById("scoring");
  tell(dataset.given.replace("{count}", count));
  const words = told.flatMap((each) => each.words ?? []);
  const recovery = document.getElementById("recovery");
  recovery.hidden = !words.length;
  recovery.querySelector("ul").replaceChildren(...words.map(({ at, text }) => Object.assign(document.createElement("li"), { textContent: `${at && time(at)} ${text}`.trim() })));
  recovery.querySelector("button").onclick = () => {
    recovery.hidden = true;
  };
};
