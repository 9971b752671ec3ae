// What a table wants to know while it plays (engine/sheet/prospects.py): whose turn it is, and what each
// player needs to win.

import { lacks } from "./rules.js";
import { plays, seatsOf } from "./state.js";

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
