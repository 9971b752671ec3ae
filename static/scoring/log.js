// From a table's log to what its page shows: the lines that count, and on top of them, tap by tap, what
// no server has acknowledged yet. What follows from lines is reckoned here as on the server
// (scoring/reading/history.py, scoring/writing/absence.py).

import { start, step } from "./count.js";

export const AWAY = "reason:away";
const SEATS = ["seat", "breaker"];

const turned = (entry, turn) => {
  if (!entry || entry.kind === "totals") return entry;
  const changed = SEATS.filter((name) => Number.isInteger(entry[name])).map((name) => [name, turn[entry[name]] ?? entry[name]]);
  return { ...entry, ...Object.fromEntries(changed) };
};

/**
 * A game's lines as slots in playing order: {id, row, entry, at, own, voided, replaced}.
 * @param {import("./shapes.js").Line[]} lines
 */
export const slotsOf = (lines, drawn) => {
  let slots = [];
  let seats = drawn;
  const slotOf = ({ id, row, entry, at, own }) => ({ id, row, entry, at, own, voided: false, replaced: false });
  for (const line of lines) {
    const at = line.target ? slots.findIndex(({ id }) => id === line.target) : -1;
    if (line.kind === "entry") slots.push(slotOf(line));
    else if (line.kind === "reseat") {
      const next = line.entry.seats;
      const before = seats;
      if ((line.entry.follow ?? "player") === "player") {
        slots = slots.map((slot) => ({ ...slot, entry: turned(slot.entry, before.map((who) => next.indexOf(who))) }));
      }
      seats = next;
    } else if (line.kind === "paper") {
      if (line.entry) slots.push(slotOf(line));
    } else if (at < 0) continue;
    else if (line.kind === "void") slots[at] = { ...slots[at], voided: true };
    else if (line.kind === "amend") slots[at] = { ...slots[at], entry: line.entry, at: line.at, replaced: true };
    else if (line.kind === "insert") slots.splice(at, 0, slotOf(line));
  }
  return slots;
};

/** What is known of a game after one more entry; what the rules forbid, as from a newer server, changes nothing. */
const and = ({ state, steps }, row) => {
  const next = step(state, row.entry);
  if (next.problem) return { state, steps };
  steps.push({ ...row, before: state, after: next.state, facts: next.facts });
  return { state: next.state, steps };
};

export const counted = (rules, { seats, dealer, result }, entries) => {
  const known = entries.reduce(and, { state: start(rules, seats.length, dealer), steps: [] });
  return result ? { ...known, state: { ...known.state, ...result } } : known;
};

const cache = new Map();
/** A game's entries that count, with the state after them: reckoned once for the same lines. */
const base = (rules, game, lines) => {
  const key = `${game.game} ${game.seating} ${lines.length} ${lines.at(-1)?.id}`;
  let known = cache.get(game.game);
  if (known?.key !== key || known.rules !== rules) {
    const slots = slotsOf(lines, game.drawn).filter(({ voided, entry }) => !voided && entry.kind !== "totals");
    const { state, steps } = counted(rules, game, slots);
    known = { key, rules, state, steps, entries: steps.map(({ before: _before, after: _after, facts: _facts, ...row }) => row) };
    cache.set(game.game, known);
  }
  return { entries: [...known.entries], state: known.state, steps: [...known.steps] };
};

/** The index of the last entry made by a person: the folds of players called away follow from one. */
export const lastMade = (entries) => entries.findLastIndex(({ entry }) => entry.reason !== AWAY);

/** The rulings with which the program opens a game for disqualified or absent players. */
const opening = (next, gone) =>
  Object.entries(gone)
    .filter(([name]) => next.seats.includes(name))
    .sort(([, a], [, b]) => a.localeCompare(b)) // disqualified ones first
    .map(([name, action]) => ({ entry: { kind: "ruling", action, seat: next.seats.indexOf(name), reason: action } }));

/** Players called away fold each deal: what the server writes when one begins. */
const folds = (state, { seats, away }) => {
  const playing = seats.map((_name, seat) => seat).filter((seat) => state.status[seat] === "in");
  const gone = playing.filter((seat) => away.includes(seats[seat]));
  if (gone.length === playing.length) return [];
  return gone
    .filter((seat) => !state.sitting_out[seat])
    .map((seat) => ({ entry: { kind: "ruling", action: "sit_out_deal", reason: AWAY, seat } }));
};

/** One game as the page shows it, as the server has it. */
const played = ({ document, rules, lines }, game) => {
  const own = lines[game.game] ?? [];
  const known = base(rules, game, own);
  const written = own.some(({ kind }) => kind !== "reseat");
  return { ...game, ...known, version: own.length, last: own.at(-1)?.id ?? null, written, planned: document.planned };
};

/** Every game of a table that has begun, with its entries and its state. */
export const playedGames = (table) =>
  table.document.games.filter(({ status }) => ["running", "finished"].includes(status)).map((game) => played(table, game));

/**
 * What the page shows of a table with the waiting taps. `game`, `seats`, `shorts`, `dealer`, `state`, `steps`
 * and `entries` are those of the game that is played, or was last; `mode` is play, over (another game waits) or
 * end; `announced` is who plays a Chicago; `opened` is the waiting tap that began this game, `previous` the game
 * before it, as long as it can be gone back to; `results` are the finished games before it; `called` and
 * `signed` can be "waits".
 */
export const viewOf = (table, taps) => {
  const { document, rules } = table;
  const { declared } = document;
  const games = document.games.filter(({ status }) => status !== "void");
  // Where every game is void, one stands there as if nothing had been written.
  const none = !games.length;
  const shown = none ? document.games.map((each) => ({ ...each, result: null })) : games;
  const current = shown.find(({ game }) => game === document.now) ?? shown[0];
  const results = playedGames(table).filter(({ status, game }) => status === "finished" && game < current.game);
  const { penalties, away, chain, advance, planned, directed, practice, objected, seated, writes } = document;
  const now = played(none ? { ...table, lines: {} } : table, current);
  // Of an earlier deal it may still be here: what is written within a deal changes no document.
  const declares = declared?.game === current.game && declared.deal === now.state.deal && now.state.stage === "tricks";
  let view = {
    ...{ penalties, away, chain, advance, planned, directed, practice, objected, seated, writes, rules },
    ...{ flips: document.flips, final: document.final },
    ...now,
    called: document.called,
    signed: document.signed,
    gone: { ...document.gone },
    announced: declares ? declared.seat : null,
    games: games.filter(({ status }) => status === "waiting"),
    results,
    opened: null,
    previous: null,
    made: 0, // own taps since the game began
  };
  const before = games[games.indexOf(current) - 1];
  if (current.status === "running" && before?.status === "finished") view.previous = before;
  const judge = () => {
    view.mode = view.state.finished ? (view.games.length ? "over" : "end") : "play";
    if (current.status === "waiting" && !view.opened) view.mode = "over";
    if (none) view.mode = "end";
  };
  const append = (row) => {
    const before = view.steps.length;
    Object.assign(view, and(view, row));
    // What no longer fits, as after a conflict, waits for a decision.
    if (view.steps.length === before) return;
    view.entries.push(row);
    view.version += 1;
    judge();
  };
  const fold = (deal) => {
    if (view.state.deal === deal || view.mode !== "play") return;
    const now = view.state.deal;
    const rows = folds(view.state, view);
    for (const row of rows) append(row);
    if (rows.length) fold(now);
  };
  const goTo = (game, more) => {
    const known = played(table, game);
    view = { ...view, ...known, announced: null, made: 0, ...more };
  };
  judge();
  const known = new Set(Object.values(table.lines).flatMap((own) => own.map(({ id }) => id)));
  for (const tap of taps) {
    if (known.has(tap.id)) continue; // only its answer was lost
    const here = tap.game === view.game;
    if (tap.act === "entry" && here) {
      const { deal } = view.state;
      append({ entry: tap.entry, at: new Date(tap.at).toISOString(), tap, id: tap.id });
      Object.assign(view, { announced: null, made: view.made + 1, last: tap.id, written: true });
      fold(deal);
    } else if (tap.act === "back" && here) {
      const at = view.entries.findIndex(({ id }) => id === tap.target);
      if (at < 0) continue;
      view.entries.splice(at, view.entries.length - at);
      Object.assign(view, counted(rules, view, view.entries), { version: view.version + 1, last: tap.id, announced: null });
      judge();
    } else if (tap.act === "chicago" && here) view.announced = tap.seat;
    else if (tap.act === "seats" && !tap.order?.length) view.seated = true;
    else if (tap.act === "next" && view.games[0]?.game === tap.game) {
      const [next, ...later] = view.games;
      view.state.status.forEach((status, seat) => {
        if (status === "disqualified") view.gone[view.seats[seat]] = "disqualify";
      });
      const finished = { game: view.game, seats: view.seats, state: view.state, result: null, ...pick(view) };
      const previous = view;
      goTo(next, { games: later, opened: tap, results: [...view.results, finished], previous, mode: "play" });
      for (const row of opening(next, view.gone)) append(row);
      fold(-1);
    } else if (tap.act === "return" && here && view.previous) {
      if (view.opened) view = view.previous;
      else {
        const waits = [current, ...view.games];
        goTo(view.previous, { games: waits, previous: null, opened: null, results: view.results.filter(({ game }) => game < view.previous.game) });
        judge();
      }
    } else if (tap.act === "call") view.called = "waits";
    else if (tap.act === "uncall") view.called = false;
    else if (tap.act === "sign") view.signed = "waits";
  }
  return view;
};

const pick = ({ steps, entries, shorts, labels, dealer }) => ({ steps, entries, shorts, labels, dealer });

/** Where a tap belongs: position in the game, who sits where, and the line before it. */
export const placeIn = ({ game, state: { deal, stage, phase }, seating, seats, last }) => ({
  game,
  place: { deal, stage, phase },
  seating,
  names: seats,
  follows: last,
});

/** The deal under which a line stands: what ends a game between two deals belongs to the one before. */
export const dealOf = ({ steps }, index) => {
  const { deal } = steps[index].before;
  const end = steps.at(-1);
  const ended = deal > 0 && end.before.deal === deal && end.entry.action === "end_game";
  return ended && steps.every(({ before, entry }) => before.deal < deal || entry.kind === "ruling") ? deal : deal + 1;
};

/** The current deal's entries since its last redeal, each with its facts. */
export const dealNow = ({ steps, state: { deal } }) => {
  const now = steps.filter(({ before }) => before.deal === deal);
  return now.slice(now.findLastIndex(({ entry }) => entry.action === "redeal") + 1);
};

/** Whether "take back" returns to the game before: nothing was ever written in this one. */
export const leavesGame = ({ previous, opened, made, written }) => Boolean(previous) && (opened ? !made : !written);

/** The seats in the order in which they play. */
export const inTurn = ({ seats, state: { dealer } }) => seats.map((_name, turn) => (dealer + 1 + turn) % seats.length);
