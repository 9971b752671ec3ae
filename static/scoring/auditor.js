// The Auditor's page. Every tap that writes gets a UUID and is stored on this device before it is
// sent (queue.js). If the server does not answer, the page goes on with its own prediction
// (predict.js, fragment.js). The corner always shows what is saved, being sent or waiting.

import { asJson, knows } from "./count.js";
import { written } from "./guard.js";
import { keepTold, offer } from "./recover.js";
import { leave } from "./leave.js";
import { declaring, doubts, draw, drawCorrections, drawScores, prepare, time, within } from "./fragment.js";
import { busy, hint, listWaiting, notice, state } from "./notices.js";
import { lastMade, leavesGame, positionIn, predict } from "./predict.js";
import { Queue, tapOf } from "./queue.js";
import { able, dropWritten, install, keepSheet, loadSheet, moveGame, stores, uninstall } from "./store.js";
import * as text from "./part.js";

const { scoring } = window;
const { root } = scoring;
const { base, script, begun } = root.dataset; // begun: the start page of a game that no server has yet
const key = base;
const read = (id, within = document) => JSON.parse(within.getElementById(id)?.textContent || "null");
const PART = '~"'; // the server shows more than its answer: the rest is asked for (web/fragment.py)
const PATIENCE = 3000; // how long somebody may go on choosing on a predicted page
const dialog = document.getElementById("confirm");
const plain = document.getElementById("plain");
if (able()) plain.textContent = plain.dataset.unready;
plain.hidden = false;
plain.toggleAttribute("data-stored", Boolean(begun));
document.getElementById("iphone").hidden = !navigator.userAgent.includes("iPhone");
// Fragments sent to the script contain no token of their own.
const tokenIn = (page) => page.querySelector('input[name="csrfmiddlewaretoken"]')?.value ?? "";
let token = tokenIn(root);
let sheet = read("device-sheet");
let rules = null; // and with it everything needed to draw; null until the device has it
let picked = null;
let byTap = false;
let shown = null; // the last waiting tap included in the page as drawn
let predicted = false; // the page shows this device's prediction, not the server's answer
let owed = false; // the server has sent more than the page shows
let lost = false; // the server's changes did not apply: the table's state is unknown here
let forgetting = false; // the last tap is being deleted from storage
let settling = 0;
let settleBy = 0;
let touching = false; // a finger is down
let rest = null; // draws what is missing where only the scores are shown
let unconfirmed = false; // an entry was tapped, and the page has not yet shown that it is written

// ------------------------------------------------------------------ waiting and sending

/** Whether scores are computed on this device; by a newer server's rules each tap waits for its answer. */
const counts = () => rules !== null && knows(rules) && rules.digest === sheet.digest;
const view = () => predict(rules ?? { fields: {} }, sheet, queue.waiting, counts());

/** Whether another tap may be accepted: the page already shows those that wait. */
const ready = () => queue.loaded && !rest && !forgetting && !queue.stopped && !lost && (!queue.waiting.length || shown === queue.waiting.at(-1).id);

const changed = () => {
  if (queue.stopped) return;
  if (!queue.waiting.length) {
    state("saved");
    notice("");
    if (predicted || shown) settle();
    return;
  }
  state(queue.lost ? "waiting" : "sending");
  // Not on every attempt to send: somebody may be choosing.
  const { id } = queue.waiting.at(-1);
  if (shown !== id && rules && !lost) show(id);
  if (queue.lost) listWaiting(queue, "stored" in plain.dataset ? "" : plain.textContent);
  busy(shown !== id);
  if (shown !== id) hint("");
};

const say = () => {
  if (!unconfirmed || (queue.waiting.length && !predicted)) return;
  unconfirmed = false;
  written();
};

/** Move on to the new question once it is painted: to move earlier would lay the page out twice. */
const focusNext = (from) => requestAnimationFrame(() => setTimeout(() => {
  if (document.activeElement === from) root.querySelector(".question .ask, .result-winner")?.focus({ preventScroll: true });
}));

/** Draw a part of the page; where that fails, the server's is asked for once it has the tap. */
const attempt = (draws) => {
  try {
    draws();
  } catch (error) {
    owed = true;
    reportError(error);
  }
};

/** Draw the rest of a page that shows the scores already. */
const finish = () => {
  const draws = rest;
  rest = null;
  if (draws) attempt(draws);
};

/** Draw the prediction: at once if scores are computed here, the end of a game only when offline. */
const show = (id, sure = queue.lost) => {
  const now = view();
  if (!now.counts || (!sure && now.mode !== "play")) return;
  predicted = true;
  shown = id;
  picked = null;
  const { mode, game } = scoring.live().dataset;
  const focus = scoring.live().contains(document.activeElement);
  const draws = () => {
    draw(now);
    say();
    document.getElementById("announcement").textContent = root.querySelector(".undo-text")?.textContent ?? "";
    if (focus) focusNext(document.activeElement);
    if (now.mode !== mode) window.scrollTo({ top: 0, behavior: "instant" });
  };
  const scored = id && queue.waiting.at(-1).act === "entry" && String(now.game) === game;
  const playing = mode === "play" && now.mode === "play";
  // Whoever tapped looks at the score: it is painted before the next question is drawn.
  if (scored && playing) attempt(() => drawScores(now));
  rest = draws;
  if (!scored || !playing) finish();
  else requestAnimationFrame(() => setTimeout(() => rest === draws && finish()));
};

/** What the page shows, and the state computed here for the tap being sent, if the server would draw it alike. */
const claim = (tap) => {
  if (sheet.script !== script) return text.seen();
  const after = rules && predict(rules, sheet, [tap], counts());
  if (!after?.counts) return text.seen();
  const { announced, game } = after;
  const state = asJson(after.state);
  const claims = { chicago: { announced }, "next-game": { game, state }, return: { game, state } };
  return { ...text.seen(), counted: claims[tap.act] ?? state };
};

/** The server has computed the same state: the page stays as it is. */
const counted = (tap, { etag, revision, script: theirs }) => {
  const { counts: _counts, steps: _steps, state: { deal, stage, phase }, entries: rows, ...table } = predict(rules, sheet, [tap], true);
  const entries = rows.map(({ entry, at, sequence }, row) => ({ entry, at, sequence: sequence ?? table.version - rows.length + 1 + row }));
  sheet = { ...table, entries, deal, stage, phase, opened: null, revision, script: theirs };
  keepSheet(key, sheet);
  text.keep("", etag);
  scoring.live().dataset.etag = etag;
  predicted = etag.endsWith(PART);
  owed ||= predicted;
  if (!predicted) drawCorrections(view());
  if (queue.waiting.length) return;
  shown = null;
  if (!predicted) (owed ? refresh : renew)();
  else show(null, true);
  say();
};

const answered = (tap, answer) => {
  finish();
  if (tap?.act === "begin") {
    // The server has the game that was begun here: go on with it at its own address.
    forgetting = true;
    queue.waiting = [];
    moveGame(tap, begun, answer).then(() => location.replace(answer.path));
    return;
  }
  if (tap?.act === "form") {
    leaving.submit(tap);
    settle();
    return;
  }
  if (answer.counted) {
    counted(tap, answer);
    return;
  }
  const html = text.told(answer);
  if (!html) {
    lost = true;
    busy(true);
    refresh();
    return;
  }
  lost = false;
  owed = true;
  const holder = document.createElement("template");
  holder.innerHTML = html;
  told(read("device-sheet", holder.content) ?? sheet);
  settle();
};

/** Whether nobody is choosing on the page, which nothing leaves until then. */
const quiet = () => !(touching || picked || seat() || dialog.open || queue.waiting.length);

/** Replace the predicted page by the server's once nobody is choosing on it. */
const settle = () => {
  clearTimeout(settling);
  settleBy ||= performance.now() + PATIENCE;
  if (queue.waiting.length || queue.stopped) return;
  const choosing = picked || seat() || dialog.open;
  if (predicted && (touching || (choosing && performance.now() < settleBy))) {
    settling = setTimeout(settle, 250);
    return;
  }
  settleBy = 0;
  const { html, etag } = text.stored();
  if (html) {
    scoring.show(html, etag, true);
    say();
    (etag.endsWith(PART) ? refresh : renew)();
  } else if (counts() && !lost && !owed) {
    // No tap is left: draw the state that both know.
    draw(view());
    predicted = false;
    shown = null;
  } else {
    // What was taken back without network is gone.
    if (shown && rules && !lost) show(null, true);
    refresh();
  }
};

/** The server's answer; neither a hanging network nor an error is one. */
const ask = async (path) => {
  const response = await fetch(path, { cache: "no-store", signal: AbortSignal.timeout(12000) });
  if (response.ok && response.headers.has("chicago-table")) return response;
  // The link was revoked: the page that says so deletes what is stored here.
  if (response.status === 410) location.reload();
  throw new Error();
};

/** Request the whole page part: the changes did not apply to the stored one. */
const refresh = async () => {
  const { seen } = text.seen();
  try {
    const response = await ask(root.dataset.live);
    queue.lost = false;
    const [html, etag] = [await response.text(), etagOf(response)];
    // If the page already shows it, store it without redrawing under somebody's thumb.
    if (etag === scoring.live().dataset.etag && !owed && !lost) scoring.keepText(html, etag);
    // A response requested before a later entry, or before its answer, is outdated.
    else if (text.seen().seen !== seen) refresh();
    else if (!queue.waiting.length) answered(null, { html, etag });
  } catch {
    if (lost || owed || predicted) setTimeout(refresh, PATIENCE);
  }
};
const etagOf = (response) => (response.headers.get("ETag") ?? "").replace(/^W\//, "");

/** An outdated script has sent its entries: reload to get the server's own. */
const renew = (mark = sheet.script) => {
  if (mark === script) return;
  if (!quiet()) {
    setTimeout(renew, PATIENCE, mark);
    return;
  }
  try {
    if (sessionStorage.getItem("script") === mark) return;
    sessionStorage.setItem("script", mark);
  } catch {
    return;
  }
  location.reload();
};

/** Whether the server lacks entries that it once accepted from this device; they are offered first. */
const offerLacking = () => {
  const done = (answer, more) => {
    if (answer) answered(null, answer);
    if (!more && queue.stopped) queue.settle(queue.stopped);
  };
  return offer({ key, queue, base, sheet, time, done });
};

/** The server's state, which may be older than one it sent before (after a restore). */
const told = (now) => {
  const less = now.revision < sheet.revision;
  const begins = now.writes && !sheet.writes;
  sheet = now;
  keepSheet(key, sheet, less);
  // Opened again without network, the page must not say that another device keeps the score.
  if (begins && !begun) install(base, ["device/"], [], opensAgain).catch(() => {});
  if (less) offerLacking();
  else if (!sheet.closed) keepTold(key, sheet, begins && { queue, base });
  else if (!queue.waiting.length) dropWritten(key);
};

/** Both sides of a conflict, which only a server can show: the script for it comes when it is needed. */
const compare = (about) => import("./merge.js").then((merge) => merge.compare(about), () => setTimeout(compare, PATIENCE, about));

const refused = async (tap, answer) => {
  finish();
  const problem = answer.problems[0];
  if (["conflict", "not_running"].includes(problem.code) && (await offerLacking())) {
    state("conflict");
    return;
  }
  if (problem.code === "needs_confirmation") {
    busy(false);
    notice("");
    state("saved");
    if (queue.waiting.length > 1) {
      state("waiting");
      listWaiting(queue, "");
    }
    askTwice(tap, problem.message);
    return;
  }
  if (tap.act === "begin") {
    state("conflict");
    notice(`${root.dataset.notwritten} ${problem.message}`);
    return;
  }
  if (problem.code.startsWith("link_")) {
    const labels = queue.waiting.map(({ label }) => label).join(", ");
    state("conflict");
    notice(`${problem.message} ${root.dataset.notwritten} ${labels}`);
    // A revoked link leaves nothing here; one unknown to this server may be known to another
    // that takes its place.
    if (problem.code === "link_revoked") {
      queue.erase();
      uninstall(base).catch(() => {});
    }
    return;
  }
  if (answer.html) {
    text.keep(answer.html, answer.etag);
    scoring.show(answer.html, answer.etag);
  }
  busy(false);
  const beside = answer.html || queue.waiting.length > 1;
  if (beside && "version" in tap.body && problem.code !== "client_id_reused") {
    // Somebody else wrote first: the tap is not lost, but compared with theirs.
    state("conflict");
    compare({
      queue,
      base,
      done: async (told, taps) => {
        const decided = queue.decided(taps);
        answered(tap, told);
        // Their rows on the sheet are others than the phone had expected.
        keepTold(key, sheet, { queue, base });
        await decided;
        for (const { message } of told.problems ?? []) scoring.tell(message);
      },
      failed: ({ message }) => notice(message),
    });
  } else {
    // The entry shown as written was refused; the reason appears on the page without it.
    queue.decided([tap]).then(() => {
      hint(problem.message);
      if (!document.getElementById("hint")) notice(problem.message);
    });
    state("saved");
  }
};

const queue = new Queue({
  key,
  token: () => token,
  expired: async () => {
    if (!begun) return location.reload();
    token = tokenIn(new DOMParser().parseFromString(await (await ask(begun)).text(), "text/html"));
  },
  seen: claim,
  changed,
  answered,
  refused,
  shared: async () => {
    await newer();
    shown = null;
    changed();
    refresh();
  },
  unstored: () => {
    plain.textContent = plain.dataset.unstored;
    delete plain.dataset.stored;
  },
});

const start = (tap) => {
  if (!ready()) return;
  // A declared Chicago, too; without a seat it is taken back.
  unconfirmed = tap.act === "entry" || tap.body.announce != null;
  queue.add(tap);
};

const askTwice = (tap, text) => {
  document.getElementById("confirm-what").textContent = tap.label;
  document.getElementById("confirm-text").textContent = text;
  dialog.tap = tap;
  if (!dialog.open) dialog.showModal();
};

/** One answer per question, at once: a busy browser fires the dialog's close event late. */
const answerTwice = (answer) => {
  const { tap } = dialog;
  if (!tap) return;
  dialog.tap = null;
  dialog.close();
  const confirmed = { body: { ...tap.body, confirmed: true } };
  const sent = queue.waiting.includes(tap);
  if (answer === "yes") {
    if (sent) queue.settle(tap, confirmed);
    else start({ ...tap, ...confirmed });
  } else {
    if (sent) queue.decided([tap]);
    unpick();
    busy(false);
  }
};

dialog.addEventListener("click", (event) => {
  const button = event.target.closest("[data-answer]");
  if (button) answerTwice(button.dataset.answer);
});
// Closed by a key.
dialog.addEventListener("close", () => {
  if (!dialog.open) answerTwice("no");
});

// -------------------------------------------------------------------------- choosing

const seat = () => root.querySelector('input[name="seat"]:checked');

const disarm = () => {
  picked = null;
  root.querySelectorAll(".chosen").forEach((button) => button.classList.remove("chosen"));
};

const unpick = () => {
  disarm();
  const radio = seat();
  if (radio) radio.checked = false;
  grey();
};

// Greys out what is illegal for the picked seat, and seats for which every answer is illegal;
// the reason is shown when touched.
const grey = () => {
  const radio = seat();
  const asked = [...root.querySelectorAll(".answers [name=what], .panel-fold[open] [data-who]")];
  for (const cell of root.querySelectorAll("label.cell")) {
    const input = cell.querySelector("input");
    const reasons = asked.flatMap((button) => {
      if ("who" in button.dataset) return [JSON.parse(button.dataset.reasons || "{}")[input.value]];
      return String(JSON.parse(button.value).seat) === input.value ? [button.dataset.reason] : [];
    });
    const off = reasons.length && reasons.every(Boolean) ? reasons[0] : (input.dataset.gone ?? "");
    cell.classList.toggle("off", Boolean(off));
    cell.classList.toggle("picked", input.checked);
    input.dataset.off = off;
  }
  for (const button of root.querySelectorAll("[data-who]")) {
    const reasons = button.dataset.reasons ? JSON.parse(button.dataset.reasons) : {};
    const reason = radio ? reasons[radio.value] : button.dataset.reason;
    button.classList.toggle("off", Boolean(reason));
    // Nobody breaks their own Chicago: that button is hidden.
    button.classList.toggle("self", Boolean(radio) && String(JSON.parse(button.value).breaker) === radio.value);
    button.setAttribute("aria-disabled", reason ? "true" : "false");
    if (reason) button.title = reason;
    else button.removeAttribute("title");
    button.dataset.now = reason || "";
  }
};

const label = (button, radio) => {
  const entry = JSON.parse(button.value);
  if (!radio && entry.seat !== undefined && rules) return within(view(), entry);
  const text = [...button.children].map((child) => child.textContent).join(" ");
  return radio ? `${radio.dataset.name}: ${text}` : text;
};

const write = (button, radio) => {
  const entry = JSON.parse(button.value);
  if (radio && "who" in button.dataset) entry.seat = Number(radio.value);
  const now = view();
  const told = "told" in button.dataset; // the question has named what it costs
  const tap = {
    act: "entry",
    path: `${base}entry/`,
    label: label(button, "who" in button.dataset ? radio : null),
    ...positionIn(now),
    body: { entry, game: now.game, version: now.version, confirmed: told },
  };
  // Asked before the tap is stored; what the device cannot compute, the server asks.
  const text = button.dataset.sure || (told ? "" : doubts(now, entry));
  (text ? askTwice : start)(tap, text);
};

/** A Chicago is binding once declared; no seat takes it back. */
const declare = (seat, text) => {
  const now = view();
  const { game, state: { deal } } = now;
  start({ act: "chicago", path: `${base}chicago/`, label: text, ...positionIn(now), body: { game, deal, announce: seat } });
};

/** Take back the last tap unless a server can have received it; return whether that was possible. */
const forget = async () => {
  if (!queue.canForget) return false;
  forgetting = true;
  const gone = await queue.takeBack().finally(() => { forgetting = false; });
  if (gone && queue.waiting.length) show(queue.waiting.at(-1).id);
  return gone;
};

const takeBack = async (button) => {
  if (!ready()) return;
  const [, ...words] = button.children; // without the sign
  const text = words.map((word) => word.textContent).join(" ");
  const now = view();
  if (now.announced !== null) {
    if (queue.waiting.at(-1)?.act !== "chicago" || !(await forget())) declare(null, text);
    return;
  }
  const leaves = leavesGame(now);
  const last = now.entries[lastMade(now.entries)];
  const made = leaves ? now.opened : last?.tap;
  if (made && made === queue.waiting.at(-1) && (await forget())) return;
  if (leaves) {
    start({ act: "return", path: `${base}last-game/`, label: text, body: { game: now.game } });
    return;
  }
  start({
    act: "take-back",
    path: `${base}take-back/`,
    label: text,
    ...positionIn(now),
    body: { game: now.game, version: now.version },
  });
};

const tapped = (button) => {
  const radio = seat();
  if (!("who" in button.dataset)) {
    if (button.dataset.reason) hint(button.dataset.reason);
    else write(button, null);
    return;
  }
  if (button.dataset.now) {
    disarm();
    hint(button.dataset.now);
    return;
  }
  if (radio) {
    write(button, radio);
    return;
  }
  // Hand first, then player: also two taps.
  const again = picked === button;
  disarm();
  if (!again) picked = button;
  picked?.classList.add("chosen");
  hint(picked ? root.dataset.then : "");
};

root.addEventListener("change", (event) => {
  if (event.target.name !== "seat") return;
  grey();
  hint(event.target.dataset.off || "");
  if (!picked || !document.contains(picked)) return;
  if (picked.dataset.now) hint(picked.dataset.now);
  // The arrow keys move over the players; only a tap, or Enter, chooses one.
  else if (byTap) write(picked, event.target);
});

root.addEventListener("keydown", (event) => {
  byTap = false;
  if (event.key !== "Enter" || event.target.name !== "seat") return;
  event.preventDefault();
  if (picked && document.contains(picked) && !picked.dataset.now && ready()) write(picked, event.target);
});

// A second tap on the same seat deselects it.
let down = null;
root.addEventListener("pointerdown", (event) => {
  byTap = true;
  const cell = event.target.closest("label.cell");
  down = cell && cell.querySelector("input").checked ? cell : null;
});

root.addEventListener("click", (event) => {
  // A long one covers more than its line.
  if (event.target.id === "hint") hint("");
  const cell = event.target.closest("label.cell");
  if (cell && cell === down && ready()) {
    event.preventDefault();
    down = null;
    hint("");
    unpick();
    return;
  }
  const { off, gone } = cell?.querySelector("input").dataset ?? {};
  if (off && (gone || !picked) && byTap) {
    event.preventDefault();
    // A hand tapped first still waits for its player.
    if (!picked) unpick();
    hint(off);
    return;
  }
  const back = event.target.closest("[data-take-back]");
  if (back) takeBack(back);
  const next = event.target.closest("[data-next-game]");
  if (next && ready()) {
    start({ act: "next-game", path: `${base}next-game/`, label: next.textContent.trim(), body: { game: view().games[0].game } });
  }
});

// A hand tapped first waits for its player; any other tap cancels it.
document.addEventListener("click", (event) => {
  if (!picked || event.target.closest("label.cell, [name=what][data-who]")) return;
  disarm();
  hint("");
});
root.addEventListener("toggle", () => grey(), true);

root.addEventListener("submit", (event) => {
  const form = event.target;
  const button = event.submitter;
  // Not form.id: the form has a field of that name.
  if (form.matches("#entry")) {
    event.preventDefault();
    if (!ready() || !button?.name) return;
    if (button.name !== "announce") tapped(button);
    else if (button.dataset.reason) hint(button.dataset.reason);
    else declare(Number(button.value), declaring(view(), Number(button.value)));
  } else if (form.matches("#undo")) {
    event.preventDefault();
    takeBack(button);
  }
});

scoring.keepText = text.keep;
for (const [name, on] of [["pointerdown", true], ["pointerup", false], ["pointercancel", false]]) {
  document.addEventListener(name, () => {
    touching = on;
  }, true);
}

root.addEventListener("scoring:shown", (event) => {
  picked = rest = null;
  for (const field of root.querySelectorAll('input[name="csrfmiddlewaretoken"]')) field.value = token;
  grey();
  if (event.detail?.predicted) return;
  predicted = owed = lost = false;
  shown = null;
  told(read("device-sheet") ?? sheet);
  if (queue.stopped) state("conflict");
  else if (queue.waiting.length) changed();
  else renew();
});

/**
 * A button's request as a tap, the page on which it was tapped, and of a game to which it leads its number and what
 * the device has computed, instead of being sent it. Once answered, the page may show that game already.
 */
scoring.claim = (form, fields) => {
  const tap = tapOf(key, form, fields, view());
  const names = { "next-game": "opens", return: "game" }[tap?.act];
  const goes = names && counts() && !predicted && !queue.waiting.length;
  return { tap, ...text.seen(), fields: { ...(names && { [names]: tap.body.game }), ...(goes && { ...claim(tap), kept: false }) } };
};
scoring.counted = ({ tap, seen }, answer) => {
  // A poll was answered first: what it shows is as new.
  if (text.seen().seen !== seen) return;
  counted(tap, answer);
  settle();
};

/** Store the request of a button that is no entry; return whether that is possible. */
scoring.keep = (form, { tap }, text) => {
  if (!tap) return false;
  const asked = form.closest("details")?.querySelector("summary")?.textContent.trim();
  queue.add({ ...tap, label: asked ? `${asked}: ${text}` : text });
  return true;
};
scoring.waits = () => queue.waiting.length > 0;

// Without this the phone would go dark between two deals and need unlocking for every entry.
let awake = null;
const stayAwake = async () => {
  if (awake?.released === false || document.hidden || scoring.live().dataset.mode !== "play") return;
  awake = await navigator.wakeLock?.request("screen").catch(() => null);
};
document.addEventListener("visibilitychange", stayAwake);
document.addEventListener("pointerup", stayAwake);

const again = () => {
  queue.retry = 0;
  queue.send();
};
window.addEventListener("online", again);
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) queue.load().then(() => queue.send());
});
window.addEventListener("pageshow", () => {
  grey();
  queue.send();
});
scoring.busy = () => scoring.waits() || queue.sending || dialog.open || predicted;

/** Go on with the stored state if it is newer: the page came from storage, or another tab has written. */
const newer = async () => {
  const stored = await loadSheet(key).catch(() => null);
  if (!(stored?.revision > sheet.revision)) return false;
  sheet = stored;
  owed = true;
  return true;
};

/** Load what drawing needs, from the server or from storage. */
const equip = async () => {
  try {
    rules = prepare(await (await ask(`${base}device/`)).text());
  } catch {
    setTimeout(equip, 5000);
    return;
  }
  if (await newer()) {
    // If the server was restored, it says so once it answers.
    queue.lost = true;
    show();
  } else {
    keepSheet(key, sheet, true);
    if (!sheet.closed) offerLacking().then((lacks) => lacks || keepTold(key, sheet, sheet.writes && { queue, base }));
    else if (!queue.waiting.length) dropWritten(key);
  }
  changed();
  // The server's next answer is relative to this; if scores are computed here the text is not needed.
  if (counts() && !text.seen().seen) text.keep("", scoring.live().dataset.etag);
  if (owed || !(counts() || queue.waiting.length)) refresh();
  // The first tap need not wait for the browser to make the scripts ready.
  setTimeout(() => counts() && draw({ ...view(), seated: true }, scoring.live().cloneNode(true)));
};

/** Until somebody has decided about a refused line, no other is corrected. */
const decide = () => {
  const asks = document.querySelector("#merge:not([hidden]), #recovery:not([hidden])");
  asks?.scrollIntoView({ block: "start", behavior: "instant" });
  asks?.querySelector("h2")?.focus({ preventScroll: true });
  if (!asks && document.getElementById("pending").hidden) notice(root.dataset.decide);
};
const leaving = leave({ root, queue, quiet, decide });

const opensAgain = async () => {
  plain.toggleAttribute("data-stored", await stores());
};

grey();
stores().then((does) => does || queue.unstored());
window.addEventListener("stored", () => renew("stored"));
queue.load().then(() => queue.send());
equip()
  // A page that opens again by itself has what it may then need to offer.
  .then(() => begun || !able() || import("./offer.js").then(() => install(base, ["device/"], [], opensAgain)))
  .catch(() => {}); // without it the open page goes on nevertheless
