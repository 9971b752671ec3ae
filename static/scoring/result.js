// Draws the end of a game and the heat's result.

import { copy, element, stars } from "./board.js";
import { ranking, ranks } from "./rank.js";
import { fill, points, texts } from "./words.js";

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
