// Draws the table's fixed places: the board, the line that takes back, the deal's fields.

import { exchangeDue, turns } from "./count.js";
import { lastMade, leavesGame } from "./log.js";
import { fieldsOf, scoredText } from "./tell.js";
import { declaring, fill, line, say, texts, within } from "./words.js";

export const copy = (id) => document.getElementById(`t-${id}`).content.cloneNode(true);
export const element = (name, className = "", text = "") => Object.assign(document.createElement(name), { className, textContent: text });
const heard = (text) => element("span", "visually-hidden", text);
export const seen = (className, text) => {
  const span = element("span", className, text);
  span.setAttribute("aria-hidden", "true");
  return span;
};
export const stars = (won) => (won ? element("span", "asterisks", "*".repeat(won)) : "");

/** A line's link to its correction; none if the server does not have the line, or only the director corrects it. */
export const correctionOf = (view, { row, tap, entry }) => {
  const ruled = view.directed && entry.kind === "ruling" && entry.reason !== "reason:folded";
  return row && !tap && view.writes && !view.signed && !ruled ? `games/${view.game}/${row}/` : "";
};

const drawCell = (cell, view, seat) => {
  const { state, seats, shorts, labels } = view;
  const status = state.status[seat];
  const executed = state.executed[seat];
  cell.className = `cell status-${status}${state.winners?.includes(seat) ? " winner" : ""}`;
  const input = cell.querySelector("input");
  if (input) {
    input.value = seat;
    input.dataset.name = seats[seat];
    if (status !== "in") input.dataset.gone = say({ code: "seat_out", params: { seat, why: status } }, view);
  }
  const won = state.asterisks[seat];
  const marks = [executed && texts.marks.executed, won && fill(texts.marks[won === 1 ? "won.one" : "won"], { won })].filter(Boolean);
  const name = element("span", executed ? "executed" : "");
  name.title = seats[seat];
  name.append(Object.assign(seen("", labels[seat]), { lang: "" }), heard([seats[seat], ...marks].join(", ")));
  const holder = cell.querySelector(".cell-name");
  holder.classList.toggle("long", shorts[seat].length > 7);
  holder.setAttribute("translate", "no");
  holder.replaceChildren(name);
  const score = cell.querySelector(".cell-score");
  const signs = cell.querySelector(".cell-marks");
  if (status === "in") score.append(String(state.scores[seat]));
  else {
    const out = element("span", "cell-out");
    out.append(seen("", texts.status[status]), heard(texts.statuses[status]));
    score.append(out);
  }
  if (won) score.append(seen("asterisks", "*".repeat(won)));
  if (view.mode === "play" && state.dealer === seat) signs.append(copy("dealer"));
  if (view.mode === "play" && exchangeDue(state) !== null && turns(state)[0] === seat) signs.append(element("span", "turn", texts.first));
  if (state.discardless[seat]) signs.append(copy("stop"));
  if (state.sitting_out[seat]) signs.append(element("span", "turn", texts.statuses.sitting_out));
  if (state.sitting_out_next[seat]) signs.append(element("span", "turn", texts.statuses.sitting_out_next));
};

/** Put a cell for each seat on the board. */
export const drawBoard = (board, view) => {
  board.classList.add(`board-${view.seats.length}`);
  view.seats.forEach((_name, seat) => {
    let cell = copy("cell").firstElementChild;
    if (board.localName === "ul") {
      const item = element("li");
      item.append(...[...cell.children].slice(1));
      cell = item;
    }
    drawCell(cell, view, seat);
    board.append(cell);
  });
};

/** A name as what may be cut off, and the end that tells it from the others (as split_name, scoring/reading/words.py). */
const splitName = (name, names) => {
  const alike = names.filter((other) => other !== name).map((other) => {
    let length = 0;
    while (length < name.length && name[length] === other[length]) length += 1;
    return length;
  });
  const shared = Math.max(0, ...alike);
  if (shared <= 4) return [name, ""];
  const end = Math.min(shared, name.length - 1);
  const word = name.slice(0, end).search(/[^ -]*$/) || end;
  return [name.slice(0, word), name.slice(word)];
};

/** The deal's fields: who has scored in which and what, and which one is asked for. */
export const drawFields = (list, view) => {
  const { stage, phase } = view.state;
  const { exchanges } = view.state.rules;
  list.hidden = view.mode !== "play";
  const now = stage === "exchange" ? String(phase) : stage === "tricks" ? "tricks" : "hand";
  const written = fieldsOf(view.steps, view.state);
  if (view.announced !== null) written.set("tricks", { entry: { kind: "chicago", seat: view.announced } });
  const keys = [...Array.from({ length: exchanges - 1 }, (_one, index) => String(index + 1)), "tricks", "hand"];
  const drawn = keys.map((key) => {
    const step = written.get(key);
    // Each sentence begins with the name, which has a line of its own; a Chicago that is still played has no other.
    const said = step?.id ? scoredText(texts.scored, step.entry, view.shorts) : "";
    const who = view.shorts[step?.entry.seat] ?? said;
    const field = element("li", key === now ? "field now" : "field");
    field.dataset.field = key;
    if (key === now) field.setAttribute("aria-current", "step");
    const name = element("span", "field-text");
    name.setAttribute("translate", "no");
    const [start, end] = step ? splitName(who, view.shorts) : ["", ""];
    name.append(element("span", "field-name", start));
    if (end) {
      name.append(element("span", "field-end"));
      name.lastChild.append(element("span", "", end));
    }
    const inside = [element("span", "field-label", texts.stages[key] ?? key), " ", name];
    const what = said.slice(who.length);
    if (what) {
      inside.push(element("span", "visually-hidden", ", "), element("span", "field-what", what.replace(/^, /, "")));
      inside.at(-1).setAttribute("translate", "no");
    }
    const link = step?.id && Object.assign(copy("correct").firstElementChild, { title: within(view, step.entry) });
    const href = step?.id && correctionOf(view, step);
    if (href) link.href = href;
    if (link && !href) delete link.dataset.correct;
    if (link) link.append(...inside);
    field.append(...(link ? [link] : inside));
    return field;
  });
  list.replaceChildren(...drawn);
};

/** What "take back" would take back: {text, kind, target}; nothing after a ruling. */
export const takesBack = (view) => {
  if (view.signed) return null;
  if (view.announced !== null) return { kind: "chicago", text: declaring(view, view.announced) };
  if (view.mode === "play" && leavesGame(view)) return { kind: "game", text: fill(texts.back, { game: view.previous.game }) };
  const index = lastMade(view.entries);
  const last = view.entries[index];
  if (!last) return null;
  const own = ["reason:folded", "reason:ended_at_table"].includes(last.entry.reason);
  const ruled = view.directed && last.entry.kind === "ruling" && !own;
  return { kind: ruled ? "ruling" : "entry", text: line(view, index), target: last.id };
};

export const drawUndo = (slot, view) => {
  const button = slot.querySelector("[data-take-back]");
  const back = takesBack(view);
  if (back?.kind === "ruling") {
    const told = element("p", "latest quiet undo-text", back.text);
    told.setAttribute("translate", "no");
    slot.replaceChildren(told);
    return;
  }
  button.hidden = !back;
  if (back?.kind === "game") button.querySelector(".undo-word").remove();
  const text = button.querySelector(".undo-text");
  text.textContent = back?.text ?? "";
  text.classList.toggle("long", (back?.text ?? "").length > 44);
};
