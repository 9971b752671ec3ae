// Draws the running sheet, tally fences and deal by deal the lines that count; the end of a game; the heat's result.

import { copy, correctionOf, element, stars } from "./board.js";
import { ZEROING, warnings } from "./count.js";
import { dealOf } from "./log.js";
import { ranking, ranks } from "./rank.js";
import { changeOf, fill, points, texts, within } from "./words.js";

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
  // What has not changed stays: a link under a thumb, above all.
  const drawn = [...part.childNodes];
  if (drawn.length !== place.childNodes.length || drawn.some((node, at) => !node.isEqualNode(place.childNodes[at]))) place.replaceChildren(part);
};

/** How a game was won (as win_text, engine/messages/results.py). */
const howWon = ({ win, winners, scores, deal }, suit = "") => {
  const { [win]: how = "", [`${win}.shared`]: shared = how } = texts.wins ?? {};
  return fill(winners.length > 1 ? shared : how, { score: scores[winners[0]], deal: deal + 1, suit: suit && ` ${suit}` });
};

/** Why a row of the heat's result is ahead of the next one. */
const whyAhead = (row, below) => {
  const step = below && (row.decided_by || (row.place === below.place ? "level" : ""));
  const [own, other] = [row.own_value ?? row[step], row.next_value ?? below?.[step]].map((value) => points(String(value ?? 0)));
  return step ? fill(texts.steps[step] ?? "", { name: below.name, own, other }) : "";
};

/** The heat's ranking after its finished games, and whether a tie keeps it open; null where it is not known here. */
const heatOf = (view) => {
  const { chain, advance, penalties, results, state, seats } = view;
  if (!ranks(chain)) return null;
  const games = [...results.map((game) => ({ ...game.state, seats: game.seats })), ...(state.finished ? [{ ...state, seats }] : [])];
  if (!games.length) return null;
  const { rows, needs } = ranking(games, penalties, chain, advance, view.flips);
  return { rows, open: needs.length > 0, counted: Boolean(state.game_points?.length) };
};

const drawRanking = (list, view, { rows, counted }) => {
  rows.forEach((row, at) => {
    const name = element("span", "ranking-name", row.name);
    if (row.advances) name.append(" ", element("span", "tag", view.final ? texts.advances.final : texts.advances.on));
    if (row.disqualified) name.append(" ", element("span", "tag tag-red", texts.statuses.disqualified));
    const detail = element("span", "ranking-detail quiet tabular");
    const parts = [fill(texts.sheets, { points: row.score_points })];
    if (counted) parts.unshift(row.points.map(points).join(" + "));
    detail.append(parts.join(" · "), stars(row.asterisks));
    const because = [row.penalty && fill(texts.penalty, { sum: `${points(row.won)} − ${points(row.penalty)}` }), whyAhead(row, rows[at + 1])];
    for (const text of because) if (text) detail.append(` · ${text}`);
    const item = list.appendChild(element("li", row.advances ? "advances" : ""));
    item.append(element("span", "ranking-place tabular", `${row.place}${row.last > row.place ? "=" : ""}`), name);
    if (counted) item.append(element("span", "ranking-points tabular", points(row.game_points)));
    item.append(detail);
  });
};

const drawPlaces = (part, { state, seats }) => {
  const rows = part.querySelector("tbody");
  const counted = Boolean(state.game_points?.length);
  if (!counted) part.querySelector("thead tr").lastElementChild.remove();
  let first = 1;
  for (const group of state.places) {
    for (const seat of group) {
      const row = element("tr", state.winners.includes(seat) ? "winner" : "");
      const place = group.length > 1 ? `${first}–${first + group.length - 1}` : String(first);
      const name = element("th");
      name.scope = "row";
      name.append(element("span", state.executed[seat] ? "executed" : "", seats[seat]));
      const score = element("td", "num", String(state.scores[seat]));
      score.append(stars(state.asterisks[seat]));
      if (state.status[seat] !== "in") score.append(" ", element("span", "quiet", texts.statuses[state.status[seat]]));
      row.append(element("td", "tabular place", place), name, score);
      if (counted) row.append(element("td", "num", points(state.game_points[seat])));
      rows.append(row);
    }
    first += group.length;
  }
};

/** Why the table cannot sign off yet, besides what the server says; empty if it can. */
const waitsFor = (view) => {
  const code = view.signed === "waits" ? "signed" : view.called ? "call_open" : view.objected && "objection_open";
  return code ? texts.waits[code] : "";
};

/** The end of a game: who won, and after the last one the heat's result. */
export const drawOver = (view) => {
  const part = copy("over");
  const [next] = view.games;
  const { finished } = view.state;
  const button = part.querySelector("[data-next-game]");
  button.textContent = fill(button.textContent.trim(), { game: next?.game });
  if (!next || !view.writes) button.remove();
  const [result, end] = [".result", ".end"].map((name) => part.querySelector(name));
  const heat = next ? null : heatOf(view);
  if (heat) drawRanking(end.querySelector("ol"), view, heat);
  end.hidden = !heat;
  if (!finished) result.remove();
  else {
    // The heat's result comes first.
    result.classList.toggle("result-small", !next);
    const number = part.querySelector(".result-number");
    if (next) number.remove();
    else number.textContent = fill(number.textContent, view);
    const hands = view.entries.map(({ entry }) => entry).filter(({ kind }) => kind === "hand");
    part.querySelector(".result-winner").textContent = view.state.winners.map((seat) => view.seats[seat]).join(", ");
    part.querySelector(".result-how").textContent = howWon(view.state, texts.suits[hands.at(-1)?.suit]);
    drawPlaces(result, view);
  }
  const seating = part.querySelector(".seating");
  if (!next) seating.remove();
  else {
    const title = seating.querySelector("h2");
    title.textContent = fill(title.textContent.trim(), { game: next.game });
    for (const name of next.seats) {
      const item = element("li", "", name);
      if (name === next.seats[next.dealer]) item.append(" ", copy("first"));
      seating.querySelector("ol").append(item);
    }
  }
  const signOff = part.querySelector('[data-part="sign-off"]');
  signOff.toggleAttribute("data-open", Boolean(heat?.open));
  if (next || !view.writes || view.signed === true) signOff.remove();
  if (next || !heat?.open) part.querySelector('[data-part="ties"]').remove();
  if (next) part.querySelector('[data-part="signed"]').remove();
  return part;
};

/** What the sign-off waits for on this device, or `waits` where the server does not know of the end yet: said below its button. */
export const drawSignOff = (form, view, waits, fresh) => {
  if (!form) return;
  const tied = "open" in form.parentElement.dataset;
  form.hidden = tied && fresh; // the server asks for the Flip Flop instead
  const [told, button] = [form.querySelector("p"), form.querySelector("button")];
  // What the server says of it, once nothing else holds it up.
  form.dataset.own ??= JSON.stringify([told.textContent, button.disabled]);
  const [text, disabled] = JSON.parse(form.dataset.own);
  const why = waitsFor(view) || (tied && texts.waits.needs_flip_flop) || waits;
  told.textContent = why || text;
  Object.assign(button, { disabled: Boolean(why) || disabled, hidden: view.signed === "waits" });
};
