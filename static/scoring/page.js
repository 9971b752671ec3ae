// Draws the page from what this device holds: the only way in which it comes about. What has not
// changed is left as it is, so that nothing moves under a thumb.

import { copy, drawBoard, drawFields, drawUndo, element } from "./board.js";
import { exchangeDue } from "./count.js";
import { lastMade } from "./log.js";
import { drawParts, questionsOf, typed } from "./parts.js";
import { drawQuestion } from "./question.js";
import { drawOver, drawSheet, drawSignOff } from "./result.js";
import { fill, line, texts } from "./words.js";

export const live = () => document.getElementById("live");
const root = document.getElementById("scoring");

const nowText = (view) => {
  if (view.mode === "play") {
    const { stage, deal } = view.state;
    const due = exchangeDue(view.state);
    const stages = [due !== null && texts.stages[`exchange-${due}`], stage !== "exchange" && texts.stages[stage]];
    return fill(texts.now, { deal: deal + 1, phase: stages.filter(Boolean).join(", ") });
  }
  if (view.mode === "end") return texts.all;
  return view.state.finished ? texts.over : texts.waiting;
};

const gamesText = (view) => {
  if (view.mode !== "end") return fill(texts.game, view);
  return fill(view.planned === 1 ? texts.games.one : texts.games.more, { games: view.planned });
};

const drawHead = (view, document) => {
  const label = live().querySelector(".sheet-label");
  label.textContent = document.label;
  label.classList.toggle("long", document.label.length > 38);
  label.classList.toggle("many", view.seats.length > 4);
  live().querySelector(".sheet-head").classList.toggle("practising", document.practice);
  live().querySelector(".sheet-game").textContent = gamesText(view);
  live().querySelector(".sheet-deal").textContent = nowText(view);
  window.document.title = `${document.label} · Chicago`;
};

/** What is answered now: the question, the seats, or the end of a game. */
const drawNow = (table, view) => {
  if (!view.writes) {
    const part = view.mode === "play" ? copy("read") : drawOver(view);
    if (view.mode !== "play") return part;
    drawBoard(part.querySelector(".board"), view);
    const asked = drawQuestion(questionsOf(table), view)[0].querySelector(".ask").textContent;
    part.querySelector("p.ask").textContent = asked;
    const last = lastMade(view.entries);
    const told = part.querySelector(".latest");
    if (last < 0) told.remove();
    else told.textContent = `${root.dataset.latest} ${line(view, last)}`;
    return part;
  }
  const play = copy("play");
  const form = play.querySelector("form");
  drawBoard(form.querySelector(".board"), view);
  drawUndo(form.querySelector(".undo-slot"), view);
  if (view.mode !== "play") {
    const over = drawOver(view);
    // The board and "take back" stay where they were.
    if (view.state.finished) {
      form.querySelector(".board").disabled = true;
      if (view.signed !== true) over.querySelector(".entry").prepend(...form.querySelectorAll(".board, .undo-slot"));
    }
    return over;
  }
  if (!asksSeats(table, view)) form.append(...drawQuestion(questionsOf(table), view));
  return play;
};

/** The seats, as long as nothing has been written: confirmed before the first question, exchanged before any later one. */
const seatsPart = (table, view) => {
  const begun = view.mode !== "play" || !view.writes || view.result || view.entries.some(({ entry }) => entry.kind !== "ruling");
  if (begun) return {};
  if (asksSeats(table, view)) return table.parts.seats;
  const part = element("div");
  part.append(copy("seats"));
  const [row] = part.querySelectorAll(".flip-row");
  const options = view.seats.map((name, seat) => Object.assign(element("option", "", name), { value: view.ids[seat] }));
  row.replaceWith(...view.seats.map((_name, seat) => {
    const next = row.cloneNode(true);
    const field = next.querySelector("select");
    field.append(...options.map((option) => option.cloneNode(true)));
    field.options[seat].setAttribute("selected", "");
    next.prepend(`${fill(texts.seat, { number: seat + 1 })} `);
    Object.assign(field, { id: `seat-${seat}`, name: `seat-${seat}` });
    return next;
  }));
  part.querySelector("[name=game]").setAttribute("value", view.game);
  return { mark: JSON.stringify([view.game, view.ids, view.seats]), html: part.innerHTML };
};

/** Whether the seats are confirmed before the first question. */
const asksSeats = ({ parts }, view) =>
  !view.seated && view.game === 1 && !view.entries.length && Boolean(parts.seats?.html.includes("seats-asked"));

/** What the part of the page that is answered shows: drawn anew only where that changes. */
const markOf = (table, view) =>
  JSON.stringify([
    // Of another phone's lines there may be as many as of those that waited here.
    [view.game, view.version, view.entries.at(-1)?.id, view.mode, view.writes, view.announced, view.signed, view.seated, view.seats, view.called, view.objected],
    [table.parts.questions?.mark, asksSeats(table, view), view.mode === "play" || [view.results.length, view.flips, view.penalties]],
  ]);

let frame = 0;
/** Draw the sheet once the board has been painted, which whoever tapped looks at. */
const drawSheets = (table, view, at) => {
  cancelAnimationFrame(frame);
  const draw = () => {
    drawSheet(live().querySelector(".score-sheet > .score-sheet-part"), { ...view, current: true });
    const holder = live().querySelector(".earlier-games");
    const earlier = view.results.toReversed();
    if (holder.dataset.games === String(earlier.map(({ game, last, version }) => [game, last, version]))) return;
    holder.dataset.games = String(earlier.map(({ game, last, version }) => [game, last, version]));
    holder.replaceChildren(...earlier.map((game) => {
      const part = copy("earlier").firstElementChild;
      part.querySelector("summary").textContent = fill(part.querySelector("summary").textContent.trim(), game);
      drawSheet(part.querySelector(".score-sheet-part"), game);
      return part;
    }));
  };
  if (at) draw();
  else {
    const due = (frame = requestAnimationFrame(() => setTimeout(() => frame === due && draw())));
  }
};

/** Set what lies within parts but depends on the game: who may be too slow, and the deal objected to. */
const drawWithin = (view, waits, fresh) => {
  for (const button of live().querySelectorAll(".slow button")) {
    const status = view.state.status[view.ids.indexOf(button.value)];
    button.hidden = status === "disqualified" || (view.mode === "play" && status !== "in");
  }
  const form = document.getElementById("objection-deal")?.form;
  // It is to the latest deal, unless somebody has begun to type one.
  if (form && !typed(form)) {
    const begun = view.steps.some(({ before }) => before.deal === view.state.deal);
    const deal = view.state.deal + (begun || !view.entries.length ? 1 : 0);
    form.elements.deal.defaultValue = Math.max(1, deal);
    form.elements.game.defaultValue = view.game;
  }
  if (form) form.closest("details").hidden = !view.entries.length && !view.results.length;
  for (const told of live().querySelectorAll(".corrected")) told.hidden = view.version >= told.dataset.until;
  for (const field of live().querySelectorAll(".seats-exchanged [name=version]")) field.value = view.version;
  const call = live().querySelector("[data-waits]");
  if (call) {
    const word = call.querySelector(".call-word");
    word.dataset.word ??= word.textContent;
    word.textContent = view.called === "waits" ? call.dataset.waits : word.dataset.word;
    call.classList.toggle("waits", Boolean(view.called || view.objected));
  }
  drawSignOff(live().querySelector(".sign-off"), view, waits, fresh);
};

/** Put the scores alone on the board, within one game; return whether that can be done. */
export const drawScores = (view) => {
  const { mode, game } = live().dataset;
  const old = live().querySelectorAll("#entry .cell-score");
  if (!old.length || mode !== "play" || view.mode !== "play" || game !== String(view.game)) return false;
  const board = element("fieldset");
  drawBoard(board, view);
  board.querySelectorAll(".cell-score").forEach((score, seat) => old[seat].replaceWith(score));
  return true;
};

let drawn = "";

/** Draw the table as `view` has it; return whether what is answered has changed. */
export const draw = (table, view, { own = false } = {}) => {
  const { document: about } = table;
  const part = live();
  const { mode, game } = part.dataset;
  const mark = markOf(table, view);
  const changed = mark !== drawn;
  drawn = mark;
  const now = part.querySelector(".sheet-now");
  const at = now.contains(window.document.activeElement) ? window.document.activeElement : null;
  Object.assign(part.dataset, { game: view.game, version: view.version, mode: view.mode });
  drawHead(view, about);
  drawFields(part.querySelector(".fields"), view);
  const shot = part.querySelector(".shot");
  shot.hidden = !(about.shot && view.writes);
  if (about.shot) shot.dataset.shot = about.shot;
  if (changed) {
    const before = [...now.querySelectorAll("[data-part]")];
    const next = drawNow(table, view);
    // A part that stays is moved, with what is half typed in it.
    for (const holder of next.querySelectorAll("[data-part]")) {
      const old = before.find((each) => each.dataset.part === holder.dataset.part);
      if (!old) continue;
      old.toggleAttribute("data-open", "open" in holder.dataset);
      holder.replaceWith(old);
    }
    now.replaceChildren(next);
    if (mode && mode !== "loading" && own && (mode !== view.mode || game !== String(view.game))) window.scrollTo({ top: 0, behavior: "instant" });
  }
  const fresh = about.mode === view.mode && about.now === view.game;
  drawParts(part, { ...table.parts, seats: seatsPart(table, view) }, view.mode, fresh);
  if (at && changed) {
    // Whoever was there stays there: at the same field, or at what is asked now.
    const next = now.contains(at) && at.checkVisibility() ? at : now.querySelector(".question .ask, .result-winner, h2");
    requestAnimationFrame(() => next?.focus({ preventScroll: true }));
  }
  drawWithin(view, fresh ? "" : about.waits, fresh);
  drawSheets(table, view, mode === "loading");
  if (changed) root.dispatchEvent(new CustomEvent("scoring:shown"));
  return changed;
};

/** Nothing is known of the table yet, or ever: say why. */
export const drawNothing = (text) => {
  live().querySelector(".sheet-now").replaceChildren(element("p", "lead", text));
};
