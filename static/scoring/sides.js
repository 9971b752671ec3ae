// After a conflict both sides are shown, and a person chooses what becomes of the lines that wait here;
// and what a server has lost that the director alone can enter again.

import { tell } from "./notices.js";
import { time } from "./words.js";

const panel = () => document.getElementById("merge");

const close = () => {
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
      close();
      after();
      machine.decide({ take: button.dataset.choice });
    });
  }
  panel().querySelector('[data-do="take"]')?.addEventListener("submit", async (event) => {
    event.preventDefault();
    event.stopPropagation();
    const problem = await machine.askNow({ act: "take" });
    if (problem) return;
    close();
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
