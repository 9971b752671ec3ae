// What other phones wrote at this table: the one that writes now may soon be the last that has it.

import { addWritten, loadWaiting, loadWritten } from "./store.js";

const idsOf = async (key) => new Set([...(await loadWaiting(key)), ...(await loadWritten(key))].map(({ id }) => id));

/** Store as if written here what the server has from other phones. */
export const keepOthers = async ({ key, queue, base }) => {
  const answer = await queue.ask(`${base}kept/`, { known: [...(await idsOf(key))] });
  const known = await idsOf(key); // taps acknowledged meanwhile as well
  for (const { id, at, act, row, place, seating, away, ...body } of answer?.rows ?? []) {
    if (!known.has(id)) await addWritten({ key, id, at: Date.parse(at), act, row, place, seating, away, body });
  }
};
