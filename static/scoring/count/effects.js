// The effects of legal entries (engine/sheet/effects.py; rulebook §3, §8).

import { add, conclude, draftOf, finish, setDiscardless, setScore, setStatus, zero, zeroOthers } from "./closing.js";
import { afterExchange, changes } from "./facts.js";
import { whyNot } from "./legality.js";
import { flushEffect } from "./rules.js";
import { QUADS, ROYAL_FLUSH, rank } from "./state.js";

/** What a winning flush makes of a score, or adds to it, whatever the target (§3). */
const FLUSH_SCORE = 52;

/** A phase has its hand or its `none`: the next phase, or the end of the deal. */
const answered = (draft, { ends = false, scored = false }) => {
  // A reset shown before the tricks (K): they are still to be played.
  if (draft.stage === "tricks" && !ends) return conclude(draft);
  if (ends || draft.stage !== "exchange") return conclude(draft, { closes: true });
  draft.phase += 1;
  draft.exchanged = false;
  if (draft.phase === draft.rules.exchanges) draft.stage = "tricks";
  return conclude(draft, { scored });
};

const winningFlush = (draft, { seat, category }, effect) => {
  const { rules, scores } = draft;
  const resets = category === ROYAL_FLUSH && rules.royal_resets;
  const score = { becomes_52: FLUSH_SCORE, wins: Math.max(scores[seat], rules.target), plus_52: scores[seat] + FLUSH_SCORE }[effect];
  setScore(draft, seat, score, "hand");
  if (resets) zeroOthers(draft, seat, "royal_flush");
  // From below zero (R), 52 points may not reach the target: then only the deal is over.
  if (effect === "plus_52" && score < rules.target) return conclude(draft, { closes: true });
  finish(draft, [seat], category, resets);
  return setDiscardless(draft, false);
};

/** Whether this four of a kind resets everybody else, and whether it scores; where it must, it binds its holder. */
const quads = (draft, { seat, reset, reset_seat: other }) => {
  const { rules, stage } = draft;
  if (rules.quads_reset === "with_points") return [stage !== "chicago_hand", true];
  if (reset) return [other === undefined, false];
  if (rules.quads_bound) draft.bound[seat] = true;
  return [false, true];
};

const EFFECTS = {
  hand(draft, entry) {
    const { rules } = draft;
    const { seat, category, reset_seat: other } = entry;
    const effect = flushEffect(rules, entry);
    if (!["points", "lift"].includes(effect)) return winningFlush(draft, entry, effect);
    const four = category === QUADS;
    const [resets, scores] = four ? quads(draft, entry) : [false, true];
    draft.standing[seat] = category;
    if (effect === "lift" || (four && rules.quads_lift)) {
      setScore(draft, seat, Math.max(draft.scores[seat], rules.target), "lift"); // §9 New variants
    } else if (scores) {
      const points = rules.hand_points[rank(category)];
      add(draft, seat, points, "hand");
      draft.deal_points[seat] += points;
    }
    if (other !== undefined) zero(draft, other, "reset");
    else if (resets) zeroOthers(draft, seat, "reset");
    const ends = four && ((resets && rules.reset_ends_deal) || (scores && rules.quads_end_deal));
    return answered(draft, { ends, scored: true });
  },
  none(draft) {
    answered(draft, {}); // no scoring for Z (§9 After a Chicago)
  },
  last_trick(draft, { seat, deuce = false }) {
    draft.stage = "final_hand";
    draft.trick_winner = seat;
    add(draft, seat, deuce ? draft.rules.last_trick_deuce : draft.rules.last_trick, "last_trick");
    conclude(draft);
  },
  chicago(draft, { seat, won, breaker, blind = false, deuce = false }) {
    const { rules } = draft;
    if (!draft.executed[seat]) {
      draft.executed[seat] = true;
      draft.facts.push({ fact: "executed", seat, on: true });
    }
    if (won) {
      draft.asterisks[seat] += 1;
      draft.facts.push({ fact: "asterisk", seat, on: true });
      draft.trick_winner = seat;
      add(draft, seat, deuce ? rules.blind_deuce : blind ? rules.blind_won : rules.chicago_won, "chicago_won");
      if (deuce) {
        finish(draft, [seat], "blind_chicago");
        return setDiscardless(draft, false);
      }
    } else {
      add(draft, seat, -(blind ? rules.blind_lost : rules.chicago_lost), "chicago_lost");
      if (breaker !== undefined) add(draft, breaker, rules.breaker_points, "breaker");
    }
    const scores = rules.final_hand_in_chicago;
    const goesOn = !blind && (scores === "always" || (scores === "if_won" && won));
    if (goesOn) draft.stage = "chicago_hand";
    return conclude(draft, { closes: !goesOn });
  },
  revoke(draft, { seat }) {
    const before = draft.scores[seat];
    draft.dead[seat] = true;
    add(draft, seat, -draft.deal_points[seat], "revoke");
    draft.deal_points[seat] = before - draft.scores[seat]; // what was really taken
    conclude(draft);
  },
  illegal_discard(draft, { seat }) {
    zero(draft, seat, "illegal_discard");
    draft.standing[seat] = null;
    conclude(draft);
  },
  ruling(draft, { action, seat, points }) {
    if (action === "end_game") {
      finish(draft, [], "ended");
      return setDiscardless(draft, false);
    }
    if (action === "points") add(draft, seat, points, "ruling");
    else if (action === "sit_out_deal") {
      draft.sitting_out[seat] = true;
      draft.standing[seat] = null;
    } else if (action === "sit_out_next_deal") draft.sitting_out_next[seat] = true;
    else if (action === "sit_out_game") {
      zero(draft, seat, "sit_out_game");
      setStatus(draft, seat, "out");
    } else setStatus(draft, seat, "disqualified");
    return conclude(draft);
  },
};

const split = ({ facts, ...state }) => ({ state, facts, problem: null });

/** What a legal entry does: {state, facts, problem: null}. */
export const apply = (state, entry) => {
  if (entry.action === "redeal") return redealt(state);
  const draft = draftOf(state);
  const ruling = entry.kind === "ruling";
  draft.redealt ??= state;
  if (!ruling) draft.begun = true;
  // Rulings between phases count as before the exchange, even after an illegal discard.
  if (!ruling && entry.kind !== "illegal_discard" && !draft.exchanged) {
    draft.exchanged = true;
    draft.standing = afterExchange(state);
  }
  EFFECTS[entry.kind](draft, ruling ? noted(draft, entry) : entry);
  return split(draft);
};

/** A ruling, kept for a redeal; between two deals the next deal is the one now beginning (§9 Rulings). */
const noted = (draft, ruling) => {
  const now = ruling.action === "sit_out_next_deal" && !draft.begun;
  const entry = now ? { ...ruling, action: "sit_out_deal" } : ruling;
  if (whyNot(draft.redealt, entry)) return entry;
  const alone = draftOf(draft.redealt);
  EFFECTS.ruling(alone, entry);
  draft.redealt = split(alone).state;
  return entry;
};

/** The deal is void: back to what its rulings alone have made of its beginning (§9 Rulings). */
const redealt = (state) => ({ state: state.redealt, facts: changes(state, state.redealt), problem: null });
