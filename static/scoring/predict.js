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

/** Whether a hand ends the deal by the rules alone, whatever the scores (engine/sheet/effects.py). */
const endsDeal = (fields, { category, suit, reset, reset_seat: one }) => {
  const flush = category === "straight_flush" || (category === "royal_flush" && (!fields.royal_hearts_only || suit === "H"));
  if (flush) return !["points", "lift"].includes(fields[category]);
  if (category !== "four_of_a_kind") return false;
  const both = fields.quads_reset === "with_points";
  const resets = both || (reset && one === undefined);
  return (fields.reset_ends_deal && resets) || (fields.quads_end_deal && (both || !reset));
};

/** Without computing scores, the question still moves on from phase to phase. */
const followed = ({ fields }, state, entry) => {
  const closed = { ...state, deal: state.deal + 1, phase: 1, stage: "exchange" };
  const { kind, phase = state.phase } = entry;
  if (kind === "last_trick") return { ...state, stage: "final_hand" };
  if (kind === "chicago") {
    const scores = fields.final_hand_in_chicago;
    const goesOn = !entry.blind && (scores === "always" || (scores === "if_won" && entry.won));
    return goesOn ? { ...state, stage: "chicago_hand" } : closed;
  }
  if (kind !== "hand" && kind !== "none") return state;
  if (["final_hand", "chicago_hand"].includes(state.stage) || endsDeal(fields, entry)) return closed;
  if (state.stage === "tricks") return state; // a reset shown before the tricks: they are still to be played
  return { ...state, phase: phase + 1, stage: phase + 1 === fields.exchanges ? "tricks" : "exchange" };
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
  const playing = seats.map((_name, seat) => seat).filter((seat) => !state.status || state.status[seat] === "in");
  const gone = playing.filter((seat) => away?.includes(seats[seat]));
  if (gone.length === playing.length) return [];
  return gone
    .filter((seat) => !state.sitting_out?.[seat])
    .map((seat) => ({ entry: { kind: "ruling", action: "sit_out_deal", reason: AWAY, seat } }));
};

/**
 * The state with the waiting taps. `game`, `version`, `seats`, `shorts`, `dealer`, `mode` as in the
 * server's document; `entries` that count, with their tap if they wait; `state` and `steps` named as
 * in the engine (only deal, stage and phase if `counts` is false); `opened` is the waiting tap that
 * began this game, `previous` the game before it and its entries, as long as it can be gone back to
 * (this one's version is still `unwritten`), `results` the finished games before it, `called` whether the director is, and
 * `signed` whether the table has signed off; both can be "waits".
 */
export const predict = (rules, sheet, taps, counts) => {
  let table = { announced: null, ...sheet, entries: [...sheet.entries], games: [...sheet.games] };
  let plain = { deal: sheet.deal, stage: sheet.stage, phase: sheet.phase };
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
    const { deal } = known?.state ?? plain;
    if (deal === before || table.mode !== "play") return;
    const rows = folds(known?.state ?? plain, table);
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
      plain = followed(rules, plain, tap.body.entry);
      table.announced = null;
      fold(deal);
    } else if (tap.act === "chicago" && tap.body.game === table.game) {
      table.announced = tap.body.announce;
    } else if (tap.act === "take-back" && tap.body.game === table.game) {
      table.entries.splice(lastMade(table.entries), 1);
      table.version += 1;
      if (tap.before) plain = tap.before;
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
      plain = { deal: 0, stage: "exchange", phase: 1 };
      recount();
      fold(-1);
    } else if (tap.act === "return" && tap.body.game === table.game && table.previous) {
      const [game, ...entries] = table.previous;
      table = { ...table, games: [{ ...table, version: table.unwritten }, ...table.games], opened: null, previous: null, mode: "over", ...game, entries };
      plain = { deal: game.deal, stage: game.stage, phase: game.phase };
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

/** The current deal's entries since its last redeal, each with its facts if scores are computed. */
export const dealNow = ({ counts, entries, steps, state: { deal, stage, phase } }) => {
  if (!counts) {
    const first = entries.findLastIndex(({ entry }) => entry.phase === 1);
    return first < 0 || (stage === "exchange" && phase === 1) ? [] : entries.slice(first);
  }
  const now = steps.filter(({ before }) => before.deal === deal);
  return now.slice(now.findLastIndex(({ entry }) => entry.action === "redeal") + 1);
};

/** Whether "take back" returns to the game before: no server can know of this one, or nothing was ever written in it. */
export const leavesGame = ({ opened, previous, unwritten = 0, version, entries }) =>
  Boolean(previous) && (opened && !opened.tried ? !entries.some(({ tap }) => tap) : version === unwritten);

/** The seats in the order in which they play. */
export const inTurn = ({ seats, state: { dealer } }) => seats.map((_name, turn) => (dealer + 1 + turn) % seats.length);

/** The deal's field in which an entry stands; none if it is no score of a phase. */
export const fieldOf = ({ kind, phase }, exchanges) => {
  if (kind === "hand" || kind === "none") return phase === exchanges ? "hand" : String(phase);
  return kind === "chicago" || kind === "last_trick" ? "tricks" : "";
};
