// The casual games' start page opens again offline, where the address allows it. It lists the games
// started on this device, and each opens by itself. A game also begins offline, by every rule set that
// was chosen here while there was a network: the server has sent what it begins with in advance
// (tournaments/casual/views.py, blank), names are entered here, and the table is stored below this
// page's address until the server has it (machine.js).

import { uuid } from "./answer.js";
import { install } from "./shell.js";
import { keepTap, loadTables, loadTaps, settle } from "./store.js";

const { base, offline, mark } = document.querySelector("script[data-base]").dataset;
const form = document.getElementById("start");
const blankOf = (rules) => `${location.origin}${base}blank/${rules}/`;

// A cached page has the same id each time it is opened, but each start is a new game. Elsewhere the
// server's id stays: a tap before this script ran was sent with it, and its second tap may follow.
for (const [index, field] of document.querySelectorAll("input[name=once]").entries()) {
  const [name, given] = [`begun ${index}`, field.value];
  if (localStorage[name] === given) field.value = uuid();
  field.form.addEventListener("submit", () => (localStorage[name] = given));
}

// The head's links and forms, too, lead away only if there is a server (reaches.js).
document.querySelector(".site-header").dataset.reaches = "";

const tell = () => document.body.classList.toggle("is-offline", !navigator.onLine);
window.addEventListener("online", tell);
window.addEventListener("offline", tell);
tell();

const cacheOf = async () => (install.able ? caches.open(`chicago ${base}`) : null);
const cached = async (url) => (await cacheOf())?.match(url);

/** The addresses of files and of the modules that they import. */
const withImports = async (urls, found = new Set()) => {
  for (const url of urls) {
    if (found.has(url)) continue;
    found.add(url);
    if (!url.endsWith(".js")) continue;
    const text = await (await fetch(url)).text();
    await withImports([...text.matchAll(/(?:\bfrom|\bimport) ?"(\..*?)"/g)].map(([, path]) => new URL(path, url).href), found);
  }
  return found;
};

/** The rules that are chosen: a rule set and its variants. */
const chosen = () => {
  const data = new FormData(form);
  return [data.get("rules"), ...data.getAll("rules_variants").filter(Boolean)].join("+");
};

/** Store what a game by these rules begins with; return whether it is there. */
const storeBlank = async (rules) => {
  const known = await cached(blankOf(rules));
  if (known?.headers.get("ETag") === mark) return true;
  const headers = { "X-CSRFToken": form.elements.csrfmiddlewaretoken.value };
  const answer = await fetch(blankOf(rules), { method: "POST", headers });
  if (answer.ok) await (await cacheOf()).put(blankOf(rules), answer);
  return answer.ok;
};

/** Store the start page, the shell of the scoring page with its files, and what games begin with. */
const store = async () => {
  if (!install.able) return;
  const shell = `${location.origin}${base}shell/`;
  const page = new DOMParser().parseFromString(await (await fetch(shell)).text(), "text/html");
  const parts = page.querySelectorAll("link[rel=stylesheet], script[src]");
  const files = [...parts].map((part) => new URL(part.getAttribute("href") ?? part.getAttribute("src"), location.href).href);
  // One after the other: making them takes the database's write lock.
  for (const rules of new Set([chosen(), ...offline.split(" ")])) if (!(await storeBlank(rules))) return;
  await install(base, promise, [shell, ...(await withImports(files))]);
};
form.addEventListener("change", () => navigator.onLine && install.able && storeBlank(chosen()).catch(() => {}));

/** What was typed, if a game can begin with it offline. */
const typed = async () => {
  const data = new FormData(form);
  const names = [...data].filter(([field]) => field.startsWith("player_")).map(([, name]) => name.replace(/\s+/gu, " ").replace(/\p{C}/gu, "").trim()).filter(Boolean);
  const games = Number(data.get("games"));
  const rules = chosen();
  const blank = await cached(blankOf(rules));
  const distinct = new Set(names.map((name) => name.toLowerCase())).size === names.length;
  document.getElementById("alike").hidden = distinct;
  if (!blank || !distinct || !Number.isInteger(games) || games < 1 || games > 20) return null;
  const found = (await blank.json())[names.length];
  return found && { ...found, marks: found.names, names, games, spec: rules };
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
  const seats = turned(names);
  const shorts = turned(shortened(names));
  return { game, status: game === 1 ? "running" : "waiting", seats, ids: seats, drawn: seats, shorts, labels: shorts.map(softened), dealer: 0, seating: "", version: 0 };
};

/** The same, wherever a text stands in it. */
const renamed = (value, names) => JSON.parse(names.reduce((text, [before, after]) => text.replaceAll(before, after), JSON.stringify(value)));
const escaped = (text) => JSON.stringify(text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt()};`)).slice(1, -1);

const begin = async () => {
  const found = await typed();
  if (!found) return false;
  const { names, marks, games, spec } = found;
  const key = `${base}${uuid()}/`;
  const all = Array.from({ length: games }, (_one, index) => seated(names, index + 1));
  const document = { ...found.document, label: names.join(", "), planned: games, games: all, live: "" };
  const parts = renamed(found.parts, marks.map((before, seat) => [before, escaped(names[seat])]));
  const id = uuid();
  const [preset, ...variants] = spec.split("+");
  const fields = [["rules", preset], ["games", String(games)], ["once", id]];
  fields.push(...variants.map((each) => ["rules_variants", each]), ...names.map((name, seat) => [`player_${seat + 1}`, name]));
  await settle({ key, document, version: "", rules: found.rules, parts, lines: {}, at: Date.now(), skew: 0 }, []);
  await keepTap({ key, id, at: Date.now(), act: "begin", path: `${base}begin/`, label: names.join(", "), fields });
  location.assign(key);
  return true;
};

form.addEventListener("unreached", (event) => {
  event.preventDefault();
  begin().catch(() => false).then((begun) => begun || window.document.getElementById("stale").scrollIntoView({ block: "center" }));
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
  document.getElementById("begins").hidden = !(await cached(blankOf(offline.split(" ")[0])));
};

/** List the games begun here that the server does not have yet. */
const list = async () => {
  for (const { key } of await loadTables()) {
    if (!/^[0-9a-f-]{36}\/$/.test(key.slice(base.length))) continue;
    const [first] = await loadTaps(key);
    if (first?.act !== "begin") continue;
    const row = document.getElementById("begun-row").content.cloneNode(true);
    const link = Object.assign(row.querySelector("a"), { href: key, textContent: first.label });
    // The shell opens it without network (worker.js), though nothing is stored at its own address.
    link.addEventListener("unreached", (event) => {
      event.preventDefault();
      location.assign(key);
    });
    document.getElementById("started").hidden = false;
    document.querySelector("#started ul").append(row);
  }
};
list().catch(() => {});
promise().catch(() => {});
store().catch(() => {}); // without it the open page works nevertheless
