// A screen of the hall: asks what it is to do, shows its programme part by part, and goes on by itself
// whatever happens to network, server and power. Changes come by the live stream (site/stream.js).
import { install } from "../scoring/shell.js";

const SPEAKS = 30000; // how often it says that it is there
const NEW = 4000; // how often it asks whether somebody has adopted it
const POLL = 5000; // how often it asks for its part without a stream
const LATE = 45000; // after such a silence it says since when
const SAID = 8000; // how long each announcement stands below the picture
const SHIFT = 60000; // how often its picture moves a little, against burn-in
const MAX_KEPT = 40; // stored parts
const MARK = "chicago-table";
const STORED = "chicago-screen";

const { body } = document;
const { now: address, base, release, only } = body.dataset;
const isView = body.classList.contains("is-view");
const picture = document.getElementById("picture");
const lost = document.getElementById("lost");

const load = (name) => {
  try {
    return JSON.parse(localStorage.getItem(`${STORED} ${name}`));
  } catch {
    return null;
  }
};
const store = (name, value) => {
  if (isView) return;
  try {
    localStorage.setItem(`${STORED} ${name}`, JSON.stringify(value));
  } catch {
    // Where nothing can be stored, it only shows less after a power cut without network.
  }
};

let state = null;
let kept = load("parts") ?? {};
let skew = 0; // how far the device's clock is behind the server's
let heard = Date.now();
let at = 0; // where in the programme
let turn = 0; // which of its languages
let showing = null; // what is on it: part, language, path, mark, page
let skipped = 0; // parts of the programme with nothing to show, one after the other
let pages = 0; // timer of the next page
let speaking = 0; // timer of the next call

const clock = () => Date.now() + skew;
const hear = () => {
  heard = Date.now();
  lost.hidden = true;
};

// --- what to do -----------------------------------------------------------------------------------

const call = async () => {
  if (isView) return fetch(address, { cache: "no-store" });
  const shows = showing?.part ?? "";
  const headers = { "Content-Type": "application/json" };
  return fetch(address, { method: "POST", body: JSON.stringify({ shows }), headers, cache: "no-store" });
};

const ask = async () => {
  clearTimeout(speaking);
  try {
    const response = await call();
    const answer = response.ok ? await response.json() : null;
    if (answer?.mark === MARK) {
      hear();
      skew = answer.now - Date.now();
      store("state", answer);
      obey(answer);
      renew(answer);
    }
  } catch {
    // Without a server it goes on with what it has.
  }
  if (!state) plain("trouble");
  const waits = state && !state.event ? NEW : SPEAKS;
  speaking = setTimeout(ask, waits);
};

/** A newer release of the program has a newer page; the server has just answered, so that it will come. */
const renew = (answer) => {
  if (isView || !release || answer.release === release || sessionStorage.getItem(STORED) === answer.release) return;
  sessionStorage.setItem(STORED, answer.release);
  location.reload();
};

const obey = (answer) => {
  const same = state && state.orders === answer.orders && state.event === answer.event && state.letters === answer.letters;
  const before = state;
  state = answer;
  body.classList.toggle("is-dark", Boolean(state.dark));
  if (!state.event) return letters();
  if (!state.open) return plain("nothing");
  if (same && before.open && showing) return undefined;
  at = 0;
  return choose();
};

const plain = (name) => {
  leave();
  const shown = document.getElementById(name).content.cloneNode(true);
  const fill = (what, text) => shown.querySelector(`[data-${what}]`)?.replaceChildren(text);
  fill("name", state?.name ?? "");
  fill("event", state?.event ?? "");
  fill("letters", `${state?.letters.slice(0, 3)} ${state?.letters.slice(3)}`);
  const code = shown.querySelector("[data-code]");
  if (code) code.src = state.code;
  picture.replaceChildren(shown);
};
const letters = () => {
  if (picture.querySelector("[data-letters]")?.textContent.replace(" ", "") !== state.letters) plain("letters");
};
const leave = () => {
  clearTimeout(pages);
  showing = null;
  listen("");
};

// --- what to show ---------------------------------------------------------------------------------

let interruptions = [];
/** What takes over now, if the screen lets it. */
const interruption = () =>
  interruptions.find(({ kind, until }) => state.takes_over.includes(kind) && (!until || until > clock()));

const wanted = () => {
  if (only) return { part: only, why: "only" };
  if (state.shows) return { part: state.shows, why: "desk" };
  const taken = interruption();
  if (taken) return { part: taken.part, why: taken.mark, until: taken.until };
  const [part, seconds] = state.programme[at % state.programme.length] ?? ["clock", 30];
  return { part, seconds, why: `programme ${at % state.programme.length}` };
};

const choose = async () => {
  const next = wanted();
  const here = state.parts[next.part];
  const { lang } = document.documentElement;
  // A single part is looked at at the desk, in the desk's language.
  const language = only && here[lang] ? lang : state.languages[turn % state.languages.length];
  const { path, stream } = here[language];
  clearTimeout(pages);
  showing = { ...next, language, path, mark: "", page: 0, since: clock() };
  const mine = showing;
  const html = await fetched(path);
  if (showing !== mine) return;
  if (html) show(html);
  else if (kept[path]) show(kept[path]);
  else if (!picture.firstChild) plain("trouble");
  // With nothing to show, the picture before stays, and the next part is tried.
  if (showing !== mine) return;
  listen(stream);
  turnPages();
};

const fetched = async (path) => {
  try {
    const headers = showing?.mark ? { "If-None-Match": showing.mark } : {};
    const response = await fetch(path, { headers, cache: "no-store" });
    if (response.status === 304) hear();
    if (!response.ok) return "";
    const html = await response.text();
    if (!html.includes("data-orders")) return ""; // a portal's page, not ours
    hear();
    if (showing?.path === path) showing.mark = response.headers.get("ETag") ?? "";
    keep(path, html);
    return html;
  } catch {
    return "";
  }
};

const keep = (path, html) => {
  delete kept[path];
  kept[path] = html;
  kept = Object.fromEntries(Object.entries(kept).slice(-MAX_KEPT));
  store("parts", kept);
};

const show = (html) => {
  const parsed = new DOMParser().parseFromString(html, "text/html").body;
  picture.replaceChildren(...parsed.childNodes);
  const part = picture.firstElementChild;
  for (const each of picture.querySelectorAll("[data-address]")) each.textContent = location.host + each.dataset.address;
  if (!part) return;
  onePage();
  tick();
  document.dispatchEvent(new CustomEvent("scoring:shown"));
  interruptions = JSON.parse(part.dataset.interruptions || "[]");
  // The desk wants something else, or something has begun or ended that takes over.
  if (part.dataset.orders !== state.orders) ask();
  else if (showing && wanted().why !== showing.why) choose();
  else if (showing?.seconds !== undefined && part.dataset.empty !== undefined && skipped < state.programme.length) {
    skipped += 1;
    advance();
    choose();
  }
};
/** On to the next part of the programme, after the last one in the next language. */
const advance = () => {
  at = (at + 1) % state.programme.length;
  if (at === 0) turn += 1;
};

const allPages = () => [...picture.querySelectorAll("[data-page]")];
const onePage = () => {
  const all = allPages();
  if (!showing || !all.length) return;
  showing.page %= all.length;
  all.forEach((page, index) => page.classList.toggle("is-off", index !== showing.page));
};

/** The next page after its time, and after the last one the next part, or this one anew in the next language. */
const turnPages = () => {
  clearTimeout(pages);
  if (!showing) return;
  const part = picture.firstElementChild;
  const least = Number(part?.dataset.pageLeast ?? 8);
  const most = Number(part?.dataset.pageMost ?? 20);
  const count = Math.max(1, allPages().length);
  const whole = showing.seconds ?? most;
  const each = count > 1 ? Math.min(most, Math.max(least, whole / count)) : whole;
  const left = showing.until ? Math.max(1, (showing.until - clock()) / 1000) : each;
  pages = setTimeout(() => {
    const mine = showing;
    if (wanted().why !== showing.why) return choose();
    showing.page += 1;
    if (showing.page < count) {
      onePage();
      return turnPages();
    }
    showing.page = 0;
    skipped = 0;
    if (showing.seconds !== undefined) {
      advance();
    } else {
      turn += 1;
      if (state.languages.length < 2) {
        onePage();
        return turnPages();
      }
    }
    return mine === showing && choose();
  }, Math.min(each, left) * 1000);
};

// --- changes --------------------------------------------------------------------------------------

const listen = (stream) => {
  const named = document.querySelector('meta[name="live"]') ?? document.head.appendChild(Object.assign(document.createElement("meta"), { name: "live" }));
  if (named.content === stream) return;
  named.content = stream;
  document.dispatchEvent(new CustomEvent("stream-turn"));
};
body.addEventListener("stream-part", ({ detail: { mark, html } }) => {
  hear();
  if (!showing || mark === showing.mark || !html.includes(`data-part="${showing.part}"`)) return;
  showing.mark = mark;
  keep(showing.path, html);
  show(html);
});
const poll = async () => {
  if (!showing) return;
  const mine = showing;
  const html = await fetched(showing.path);
  if (html && mine === showing) show(html);
};
body.addEventListener("stream-changed", poll);
setInterval(() => body.classList.contains("is-streaming") || poll(), POLL);

// --- the device -----------------------------------------------------------------------------------

// A television's own time zone is seldom set.
const hours = (moment, language) =>
  new Date(moment).toLocaleTimeString(language || "sv", { hour: "2-digit", minute: "2-digit", hour12: false, timeZone: state?.zone });
const tick = () => {
  const language = picture.firstElementChild?.lang || document.documentElement.lang;
  for (const each of picture.querySelectorAll("[data-time]")) each.textContent = hours(clock(), language);
  const said = [...picture.querySelectorAll("[data-said]")];
  said.forEach((each, index) => each.classList.toggle("is-off", index !== Math.floor(clock() / SAID) % said.length));
  if (Date.now() - heard > LATE) {
    lost.hidden = false;
    lost.querySelector("time").textContent = hours(heard + skew, language);
  }
};
setInterval(tick, 1000);

let moved = 0;
setInterval(() => {
  moved = (moved + 1) % 8;
  const [x, y] = [[0, 0], [1, 0], [1, 1], [0, 1], [-1, 1], [-1, 0], [-1, -1], [0, -1]][moved];
  picture.style.transform = `translate(${x * 3}px, ${y * 3}px)`;
}, SHIFT);

const stayAwake = () => document.visibilityState === "visible" && navigator.wakeLock?.request("screen").catch(() => {});
document.addEventListener("visibilitychange", stayAwake);
window.addEventListener("online", ask);

if (!isView) {
  stayAwake();
  install(base).catch(() => {});
  // After a power cut without network: what it showed before.
  const before = load("state");
  if (before?.mark === MARK) obey(before);
}
ask();
