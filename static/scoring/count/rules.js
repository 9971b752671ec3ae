// What a rule set's document may hold, and what follows from it (engine/rules/ruleset.py; rulebook §2).

const flag = (value) => typeof value === "boolean";
const whole = (value) => Number.isInteger(value);
const none = (value) => value === null || whole(value);
const list = (value) => Array.isArray(value) && value.every(whole);
const one = (...values) => (value) => values.includes(value);
const flush = one("points", "becomes_52", "plus_52", "lift", "wins");

/** Every field that is known, with what it may hold. */
const FIELDS = {
  players_min: whole,
  players_max: whole,
  heat_players_min: whole,
  heat_players_max: whole,
  exchanges: one(2, 3),
  exchange_max: whole,
  open_card: flag,
  open_card_on_request: flag,
  exchange_order: one("together", "one_by_one"),
  reshuffle: one("earlier_discards", "every_discard"),
  redeal: one("never", "below_ten", "up_to_ten"),
  broken_aside: flag,
  hand_points: list,
  alone_of_category: flag,
  suit_order: one("never", "straight_flushes", "always"),
  quads_reset: one("never", "instead_of_points", "with_points", "one_seat_instead_of_points"),
  quads_bound: flag,
  reset_ends_deal: flag,
  quads_end_deal: flag,
  quads_lift: flag,
  straight_flush: flush,
  royal_flush: flush,
  royal_resets: flag,
  royal_hearts_only: flag,
  royal_as_straight_flush: flag,
  target: whole,
  ending: one("at_once", "after_deal", "after_deal_or_hand"),
  need: one("nothing", "executed", "won"),
  missing: one("zero_and_out", "zero"),
  need_won_with_three: flag,
  trick_to_win: flag,
  win_again: flag,
  discardless: none,
  discardless_from: one("at_once", "next_deal", "next_exchange"),
  six_card_stand: flag,
  chicago_minimum: none,
  chicago_won: whole,
  chicago_lost: whole,
  chicago_once: flag,
  breaker_points: whole,
  breaker: one("first_to_overtake", "first_after_declarer", "taker_of_the_trick"),
  final_hand_in_chicago: one("never", "if_won", "always"),
  chicago_lead: one("declarer", "forehand"),
  chicago_free_order: flag,
  chicago_any_time: flag,
  blind_chicago: flag,
  blind_won: whole,
  blind_lost: whole,
  blind_deuce: whole,
  last_trick: whole,
  last_trick_deuce: whole,
  floor: flag,
  offences: flag,
  game_points: list,
  out_points: one("last_place", "zero"),
};

/**
 * The fields of a rule set's document that are not known here, hold what is not known, or are missing.
 * By rules with any, nothing is counted: they are a newer program's.
 */
export const unknown = ({ fields = {} } = {}) => [
  ...Object.keys(fields).filter((name) => !Object.hasOwn(FIELDS, name)),
  ...Object.keys(FIELDS).filter((name) => !FIELDS[name](fields[name])),
];

/** Whether games by a rule set's document can be counted here. */
export const knows = (document) => Boolean(document?.fields) && !unknown(document).length;

/** Whether a seat lacks the Chicago that it needs besides the target. */
export const lacks = ({ rules, seats, executed, asterisks }, seat) => {
  const need = rules.need_won_with_three && seats === 3 ? "won" : rules.need;
  return need === "executed" ? !executed[seat] : need === "won" && !asterisks[seat];
};

/** What a hand does besides scoring points. */
export const flushEffect = (rules, { category, suit }) => {
  if (category === "straight_flush") return rules.straight_flush;
  return category === "royal_flush" && !(rules.royal_hearts_only && suit !== "H") ? rules.royal_flush : "points";
};

export const winsAtOnce = (rules, hand) => !["points", "lift"].includes(flushEffect(rules, hand));

/** Whether four of a kind may be shown before the tricks as a reset (§8 The run of a deal). */
export const showsResets = (rules) => ["instead_of_points", "with_points"].includes(rules.quads_reset);
