// What an entry is, whatever the game (engine/sheet/entries.py; rulebook §8 Structure), and every
// entry that there can be (engine/sheet/legality.py, candidates).

import { CATEGORIES, QUADS, ROYAL_FLUSH, rank, seatsOf } from "./state.js";

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
export const malformed = (state, entry) => {
  if (entry === null || typeof entry !== "object" || Array.isArray(entry)) return "malformed";
  if (entry.kind === undefined) return "missing_field";
  if (!FIELDS.has(entry.kind)) return "unknown_kind";
  const names = Object.keys(entry).filter((name) => name !== "kind");
  const known = [...FIELDS.get(entry.kind).flat(), ...NOTES];
  if (names.some((name) => !known.includes(name))) return "unknown_field";
  if (neededBy(state, entry).some((name) => entry[name] === undefined)) return "missing_field";
  return names.every((name) => fits(state, entry, name)) ? null : "bad_value";
};

/** Every entry of a phase and of its deal but rulings, each meaning once. */
export const candidates = ({ rules, seats, phase }) => {
  const all = seatsOf({ seats });
  const hands = all.flatMap((seat) => CATEGORIES.slice(1).flatMap((category) => {
    const hand = { kind: "hand", phase, seat, category };
    if (category === ROYAL_FLUSH && rules.royal_hearts_only) return SUITS.map((suit) => ({ ...hand, suit }));
    if (category !== QUADS) return hand;
    const reset = { ...hand, reset: true };
    const others = all.filter((other) => other !== seat).map((other) => ({ ...reset, reset_seat: other }));
    return [hand, ...(resetsOne(rules) ? others : [reset])];
  }));
  const chicagos = all.flatMap((seat) => (rules.blind_chicago ? [false, true] : [false]).flatMap((isBlind) => {
    const blind = isBlind && { blind: true };
    const won = { kind: "chicago", seat, won: true };
    const lost = { kind: "chicago", seat, won: false };
    return [
      { ...won, ...blind },
      ...(blind ? [{ ...won, ...blind, deuce: true }] : []),
      { ...lost, ...blind },
      ...all.map((breaker) => ({ ...lost, breaker, ...blind })),
    ];
  }));
  return [
    ...hands,
    { kind: "none", phase },
    ...chicagos,
    ...all.flatMap((seat) => [{ kind: "last_trick", seat }, { kind: "last_trick", seat, deuce: true }]),
    ...all.map((seat) => ({ kind: "revoke", seat })),
    ...all.map((seat) => ({ kind: "illegal_discard", seat })),
  ];
};
