// Counts a score sheet on the device by any rule set's document, so that a table goes on without network.
//
// It is the engine's sheet room (engine/sheet/sheet.py and its neighbours) under the same names, and never
// judges: what is written counts only when the server's engine has taken it. Documents (rules, entries,
// states, facts, problems) are the engine's own JSON. tests/browser/test_count.py proves it equal.

import { apply } from "./count/effects.js";
import { ZEROING, exchangeDue, losses, nearTarget, needs, turns, warnings } from "./count/facts.js";
import { whyNot } from "./count/legality.js";
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
