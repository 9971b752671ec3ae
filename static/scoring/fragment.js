// Draws the prediction (predict.js) on the Auditor's page, with the page's own markup and texts:
// templates that the server has included (templates/scoring/device.html).

import { ZEROING, askedForChicago, losses, nearTarget, step, warnings, whyNot } from "./count.js";
import { become } from "./part.js";
import { dealNow, dealOf, lastMade, leavesGame } from "./predict.js";
import { ranking, ranks } from "./rank.js";
import { fieldOf } from "./tell.js";

let texts = null;
const language = document.documentElement.lang;

const fill = (text, values) => text.replace(/\{(\w+)\}/g, (mark, name) => values[name] ?? mark);
const number = (value) => (value < 0 ? `−${-value}` : String(value));
const signed = (points) => (points < 0 ? number(points) : `+${points}`);

/** The engine's sentence for a refusal or a warning. */
const say = ({ code, params }, { seats }) => {
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

/** What the last entry cost, and who is near the target without a Chicago. */
const news = (view) => {
  const { state, shorts } = view;
  const cost = lost(shorts, state, view.steps[lastMade(view.entries)]?.facts ?? []);
  const names = nearTarget(state).map((seat) => shorts[seat]).join(", ");
  return `${cost} ${names && fill(texts.losses.near, { names, target: state.rules.target })}`.trim();
};

export const time = (at) => new Date(at).toLocaleTimeString(language, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

const words = (entry) => {
  const { entries } = texts;
  if (entry.kind === "hand" && entry.reset) return entries[entry.reset_seat === undefined ? "reset" : "reset.one"];
  if (entry.kind === "hand") return entries[`${entry.category}.${entry.suit}`] ?? entries[entry.category];
  if (entry.kind === "chicago") {
    const how = entry.deuce ? "deuce" : entry.won ? "won" : entry.breaker === undefined ? "lost" : "broken";
    return entries[`${entry.blind ? "blind" : "chicago"}.${how}`];
  }
  if (entry.kind === "last_trick" && entry.deuce) return entries["last_trick.deuce"];
  return entries[entry.reason] ?? entries[entry.kind === "ruling" ? entry.action : entry.kind];
};

export const within = ({ shorts }, entry, names = shorts) => fill(words(entry) ?? "", { seat: names[entry.seat], other: names[entry.breaker ?? entry.reset_seat] });

export const declaring = (view, seat) => (texts ? fill(texts.announced, { name: view.shorts[seat] }) : "");

/** What an entry changed: "+5", or with names if others changed, too. */
const changeOf = (view, step) => {
  const gains = new Map();
  for (const fact of step?.facts ?? []) {
    if (fact.fact === "score") gains.set(fact.seat, (gains.get(fact.seat) ?? 0) + fact.to - fact.from);
  }
  const own = gains.size === 1 && gains.has(step.entry.seat);
  return [...gains].map(([seat, gain]) => (own ? signed(gain) : `${view.shorts[seat]} ${signed(gain)}`)).join(", ");
};

/** An entry as a line of the sheet: "Anna: flush +5", without points if they are not known. */
const line = (view, index) => {
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

// ---------------------------------------------------------------------------- the page's parts

const device = () => document.getElementById("device");
const copy = (selector) => device().querySelector(`template${selector}`).content.cloneNode(true);
const root = document.getElementById("scoring");
const { base } = root.dataset;
const element = (name, className, text = "") => Object.assign(document.createElement(name), { className, textContent: text });

/** Insert the server's data for the device (device.html) into the page, which may be an earlier release's; return the rule set. */
export const prepare = (html) => {
  device().innerHTML = html;
  const read = (id) => JSON.parse(device().querySelector(id).textContent);
  texts = read("#device-texts");
  return read("#device-rules");
};

/** A line's link to its correction; none if the server does not have the line. */
const correctionOf = (view, sequence) => (sequence && view.writes && !view.signed ? `${base}games/${view.game}/${sequence}/` : "");

// --------------------------------------------------------------------------------- the board

const heard = (text) => element("span", "visually-hidden", text);
const seen = (className, text) => {
  const span = element("span", className, text);
  span.setAttribute("aria-hidden", "true");
  return span;
};

const drawCell = (cell, view, seat) => {
  const { state, seats, shorts, labels } = view;
  const status = state.status[seat];
  const executed = state.executed[seat];
  cell.className = `cell status-${status}`;
  const input = cell.querySelector("input");
  input.value = seat;
  input.dataset.name = seats[seat];
  if (status !== "in") input.dataset.gone = say({ code: "seat_out", params: { seat, why: status } }, view);
  const won = state.asterisks[seat];
  const marks = [executed && texts.marks.executed, won && fill(texts.marks[won === 1 ? "won.one" : "won"], { won })].filter(Boolean);
  const name = element("span", executed ? "executed" : "");
  name.title = seats[seat];
  name.append(Object.assign(seen("", labels[seat]), { lang: "" }), heard([seats[seat], ...marks].join(", ")));
  cell.querySelector(".cell-name").classList.toggle("long", shorts[seat].length > 7);
  cell.querySelector(".cell-name").replaceChildren(name);
  const score = cell.querySelector(".cell-score");
  const signs = cell.querySelector(".cell-marks");
  if (status === "in") {
    score.append(String(state.scores[seat]));
  } else {
    const out = element("span", "cell-out");
    out.append(seen("", texts.status[status]), heard(texts.statuses[status]));
    score.append(out);
  }
  if (won) score.append(seen("asterisks", "*".repeat(won)));
  if (view.mode === "play" && state.dealer === seat) signs.append(copy("#device-dealer"));
  if (state.discardless[seat]) signs.append(copy("#device-stop"));
  if (state.sitting_out[seat]) signs.append(element("span", "turn", texts.statuses.sitting_out));
  if (state.sitting_out_next[seat]) signs.append(element("span", "turn", texts.statuses.sitting_out_next));
};

/** The form with the board alone. */
const drawBoard = (view) => {
  const form = copy("#device-play").querySelector("form");
  form.querySelectorAll("label.cell").forEach((cell, seat) => drawCell(cell, view, seat));
  return form;
};

/** Show the scores, before all the rest. */
export const drawScores = (view) => become(document.querySelector("#live .board"), drawBoard(view).querySelector(".board"));

// ------------------------------------------------------------------------------- the question

/** Mark on each button for whom it is disabled, and why; return whether that is so for everybody. */
const judge = (button, view) => {
  const what = JSON.parse(button.value);
  if (what.breaker !== undefined) {
    button.querySelector(".what-label").textContent = fill(texts.broken, { name: view.shorts[what.breaker] });
  }
  const who = "who" in button.dataset;
  const reasons = {};
  view.seats.forEach((_name, seat) => {
    const problem = whyNot(view.state, who ? { ...what, seat } : what);
    if (problem) reasons[seat] = say(problem, view) || problem.code;
  });
  const playing = view.seats.map((_name, seat) => seat).filter((seat) => view.state.status[seat] === "in");
  const grey = playing.every((seat) => reasons[seat]);
  if (who && Object.keys(reasons).length) button.dataset.reasons = JSON.stringify(reasons);
  if (grey) button.dataset.reason = reasons[playing[0]];
  button.classList.toggle("off", grey);
  return grey;
};

/** The likely answers: the seat that last scored has the same hand again, or an easy improvement. */
const drawAgain = (question, view) => {
  const row = question.querySelector(".what-again");
  const hands = dealNow(view).map(({ entry }) => entry).filter(({ kind }) => kind === "hand");
  const last = hands.at(-1);
  if (!row || !last) return;
  for (const category of texts.becomes[last.category] ?? []) {
    const button = question.querySelector(`.what-hands .kind-${category}`)?.cloneNode(true);
    if (!button) continue;
    const { kind, phase } = JSON.parse(button.value);
    button.value = JSON.stringify({ kind, phase, seat: last.seat, category });
    for (const mark of ["who", "reasons", "reason"]) delete button.dataset[mark];
    const label = button.querySelector(".what-label");
    label.textContent = within(view, JSON.parse(button.value), view.labels);
    label.classList.toggle("long", label.textContent.length > 24);
    if (!judge(button, view)) row.append(button);
  }
};

/** Who may declare a Chicago, in the order in which they are asked. */
const drawDeclare = (question, view) => {
  const row = question.querySelector(".what-declare");
  if (!row) return;
  const buttons = [...row.querySelectorAll("button")];
  const reasons = view.seats.map((_name, seat) => {
    const problem = whyNot(view.state, { kind: "chicago", seat, won: true });
    return problem ? say(problem, view) || problem.code : "";
  });
  if (reasons.every(Boolean)) {
    row.previousElementSibling.remove();
    row.remove();
    return;
  }
  const order = askedForChicago(view.state);
  buttons.forEach((button, seat) => {
    button.querySelector(".what-label").textContent = view.labels[seat];
    const points = button.querySelector(".what-points");
    if (points) points.textContent = order.includes(seat) ? `${order.indexOf(seat) + 1}.` : "";
    button.classList.toggle("off", Boolean(reasons[seat]));
    if (reasons[seat]) button.dataset.reason = reasons[seat];
  });
};

/** Who broke the Chicago, and what that costs: that is not asked about again. */
const drawLoss = (question, view) => {
  const buttons = [...question.querySelectorAll(".what-broken button")];
  const costs = buttons.map(({ value, dataset }) => (dataset.reason ? "" : doubts(view, JSON.parse(value), view.shorts)));
  const [loss] = costs.filter(Boolean).sort((one, other) => one.length - other.length);
  buttons.forEach((button, index) => button.toggleAttribute("data-told", Boolean(loss) && costs[index] === loss));
  const title = question.querySelector(".sub-ask");
  title.textContent = loss ? fill(title.textContent, { loss }) : texts.broke;
};

const drawQuestion = (form, view) => {
  const { stage, phase } = view.state;
  const declared = stage === "tricks" && view.announced !== null;
  const key = stage === "exchange" ? `exchange-${phase}` : declared ? "chicago" : stage;
  const asked = copy(`[data-stage="${key}"]`);
  const question = asked.querySelector(".question");
  for (const button of question.querySelectorAll("button[name=what]")) {
    const { kind, seat, breaker } = JSON.parse(button.value);
    const gone = breaker !== undefined && view.state.status[breaker] !== "in";
    if (gone || (declared && seat !== view.announced)) {
      button.remove();
      continue;
    }
    if (kind === "last_trick" && seat !== undefined) button.querySelector(".what-label").textContent = view.labels[seat];
    judge(button, view);
  }
  if (declared) {
    const title = question.querySelector(".ask");
    title.textContent = fill(title.textContent, { name: view.shorts[view.announced] });
    drawLoss(question, view);
  }
  drawAgain(question, view);
  drawDeclare(question, view);
  const stopped = question.querySelector(".stopped");
  const names = view.shorts.filter((_name, seat) => view.state.discardless[seat] && view.state.status[seat] === "in");
  const exchanged = stage === "exchange" || (stage === "tricks" && !declared);
  const stop = exchanged && names.length ? fill(texts.stopped, { names: names.join(", ") }) : "";
  const told = news(view);
  stopped.querySelector(".stopped-text").textContent = stop;
  stopped.querySelector(".news").textContent = told;
  stopped.querySelector(".sign").hidden = !stop;
  stopped.classList.toggle("long", told.length > (stop ? 36 : 72));
  stopped.hidden = !(stop || told);
  form.querySelector("[data-question]").replaceWith(question);
  for (const button of asked.querySelectorAll("details [name=what]")) if (judge(button, view)) button.remove();
  form.querySelector("[data-folds]").replaceWith(...[...asked.querySelectorAll("details")].filter((fold) => fold.querySelector("button")));
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

/** The deal's fields: who has scored in which, and which one is asked for. */
const drawFields = (list, view) => {
  const { stage, phase } = view.state;
  const fields = [...list.querySelectorAll("[data-field]")];
  list.hidden = view.mode !== "play";
  const now = stage === "exchange" ? String(phase) : stage === "tricks" ? "tricks" : "hand";
  const written = new Map(dealNow(view).map((step) => [fieldOf(step.entry, fields.length - 1), step]));
  if (view.announced !== null) written.set("tricks", { entry: { seat: view.announced } });
  for (const field of fields) {
    const { field: key } = field.dataset;
    const { entry, sequence } = written.get(key) ?? {};
    field.classList.toggle("now", key === now);
    if (key === now) field.setAttribute("aria-current", "step");
    else field.removeAttribute("aria-current");
    const label = field.querySelector(".field-label").textContent;
    const name = element("span", "field-text");
    const [start, end] = entry ? splitName(view.shorts[entry.seat] ?? "–", view.shorts) : ["", ""];
    name.append(element("span", "field-name", start));
    if (end) {
      name.append(element("span", "field-end"));
      name.lastChild.append(element("span", "", end));
    }
    const inside = [element("span", "field-label", label), " ", name];
    const href = correctionOf(view, sequence);
    const link = href && Object.assign(copy("#device-correct").firstElementChild, { href, title: within(view, entry) });
    if (link) link.replaceChildren(...inside);
    field.replaceChildren(...(link ? [link] : inside));
  }
};

/** What "take back" would take back; nothing after a ruling or if the device cannot know. */
const takesBack = (view) => {
  if (view.announced !== null) return declaring(view, view.announced);
  if (leavesGame(view)) return fill(texts.back, { game: view.previous[0].game });
  const index = lastMade(view.entries);
  const last = view.entries[index];
  if (!last || view.signed) return "";
  const ruled = last.entry.kind === "ruling" && !["reason:folded", "reason:ended_at_table"].includes(last.entry.reason);
  return ruled ? "" : line(view, index);
};

const drawUndo = (part, view) => {
  const button = part.querySelector("[data-take-back]");
  const text = takesBack(view);
  button.hidden = !text;
  const line = button.querySelector(".undo-text");
  line.textContent = text;
  line.classList.toggle("long", text.length > 44);
};

// --------------------------------------------------------------------------------- the result

const points = (fraction) => {
  const [whole, parts = 1] = fraction.split("/").map(Number);
  return (Math.trunc((whole * 100) / parts) / 100).toLocaleString(document.documentElement.lang);
};
const stars = (won) => (won ? element("span", "asterisks", "*".repeat(won)) : "");

/** How a game was won (as win_text, engine/messages/results.py). */
const howWon = ({ win, winners, scores, deal }) => {
  const { [win]: how = "", [`${win}.shared`]: shared = how } = texts.wins ?? {};
  return fill(winners.length > 1 ? shared : how, { score: scores[winners[0]], deal: deal + 1, suit: "" });
};

/** Why a row of the heat's result is ahead of the next one. */
const whyAhead = ({ place, decided_by: step, own_value: own = 0, next_value: next = 0 }, below) => {
  if (!below) return "";
  const why = texts.steps?.[step ?? (place === below.place ? "level" : "")] ?? "";
  return fill(why, { name: below.name, own: points(String(own)), other: points(String(next)) });
};

/** The heat's result after this game, place by place; return whether a tie keeps it open. */
const drawRanking = (list, { results = [], penalties = {}, game, seats, state }) => {
  const games = [...results.filter((other) => other.game < game), { ...state, seats }];
  const { rows, needs } = ranking(games, penalties, texts.chain, texts.advance);
  rows.forEach((row, at) => {
    const name = element("span", "ranking-name", row.name);
    if (row.advances) name.append(" ", element("span", "tag", texts.advances));
    if (row.disqualified) name.append(" ", element("span", "tag tag-red", texts.statuses.disqualified));
    const detail = element("span", "ranking-detail quiet tabular");
    const parts = [fill(texts.sheets, { points: row.score_points })];
    if (state.game_points?.length) {
      parts.unshift(row.points.map(points).join(" + "));
    }
    detail.append(parts.join(" · "), stars(row.asterisks));
    const because = [row.penalty && fill(texts.penalty, { sum: `${points(row.won)} − ${points(row.penalty)}` }), whyAhead(row, rows[at + 1])];
    for (const text of because) if (text) detail.append(` · ${text}`);
    const item = list.appendChild(element("li", row.advances ? "advances" : ""));
    item.append(element("span", "ranking-place tabular", `${row.place}${row.last > row.place ? "=" : ""}`), name);
    if (state.game_points?.length) item.append(element("span", "ranking-points tabular", points(row.game_points)));
    item.append(detail);
  });
  return needs.length > 0;
};

const drawResult = (part, view) => {
  const [next] = view.games;
  const button = part.querySelector("[data-next-game]");
  button.hidden = !next;
  if (next) button.textContent = fill(button.textContent, { game: next.game });
  const [result, end, signOff] = [".result", ".end", ".sign-off"].map((name) => part.querySelector(name));
  const ranked = end && texts.chain && !next && ranks(texts.chain);
  end?.toggleAttribute("hidden", !ranked);
  const open = ranked && drawRanking(end.querySelector("ol"), view);
  // Why the table cannot sign off yet, besides what the policy says (_sign_off.html).
  const why = texts.waits?.[view.signed === "waits" ? "signed" : view.called ? "call_open" : view.objected ? "objection_open" : open && "needs_flip_flop"];
  if (next || !view.writes || view.signed === true || (view.signed && !why)) signOff.remove();
  else if (why) {
    signOff.querySelector("p").textContent = why;
    Object.assign(signOff.querySelector("button"), { disabled: true, hidden: view.signed });
  }
  // The heat's result comes first, as the server has it.
  if (!next) result.parentNode.append(result);
  result.classList.toggle("result-small", !next);
  const { state, seats } = view;
  const number = part.querySelector(".result-number");
  if (next) number?.remove();
  else if (number) number.textContent = fill(number.textContent, view);
  part.querySelector(".result-winner").textContent = state.winners.map((seat) => seats[seat]).join(", ");
  part.querySelector(".result-how").textContent = howWon(state);
  const rows = part.querySelector("tbody");
  let first = 1;
  for (const group of state.places) {
    for (const seat of group) {
      const row = element("tr", state.winners.includes(seat) ? "winner" : "");
      const place = group.length > 1 ? `${first}–${first + group.length - 1}` : String(first);
      const name = element("th", "");
      name.scope = "row";
      name.append(element("span", state.executed[seat] ? "executed" : "", seats[seat]));
      const score = element("td", "num", String(state.scores[seat]));
      score.append(stars(state.asterisks[seat]));
      if (state.status[seat] !== "in") score.append(" ", element("span", "quiet", texts.statuses[state.status[seat]]));
      row.append(element("td", "tabular place", place), name, score);
      if (state.game_points) row.append(element("td", "num", points(state.game_points[seat])));
      rows.append(row);
    }
    first += group.length;
  }
};

// ------------------------------------------------------------------------------- the score sheet

const fences = (score) => {
  const drawn = element("span", "fences");
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

const drawScoreSheet = (view) => {
  const sheet = document.querySelector("#live .score-sheet-part");
  if (!sheet) return;
  if (sheet.dataset.game !== String(view.game)) sheet.querySelector(".deals")?.remove();
  sheet.dataset.game = view.game;
  const struck = view.steps.flatMap(({ facts }) => facts).filter((fact) => ZEROING.includes(fact.cause) && fact.from > 0);
  [...sheet.querySelectorAll(".score-rows > li")].forEach((row, seat) => {
    const { state, seats } = view;
    row.className = `status-${state.status[seat]}`;
    row.querySelector(".score-name").replaceChildren(element("span", state.executed[seat] ? "executed" : "", seats[seat]));
    const score = row.querySelector(".score-now");
    score.replaceChildren(state.scores[seat], stars(state.asterisks[seat]));
    const field = row.querySelector(".score-fences");
    field.replaceChildren();
    for (const fact of struck) if (fact.seat === seat) field.append(element("s", "struck tabular", String(fact.from)), " ");
    field.append(fences(state.scores[seat]));
    if (state.status[seat] !== "in") field.append(" ", element("span", "quiet", texts.statuses[state.status[seat]]));
  });
  drawDeals(sheet, view);
};

const drawLine = (view, { entry, sequence }, step) => {
  const drawn = element("span", warnings(step.before, entry).length ? "deal-line unusual" : "deal-line");
  const [text, change, href] = [within(view, entry), changeOf(view, step), correctionOf(view, sequence)];
  drawn.append(href ? Object.assign(copy("#device-correct").firstElementChild, { href, textContent: text }) : text);
  if (change) drawn.append(" ", element("b", "tabular", change));
  return drawn;
};

const drawDeal = (table, view, deal) => {
  const part = copy("#device-deal").firstElementChild;
  part.dataset.deal = deal;
  part.querySelector("th").textContent = deal;
  for (const _name of view.seats) part.querySelector(".deal-scores").append(element("td", "num"));
  part.querySelector(".deal-lines td:last-child").colSpan = view.seats.length;
  table.tHead.after(part);
  return part;
};

/** The list deal by deal: the server's lines stay, missing ones are added. */
const drawDeals = (sheet, view) => {
  const rows = view.entries.map((row, index) => ({
    ...row,
    id: `line-${view.game}-${row.sequence ?? row.tap?.id ?? `away-${index}`}`,
    step: view.steps[index],
    deal: dealOf(view, index),
  }));
  if (!sheet.querySelector(".deals")) {
    if (!rows.length) return;
    sheet.append(copy("#device-deals"));
    const head = sheet.querySelector(".deals thead tr");
    for (const name of view.labels) head.append(Object.assign(element("th", "num", name), { scope: "col" }));
  }
  const table = sheet.querySelector(".deals-table");
  for (const old of table.querySelectorAll(".deal-line")) if (!rows.some(({ id }) => id === old.id)) old.remove();
  for (const row of rows) {
    if (document.getElementById(row.id) || !words(row.entry)) continue;
    const part = table.querySelector(`[data-deal="${row.deal}"]`) ?? drawDeal(table, view, row.deal);
    part.querySelector(".deal-lines td:last-child").append(Object.assign(drawLine(view, row, row.step), { id: row.id }), " ");
  }
  for (const part of table.tBodies) {
    const after = rows.findLast(({ deal }) => String(deal) === part.dataset.deal);
    if (!part.querySelector(".deal-line")) part.remove();
    else if (after) part.querySelectorAll(".num").forEach((cell, seat) => { cell.textContent = after.step.after.scores[seat]; });
  }
  // An objection is to the latest deal, unless somebody has begun to type one.
  const objection = document.getElementById("objection-deal")?.form;
  if (objection && table.tBodies.length && !window.scoring.typed(objection)) {
    objection.elements.deal.defaultValue = table.tBodies[0].dataset.deal;
    objection.elements.game.defaultValue = view.game;
  }
};

let frame = 0;
/** Draw the sheet once the board has been painted, which whoever tapped looks at. */
const drawSheetNext = (view) => {
  const live = document.getElementById("live");
  cancelAnimationFrame(frame);
  const due = (frame = requestAnimationFrame(() =>
    setTimeout(() => frame === due && live.isConnected && drawScoreSheet(view)),
  ));
};

/** Lines that the server has received can be corrected from now on; nothing else changes. */
export const drawCorrections = (view) => {
  drawFields(document.querySelector("#live .fields"), view);
  drawSheetNext(view);
};

// ----------------------------------------------------------------------------------- the page

/** Until a game's first entry its seats can be exchanged, which needs the network; what is chosen there stays. */
const drawSeats = (live, form, { game, version, seats }) => {
  const shown = live.querySelector(".seats-exchanged");
  if (shown?.elements.game.value === String(game)) form.after(shown);
  if (form.parentNode.contains(shown) || !document.getElementById("device-seats")) return;
  const exchange = copy("#device-seats").firstElementChild;
  const { elements } = exchange;
  elements.game.value = game;
  elements.seats_version.value = version;
  for (const option of exchange.querySelectorAll("option")) {
    option.selected = option.defaultSelected = option.text === seats[option.closest("select").name.slice(5)];
  }
  form.after(exchange);
};

/** Replace what the server showed last by the prediction; on a copy of it, nobody sees anything. */
export const draw = (view, live = document.getElementById("live")) => {
  live.dataset.game = view.game;
  live.dataset.version = view.version;
  live.dataset.mode = view.mode;
  for (const told of live.querySelectorAll(".corrected")) told.hidden = view.version >= told.dataset.until;
  live.querySelector(".sheet-game").textContent = fill(texts.game, view);
  const { stage, phase, deal } = view.state;
  const where = texts.stages[stage === "exchange" ? `exchange-${phase}` : stage];
  live.querySelector(".sheet-deal").textContent = where ? fill(texts.now, { deal: deal + 1, phase: where }) : texts.over;
  const call = view.called === "waits" && live.querySelector("[data-waits]");
  if (call) call.querySelector(".call-word").textContent = call.dataset.waits;
  if (call) call.classList.add("waits");
  const playing = view.mode === "play";
  drawFields(live.querySelector(".fields"), view);
  const form = drawBoard(view);
  drawUndo(form, view);
  const now = playing ? form.parentNode : copy("#device-over");
  if (playing) {
    // The seats are confirmed before the first question.
    const seats = !view.seated && !view.entries.length && live.querySelector(".seats-asked");
    if (seats) form.after(seats);
    else {
      drawQuestion(form, view);
      if (view.writes && !root.dataset.begun && view.entries.every(({ entry }) => entry.kind === "ruling")) drawSeats(live, form, view);
    }
  } else {
    drawResult(now, view);
    // The board and "take back" stay where they were (_board.html).
    form.querySelector(".board").disabled = true;
    if (!view.signed) now.querySelector(".entry").prepend(...form.querySelectorAll(".board, .undo-slot"));
  }
  // Another device keeps the score.
  if (!live.querySelector(".lease")) become(live.querySelector(".sheet-now"), now);
  if (!live.isConnected) return;
  drawSheetNext(view);
  root.dispatchEvent(new CustomEvent("scoring:shown", { detail: { predicted: true } }));
};
