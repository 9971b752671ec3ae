// A table's state including the taps waiting on this device: the server's last state (device_sheet in
// scoring/reading/device.py), and on top of it, tap by tap, what has not been acknowledged yet.

import { start, step } from "./count.js";

/** What is known of a game after one more entry; null once an entry cannot be replayed here. */
const and = (known, { entry, sequence }) => {
  const next = known && step(known.state, entry);
  if (!next || next.problem) return null;
  known.steps.push({ before: known.state, after: next.state, entry, sequence, facts: next.facts });
  return { state: next.state, steps: known.steps };
};

/** The running game's state after its entries. */
const counted = (rules, { seats, dealer }, entries) =>
  entries.reduce(and, { state: start(rules, seats.length, dealer), steps: [] });

let base = {};
/** The state after the server's entries, which are counted once and not again at every tap. */
const countedBase = (rules, sheet) => {
  if (base.sheet !== sheet || base.rules !== rules) base = { sheet, rules, known: counted(rules, sheet, sheet.entries) };
  return base.known && { ...base.known, steps: [...base.known.steps] };
};

/** Where a tap belongs: position in the game, seating, row, and who is called away. It is never offered for another position. */
export const positionIn = ({ state: { deal, stage, phase }, seating, seats, away = [], version }) => ({
  place: { deal, stage, phase },
  seating,
  away: away.map((name) => seats.indexOf(name)).filter((seat) => seat >= 0),
  row: version + 1,
});

/** The rulings with which the program opens a game for disqualified or absent players. */
const opening = (next, gone) =>
  Object.entries(gone)
    .filter(([name]) => next.seats.includes(name))
    .sort(([, a], [, b]) => a.localeCompare(b)) // disqualified ones first
    .map(([name, action]) => ({ entry: { kind: "ruling", action, seat: next.seats.indexOf(name), reason: action } }));

const AWAY = "reason:away";

/** The index of the last entry made by a person: the folds of players called away follow from one. */
export const lastMade = (entries) => entries.findLastIndex(({ entry }) => entry.reason !== AWAY);

/** Players called away fold each deal: what the server writes when one begins (writing/absence.py). */
const folds = (state, { seats, away }) => {
  const playing = seats.map((_name, seat) => seat).filter((seat) => state.status[seat] === "in");
  const gone = playing.filter((seat) => away?.includes(seats[seat]));
  if (gone.length === playing.length) return [];
  return gone
    .filter((seat) => !state.sitting_out[seat])
    .map((seat) => ({ entry: { kind: "ruling", action: "sit_out_deal", reason: AWAY, seat } }));
};

/**
 * The state with the waiting taps. `game`, `version`, `seats`, `shorts`, `dealer`, `mode` as in the
 * server's document; `entries` that count, with their tap if they wait; `state` and `steps` named as
 * in the engine (only deal, stage and phase, of before these taps, if `counts` is false); `opened` is the waiting tap that
 * began this game, `previous` the game before it and its entries, as long as it can be gone back to
 * (this one's version is still `unwritten`), `results` the finished games before it, `called` whether the director is, and
 * `signed` whether the table has signed off; both can be "waits".
 */
export const predict = (rules, sheet, taps, counts) => {
  let table = { announced: null, ...sheet, entries: [...sheet.entries], games: [...sheet.games] };
  const plain = { deal: sheet.deal, stage: sheet.stage, phase: sheet.phase };
  let known = counts ? countedBase(rules, sheet) : null;
  const judge = () => {
    if (known) table.mode = known.state.finished ? (table.games.length ? "over" : "end") : "play";
  };
  const recount = () => {
    known = counts ? counted(rules, table, table.entries) : null;
    judge();
  };
  // Hours of entries may wait: each is counted once, not with all those before it.
  const append = (row) => {
    table.entries.push(row);
    table.version += 1;
    known = and(known, row);
    judge();
  };
  const fold = (before) => {
    if (!known || known.state.deal === before || table.mode !== "play") return;
    const { deal } = known.state;
    const rows = folds(known.state, table);
    if (!rows.length) return;
    rows.forEach(append);
    fold(deal);
  };
  for (const tap of taps) {
    // The sheet has its row already: only the answer was lost, or the page closed before it was noted.
    if (tap.body?.game === table.game && tap.body.version < table.version) continue;
    if (tap.act === "entry" && tap.body.game === table.game) {
      const { deal } = known?.state ?? plain;
      append({ entry: tap.body.entry, at: new Date(tap.at).toISOString(), tap });
      table.announced = null;
      fold(deal);
    } else if (tap.act === "chicago" && tap.body.game === table.game) {
      table.announced = tap.body.announce;
    } else if (tap.act === "take-back" && tap.body.game === table.game) {
      table.entries.splice(lastMade(table.entries), 1);
      table.version += 1;
      recount();
    } else if (tap.act === "seats") {
      table.seated = true;
    } else if (tap.act === "next-game" && table.games.length && table.games[0].game === tap.body.game) {
      const [next, ...later] = table.games;
      const gone = { ...table.gone };
      known?.state.status.forEach((status, seat) => {
        if (status === "disqualified") gone[table.seats[seat]] = "disqualify";
      });
      const entries = opening(next, gone);
      const previous = [{ ...table, ...plain, previous: null }, ...table.entries];
      // Gone back to, the game is among them already.
      const results = (table.results ?? []).filter(({ game }) => game < table.game);
      if (known) results.push({ ...known.state, game: table.game, seats: table.seats });
      const { version: unwritten = 0 } = next;
      table = { ...table, ...next, results, games: later, gone, entries, unwritten, version: unwritten + entries.length, announced: null, mode: "play", opened: tap, previous };
      recount();
      fold(-1);
    } else if (tap.act === "return" && tap.body.game === table.game && table.previous) {
      const [game, ...entries] = table.previous;
      table = { ...table, games: [{ ...table, version: table.unwritten }, ...table.games], opened: null, previous: null, mode: "over", ...game, entries };
      recount();
    } else if (tap.act === "call" && !tap.path.endsWith("/slow/")) {
      table.called = tap.path.endsWith("/call/") && "waits";
    } else if (tap.act === "sign") {
      table.signed = "waits";
    }
  }
  return { ...table, counts: Boolean(known), state: known?.state ?? plain, steps: known?.steps ?? [] };
};

/** The deal under which a line stands: what ends a game between two deals belongs to the one before. */
export const dealOf = ({ steps }, index) => {
  const { deal } = steps[index].before;
  const end = steps.at(-1);
  const ended = deal > 0 && end.before.deal === deal && end.entry.action === "end_game";
  return ended && steps.every(({ before, entry }) => before.deal < deal || entry.kind === "ruling") ? deal : deal + 1;
};

/** The current deal's steps since its last redeal. */
export const dealNow = ({ steps, state: { deal } }) => {
  const now = steps.filter(({ before }) => before.deal === deal);
  return now.slice(now.findLastIndex(({ entry }) => entry.action === "redeal") + 1);
};

/** Whether "take back" returns to the game before: no server can know of this one, or nothing was ever written in it. */
export const leavesGame = ({ opened, previous, unwritten = 0, version, entries }) =>
  Boolean(previous) && (opened && !opened.tried ? !entries.some(({ tap }) => tap) : version === unwritten);
