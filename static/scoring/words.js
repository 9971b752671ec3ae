// The table's words: sentences about entries, in the reader's language and the engine's terms. The shell
// brings them (templates/scoring/shell.html).

import { losses, nearTarget, step, warnings } from "./count.js";
import { dealOf, lastMade } from "./log.js";

export const texts = JSON.parse(document.getElementById("words")?.textContent ?? "{}");
const language = document.documentElement.lang;

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

/** What the last entry cost, and who is near the target without a Chicago. */
export const news = (view) => {
  const { state, shorts } = view;
  const cost = lost(shorts, state, view.steps[lastMade(view.entries)]?.facts ?? []);
  const names = nearTarget(state).map((seat) => shorts[seat]).join(", ");
  return `${cost} ${names && fill(texts.losses.near, { names, target: state.rules.target })}`.trim();
};

export const time = (at) => new Date(at).toLocaleTimeString(language, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

/** A reason as people read it: the program's own stands as a code, and what was typed follows it (scoring/reasons.py). */
export const reasonText = (stored, note = "") => {
  let [code, typed] = ["", stored.trim()];
  if (typed.startsWith("reason:")) {
    const [head, ...rest] = typed.slice(7).split(". ");
    const [name, params = ""] = head.split("?");
    if (texts.why[name]) {
      code = fill(texts.why[name], Object.fromEntries(new URLSearchParams(params)));
      typed = rest.join(". ");
    }
  }
  return [code, typed, note.trim()].filter(Boolean).join(": ");
};

/** By what an entry's words are found (as entry_text, engine/messages/render.py). */
const keyOf = ({ kind, won, reset, breaker, reset_seat: one, blind, deuce, action }) => {
  if (kind === "hand" && reset) return one === undefined ? "hand.reset" : "hand.reset_one";
  if (kind === "chicago") {
    const how = won ? (deuce ? "deuce" : "won") : breaker === undefined ? "lost" : "broken";
    return blind ? `chicago.blind_${how}` : `chicago.${how}`;
  }
  if (kind === "last_trick" && deuce) return "last_trick.deuce";
  return kind === "ruling" ? `ruling.${action}` : kind;
};

/** An entry in words, with these names: "Anna: flush". */
export const within = ({ shorts }, entry, names = shorts) => {
  if (entry.kind === "totals") return texts.totals;
  const folds = ["reason:folded", "reason:away"].includes(entry.reason) && entry.action === "sit_out_deal";
  const key = folds ? "ruling.fold" : keyOf(entry);
  const hand = [texts.categories[entry.category], texts.suits[entry.suit]].filter(Boolean).join(" ");
  const who = names[entry.seat] ?? "";
  const what = fill(texts.entries[key] ?? "", { who, other: names[entry.breaker ?? entry.reset_seat] ?? "", hand, points: signed(entry.points ?? 0) });
  const text = ["ruling", "none"].includes(entry.kind) ? what : fill(texts.entries.of, { who, what });
  const reason = entry.reason && entry.reason !== "reason:folded" ? reasonText(entry.reason, entry.note) : "";
  return reason ? `${text} (${reason})` : text;
};

export const declaring = (view, seat) => fill(texts.announced, { name: view.shorts[seat] });

/** What an entry changed: "+5", or with names if others changed, too. */
export const changeOf = (view, step) => {
  const gains = new Map();
  for (const fact of step?.facts ?? []) {
    if (fact.fact === "score") gains.set(fact.seat, (gains.get(fact.seat) ?? 0) + fact.to - fact.from);
  }
  const own = gains.size === 1 && gains.has(step.entry.seat);
  // A ruling in points already says how many.
  if (own && step.entry.points === gains.get(step.entry.seat)) return "";
  return [...gains].map(([seat, gain]) => (own ? signed(gain) : `${view.shorts[seat]} ${signed(gain)}`)).join(", ");
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
  const deal = tap.place ? ` · ${fill(texts.deal, { deal: tap.place.deal + 1 })}` : "";
  return `${tap.label}${deal} · ${time(tap.at)}`;
};

export const points = (fraction) => {
  const [whole, parts = 1] = fraction.split("/").map(Number);
  return (Math.trunc((whole * 100) / parts) / 100).toLocaleString(language);
};
