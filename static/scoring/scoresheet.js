// Draws the running sheet: tally fences, and deal by deal the lines that count.

import { ZEROING, warnings } from "./count.js";
import { copy, correctionOf, element, stars } from "./board.js";
import { dealOf } from "./log.js";
import { changeOf, fill, texts, within } from "./words.js";

const fences = (score) => {
  const drawn = element("span", "fences");
  drawn.setAttribute("role", "img");
  drawn.setAttribute("aria-label", fill(texts.fences, { points: score }));
  const tens = Math.max(1, Math.floor(Math.ceil(score / 5) / 2));
  const groups = Array.from({ length: score > 0 ? tens : 0 }, () => element("span", "ten"));
  drawn.append(...groups);
  for (let left = Math.max(score, 0), n = 0; left > 0; left -= 5, n += 1) {
    const shape = left >= 5 ? `5-${n % 3}` : left;
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
    svg.setAttribute("class", "fence");
    svg.setAttribute("aria-hidden", "true");
    use.setAttribute("href", `#fence-${shape}`);
    svg.append(use);
    // No stroke stays alone in a row.
    groups[Math.min(Math.floor(n / 2), tens - 1)].append(svg);
  }
  return drawn;
};

const drawLine = (view, index) => {
  const row = view.entries[index];
  const step = view.steps[index];
  const drawn = element("span", warnings(step.before, row.entry).length ? "deal-line unusual" : "deal-line");
  drawn.id = `line-${view.game}-${row.row ?? row.tap?.id ?? `away-${index}`}`;
  const [text, change, href] = [within(view, row.entry), changeOf(view, step), view.current ? correctionOf(view, row) : ""];
  drawn.append(href ? Object.assign(copy("correct").firstElementChild, { href, textContent: text }) : text);
  if (change) drawn.append(" ", element("b", "tabular", change));
  if (row.replaced) drawn.append(" ", copy("corrected"));
  return drawn;
};

const drawDeals = (table, view) => {
  const head = table.tHead.rows[0];
  for (const name of view.labels) head.append(Object.assign(element("th", "num", name), { scope: "col" }));
  let part = null;
  view.entries.forEach((_row, index) => {
    const deal = dealOf(view, index);
    if (part?.dataset.deal !== String(deal)) {
      part = copy("deal").firstElementChild;
      part.dataset.deal = deal;
      part.querySelector("th").textContent = deal;
      for (const _name of view.seats) part.querySelector(".deal-scores").append(element("td", "num"));
      part.querySelector(".deal-lines td:last-child").colSpan = view.seats.length;
      table.tHead.after(part);
    }
    part.querySelector(".deal-lines td:last-child").append(drawLine(view, index), " ");
    part.querySelectorAll(".num").forEach((cell, seat) => { cell.textContent = view.steps[index].after.scores[seat]; });
  });
};

/** Draw one game's sheet into its place; `view` is the one that is played, or an earlier one. */
export const drawSheet = (place, view) => {
  const { state, seats } = view;
  const part = copy("sheet");
  const struck = view.steps.flatMap(({ facts }) => facts).filter((fact) => ZEROING.includes(fact.cause) && fact.from > 0);
  seats.forEach((name, seat) => {
    const row = copy("score").firstElementChild;
    row.className = `status-${state.status[seat]}`;
    row.querySelector(".score-name").append(element("span", state.executed[seat] ? "executed" : "", name));
    row.querySelector(".score-now").append(String(state.scores[seat]), stars(state.asterisks[seat]));
    const field = row.querySelector(".score-fences");
    for (const fact of struck) if (fact.seat === seat) field.append(element("s", "struck tabular", String(fact.from)), " ");
    field.append(fences(state.scores[seat]));
    if (state.status[seat] !== "in") field.append(" ", element("span", "quiet", texts.statuses[state.status[seat]]));
    part.querySelector(".score-rows").append(row);
  });
  const deals = part.querySelector(".deals");
  const before = place.querySelector(".deals");
  deals.open = before && place.dataset.game === String(view.game) ? before.open : !state.finished;
  if (view.entries.length) drawDeals(deals.querySelector("table"), view);
  else deals.remove();
  place.dataset.game = view.game;
  place.replaceChildren(part);
};
