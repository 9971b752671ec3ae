// The casual games' start page opens again offline, where the address allows it. It lists the games
// started on this device, and each opens by itself. By rules without variants a game also begins
// offline: the server has sent its page in advance (tournaments/casual/views.py, blank),
// names are entered here, and the page is stored below this one's address until the server has the
// game (auditor.js).

import { uuid } from "./queue.js";
import { cacheOf, install, keepTap, loadWaiting } from "./store.js";

const { base, offline, mark } = document.querySelector("script[data-base]").dataset;
const form = document.getElementById("start");
const blanks = offline.split(" ").map((rules) => `blank/${rules}/`);

// A cached page has the same id each time it is opened, but each start is a new game. Elsewhere the
// server's id stays: a tap before this script ran was sent with it, and its second tap may follow.
for (const [index, field] of document.querySelectorAll("input[name=once]").entries()) {
  const [key, given] = [`begun ${index}`, field.value];
  if (localStorage[key] === given) field.value = uuid();
  field.form.addEventListener("submit", () => (localStorage[key] = given));
}

// The head's links and forms, too, lead away only if there is a server (reaches.js).
document.querySelector(".site-header").dataset.reaches = "";

const tell = () => document.body.classList.toggle("is-offline", !navigator.onLine);
window.addEventListener("online", tell);
window.addEventListener("offline", tell);
tell();

const cached = async (path) => (await cacheOf(base))?.match(`${location.origin}${path}`);

/** The addresses of files and of the modules that they import. */
const withImports = async (urls, found = new Set()) => {
  for (const url of urls) {
    if (found.has(url)) continue;
    found.add(url);
    if (!url.endsWith(".js")) continue;
    const text = await (await fetch(url)).text();
    await withImports([...text.matchAll(/\bfrom ?"(.*?)"/g)].map(([, path]) => new URL(path, url).href), found);
  }
  return found;
};

/** Store the start page, the pages to begin with, and the files of both. */
const store = async () => {
  if (!(await cacheOf(base))) return;
  if (navigator.serviceWorker.controller) {
    const stored = await Promise.all(blanks.map((blank) => cached(`${base}${blank}`)));
    if (stored.every((answer) => answer?.headers.get("ETag") === mark)) return;
  } else await install(base);
  const headers = { "X-CSRFToken": form.elements.csrfmiddlewaretoken.value };
  const answers = [];
  for (const blank of blanks) {
    // One after the other: making them takes the database's write lock.
    const answer = await fetch(`${base}${blank}`, { method: "POST", headers });
    if (!answer.ok) return;
    answers.push(answer);
  }
  const { page } = (await answers[0].clone().json())[2];
  const parts = new DOMParser().parseFromString(page, "text/html").querySelectorAll("link[rel=stylesheet], script[src]");
  const files = [...parts].map((part) => new URL(part.getAttribute("href") ?? part.getAttribute("src"), location.href).href);
  await install(base, [], await withImports(files));
  const cache = await cacheOf(base);
  await Promise.all(answers.map((answer, index) => cache.put(`${location.origin}${base}${blanks[index]}`, answer)));
  await promise();
};

const escaped = (text) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt()};`);

/** What was typed, if a game can begin with it offline: the names, and its page. */
const typed = async () => {
  const data = new FormData(form);
  const names = [...data].filter(([field]) => field.startsWith("player_")).map(([, name]) => name.replace(/\p{C}/gu, "").trim()).filter(Boolean);
  const games = Number(data.get("games"));
  const [rules, ...variants] = [data.get("rules"), ...data.getAll("rules_variants").filter(Boolean)];
  const blank = variants.length ? null : await cached(`${base}blank/${rules}/`);
  const distinct = new Set(names.map((name) => name.toLowerCase())).size === names.length;
  document.getElementById("alike").hidden = distinct;
  if (!blank || !distinct || !Number.isInteger(games) || games < 1 || games > 20) return null;
  const found = (await blank.json())[names.length];
  return found && { ...found, names, marks: found.names, games, rules, headers: blank.headers };
};

/** First names, longer only where another name begins alike (as short_names, scoring/reading/words.py). */
const shortened = (names) =>
  names.map((name, seat) => {
    // A particle is no name: what follows it stays with it.
    let end = name.match(/^(?:\p{Ll}\S* )*\P{Ll}\S*/u)?.[0].length ?? `${name} `.indexOf(" ");
    if (/[^-\p{L}_ '’]/u.test(name.slice(end))) return name; // numbers are never cut off
    const unlike = (short) => names.every((other, at) => at === seat || !other.startsWith(short));
    while (end < name.length && !(unlike(name.slice(0, end)) && /[\p{L}\d]$/u.test(name.slice(0, end)))) end += 1;
    return name.slice(0, end);
  });

/** Soft hyphens between the syllables of long words (as softened, scoring/reading/words.py). */
const BREAK = /(?<=[\p{L}\p{N}_]{3})(?=(?![aeiouyåäöüéèóáíø])[\p{L}_][aeiouyåäöüéèóáíø][\p{L}\p{N}_])/giu;
const softened = (name) => name.split(" ").map((word) => (word.length > 7 ? word.replace(BREAK, "\u00ad") : word)).join(" ");

/** The seats of a game: as typed, and in each next game the next one deals first. */
const seated = (names, game) => {
  const turned = (list) => list.map((_one, seat) => list[(seat + game - 1) % list.length]);
  const [seats, shorts] = [turned(names), turned(shortened(names))];
  return { game, seats, shorts, labels: shorts.map(softened), dealer: 0, seating: "" };
};

const begin = async () => {
  const found = await typed();
  if (!found) return false;
  const { path, names, marks, games, rules, headers } = found;
  const here = `${base}${uuid()}/`;
  const named = (html) => marks.reduce((text, mark, seat) => text.replaceAll(mark, escaped(names[seat])), html.replaceAll(path, here));
  const page = new DOMParser().parseFromString(named(found.page), "text/html");
  page.querySelector("link[rel=manifest]").href = document.querySelector("link[rel=manifest]").href;
  page.querySelector("meta[name=live]")?.remove();
  page.getElementById("scoring").dataset.begun = base;
  const sheet = page.getElementById("device-sheet");
  const all = Array.from({ length: games }, (_one, index) => seated(names, index + 1));
  const [first, ...later] = all;
  const state = { ...JSON.parse(sheet.textContent), ...first, planned: games, games: later };
  sheet.textContent = JSON.stringify(state).replaceAll("<", "\\u003C");
  const policy = headers.get("Content-Security-Policy");
  // With the program's mark, like the server's own.
  const html = { headers: { "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": policy, "chicago-table": "1" } };
  const cache = await cacheOf(base);
  await cache.put(`${location.origin}${here}`, new Response(`<!DOCTYPE html>${page.documentElement.outerHTML}`, html));
  await cache.put(`${location.origin}${here}device/`, new Response(named(found.device), html));
  const id = uuid();
  const body = { rules, games, once: id, ...Object.fromEntries(names.map((name, seat) => [`player_${seat + 1}`, name])) };
  await keepTap({ key: here, id, at: Date.now(), act: "begin", path: `${base}begin/`, label: names.join(", "), body });
  location.assign(here);
  return true;
};

form.addEventListener("unreached", (event) => {
  event.preventDefault();
  begin().catch(() => false).then((begun) => begun || document.getElementById("stale").scrollIntoView({ block: "center" }));
});

// Offline, what the rules are stays that of those chosen before.
const reading = document.querySelector(".rules-reading");
for (const failure of ["htmx:sendError", "htmx:timeout"]) {
  form.addEventListener(failure, ({ detail }) => detail.target === reading && reading.replaceChildren());
}
window.addEventListener("online", () => {
  if (!reading.childElementCount) form.elements.rules.dispatchEvent(new Event("change"));
});

/** Say so if a game can begin offline. */
const promise = async () => {
  document.getElementById("begins").hidden = !(await cached(`${base}${blanks[0]}`));
};

/** List the games begun here that the server does not have yet. */
const list = async () => {
  for (const { url } of (await (await cacheOf(base))?.keys()) ?? []) {
    const { pathname } = new URL(url);
    if (!/^[0-9a-f-]{36}\/$/.test(pathname.slice(base.length))) continue;
    const [first] = await loadWaiting(pathname);
    if (first?.act !== "begin") continue;
    const row = document.getElementById("begun-row").content.cloneNode(true);
    Object.assign(row.querySelector("a"), { href: pathname, textContent: first.label });
    document.getElementById("started").hidden = false;
    document.querySelector("#started ul").append(row);
  }
};
list().catch(() => {});
promise().catch(() => {});
store().catch(() => {}); // without it the open page works nevertheless
