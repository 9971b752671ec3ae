// Choosing on the board and among the answers: a player and a hand in either order, or one tap for both.
// What is grey says why when it is touched. It knows nothing of the server: `write(entry, label, about)`
// gets what was chosen.

import { declaring, within } from "./words.js";

const root = document.getElementById("scoring");
let picked = null; // the hand tapped first, which waits for its player
let byTap = false;
let down = null;

const seat = () => root.querySelector('input[name="seat"]:checked');

export const hint = (text) => {
  const line = document.getElementById("hint");
  if (line) line.textContent = text;
};

/** Whether an answer waits for its player; elsewhere, such as at the last trick, tiles do not light. */
const asksWho = () => Boolean(root.querySelector(".answers [data-who], .panel-fold[open] [data-who]"));

/** Whether somebody is choosing. */
export const choosing = () => Boolean(picked || seat());

const disarm = () => {
  picked = null;
  for (const button of root.querySelectorAll(".chosen")) button.classList.remove("chosen");
};

// Greys out what is illegal for the picked seat, and seats for which every answer is illegal.
export const grey = () => {
  const radio = seat();
  const asked = [...root.querySelectorAll(".answers [name=what], .panel-fold[open] [data-who]")];
  for (const cell of root.querySelectorAll("label.cell")) {
    const input = cell.querySelector("input");
    const reasons = asked.flatMap((button) => {
      if ("who" in button.dataset) return [JSON.parse(button.dataset.reasons || "{}")[input.value]];
      return String(JSON.parse(button.value).seat) === input.value ? [button.dataset.reason] : [];
    });
    const off = reasons.length && reasons.every(Boolean) ? reasons[0] : (input.dataset.gone ?? "");
    cell.classList.toggle("off", Boolean(off));
    cell.classList.toggle("picked", input.checked);
    input.dataset.off = off;
  }
  for (const button of root.querySelectorAll("[data-who]")) {
    const reasons = button.dataset.reasons ? JSON.parse(button.dataset.reasons) : {};
    const reason = radio ? reasons[radio.value] : button.dataset.reason;
    button.classList.toggle("off", Boolean(reason));
    // Nobody breaks their own Chicago: that button is hidden.
    button.classList.toggle("self", Boolean(radio) && String(JSON.parse(button.value).breaker) === radio.value);
    button.setAttribute("aria-disabled", reason ? "true" : "false");
    if (reason) button.title = reason;
    else button.removeAttribute("title");
    button.dataset.now = reason || "";
  }
};

export const unpick = () => {
  disarm();
  const radio = seat();
  if (radio) radio.checked = false;
  grey();
};

/** Listen for choices; `table` is the page's machine. */
export const choose = ({ machine, write, declare }) => {
  const label = (button, radio, entry) => {
    if (!radio && entry.seat !== undefined) return within(machine.view, entry);
    const text = [...button.children].map((child) => child.textContent).join(" ");
    return radio ? `${radio.dataset.name}: ${text}` : text;
  };
  const writes = (button, radio) => {
    if (!machine.ready) return;
    const entry = JSON.parse(button.value);
    if (radio && "who" in button.dataset) entry.seat = Number(radio.value);
    const about = { told: "told" in button.dataset, sure: button.dataset.sure };
    write(entry, label(button, "who" in button.dataset ? radio : null, entry), about);
  };
  const tapped = (button) => {
    const radio = seat();
    if (!("who" in button.dataset)) {
      if (button.dataset.reason) hint(button.dataset.reason);
      else writes(button, null);
    } else if (button.dataset.now) {
      disarm();
      hint(button.dataset.now);
    } else if (radio) writes(button, radio);
    else {
      // Hand first, then player: also two taps.
      const again = picked === button;
      disarm();
      if (!again) picked = button;
      picked?.classList.add("chosen");
      hint(picked ? root.dataset.then : "");
    }
  };
  root.addEventListener("change", (event) => {
    if (event.target.name !== "seat") return;
    if (!asksWho()) {
      unpick();
      hint(root.dataset.below);
      return;
    }
    grey();
    hint(event.target.dataset.off || "");
    if (!picked || !document.contains(picked)) return;
    if (picked.dataset.now) hint(picked.dataset.now);
    // The arrow keys move over the players; only a tap, or Enter, chooses one.
    else if (byTap) writes(picked, event.target);
  });
  root.addEventListener("keydown", (event) => {
    byTap = false;
    if (event.key !== "Enter" || event.target.name !== "seat") return;
    event.preventDefault();
    if (picked && document.contains(picked) && !picked.dataset.now) writes(picked, event.target);
  });
  // A second tap on the same seat deselects it.
  root.addEventListener("pointerdown", (event) => {
    byTap = true;
    const cell = event.target.closest("label.cell");
    down = cell && cell.querySelector("input").checked ? cell : null;
  });
  root.addEventListener("click", (event) => {
    // A long one covers more than its line.
    if (event.target.id === "hint") hint("");
    const cell = event.target.closest("label.cell");
    if (cell && cell === down && machine.ready) {
      event.preventDefault();
      down = null;
      hint("");
      unpick();
      return;
    }
    const { off, gone } = cell?.querySelector("input").dataset ?? {};
    if (off && (gone || !picked) && byTap) {
      event.preventDefault();
      // A hand tapped first still waits for its player.
      if (!picked) unpick();
      hint(off);
    }
  });
  // Any other tap cancels it.
  document.addEventListener("click", (event) => {
    if (!picked || event.target.closest("label.cell, [name=what][data-who]")) return;
    disarm();
    hint("");
  });
  root.addEventListener("toggle", () => grey(), true);
  root.addEventListener("submit", (event) => {
    const { target: form, submitter: button } = event;
    // Not form.id: the form has a field of that name.
    if (!form.matches("#entry")) return;
    event.preventDefault();
    if (!machine.ready || !button?.name) return;
    if (button.name !== "announce") tapped(button);
    else if (button.dataset.reason) hint(button.dataset.reason);
    else declare(Number(button.value), declaring(machine.view, Number(button.value)));
  });
  root.addEventListener("scoring:shown", () => {
    picked = null;
    grey();
  });
};
