// A new server has this heat from the event's document, which carries no links: the table has another
// one, and the rows have other ids. What this device stored under the old link is offered under the new
// one (offer.js), from where the server's sheet ends. A heat that the server has lost is drawn again:
// seats and players are other ones there, so each line says who sat where by their names.

import { uninstall } from "./install.js";
import { erase, inOrder, loadWaiting, loadWritten, rowOf, run } from "./store.js";

const WRITES = ["entry", "take-back", "correction", "mend", "chicago"];
const plain = (entry) => JSON.stringify(Object.entries(entry).sort());
const isLine = ({ act }) => act !== "chicago";

/** The lines of a game that count, in order, after all that was taken back or corrected; among them declared Chicagos. */
const linesOf = (taps) => {
  let lines = [];
  for (const tap of taps) {
    const { kind, target, entry, later } = tap.body;
    const at = lines.findIndex(({ id }) => id === target);
    if (tap.act === "take-back") lines.splice(lines.findLastIndex(isLine), 1);
    else if (!target) lines.push(tap);
    else if (at >= 0) {
      if (later) lines = lines.slice(0, at + 1);
      if (kind === "void") lines.splice(at, 1);
      else if (kind === "amend") lines[at] = { ...lines[at], body: { ...lines[at].body, entry } };
      else lines.splice(at, 0, { ...lines[at], id: tap.id, row: rowOf(lines[at]) - 0.5, body: { ...lines[at].body, entry } });
    }
  }
  return lines;
};

/** What follows the server's lines of the running game. */
const missingFrom = (taps, sheet) => {
  const lines = linesOf(taps);
  for (const { entry } of sheet.entries) {
    // The director's rulings, and folds of those called away, are nobody's taps.
    if (entry.kind === "ruling") continue;
    const first = lines.findIndex(isLine);
    if (first < 0 || plain(lines[first].body.entry) !== plain(entry)) break;
    lines.splice(0, first + 1);
  }
  return lines;
};

const move = async (key, { key: old, seating, seats, games = [], sat }, sheet) => {
  const names = { ...sat, ...Object.fromEntries(games.map((game) => [game.seating, game.seats])), [seating]: seats };
  const calls = (tap) => tap.act === "call" && tap.path.endsWith("/call/");
  const toldOf = (tap) => (calls(tap) ? { ...tap, act: "told", body: { game: sheet.game, text: tap.label } } : tap);
  const stored = [...(await loadWritten(old)), ...(await loadWaiting(old))].map(toldOf);
  const taps = stored
    .filter(({ act, body }) => WRITES.includes(act) && body.kind !== "reseat" && body.game >= sheet.game)
    .map((tap) => ({ ...tap, names: names[tap.seating] }))
    .sort(inOrder);
  const known = sheet.told.map(({ text }) => text);
  const kept = [
    ...missingFrom(taps.filter(({ body }) => body.game === sheet.game), sheet),
    ...taps.filter(({ body }) => body.game > sheet.game),
    // A sign-off stands there only while it counts; of what was decided the text is known.
    ...stored.filter(({ act, body }) => act === "sign" || (act === "told" && body.game >= sheet.game && !known.includes(body.text))),
  ];
  await run("waiting", "readwrite", (waiting, transaction) => {
    const written = transaction.objectStore("written");
    for (const { order } of stored) {
      waiting.delete(order);
      written.delete(order);
    }
    for (const tap of kept) written.put({ ...tap, key, until: tap.until && Infinity });
    return transaction.objectStore("sheets").delete(old);
  });
};

/** Go on under this link with what was stored under `old` ones of the same heat, if the server knows nothing of them. */
export const adopt = async (key, old, sheet) => {
  for (const each of old) {
    const response = await fetch(`${each.key}live/`, { cache: "no-store" }).catch(() => null);
    if (response?.status === 404) await move(key, each, sheet);
    else if (response?.status === 410) await erase(each.key);
    else continue;
    await uninstall(each.key).catch(() => {});
  }
};
