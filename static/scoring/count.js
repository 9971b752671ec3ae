// Counts a score sheet on the device by any rule set's document, so that a table goes on without network.
//
// It is the engine's sheet room (engine/sheet/sheet.py and its neighbours) under the same names, and never
// judges: what is written counts only when the server's engine has taken it. Documents (rules, entries,
// states, facts, problems) are the engine's own JSON. tests/browser/test_count.py proves it equal.

import { apply } from "./count/effects.js";
import { candidates } from "./count/entries.js";
import { ZEROING, losses, nearTarget, warnings } from "./count/facts.js";
import { whyNot } from "./count/legality.js";
import { exchangeDue, needs, turns } from "./count/prospects.js";
import { knows, unknown } from "./count/rules.js";
import { asJson, start } from "./count/state.js";

export { ZEROING, asJson, exchangeDue, knows, losses, nearTarget, needs, start, turns, unknown, warnings, whyNot };

/**
 * What an entry does: {state, facts, problem}. An entry that may not be written leaves the state
 * as it was, and `problem` says why; otherwise `problem` is null.
 */
export const step = (state, entry) => {
  const found = whyNot(state, entry);
  return found ? { state, facts: [], problem: found } : apply(state, entry);
};

/**
 * A sheet written again from its entries: {state, steps, problem}. Each step is {entry, before, after, facts,
 * warnings}; the first entry that may not be written ends it, and `problem` then has its index as `entry`.
 */
export const replay = (rules, seats, entries, dealer = 0) => {
  const steps = [];
  let state = start(rules, seats, dealer);
  for (const [index, entry] of entries.entries()) {
    const { state: after, facts, problem } = step(state, entry);
    if (problem) return { state, steps, problem: { ...problem, entry: index } };
    steps.push({ entry, before: state, after, facts, warnings: warnings(state, entry) });
    state = after;
  }
  return { state, steps, problem: null };
};

/** All legal entries except rulings, with all parameters. */
export const legalEntries = (state) => (state.finished ? [] : candidates(state).filter((entry) => !whyNot(state, entry)));

/** The seats that may declare a Chicago now, in the order in which they are asked. */
export const askedForChicago = (state) => turns(state).filter((seat) => !whyNot(state, { kind: "chicago", seat, won: true }));

/** What costs or gives the same whatever the scores are. */
const GAINS = ["hand", "last_trick", "chicago_won", "chicago_lost", "breaker"];

/**
 * What an entry is worth at this point of a deal, whatever the scores are: {gains, lifts_to, zeroed, wins}.
 * It is tried on a level sheet, where everybody has enough for any Chicago; a hand, under rules without a
 * floor, where everybody is far below zero, so that only what always wins is said to.
 */
export const worth = ({ rules, seats, phase, stage }, entry) => {
  const hand = entry.kind === "hand";
  const enough = Math.max(rules.chicago_minimum ?? 0, rules.chicago_lost, rules.blind_lost);
  const level = hand && !rules.floor ? -2 * rules.target : enough;
  const even = { ...start({ fields: rules }, seats), scores: Array(seats).fill(level), phase, stage };
  const { facts } = step(even, entry);
  const scored = facts.filter(({ fact }) => fact === "score");
  return {
    gains: Object.fromEntries(scored.filter(({ cause }) => GAINS.includes(cause)).map(({ cause, from, to }) => [cause, to - from])),
    lifts_to: scored.find(({ cause }) => cause === "lift")?.to ?? null,
    zeroed: scored.filter(({ cause, seat }) => ZEROING.includes(cause) && seat !== entry.seat).map(({ seat }) => seat),
    wins: hand && facts.some(({ fact, win }) => fact === "game" && win === entry.category),
  };
};
