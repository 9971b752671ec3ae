// What a table wants to know, in words (engine/messages/prospects.py): the server sends the words in the
// reader's language, the device fills in names and numbers. Names are by seat.

import { exchangeDue, needs, turns } from "./count/facts.js";

const fill = (text, values) => text.replace(/\{(\w+)\}/g, (mark, name) => values[name] ?? mark);

/** Which exchange it is and who speaks first; empty where none is due. */
export const turnText = (words, state, names) => {
  const [exchange, [first]] = [exchangeDue(state), turns(state)];
  if (exchange === null || first === undefined) return "";
  return fill(words.turn, { exchange: words[`exchange.${exchange}`], name: names[first] });
};

/** @param {import("./count/facts.js").WinNeed} need */
const needKey = ({ points, chicago, enough, trick, later }) => {
  if (chicago === "never" || (chicago && (enough || !points))) return chicago;
  const more = chicago || (later ? "later" : trick ? "trick" : "");
  if (!points) return more || "there";
  return more ? `points.${more}` : "points";
};

/** What the players need to win who could do so with one Chicago's points: "Anna needs 5; Bo needs a Chicago". */
export const needsText = (words, state, names) =>
  needs(state)
    .filter(({ points }) => points <= state.rules.chicago_won)
    .map((need) => fill(words[needKey(need)], { name: names[need.seat], points: need.points, score: state.scores[need.seat] }))
    .join("; ");

/** How many points a Chicago needs; `fields` of the rule set's document. */
export const minimumText = (words, { chicago_minimum: points }) => (points === null ? words["minimum.none"] : fill(words.minimum, { points }));

/** What equal best hands score. */
export const equalText = (words, { suit_order: order, alone_of_category: alone }) =>
  words[`equal.${alone && order !== "always" ? "alone" : order}`];

/** What an entry says that scored, for a field of its deal: "Elif, two pair". `words` are those for what scored. */
export const scoredText = (words, entry, names) => {
  const { kind, seat, category, suit, reset, reset_seat: one, won, breaker, deuce } = entry;
  const key = {
    hand: () => (reset ? (one === undefined ? "reset" : "reset.one") : "hand"),
    none: () => "none",
    last_trick: () => (deuce ? "last_trick.deuce" : "last_trick"),
    chicago: () => `chicago.${won ? (deuce ? "deuce" : "won") : breaker === undefined ? "lost" : "broken"}`,
  }[kind];
  if (!key) return "";
  const hand = suit === undefined ? words[category] : `${words[category]} ${words[`suit.${suit}`]}`;
  return fill(words[key()], { who: names[seat], other: names[breaker ?? one], hand });
};

/** The deal's field in which an entry stands ("1", "2", "tricks", "hand"); none if it is no score of a phase. */
export const fieldOf = ({ kind, phase }, exchanges) => {
  if (kind === "hand" || kind === "none") return phase === exchanges ? "hand" : String(phase);
  return kind === "chicago" || kind === "last_trick" ? "tricks" : "";
};

/** The running deal's steps by field, since its last redeal; of several (a reset, then the final hand) the last. */
export const fieldsOf = (steps, { deal, rules }) => {
  const now = steps.filter(({ before }) => before.deal === deal);
  const since = now.slice(now.findLastIndex(({ entry }) => entry.action === "redeal") + 1);
  const found = new Map(since.map((step) => [fieldOf(step.entry, rules.exchanges), step]));
  found.delete("");
  return found;
};
