// What this device wrote and the server acknowledged is kept until the heat is closed: a server that
// came back from a backup, or one that took another's place, is offered what it lacks of it
// (scoring/web/kept.py). It takes that like any entry, in order, and says why it takes no more.

import { loadWritten } from "./store.js";

const panel = () => document.getElementById("kept");
let declined = false;

const button = (label, className, action) => {
  const made = Object.assign(document.createElement("button"), { type: "button", className, textContent: label });
  made.addEventListener("click", async () => {
    made.disabled = true;
    await action();
    made.disabled = false;
  });
  return made;
};

const show = (sentence, ...buttons) => {
  const box = panel();
  box.hidden = !sentence;
  box.replaceChildren(...(sentence ? [Object.assign(document.createElement("p"), { textContent: sentence }), ...buttons] : []));
};

/**
 * Look whether the server lacks what it once took from this device, and offer it; returns whether it
 * does. `time` words a moment; `done(answer)` is told when it was sent or left, with what the server
 * says then, if anything.
 */
export const offer = async ({ key, queue, base, time, done }) => {
  const taps = declined ? [] : await loadWritten(key);
  if (!taps.length) return false;
  const told = await queue.ask(`${base}kept/`, { ids: taps.map(({ id }) => id) });
  const lacking = taps.filter(({ id }) => told?.lacks?.includes(id));
  if (!lacking.length) {
    if (told?.lacks) show("");
    return false;
  }
  const { lacks, send, leave } = panel().dataset;
  const words = lacks.replace("{count}", lacking.length).replace("{time}", time(lacking[0].at));
  const give = async () => {
    const sent = lacking.map(({ id, place, body }) => ({ id, place, game: body.game, entry: body.entry ?? null }));
    const answer = await queue.ask(`${base}kept/`, { taps: sent });
    if (!answer) return;
    const refused = answer.problems?.[0]?.message ?? "";
    if (refused) show(`${refused} ${words}`, again, without);
    else show("");
    if (answer.ok) done(answer, Boolean(refused));
  };
  const again = button(send, "btn btn-primary", give);
  const without = button(leave, "btn btn-outline-primary", () => {
    declined = true;
    show("");
    done(null, false);
  });
  show(words, again, without);
  return true;
};
