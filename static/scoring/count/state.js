// The state of a score sheet (engine/sheet/state.py; rulebook §3).

/** The categories by rank; nothing has none. */
export const CATEGORIES = [
  null, "pair", "two_pair", "three_of_a_kind", "straight", "flush", "full_house",
  "four_of_a_kind", "straight_flush", "royal_flush",
];
export const rank = (category) => CATEGORIES.indexOf(category);
export const [QUADS, STRAIGHT_FLUSH, ROYAL_FLUSH] = CATEGORIES.slice(7);

/** The seats of a state, or of whatever has one value a seat. */
export const seatsOf = ({ seats }) => [...Array(seats).keys()];

/** The state of an empty sheet. States are never changed: every step makes a new one. */
export const start = (rules, seats, dealer = 0) => {
  const each = (value) => Array(seats).fill(value);
  return {
    rules: rules.fields,
    seats,
    deal: 0,
    phase: 1,
    dealer,
    finished: false,
    scores: each(0),
    executed: each(false),
    asterisks: each(0),
    discardless: each(false),
    status: each("in"),
    winners: [],
    win: null,
    places: null,
    game_points: null,
    stage: "exchange", // then tricks, final_hand or chicago_hand, over
    sitting_out: each(false),
    dead: each(false),
    bound: each(false),
    armed: each(false), // win-again: was at the target when a deal closed, and has stayed there
    standing: each(null), // the category that a seat scored and still holds
    sitting_out_next: each(false),
    deal_points: each(0), // hand points of this deal: what a revoke costs, or has cost
    exchanged: false, // whether the exchange before this phase is known to have happened
    trick_winner: null, // who took this deal's last trick, or won its Chicago
    begun: false, // whether the deal has an entry that is no ruling
    redealt: null, // what this deal's rulings alone have made of its beginning: where a redeal goes
  };
};

/** The engine's document of a state (`State.as_json`). */
export const asJson = (state) => ({
  deal: state.deal,
  phase: state.phase,
  dealer: state.dealer,
  finished: state.finished,
  scores: state.scores,
  executed: state.executed,
  asterisks: state.asterisks,
  discardless: state.discardless,
  status: state.status,
  winners: state.winners,
  win: state.win,
  places: state.places,
  game_points: state.game_points,
  stage: state.stage,
  sitting_out: state.sitting_out,
  dead: state.dead,
  bound: state.bound,
  armed: state.armed,
  standing: state.standing,
  ...(state.sitting_out_next.includes(true) && { sitting_out_next: state.sitting_out_next }),
});

/** Whether a seat is in the game and in this deal. */
export const plays = (state, seat) => state.status[seat] === "in" && !state.sitting_out[seat];

/** The next seat clockwise that is still in the game. */
export const nextIn = (seat, status) => {
  for (let step = 1; step <= status.length; step += 1) {
    const candidate = (seat + step) % status.length;
    if (status[candidate] === "in") return candidate;
  }
  return seat;
};
