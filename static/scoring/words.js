// Entries, refusals and times in the reader's words: the server's sentences (device_texts in
// scoring/reading/device.py), with the names and numbers filled in.

import { losses, nearTarget, step, warnings } from "./count.js";
import { lastMade } from "./predict.js";

export let texts = null;
const language = document.documentElement.lang;

/** From now on these are the server's sentences. */
export const speak = (told) => {
  texts = told;
};

export const fill = (text, values) => text.replace(/\{(\w+)\}/g, (mark, name) => values[name] ?? mark);
const number = (value) => (value < 0 ? `−${-value}` : String(value));
const signed = (points) => (points < 0 ? number(points) : `+${points}`);

/** The engine's sentence for a refusal or a warning. */
export const say = ({ code, params }, { seats }) => {
  const sentence = texts.reasons[`${code}.${params.why}`] ?? texts.reasons[code] ?? "";
  return fill(sentence, {
    ...params,
    seat: seats[params.seat],
    holder: seats[params.holder],
    held_a: texts.hands[params.held],
    category_a: texts.hands[params.category],
  });
};

/** The question to ask the scorekeeper before writing an entry; empty if none is known. */
export const doubts = (view, entry, names = view.seats) => {
  if (!view.counts) return "";
  const found = warnings(view.state, entry).map((warning) => say(warning, view));
  return [...found, lost(names, view.state, step(view.state, entry).facts)].filter(Boolean).join(" ");
};

/** Sentences on players who fall to 0 or lose much. */
const lost = (names, { rules }, facts) =>
  losses(facts)
    .map(({ seat, before, after, short, out }) => {
      const key = [short && "short", out && "out"].filter(Boolean).join("_") || "falls";
      return fill(texts.losses[key], { name: names[seat], before: number(before), after: number(after), target: rules.target });
    })
    .join(" ");

/** What the last entry cost, or who is near the target without a Chicago. */
export const news = (view) => {
  const { state, shorts } = view;
  const cost = lost(shorts, state, view.steps[lastMade(view.entries)]?.facts ?? []);
  const near = nearTarget(state).map((seat) => shorts[seat]);
  if (cost || !near.length) return cost;
  return fill(texts.losses.near, { names: near.join(", "), target: state.rules.target });
};

export const time = (at) => new Date(at).toLocaleTimeString(language, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

export const words = (entry) => {
  const { entries } = texts;
  if (entry.kind === "hand") return entry.reset ? entries.reset : entries[entry.category];
  if (entry.kind === "chicago") {
    return entries[entry.won ? "chicago.won" : entry.breaker === undefined ? "chicago.lost" : "chicago.broken"];
  }
  if (entry.kind === "last_trick" && entry.deuce) return entries["last_trick.deuce"];
  return entries[entry.reason] ?? entries[entry.kind === "ruling" ? entry.action : entry.kind];
};

export const within = ({ shorts }, entry, names = shorts) => fill(words(entry) ?? "", { seat: names[entry.seat], other: names[entry.breaker] });

export const declaring = (view, seat) => (texts ? fill(texts.announced, { name: view.shorts[seat] }) : "");

/** What an entry changed: "+5", or with names if others changed, too. */
export const changeOf = (view, step) => {
  const gains = new Map();
  for (const fact of step?.facts ?? []) {
    if (fact.fact === "score") gains.set(fact.seat, (gains.get(fact.seat) ?? 0) + fact.to - fact.from);
  }
  const own = gains.size === 1 && gains.has(step.entry.seat);
  return [...gains].map(([seat, gain]) => (own ? signed(gain) : `${view.shorts[seat]} ${signed(gain)}`)).join(", ");
};

/** The deal under which a line stands: what ends a game between two deals belongs to the one before. */
export const dealOf = ({ steps }, index) => {
  const { deal } = steps[index].before;
  const end = steps.at(-1);
  const ended = deal > 0 && end.before.deal === deal && end.entry.action === "end_game";
  return ended && steps.every(({ before, entry }) => before.deal < deal || entry.kind === "ruling") ? deal : deal + 1;
};

/** An entry as a line of the sheet: "Anna: flush +5", without points if they are not known. */
export const line = (view, index) => {
  const { entry } = view.entries[index];
  const step = view.steps[index];
  const change = changeOf(view, step);
  const deal = step ? ` (${fill(texts.deal, { deal: dealOf(view, index) })})` : "";
  return `${within(view, entry)}${change && (/^[+−]/.test(change) ? " " : " · ")}${change}${deal}`;
};

/** The waiting taps as listed in the notice: each with deal and time. */
export const waitingLine = (tap) => {
  const deal = texts && tap.place ? ` · ${fill(texts.deal, { deal: tap.place.deal + 1 })}` : "";
  return `${tap.label}${deal} · ${time(tap.at)}`;
};
