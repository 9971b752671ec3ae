// What the Auditor's page says about what was tapped: in its corner, under the question, and above it.

import { time, waitingLine } from "./fragment.js";

const root = document.getElementById("scoring");

export const state = (name) => {
  const corner = document.getElementById("saving");
  if (!corner || corner.dataset.state === name) return;
  corner.dataset.state = name;
  corner.querySelector(".saving-text").textContent = root.dataset[name];
};

export const hint = (text) => {
  const line = document.getElementById("hint");
  if (line) line.textContent = text;
};

export const busy = (on) => {
  document.getElementById("entry")?.classList.toggle("busy", on);
};

export const notice = (text) => {
  const box = document.getElementById("pending");
  if (!box) return;
  box.hidden = !text;
  box.textContent = text;
};

/** "3 entries wait here since 21:14"; unfolded, it lists them, and after them says `more`. */
export const listWaiting = ({ waiting, since, fault }, more) => {
  const box = document.getElementById("pending");
  if (!box) return;
  const sentence = (waiting.length === 1 ? root.dataset.waitsOne : root.dataset.waits)
    .replace("{count}", waiting.length)
    .replace("{time}", time(since));
  const details = document.createElement("details");
  details.open = Boolean(box.querySelector("details[open]"));
  const summary = document.createElement("summary");
  summary.textContent = sentence;
  const list = document.createElement("ol");
  for (const tap of waiting) {
    const item = document.createElement("li");
    item.textContent = waitingLine(tap);
    list.append(item);
  }
  details.append(summary, list, more);
  box.hidden = false;
  box.replaceChildren(fault, details);
};
