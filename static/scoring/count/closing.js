// What follows an entry: target check, end of the deal, discardless flags, end of the game with places and game
// points (engine/sheet/closing.py, placing.py; rulebook §3: points, floor, target check, discardless check; §4).

import { lacks } from "./rules.js";
import { nextIn, plays, seatsOf } from "./state.js";

/** A sum shared by so many, exactly, as the engine writes a fraction: "20", "27/2". */
export const fraction = (sum, number) => {
  const common = (a, b) => (b ? common(b, a % b) : Math.abs(a));
  const divisor = common(sum, number);
  return number === divisor ? String(sum / divisor) : `${sum / divisor}/${number / divisor}`;
};

/** Game points by seat; null where the rule set has none for so many players. */
const shares = ({ rules, status, seats }, places, winners) => {
  if (seats > rules.game_points.length) return null;
  const points = Array(seats).fill("0");
  let place = 0;
  for (const group of places) {
    const worth = rules.game_points.slice(place, place + group.length);
    place += group.length;
    const fell = status[group[0]] === "disqualified" || (rules.out_points === "zero" && status[group[0]] === "out");
    if (fell && !winners.includes(group[0])) continue;
    const sum = worth.reduce((a, b) => a + b, 0);
    for (const seat of group) points[seat] = fraction(sum, group.length);
  }
  return points;
};

/** [places, game points]; `shareRest`: the royal flush, whose others share what is left. */
const placeGame = (state, winners, shareRest) => {
  const { rules, scores, status } = state;
  const rest = seatsOf(state).filter((seat) => !winners.includes(seat));
  const of = (what) => rest.filter((seat) => status[seat] === what);
  const still = of("in");
  const groups = [winners];
  if (shareRest && rules.out_points === "last_place") groups.push(rest.filter((seat) => status[seat] !== "disqualified"));
  else {
    const best = [...new Set(still.map((seat) => scores[seat]))].sort((a, b) => b - a);
    if (shareRest) groups.push(still);
    else for (const score of best) groups.push(still.filter((seat) => scores[seat] === score));
    groups.push(of("out"));
  }
  groups.push(of("disqualified"));
  const places = groups.filter((group) => group.length);
  return [places, shares(state, places, winners)];
};

/** The next state while it is being worked out, and the facts that lead to it. */
export const draftOf = (state) => {
  const draft = { ...state, facts: [] };
  for (const [name, value] of Object.entries(state)) if (Array.isArray(value)) draft[name] = [...value];
  return draft;
};

export const setScore = (draft, seat, to, cause) => {
  const from = draft.scores[seat];
  if (from === to) return;
  draft.scores[seat] = to;
  draft.facts.push({ fact: "score", seat, from, to, cause });
};

/** Points, down to 0 at the least where the rule set has a floor (§8 Floor and resets). */
export const add = (draft, seat, points, cause) => {
  const score = draft.scores[seat] + points;
  setScore(draft, seat, draft.rules.floor ? Math.max(0, score) : score, cause);
};

/** To zero: a later revoke costs none of the points lost here (§8 Revoke). */
export const zero = (draft, seat, cause) => {
  setScore(draft, seat, 0, cause);
  draft.deal_points[seat] = 0;
};

/** Everybody else to zero, but for disqualified players, whose scores are final (§8 Rulings). */
export const zeroOthers = (draft, seat, cause) => {
  draft.status.forEach((status, other) => {
    if (other !== seat && status !== "disqualified") zero(draft, other, cause);
  });
};

export const setStatus = (draft, seat, to) => {
  draft.status[seat] = to;
  draft.facts.push({ fact: "status", seat, to });
};

/**
 * What follows every entry. `closes`: it ends the deal; `scored`: a hand scored after an exchange before
 * the final phase, where variant Z looks at the target and the limit.
 */
export const conclude = (draft, { closes = false, scored = false } = {}) => {
  const { rules } = draft;
  if (rules.ending === "at_once" || (scored && rules.ending === "after_deal_or_hand")) lookAtTarget(draft);
  // §8 Rare combinations: need-chicago-3 takes effect at once.
  else if (rules.need_won_with_three && draft.seats === 3) zeroTheLacking(draft);
  if (!draft.finished) lastStanding(draft);
  if (!draft.finished && rules.win_again) disarm(draft);
  const closed = !draft.finished && (closes || nobodyPlays(draft));
  if (closed) closeDeal(draft);
  const from = rules.discardless_from;
  setDiscardless(draft, closes || closed || from === "at_once" || (scored && from === "next_exchange"));
};

/** Who reaches the target without the needed Chicago falls to 0, in some rule sets out of the game (§3, §8 Target). */
const zeroTheLacking = (draft) => {
  const { target, missing } = draft.rules;
  for (const seat of seatsOf(draft)) {
    if (draft.scores[seat] < target || draft.status[seat] !== "in" || !lacks(draft, seat)) continue;
    zero(draft, seat, "no_chicago");
    if (missing === "zero_and_out") setStatus(draft, seat, "out");
  }
};

const lookAtTarget = (draft) => {
  const { rules, scores, status } = draft;
  if (Math.max(...scores) < rules.target) return;
  zeroTheLacking(draft);
  const there = seatsOf(draft).filter((seat) => {
    if (scores[seat] < rules.target || status[seat] !== "in") return false;
    const took = draft.trick_winner === seat;
    return (!rules.trick_to_win || took) && (!rules.win_again || (draft.armed[seat] && took)); // Y, win-again
  });
  const best = Math.max(...there.map((seat) => scores[seat]));
  const winners = there.filter((seat) => scores[seat] === best);
  if (winners.length) finish(draft, winners, "target");
};

const lastStanding = (draft) => {
  const still = seatsOf(draft).filter((seat) => draft.status[seat] === "in");
  if (still.length === 1) finish(draft, still, "last_standing");
};

const disarm = (draft) => {
  draft.armed = draft.armed.map((armed, seat) => armed && draft.scores[seat] >= draft.rules.target);
};

/** Nobody is left who could write anything in this deal but rulings (§9 Nobody left). */
const nobodyPlays = (draft) => {
  if (!draft.sitting_out.includes(true) && !draft.dead.includes(true)) return false;
  const playing = seatsOf(draft).filter((seat) => plays(draft, seat));
  if (draft.stage !== "tricks") return !playing.length;
  return playing.every((seat) => draft.dead[seat] && !mayLose(draft, seat));
};

/** A dead hand may still lose a Chicago that it had declared before the revoke. */
const mayLose = ({ rules, executed, scores, deal_points: points }, seat) =>
  !(rules.chicago_once && executed[seat]) && (rules.chicago_minimum === null || scores[seat] + points[seat] >= rules.chicago_minimum);

const closeDeal = (draft) => {
  const { rules, status, scores } = draft;
  if (rules.ending !== "at_once") {
    lookAtTarget(draft);
    if (!draft.finished) lastStanding(draft);
    if (draft.finished) return;
  }
  if (rules.win_again) draft.armed = draft.armed.map((armed, seat) => armed || (scores[seat] >= rules.target && status[seat] === "in"));
  draft.deal += 1;
  draft.dealer = nextIn(draft.dealer, status);
  draft.facts.push({ fact: "deal", deal: draft.deal, dealer: draft.dealer });
  const each = (value) => Array(draft.seats).fill(value);
  Object.assign(draft, {
    phase: 1,
    stage: "exchange",
    deal_points: each(0),
    standing: each(null),
    exchanged: false,
    trick_winner: null,
    dead: each(false),
    bound: each(false),
    sitting_out: draft.sitting_out_next,
    sitting_out_next: each(false),
    begun: false,
    redealt: null,
  });
  if (nobodyPlays(draft)) closeDeal(draft);
};

/** The flags end below the limit; new ones need `mayRise` (§8 Discardless). */
export const setDiscardless = (draft, mayRise) => {
  const limit = draft.rules.discardless;
  if (limit === null) return;
  draft.scores.forEach((score, seat) => {
    const before = draft.discardless[seat];
    const on = !draft.finished && score >= limit && (mayRise || before) && draft.status[seat] === "in";
    if (on === before) return;
    draft.discardless[seat] = on;
    draft.facts.push({ fact: "discardless", seat, on });
  });
};

/** The game is over; without winners the scores decide (§4). */
export const finish = (draft, winners, win, shareRest = false) => {
  const [places, points] = placeGame(draft, winners, shareRest);
  Object.assign(draft, { finished: true, phase: null, stage: "over", win, places, game_points: points });
  draft.winners = winners.length ? winners : places[0];
  draft.facts.push({ fact: "game", win, winners: draft.winners, places, game_points: points });
};
