// A new server has this heat from the event's document, which carries no links: the table has another
// one, and the rows have other ids. What this device stored under the old link is offered under the new
// one (offer.js), from where the server's sheet ends or differs from what was written since. Of a game that
// others have finished otherwise there no line is offered: the director reads how it had ended. A heat that
// the server has lost is drawn again: seats and players are other ones there, so each line says who sat
// where by their names.

import { knows } from "./count.js";
import { predict } from "./predict.js";
import { uuid } from "./queue.js";
import { erase, inOrder, loadWaiting, loadWritten, rowOf, run, uninstall } from "./store.js";

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

/** How many of the lines the server has, and whether it has no others. */
const matched = (lines, entries) => {
  let count = 0;
  for (const { entry } of entries) {
    if (lines[count] && plain(lines[count].body.entry) === plain(entry)) count += 1;
    // The director's rulings, and folds of those called away, are nobody's taps.
    else if (entry.kind !== "ruling") return [count, false];
  }
  return [count, true];
};

/**
 * What follows the server's lines of a game ({game, seats, seating, entries, deal, stage, phase}), and whether it
 * `fits`: they are what this device had once. What was taken back or corrected since is taken back there first.
 */
const missingFrom = (taps, { game, seats, seating, entries, deal, stage, phase }) => {
  const lines = linesOf(taps);
  const now = lines.filter(isLine);
  let [common, fits] = matched(now, entries);
  const backs = [];
  for (let length = taps.length; length > 0; length -= 1) {
    const known = linesOf(taps.slice(0, length)).filter(isLine);
    const [count, all] = matched(known, entries);
    if (!all || count < known.length) continue;
    fits = true;
    common = known.findIndex(({ body }, at) => !now[at] || plain(now[at].body.entry) !== plain(body.entry));
    if (common < 0) common = known.length;
    for (let at = known.length - 1; at >= common; at -= 1) {
      const place = known[at + 1]?.place ?? { deal, stage, phase };
      const { at: time, order } = taps.at(-1);
      const number = (backs.length + 1) / 1000;
      backs.push({ id: uuid(), at: time, act: "take-back", order: order + number, row: number, place, seating, names: seats, body: { game } });
    }
    break;
  }
  const after = common && lines.indexOf(now[common - 1]) + 1;
  return { game, fits, missing: [...backs, ...lines.slice(after)] };
};

const playersOf = ({ seats }) => [...seats].sort().join();
/** A game's scores in words: "Anna 52, Bo 12", by name. */
const scored = ({ seats, scores }) => seats.map((name, seat) => `${name} ${scores[seat]}`).sort().join(", ");
const read = (id) => JSON.parse(document.getElementById(id).textContent);

/** The finished games of a sheet, and what they ended with. */
const endedIn = (sheet) => {
  const rules = read("device-rules");
  const { counts, state } = predict(rules, sheet, [], knows(rules));
  return [...(sheet.results ?? []), ...(counts && state.finished ? [{ ...sheet, scores: state.scores }] : [])];
};

/** The games that the same players have finished both here and there: as they had ended when this device last saw them, and how there. */
const endedTwice = (old, sheet) => {
  const there = endedIn(sheet);
  return endedIn(old).flatMap((was) => {
    const now = there.find(({ game }) => game === was.game);
    return now && playersOf(now) === playersOf(was) ? [{ was, now }] : [];
  });
};

/** How a game had ended, for the director to read. */
const tell = (was, planned, { at, order } = { at: Date.now(), order: 0 }) => {
  const title = read("device-texts").game.replace("{game}", was.game).replace("{planned}", planned);
  // Of no game of which the server says what was decided: it stays until it has been read.
  const body = { game: Infinity, text: `${title}: ${scored(was)}` };
  return { id: uuid(), at, act: "told", order: order + 0.5 + was.game / 1000, row: Infinity, body };
};

const move = async (key, from, sheet) => {
  const { key: old, seating, seats, games = [], sat } = from;
  const names = { ...sat, ...Object.fromEntries(games.map((game) => [game.seating, game.seats])), [seating]: seats };
  const calls = (tap) => tap.act === "call" && tap.path.endsWith("/call/");
  const toldOf = (tap) => (calls(tap) ? { ...tap, act: "told", body: { game: sheet.game, text: tap.label } } : tap);
  const stored = [...(await loadWritten(old)), ...(await loadWaiting(old))].map(toldOf);
  const taps = stored
    .filter(({ act, body }) => WRITES.includes(act) && body.kind !== "reseat")
    .map((tap) => ({ ...tap, names: names[tap.seating] }))
    .sort(inOrder);
  const known = sheet.told.map(({ text }) => text);
  // The game before can still be gone back to while nothing is written in this one.
  const [before, ...entries] = sheet.previous ?? [];
  const open = [...(before ? [{ ...before, entries }] : []), sheet].map((each) => missingFrom(taps.filter(({ body }) => body.game === each.game), each));
  const ended = endedTwice(from, sheet);
  // A game that goes on from this device's lines has been compared line by line.
  const fitting = open.filter(({ fits }) => fits).map(({ game }) => game);
  const otherwise = ended.filter(({ was, now }) => scored(now) !== scored(was) && !fitting.includes(was.game));
  const kept = [
    ...open.filter(({ game, fits }) => fits || !ended.some(({ was }) => was.game === game)).flatMap(({ missing }) => missing),
    ...taps.filter(({ body }) => body.game > sheet.game),
    // A sign-off stands there only while it counts, and is of these results; of what was decided the text is known.
    ...stored.filter(({ act, body }) => (act === "sign" && !otherwise.length) || (act === "told" && body.game >= sheet.game && !known.includes(body.text))),
    ...otherwise.map(({ was }) => tell(was, sheet.planned, stored.at(-1))),
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
  if (!document.getElementById("device-rules")) return; // once they are loaded it is offered again
  for (const each of old) {
    const response = await fetch(`${each.key}live/`, { cache: "no-store" }).catch(() => null);
    if (response?.status === 404) await move(key, each, sheet);
    else if (response?.status === 410) await erase(each.key);
    else continue;
    await uninstall(each.key).catch(() => {});
  }
};
