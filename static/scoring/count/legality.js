// What an entry is, whatever the game (engine/sheet/entries.py; rulebook §8 Structure), and whether it may be
// written now; if not, the first reason in the order of the codes (engine/sheet/legality.py; rulebook §3, §8).

import { showsResets, winsAtOnce } from "./rules.js";
import { QUADS, ROYAL_FLUSH, STRAIGHT_FLUSH, plays, rank } from "./state.js";

const NOTES = ["id", "at", "by", "note"];
const ACTIONS = [
  "points", "sit_out_deal", "sit_out_next_deal", "sit_out_game", "disqualify", "redeal", "end_game",
];
const WITHOUT_SEAT = ["redeal", "end_game"];
const SUITS = ["H", "S", "D", "C"];
const LIMIT = 1e9;
/** Fields that a kind needs, and those that it may have. */
const FIELDS = new Map([
  ["hand", [["phase", "seat", "category"], ["reset", "reset_seat", "suit"]]],
  ["none", [["phase"], []]],
  ["chicago", [["seat", "won"], ["breaker", "blind", "deuce"]]],
  ["last_trick", [["seat"], ["deuce"]]],
  ["revoke", [["seat"], []]],
  ["illegal_discard", [["seat"], []]],
  ["ruling", [["action"], ["seat", "points", "reason"]]],
]);

const whole = (value, low, high) => Number.isInteger(value) && value >= low && value <= high;

/** Whether a field of an entry holds what it may hold under these rules. */
const fits = ({ seats, rules }, entry, name) => {
  const value = entry[name];
  const seated = whole(value, 0, seats - 1);
  const flag = typeof value === "boolean";
  switch (name) {
    case "phase": return whole(value, 1, rules.exchanges);
    case "seat": return seated && !WITHOUT_SEAT.includes(entry.action);
    case "category": return typeof value === "string" && rank(value) > 0;
    case "reset": return flag && (!value || entry.category === QUADS);
    case "reset_seat": return seated && entry.reset === true && resetsOne(rules) && value !== entry.seat;
    case "suit": return SUITS.includes(value);
    case "won": return flag;
    case "breaker": return seated && entry.won === false;
    case "blind": return flag && (!value || rules.blind_chicago);
    case "deuce": return flag && (!value || entry.kind === "last_trick" || (entry.won === true && entry.blind === true));
    case "action": return ACTIONS.includes(value);
    case "points": return entry.action === "points" && whole(value, -LIMIT, LIMIT);
    default: return typeof value === "string"; // reason and the notes
  }
};

const resetsOne = (rules) => rules.quads_reset === "one_seat_instead_of_points";

/** The fields that an entry needs. */
const neededBy = ({ rules }, entry) => {
  const [needed] = FIELDS.get(entry.kind);
  if (entry.kind === "hand" && entry.reset === true && resetsOne(rules)) return [...needed, "reset_seat"];
  if (!ACTIONS.includes(entry.action) || WITHOUT_SEAT.includes(entry.action)) return needed;
  return [...needed, "seat", ...(entry.action === "points" ? ["points"] : [])];
};

/** The code of what is no entry at all, in the order of the codes. */
const malformed = (state, entry) => {
  if (entry === null || typeof entry !== "object" || Array.isArray(entry)) return "malformed";
  if (entry.kind === undefined) return "missing_field";
  if (!FIELDS.has(entry.kind)) return "unknown_kind";
  const names = Object.keys(entry).filter((name) => name !== "kind");
  const known = [...FIELDS.get(entry.kind).flat(), ...NOTES];
  if (names.some((name) => !known.includes(name))) return "unknown_field";
  if (neededBy(state, entry).some((name) => entry[name] === undefined)) return "missing_field";
  return names.every((name) => fits(state, entry, name)) ? null : "bad_value";
};

export const problem = (code, params = {}) => ({ code, params });

const unexpected = (state, entry, why, more) => {
  const { stage, phase, rules } = state;
  return problem("unexpected_kind", { kind: entry.kind, why, stage, phase, exchanges: rules.exchanges, ...more });
};

const notInTricks = (state, entry) =>
  unexpected(state, entry, state.stage === "exchange" ? "before_tricks" : "hand_due");

const wrongPhase = ({ stage, phase, rules }, entry) =>
  problem("wrong_phase", { kind: entry.kind, stage, given: entry.phase, phase, exchanges: rules.exchanges });

const seatOut = ({ status }, seat) =>
  problem("seat_out", { seat, why: status[seat] === "in" ? "sitting_out" : status[seat] });

const deadHand = (seat, why) => problem("dead_hand", { seat, why });

/** Whether any hands may be shown before the tricks, and no hand is dead (§8 The run of a deal, Revoke). */
const mayShow = ({ rules, dead }) =>
  !dead.includes(true) &&
  (winsAtOnce(rules, { category: STRAIGHT_FLUSH }) ||
    winsAtOnce(rules, { category: ROYAL_FLUSH, suit: "H" }) ||
    rules.quads_end_deal ||
    showsResets(rules));

/** Before the tricks only what wins, resets or ends the deal is shown (§8 The run of a deal). */
const isShown = (rules, hand) => {
  const { category, reset, suit } = hand;
  if (category === QUADS) {
    const resets = showsResets(rules);
    if (reset) return resets || (rules.quads_end_deal && rules.quads_reset === "never");
    return rules.quads_end_deal || (resets && rules.quads_reset === "with_points");
  }
  // It may be the royal in hearts: only the suit is missing.
  if (category === ROYAL_FLUSH && rules.royal_hearts_only && suit === undefined) return true;
  return winsAtOnce(rules, hand);
};

/** Whether four of a kind may reset at this point (§8 The run of a deal; §9 New variants). */
const mayReset = ({ rules, stage }) => {
  if (rules.quads_reset === "never" || stage === "chicago_hand") return false;
  return stage !== "final_hand" || rules.quads_reset !== "instead_of_points" || !rules.reset_ends_deal;
};

const FAULTS = {
  hand(state, entry) {
    const { rules, stage } = state;
    const { seat, category, reset, reset_seat: other, suit } = entry;
    if (stage === "tricks" && !mayShow(state)) {
      return unexpected(state, entry, state.dead.includes(true) ? "revoked" : "tricks_first");
    }
    if (entry.phase !== state.phase) return wrongPhase(state, entry);
    if (stage === "tricks" && !isShown(rules, entry)) return unexpected(state, entry, "not_shown", { category });
    for (const named of other === undefined ? [seat] : [seat, other]) if (!plays(state, named)) return seatOut(state, named);
    if (reset && !mayReset(state)) return problem("reset_not_allowed", { seat, why: rules.quads_reset === "never" ? "never" : stage });
    if (reset && state.bound[seat] && rules.quads_reset !== "with_points") return problem("reset_bound", { seat });
    return category === ROYAL_FLUSH && rules.royal_hearts_only && suit === undefined ? problem("missing_suit", { seat }) : null;
  },
  none(state, entry) {
    if (state.stage === "tricks") return unexpected(state, entry, "tricks_first");
    return entry.phase === state.phase ? null : wrongPhase(state, entry);
  },
  last_trick(state, entry) {
    const { seat } = entry;
    if (state.stage !== "tricks") return notInTricks(state, entry);
    if (!plays(state, seat)) return seatOut(state, seat);
    return state.dead[seat] ? deadHand(seat, "last_trick") : null;
  },
  chicago(state, entry) {
    const { rules } = state;
    const { seat, won, breaker, blind = false } = entry;
    if (blind) {
      // The first scoring entry of a deal (§8 Blind Chicago).
      if (state.stage !== "exchange" || state.phase !== 1) return unexpected(state, entry, "blind_late");
    } else if (state.stage !== "tricks") return notInTricks(state, entry);
    for (const named of breaker === undefined ? [seat] : [seat, breaker]) if (!plays(state, named)) return seatOut(state, named);
    const minimum = rules.chicago_minimum;
    // It was declared before the tricks, so before a revoke took these points.
    const score = state.scores[seat] + (state.dead[seat] ? state.deal_points[seat] : 0);
    if (minimum !== null && !blind && score < minimum) return problem("chicago_below_minimum", { seat, score, minimum });
    if (rules.chicago_once && state.executed[seat]) return problem("chicago_limit", { seat });
    if (won && state.dead[seat]) return deadHand(seat, "chicago");
    if (breaker === undefined) return null;
    if (state.dead[breaker]) return deadHand(breaker, "breaker");
    return breaker === seat ? problem("self_break", { seat }) : null;
  },
  revoke(state, entry) {
    const { seat } = entry;
    if (!state.rules.offences) return unexpected(state, entry, "no_offences");
    if (state.stage !== "tricks") return notInTricks(state, entry);
    if (!plays(state, seat)) return seatOut(state, seat);
    return state.dead[seat] ? deadHand(seat, "revoke") : null;
  },
  illegal_discard(state, entry) {
    const { seat } = entry;
    if (!state.rules.offences) return unexpected(state, entry, "no_offences");
    if (!["exchange", "tricks"].includes(state.stage)) return unexpected(state, entry, "hand_due");
    if (state.dead.includes(true)) return unexpected(state, entry, "revoked");
    if (state.exchanged) return unexpected(state, entry, "shown"); // four of a kind before the tricks (K)
    if (!plays(state, seat)) return seatOut(state, seat);
    if (state.discardless[seat]) return null;
    const limit = state.rules.discardless;
    const score = state.scores[seat];
    const why = limit === null ? "never" : score >= limit ? "now" : "below";
    return problem("not_discardless", { seat, score, limit, why });
  },
  ruling(state, entry) {
    const { action, seat, reason = "" } = entry;
    if (action === "redeal" && !state.begun) {
      return problem("wrong_phase", { kind: "ruling", why: "redeal", stage: state.stage });
    }
    if (seat !== undefined) {
      const status = state.status[seat];
      if (status === "disqualified" || (status !== "in" && action !== "disqualify")) return seatOut(state, seat);
    }
    return reason.trim() ? null : problem("missing_reason", { action });
  },
};

/** Why an entry may not be written now: {code, params}, or null if it may. */
export const whyNot = (state, entry) => {
  const code = malformed(state, entry);
  if (code) return problem(code);
  if (state.finished) return problem("game_finished", { winners: state.winners, win: state.win });
  return FAULTS[entry.kind](state, entry);
};
