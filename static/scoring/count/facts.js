// What entries did or would do, for whoever shows it: warnings, losses, what a redeal changed, whose turn it
// is, and what each player needs to win (engine/sheet/facts.py, warnings.py, losses.py, scoreboard.py, prospects.py).

import { problem, whyNot } from "./legality.js";
import { lacks } from "./rules.js";
import { STRAIGHT_FLUSH, plays, rank, seatsOf } from "./state.js";

/** The causes that set a score to 0, whatever it was. */
export const ZEROING = ["reset", "royal_flush", "no_chicago", "illegal_discard", "sit_out_game"];

/** Standing hands once the exchange has happened: who may exchange may have exchanged (§3). */
export const afterExchange = (state) => state.standing.map((held, seat) => (state.discardless[seat] ? held : null));

/** What the scorekeeper should look at twice before writing a legal entry (§3 Standing hand, §8). */
export const warnings = (state, entry) => {
  if (entry.kind !== "hand" || whyNot(state, entry)) return [];
  const { seat, category } = entry;
  const found = [];
  if (rank(category) >= rank(STRAIGHT_FLUSH)) found.push(problem("rare_hand", { seat, category }));
  const standing = state.exchanged ? state.standing : afterExchange(state);
  let holder = seat;
  let held = standing[seat] === category ? null : standing[seat];
  if (!held) {
    standing.forEach((other, at) => {
      const stronger = rank(other) > Math.max(held ? rank(held) : 0, rank(category));
      if (other && stronger && at !== seat && plays(state, at)) [holder, held] = [at, other];
    });
  }
  if (held) {
    found.push(problem("standing_hand", { seat, category, holder, held, why: holder === seat ? "own" : "other" }));
  }
  return found;
};

/** Larger losses are asked about. */
const MAX_LOST = 10;

/** The seats that an entry with these facts sets to zero or costs more than ten points. */
export const losses = (facts) => {
  const scored = facts.filter(({ fact }) => fact === "score");
  const found = [];
  for (const seat of [...new Set(scored.map((fact) => fact.seat))].sort((a, b) => a - b)) {
    const own = scored.filter((fact) => fact.seat === seat);
    const [before, after] = [own[0].from, own.at(-1).to];
    const short = own.some(({ cause }) => cause === "no_chicago");
    const out = facts.some((fact) => fact.fact === "status" && fact.seat === seat);
    if (short || (after === 0 && before > 0) || before - after > MAX_LOST) found.push({ seat, before, after, short, out });
  }
  return found;
};

/** The seats that the next few points may set to zero, as they lack a Chicago. */
export const nearTarget = (state) => {
  const { rules, scores, status } = state;
  return seatsOf(state).filter((seat) => status[seat] === "in" && scores[seat] >= rules.target - rules.last_trick && lacks(state, seat));
};

/** What a redeal changed, told as facts. */
export const changes = (before, after) => {
  const facts = [];
  for (const seat of seatsOf(before)) {
    const turned = (name) => before[name][seat] !== after[name][seat];
    const on = (name) => after[name][seat];
    if (turned("scores")) {
      facts.push({ fact: "score", seat, from: before.scores[seat], to: after.scores[seat], cause: "redeal" });
    }
    if (turned("executed")) facts.push({ fact: "executed", seat, on: on("executed") });
    const more = after.asterisks[seat] - before.asterisks[seat];
    for (let n = 0; n < Math.abs(more); n += 1) facts.push({ fact: "asterisk", seat, on: more > 0 });
    if (turned("discardless")) facts.push({ fact: "discardless", seat, on: on("discardless") });
    if (turned("status")) facts.push({ fact: "status", seat, to: on("status") });
  }
  const { deal, dealer, win, winners, places, game_points: points } = after;
  if (deal !== before.deal || dealer !== before.dealer) facts.push({ fact: "deal", deal, dealer });
  if (win !== null) facts.push({ fact: "game", win, winners, places, game_points: points });
  return facts;
};

/**
 * What a seat needs to win the running game by its score: the points that lack to the target; the Chicago that
 * lacks besides ("", "executed", "won", or "never" if it cannot be had any more); whether winning one Chicago
 * gives all of it; whether the last trick must be taken or a Chicago won, too, `later` in a later deal.
 * @typedef {{seat: number, points: number, chicago: string, enough: boolean, trick: boolean, later: boolean}} WinNeed
 */

/** The number of the exchange that comes next, or has just been; null if none does. */
export const exchangeDue = ({ stage, exchanged, phase }) => (["exchange", "tricks"].includes(stage) && !exchanged ? phase : null);

/** The seats that play this deal in their order; the first one speaks first. */
export const turns = (state) =>
  seatsOf(state)
    .map((turn) => (state.dealer + 1 + turn) % state.seats)
    .filter((seat) => plays(state, seat));

/**
 * What each seat still in needs to win; nothing once the game is over.
 * @returns {WinNeed[]}
 */
export const needs = (state) => (state.finished ? [] : seatsOf(state).filter((seat) => state.status[seat] === "in").map((seat) => need(state, seat)));

const need = (state, seat) => {
  const { rules, seats, scores, executed, armed } = state;
  const mayDeclare = !(rules.chicago_once && executed[seat]);
  const needed = rules.need_won_with_three && seats === 3 ? "won" : rules.need;
  const lacking = lacks(state, seat) ? needed : "";
  const chicago = lacking === "won" && !mayDeclare ? "never" : lacking;
  const points = Math.max(0, rules.target - scores[seat]);
  const later = rules.win_again && !armed[seat];
  const trick = rules.trick_to_win || rules.win_again;
  const enough = mayDeclare && !later && points > 0 && points <= rules.chicago_won;
  return { seat, points, chicago, enough, trick, later };
};
