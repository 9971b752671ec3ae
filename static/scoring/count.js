// Counts a score sheet on the device, so that the Auditor's page goes on without network.
//
// It predicts engine/sheet/, part by part and under the same names, and never judges: what is
// written counts only when the server's engine has taken it. Paragraphs are those of the rulebook.
// Documents (rules, entries, states, facts, problems) are the engine's own JSON. It claims the
// rule sets for which tests/browser/test_count.py proves it equal, and no others.

const CLAIMED = {
  "35c6406f22bb0d0cc9d458eecc90dcc26b3314e2c8d3d56f82ac7b7ef2ad69df": "festival",
  "4de281f8c7cb66e59e3bfb7ce61700a98cb40d34016ac4b44a5bbce7597bd8e3": "sm",
};

/**
 * Whether games of these rules (the engine's document of a rule set) may be counted here. `scores_as`
 * is the digest of the rule set that scores alike, where an event has game points of its own.
 * `ours` is the version of the script in this page, `theirs` what the server says now:
 * {digest, script}. Where they differ nothing is predicted.
 */
export const claims = (rules, ours = "", theirs = { digest: rules?.digest, script: ours }) =>
  Object.hasOwn(CLAIMED, rules?.scores_as ?? rules?.digest ?? "") && theirs.digest === rules.digest && theirs.script === ours;

// ------------------------------------------------------------------------- categories, state.py

const CATEGORIES = [
  null, "pair", "two_pair", "three_of_a_kind", "straight", "flush", "full_house",
  "four_of_a_kind", "straight_flush", "royal_flush",
];
const rank = (category) => CATEGORIES.indexOf(category);
const [QUADS, STRAIGHT_FLUSH, ROYAL_FLUSH] = CATEGORIES.slice(7);
const SUITS = ["H", "S", "D", "C"];
const LIMIT = 1e9;
/** What a winning flush makes of a score, whatever the target (§3). */
const FLUSH_SCORE = 52;

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
    stage: "exchange", // then tricks, final_hand, over
    sitting_out: each(false),
    dead: each(false),
    bound: each(false),
    standing: each(null), // the category that a seat scored and still holds
    sitting_out_next: each(false),
    deal_points: each(0), // hand points of this deal: what a revoke costs, or has cost
    exchanged: false, // whether the exchange before this phase is known to have happened
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
  armed: state.scores.map(() => false),
  standing: state.standing,
  ...(state.sitting_out_next.includes(true) && { sitting_out_next: state.sitting_out_next }),
});

const plays = (state, seat) => state.status[seat] === "in" && !state.sitting_out[seat];

const nextIn = (seat, status) => {
  for (let step = 1; step <= status.length; step += 1) {
    const candidate = (seat + step) % status.length;
    if (status[candidate] === "in") return candidate;
  }
  return seat;
};

// ---------------------------------------------------------------------------------- entries.py

const NOTES = ["id", "at", "by", "note"];
const ACTIONS = [
  "points", "sit_out_deal", "sit_out_next_deal", "sit_out_game", "disqualify", "redeal", "end_game",
];
const WITHOUT_SEAT = ["redeal", "end_game"];
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
const fits = (state, entry, name) => {
  const value = entry[name];
  const seated = whole(value, 0, state.seats - 1);
  switch (name) {
    case "phase": return whole(value, 1, state.rules.exchanges);
    case "seat": return seated && !WITHOUT_SEAT.includes(entry.action);
    case "category": return typeof value === "string" && rank(value) > 0;
    case "reset": return typeof value === "boolean" && (!value || entry.category === QUADS);
    case "suit": return SUITS.includes(value);
    case "won": return typeof value === "boolean";
    case "breaker": return seated && entry.won === false;
    case "deuce": return typeof value === "boolean" && (!value || entry.kind === "last_trick");
    case "blind": return value === false; // no blind Chicago in these rule sets
    case "reset_seat": return false; // nor a reset of one seat
    case "action": return ACTIONS.includes(value);
    case "points": return entry.action === "points" && whole(value, -LIMIT, LIMIT);
    default: return typeof value === "string"; // reason and the notes
  }
};

/** The code of what is no entry at all, in the order of the codes (§8 Structure). */
const malformed = (state, entry) => {
  if (entry === null || typeof entry !== "object" || Array.isArray(entry)) return "malformed";
  if (entry.kind === undefined) return "missing_field";
  if (!FIELDS.has(entry.kind)) return "unknown_kind";
  let [needed, more] = FIELDS.get(entry.kind);
  const names = Object.keys(entry).filter((name) => name !== "kind");
  if (names.some((name) => ![...needed, ...more, ...NOTES].includes(name))) return "unknown_field";
  if (entry.kind === "ruling" && ACTIONS.includes(entry.action) && !WITHOUT_SEAT.includes(entry.action)) {
    needed = [...needed, "seat", ...(entry.action === "points" ? ["points"] : [])];
  }
  if (needed.some((name) => entry[name] === undefined)) return "missing_field";
  return names.every((name) => fits(state, entry, name)) ? null : "bad_value";
};

// --------------------------------------------------------------------------------- legality.py

const problem = (code, params = {}) => ({ code, params });

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

/** Before the tricks only a win or a reset is shown (§8 The run of a deal). */
const isShown = ({ category, reset }) => rank(category) > rank(QUADS) || (category === QUADS && reset === true);

const FAULTS = {
  hand(state, entry) {
    const { stage } = state;
    const { seat, category, reset } = entry;
    if (stage === "tricks" && state.dead.includes(true)) return unexpected(state, entry, "revoked");
    if (entry.phase !== state.phase) return wrongPhase(state, entry);
    if (stage === "tricks" && !isShown(entry)) return unexpected(state, entry, "not_shown", { category });
    if (!plays(state, seat)) return seatOut(state, seat);
    if (reset && stage === "final_hand") return problem("reset_not_allowed", { seat, why: stage });
    if (reset && state.bound[seat]) return problem("reset_bound", { seat });
    return null;
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
    const { seat, won, breaker } = entry;
    const broken = breaker !== undefined;
    const minimum = state.rules.chicago_minimum;
    if (state.stage !== "tricks") return notInTricks(state, entry);
    if (!plays(state, seat)) return seatOut(state, seat);
    if (broken && !plays(state, breaker)) return seatOut(state, breaker);
    // It was declared before the tricks, so before a revoke took these points.
    const score = state.scores[seat] + (state.dead[seat] ? state.deal_points[seat] : 0);
    if (score < minimum) return problem("chicago_below_minimum", { seat, score, minimum });
    if (won && state.dead[seat]) return deadHand(seat, "chicago");
    if (broken && state.dead[breaker]) return deadHand(breaker, "breaker");
    return broken && breaker === seat ? problem("self_break", { seat }) : null;
  },
  revoke(state, entry) {
    const { seat } = entry;
    if (state.stage !== "tricks") return notInTricks(state, entry);
    if (!plays(state, seat)) return seatOut(state, seat);
    return state.dead[seat] ? deadHand(seat, "revoke") : null;
  },
  illegal_discard(state, entry) {
    const { seat } = entry;
    if (!["exchange", "tricks"].includes(state.stage)) return unexpected(state, entry, "hand_due");
    if (state.dead.includes(true)) return unexpected(state, entry, "revoked");
    if (state.exchanged) return unexpected(state, entry, "shown");
    if (!plays(state, seat)) return seatOut(state, seat);
    if (state.discardless[seat]) return null;
    const limit = state.rules.discardless;
    const score = state.scores[seat];
    return problem("not_discardless", { seat, score, limit, why: score >= limit ? "now" : "below" });
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

// --------------------------------------------------------------------------------- warnings.py

/** Standing hands once the exchange has happened: who may exchange may have exchanged (§3). */
const afterExchange = (state) => state.standing.map((held, seat) => (state.discardless[seat] ? held : null));

/** What the scorekeeper should look at twice before writing a legal entry. */
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

// ---------------------------------------------------------------------------------- placing.py

/** A sum shared by so many, as the engine writes a fraction: "20", "27/2". */
const fraction = (sum, number) => {
  const common = (a, b) => (b ? common(b, a % b) : a);
  const divisor = common(sum, number);
  return number === divisor ? String(sum / divisor) : `${sum / divisor}/${number / divisor}`;
};

/** Places and game points (§4); `shareRest`: the royal flush, whose others share what is left. */
const placeGame = ({ rules, scores, status }, winners, shareRest) => {
  const rest = scores.map((_score, seat) => seat).filter((seat) => !winners.includes(seat));
  const of = (what) => rest.filter((seat) => status[seat] === what);
  const groups = [winners];
  const zero = rules.out_points === "zero";
  if (shareRest && !zero) {
    groups.push(rest.filter((seat) => status[seat] !== "disqualified"));
  } else {
    const still = of("in");
    const best = [...new Set(still.map((seat) => scores[seat]))].sort((a, b) => b - a);
    if (shareRest) groups.push(still);
    else for (const score of best) groups.push(still.filter((seat) => scores[seat] === score));
    groups.push(of("out"));
  }
  groups.push(of("disqualified"));
  const places = groups.filter((group) => group.length);
  const points = scores.map(() => "0");
  let place = 0;
  for (const group of places) {
    const worth = rules.game_points.slice(place, place + group.length);
    place += group.length;
    const fell = status[group[0]] === "disqualified" || (zero && status[group[0]] === "out");
    if (fell && !winners.includes(group[0])) continue;
    const sum = worth.reduce((a, b) => a + b, 0);
    for (const seat of group) points[seat] = fraction(sum, group.length);
  }
  return [places, points];
};

// ---------------------------------------------------------------------------------- closing.py

/** The next state while it is being worked out, and the facts that lead to it. */
const draftOf = (state) => {
  const draft = { ...state, facts: [] };
  for (const [name, value] of Object.entries(state)) if (Array.isArray(value)) draft[name] = [...value];
  return draft;
};

const setScore = (draft, seat, to, cause) => {
  const from = draft.scores[seat];
  if (from === to) return;
  draft.scores[seat] = to;
  draft.facts.push({ fact: "score", seat, from, to, cause });
};

const add = (draft, seat, points, cause) => setScore(draft, seat, Math.max(0, draft.scores[seat] + points), cause);

const zero = (draft, seat, cause) => {
  setScore(draft, seat, 0, cause);
  draft.deal_points[seat] = 0;
};

const zeroOthers = (draft, seat, cause) => {
  draft.status.forEach((status, other) => {
    if (other !== seat && status !== "disqualified") zero(draft, other, cause);
  });
};

const setStatus = (draft, seat, to) => {
  draft.status[seat] = to;
  draft.facts.push({ fact: "status", seat, to });
};

/** What follows every entry (§3): target check, last one standing, end of the deal, flags. */
const conclude = (draft, closes = false) => {
  lookAtTarget(draft);
  const still = draft.status.filter((status) => status === "in").length;
  if (!draft.finished && still === 1) finish(draft, [draft.status.indexOf("in")], "last_standing");
  if (!draft.finished && (closes || nobodyPlays(draft))) closeDeal(draft);
  setDiscardless(draft);
};

/** Who reaches the target has played a Chicago and wins, or falls to 0 and is out (§3). */
const lookAtTarget = (draft) => {
  const { target } = draft.rules;
  const there = () => draft.scores.flatMap((score, seat) => (score >= target && draft.status[seat] === "in" ? [seat] : []));
  for (const seat of there()) {
    if (draft.executed[seat]) continue;
    zero(draft, seat, "no_chicago");
    setStatus(draft, seat, "out");
  }
  const best = Math.max(...there().map((seat) => draft.scores[seat]));
  const winners = there().filter((seat) => draft.scores[seat] === best);
  if (winners.length) finish(draft, winners, "target");
};

/** Nobody is left who could write anything in this deal but rulings (§9 Nobody left). */
const nobodyPlays = (draft) => {
  if (!draft.sitting_out.includes(true) && !draft.dead.includes(true)) return false;
  const playing = draft.status.flatMap((_status, seat) => (plays(draft, seat) ? [seat] : []));
  if (draft.stage !== "tricks") return !playing.length;
  // A dead hand may still lose a Chicago that it had declared before the revoke.
  const mayLose = (seat) => draft.scores[seat] + draft.deal_points[seat] >= draft.rules.chicago_minimum;
  return playing.every((seat) => draft.dead[seat] && !mayLose(seat));
};

const closeDeal = (draft) => {
  draft.deal += 1;
  draft.dealer = nextIn(draft.dealer, draft.status);
  draft.facts.push({ fact: "deal", deal: draft.deal, dealer: draft.dealer });
  const each = (value) => Array(draft.seats).fill(value);
  Object.assign(draft, {
    phase: 1,
    stage: "exchange",
    deal_points: each(0),
    standing: each(null),
    exchanged: false,
    dead: each(false),
    bound: each(false),
    sitting_out: draft.sitting_out_next,
    sitting_out_next: each(false),
    begun: false,
    redealt: null,
  });
  if (nobodyPlays(draft)) closeDeal(draft);
};

const setDiscardless = (draft) => {
  draft.scores.forEach((score, seat) => {
    const on = !draft.finished && score >= draft.rules.discardless && draft.status[seat] === "in";
    if (on === draft.discardless[seat]) return;
    draft.discardless[seat] = on;
    draft.facts.push({ fact: "discardless", seat, on });
  });
};

/** The game is over; without winners the scores decide (§4). */
const finish = (draft, winners, win, shareRest = false) => {
  const [places, points] = placeGame(draft, winners, shareRest);
  Object.assign(draft, { finished: true, phase: null, stage: "over", win, places, game_points: points });
  draft.winners = winners.length ? winners : places[0];
  draft.facts.push({ fact: "game", win, winners: draft.winners, places, game_points: points });
};

// ---------------------------------------------------------------------------------- effects.py

/** A phase has its hand or its `none`: the next phase, or the end of the deal. */
const answered = (draft, ends = false) => {
  if (ends || draft.stage !== "exchange") return conclude(draft, true);
  draft.phase += 1;
  draft.exchanged = false;
  if (draft.phase === draft.rules.exchanges) draft.stage = "tricks";
  return conclude(draft);
};

const winningFlush = (draft, { seat, category }) => {
  const royal = category === ROYAL_FLUSH;
  setScore(draft, seat, FLUSH_SCORE, "hand");
  if (royal) zeroOthers(draft, seat, "royal_flush");
  finish(draft, [seat], category, royal);
  setDiscardless(draft);
};

const EFFECTS = {
  hand(draft, entry) {
    const { seat, category, reset = false } = entry;
    if (rank(category) > rank(QUADS)) return winningFlush(draft, entry);
    draft.standing[seat] = category;
    if (reset) {
      zeroOthers(draft, seat, "reset");
      return answered(draft, true);
    }
    if (category === QUADS) draft.bound[seat] = true;
    const points = draft.rules.hand_points[rank(category)];
    add(draft, seat, points, "hand");
    draft.deal_points[seat] += points;
    return answered(draft);
  },
  none(draft) {
    answered(draft);
  },
  last_trick(draft, { seat, deuce = false }) {
    draft.stage = "final_hand";
    add(draft, seat, deuce ? draft.rules.last_trick_deuce : draft.rules.last_trick, "last_trick");
    conclude(draft);
  },
  chicago(draft, { seat, won, breaker }) {
    const { rules } = draft;
    if (!draft.executed[seat]) {
      draft.executed[seat] = true;
      draft.facts.push({ fact: "executed", seat, on: true });
    }
    if (won) {
      draft.asterisks[seat] += 1;
      draft.facts.push({ fact: "asterisk", seat, on: true });
      add(draft, seat, rules.chicago_won, "chicago_won");
    } else {
      add(draft, seat, -rules.chicago_lost, "chicago_lost");
      if (breaker !== undefined) add(draft, breaker, rules.breaker_points, "breaker");
    }
    conclude(draft, true);
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
      setDiscardless(draft);
      return;
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
    conclude(draft);
  },
};

const split = ({ facts, ...state }) => ({ state, facts, problem: null });

const apply = (state, entry) => {
  if (entry.action === "redeal") return redealt(state);
  const draft = draftOf(state);
  const ruling = entry.kind === "ruling";
  draft.redealt ??= state;
  if (!ruling) draft.begun = true;
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

// ------------------------------------------------------------------------------------ facts.py

/** The causes that set a score to 0, whatever it was. */
export const ZEROING = ["reset", "royal_flush", "no_chicago", "illegal_discard", "sit_out_game"];

// ------------------------------------------------------------------------------- scoreboard.py

/** What a redeal changed, told as facts. */
const changes = (before, after) => {
  const facts = [];
  for (let seat = 0; seat < before.seats; seat += 1) {
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

// ----------------------------------------------------------------------------------- losses.py

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
export const nearTarget = ({ rules, scores, status, executed }) =>
  [...scores.keys()].filter((seat) => status[seat] === "in" && scores[seat] >= rules.target - rules.last_trick && !executed[seat]);

// ------------------------------------------------------------------------------------ sheet.py

/**
 * What an entry does: {state, facts, problem}. An entry that may not be written leaves the state
 * as it was, and `problem` says why; otherwise `problem` is null.
 */
export const step = (state, entry) => {
  const found = whyNot(state, entry);
  return found ? { state, facts: [], problem: found } : apply(state, entry);
};
