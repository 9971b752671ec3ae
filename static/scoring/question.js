// Draws the question: what the table answers next, with every button that the rules may allow.

import { whyNot } from "./count.js";
import { dealNow, inTurn } from "./log.js";
import { equalText, minimumText, needsText, turnText } from "./tell.js";
import { doubts, fill, news, say, texts, within } from "./words.js";

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
  if (!row) return false;
  const buttons = [...row.querySelectorAll("button")];
  const reasons = view.seats.map((_name, seat) => {
    const problem = whyNot(view.state, { kind: "chicago", seat, won: true });
    return problem ? say(problem, view) || problem.code : "";
  });
  if (reasons.every(Boolean)) {
    row.previousElementSibling.remove();
    row.remove();
    return false;
  }
  const order = inTurn(view).filter((seat) => !reasons[seat]);
  buttons.forEach((button, seat) => {
    button.querySelector(".what-label").textContent = view.labels[seat];
    const points = button.querySelector(".what-points");
    if (points) points.textContent = order.includes(seat) ? `${order.indexOf(seat) + 1}.` : "";
    button.classList.toggle("off", Boolean(reasons[seat]));
    if (reasons[seat]) button.dataset.reason = reasons[seat];
  });
  return true;
};

/** Above the answers: which exchange it is and who speaks first, who may not exchange, what the last line cost. */
const drawLines = (lines, view, stops) => {
  const names = view.shorts.filter((_name, seat) => view.state.discardless[seat] && view.state.status[seat] === "in");
  const stop = stops && names.length ? fill(texts.stopped, { names: names.join(", ") }) : "";
  const told = news(view);
  // The board marks who speaks first, too, and the head says which exchange it is.
  const turn = stop || told ? "" : turnText(texts.prospects, view.state, view.shorts);
  lines.querySelector(".turns").textContent = turn;
  lines.querySelector(".how").textContent = turn && !view.entries.length ? texts.how : "";
  lines.querySelector(".stopped-text").textContent = stop;
  lines.querySelector(".news").textContent = told;
  lines.querySelector(".sign").hidden = !stop;
  lines.classList.toggle("long", told.length > (stop ? 36 : 72));
  lines.hidden = !(turn || stop || told);
};

/** Below them: what the players need to win, and what the rules say that is asked most. */
const drawKnown = (known, view, { hand, declares }) => {
  const { rules } = view.state;
  const words = texts.prospects;
  known.querySelector(".needs").textContent = needsText(words, view.state, view.shorts);
  const said = hand ? equalText(words, rules) : declares ? "" : minimumText(words, rules);
  known.querySelector(".says").textContent = said;
  for (const line of known.children) line.hidden = !line.textContent;
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

/** Put the players' names into a question that was made for any players. */
const named = (part, { shorts }) => {
  const values = Object.fromEntries(shorts.map((name, seat) => [`seat${seat}`, name]));
  const walk = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) if (walk.currentNode.data.includes("{seat")) walk.currentNode.data = fill(walk.currentNode.data, values);
};

/** The question of the deal's stage: {question, folds}. `questions` holds all of them. */
export const drawQuestion = (questions, view) => {
  const { stage, phase } = view.state;
  const declared = stage === "tricks" && view.announced !== null;
  const key = stage === "exchange" ? `exchange-${phase}` : declared ? "chicago" : stage;
  const asked = questions.querySelector(`template[data-stage="${key}"]`).content.cloneNode(true);
  const question = asked.querySelector(".question");
  named(asked, view);
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
  const declares = drawDeclare(question, view);
  drawLines(question.querySelector(".stopped"), view, stage === "exchange" || (stage === "tricks" && !declared));
  drawKnown(question.querySelector(".known"), view, { hand: Boolean(question.querySelector(".what-hands")), declares: declares || declared });
  for (const button of asked.querySelectorAll("details [name=what]")) if (judge(button, view)) button.remove();
  return [question, ...[...asked.querySelectorAll("details")].filter((fold) => fold.querySelector("button"))];
};

