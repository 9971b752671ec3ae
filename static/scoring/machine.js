// The state of a table's page, and its one owner: what this device holds, what waits, and what the page
// is doing. Everything else asks it, and draws what it says.

import { givenBack, viewOf } from "./log.js";
import { dropTaps, dropUntried, erase, keepTap, loadTable, loadTables, loadTaps, settle, tryTap } from "./store.js";
import { MOST, begin, call } from "./sync.js";

/**
 * What the page may be doing, and what may follow. `asking`: it takes a tap; `confirming`: a person is asked
 * about one; `sending`: taps are on their way; `offline`: no answer, taps wait; `conflict`: a refused line
 * waits for a decision; `closed`: the link has ended; `nothing`: no table is known here.
 */
const MOVES = {
  loading: ["asking", "sending", "offline", "nothing", "closed", "conflict", "confirming"],
  nothing: ["asking", "sending", "offline", "closed"],
  asking: ["sending", "confirming", "offline", "conflict", "closed"],
  sending: ["asking", "confirming", "offline", "conflict", "closed", "nothing"],
  confirming: ["asking", "sending", "offline", "conflict", "closed"],
  offline: ["asking", "sending", "confirming", "conflict", "closed", "nothing"],
  conflict: ["asking", "sending", "offline", "closed", "confirming"],
  closed: [],
};
/** What waits for nothing but the server itself. */
const URGENT = ["call", "uncall"];
/** After these a person compares both sides, or decides. */
const KEPT = 30 * 24 * 3600 * 1000; // how long a table stays here after its sign-off
const [FIRST, SLOWEST, FOREIGN] = [1000, 10000, 60000];

/** A UUID, also over plain http, where browsers have no randomUUID. */
export const uuid = () => {
  if (crypto.randomUUID) return crypto.randomUUID();
  const b = crypto.getRandomValues(new Uint8Array(16));
  b[6] = (b[6] & 0x0f) | 0x40;
  b[8] = (b[8] & 0x3f) | 0x80;
  const h = [...b].map((x) => x.toString(16).padStart(2, "0")).join("");
  return `${h.slice(0, 8)}-${h.slice(8, 12)}-${h.slice(12, 16)}-${h.slice(16, 20)}-${h.slice(20)}`;
};

const empty = (key) => ({ key, document: null, version: "", rules: null, parts: {}, lines: {}, at: 0 });

/**
 * One table's page. `changed(machine)` is called after every move; `refused(tap, refused)` for a tap that a
 * person decides about; `said(text)` for what the server says besides; `closed(text)` when the link has ended;
 * `unstored()` when this browser stores nothing; `given(count, told)` when lines went to a server that had lost them.
 */
export class Machine {
  constructor(key, shell, page) {
    Object.assign(this, { key, shell, page });
    this.state = "loading";
    this.table = empty(key);
    this.taps = [];
    this.stopped = null; // {tap, refused}: the tap whose refusal waits for a decision
    this.why = ""; // why there is no answer
    this.since = 0; // since when
    this.skew = 0; // the server's time less this device's
    this.wanted = []; // games of which the server asks for all ids
    this.held = null; // the document before it asked: it may have lost what that says
    this.view = null;
    this.newShell = "";
    this.attempts = 0;
    this.busy = false;
    this.timer = 0;
  }

  /** Move on. @param {keyof MOVES} next */
  #to(next) {
    if (next !== this.state && !MOVES[this.state].includes(next)) throw new Error(`${this.state} → ${next}`);
    this.state = next;
    this.#reckon();
    this.#tell("changed", this);
  }

  #reckon() {
    if (this.table.document) this.view = viewOf(this.table, this.taps);
  }

  /** Tell the page. An error there, in drawing, must keep no tap from being stored and sent. */
  #tell(event, ...about) {
    try {
      this.page[event](...about);
    } catch (error) {
      reportError(error);
    }
  }

  get now() {
    return Date.now() + this.skew;
  }

  /** Whether another tap may be taken. */
  get ready() {
    return Boolean(this.view) && !this.stopped && !["loading", "nothing", "closed", "confirming"].includes(this.state);
  }

  /** Begin with what this device holds, then ask the server. */
  async open() {
    const [table, taps] = await Promise.all([loadTable(this.key), loadTaps(this.key)]).catch(() => [null, []]);
    if (table) this.table = table;
    this.taps = taps;
    if (table) this.#to(this.taps.length ? "sending" : "asking");
    this.#forgetOld();
    await this.agree();
  }

  /** What another tab of this device has added, sent or been told since. */
  async reload() {
    if (this.busy || this.stopped || this.state === "closed") return;
    const [table, taps] = await Promise.all([loadTable(this.key), loadTaps(this.key)]).catch(() => [null, this.taps]);
    if (this.busy || this.stopped) return;
    if (table) this.table = table;
    const unstored = this.taps.filter(({ nth }) => !nth);
    this.taps = [...taps, ...unstored];
    this.#to(this.state);
    this.agree();
  }

  async #forgetOld() {
    for (const { key, at, document } of await loadTables().catch(() => [])) {
      if (key !== this.key && document?.signed && Date.now() - at > KEPT) await erase(key);
    }
  }

  /** A tap: shown at once, stored, then sent. */
  async add(tap) {
    const made = { key: this.key, id: uuid(), at: this.now, ...tap };
    if (this.state === "offline") made.waited = true;
    this.taps.push(made);
    this.#to(this.state === "offline" ? "offline" : "sending");
    // If storing fails, it is sent all the same.
    const stored = await keepTap(made).catch(() => null);
    made.nth = stored?.nth ?? 0;
    if (!stored) this.#tell("unstored");
    await this.agree();
  }

  /** Take back the last tap if no server can have received it; return whether that was possible. */
  async forget() {
    const last = this.taps.at(-1);
    if (!last || last.nth === undefined || last.tried) return false;
    const known = last.nth ? await dropUntried(last).catch(() => ({ tried: true })) : last;
    if (!known || known.tried) return false;
    this.taps = this.taps.filter((tap) => tap !== last);
    this.#to(this.state === "sending" && !this.taps.length ? "asking" : this.state);
    return true;
  }

  /** A person has decided about the refused tap: some go, or all are sent as they now are. */
  async decide({ gone = [], change = {}, take = "" } = {}) {
    const { tap } = this.stopped ?? {};
    this.stopped = null;
    this.taps = this.taps.filter((each) => !gone.includes(each));
    await dropTaps(gone).catch(() => {});
    if (tap && !gone.includes(tap) && Object.keys(change).length) {
      Object.assign(tap, change);
      await keepTap(tap).catch(() => {});
    }
    this.#to(this.taps.length ? "sending" : "asking");
    return this.agree({ take });
  }

  /** Ask for what only the server can do, such as checking a PIN; return the problem, null if there is none. */
  async askNow(tap) {
    while (this.busy) await new Promise((resolve) => setTimeout(resolve, 50));
    this.busy = true;
    try {
      const found = await call(this.table, [{ id: uuid(), at: this.now, ...tap }], { shell: this.shell });
      if (!found.answer) {
        this.#lost(found);
        return { lost: true };
      }
      await this.#take(found.answer, []);
      this.#to(this.stopped ? "conflict" : this.taps.length ? "sending" : "asking");
      return found.answer.refused?.problem ?? null;
    } finally {
      this.busy = false;
    }
  }

  /** Which taps are sent next: a call for the director waits for nothing. */
  #next() {
    const stored = this.taps.filter(({ nth }) => nth !== undefined);
    return (this.stopped ? stored.filter(({ act }) => URGENT.includes(act)) : stored).slice(0, MOST);
  }

  /** Send what waits and learn what is new, until both agree or nobody answers. */
  async agree({ take = "" } = {}) {
    if (this.busy || this.state === "closed") {
      this.again = true;
      return;
    }
    clearTimeout(this.timer);
    this.busy = true;
    try {
      do {
        this.again = false;
        if (this.taps[0]?.act === "begin") {
          const found = await begin(this.taps[0]);
          if (!found.path) this.#lost(found);
          else await this.#begun(found);
          return;
        }
        const sent = this.#next();
        if (sent.length && this.state === "asking") this.#to("sending");
        // Noted before sending: the answer may be lost although the server has taken it.
        for (const tap of navigator.onLine === false ? [] : sent) {
          if (tap.nth && !tap.tried && !(await tryTap(tap).catch(() => tap))) this.taps = this.taps.filter((each) => each !== tap);
          tap.tried = true;
        }
        const found = await call(this.table, sent, { whole: this.wanted, take, shell: this.shell });
        if (!found.answer) {
          this.#lost(found);
          return;
        }
        take = "";
        await this.#take(found.answer, sent);
        this.attempts = 0;
        const more = this.#next().length > 0 && (found.answer.took.length > 0 || this.#next().some((tap) => !sent.includes(tap)));
        this.again ||= this.wanted.length > 0 || (more && !this.stopped);
      } while (this.again);
      const rest = this.taps.some(({ nth }) => nth === undefined);
      if (this.state !== "confirming") this.#to(this.stopped ? "conflict" : rest ? "sending" : "asking");
    } finally {
      this.busy = false;
    }
  }

  /** The server has the game that was begun here: go on with it at its own address. */
  async #begun({ path, seatings }) {
    const [first, ...rest] = this.taps;
    const moved = rest.map(({ nth: _nth, ...tap }) => ({ ...tap, key: path, seating: seatings[tap.game - 1] ?? "" }));
    await settle({ ...this.table, key: path, version: "" }, [first, ...rest], moved);
    this.taps = [];
    await erase(this.key);
    location.replace(path);
  }

  /** Nobody has answered, or somebody else. */
  #lost({ lost, closed }) {
    if (closed) {
      this.taps = [];
      erase(this.key).catch(() => {});
      this.#to("closed");
      this.#tell("closed", closed);
      return;
    }
    this.attempts += 1;
    this.why = lost;
    if (this.state !== "offline") this.since = Date.now();
    for (const tap of this.taps) tap.waited = true;
    const slowest = ["foreign", "unknown"].includes(lost) ? FOREIGN : SLOWEST;
    const wait = Math.min(FIRST * 2 ** Math.min(this.attempts - 1, 9), slowest);
    this.timer = setTimeout(() => this.agree(), wait);
    if (this.stopped) this.#to("conflict");
    else this.#to(this.table.document ? "offline" : "nothing");
  }

  /** Take in an answer: lines, document, what became of the taps. @param {import("./shapes.js").Answer} answer */
  async #take(answer, sent) {
    const before = this.held ? { ...this.table, document: this.held } : this.table;
    const table = { ...this.table, lines: { ...before.lines }, parts: { ...before.parts, ...answer.parts }, at: Date.now() };
    this.skew = Math.abs(answer.now - Date.now()) > 2000 ? answer.now - Date.now() : 0;
    if (answer.version) table.version = answer.version;
    if (answer.document) table.document = answer.document;
    if (answer.rules) table.rules = answer.rules;
    if (answer.shell && answer.shell !== this.shell) this.newShell = answer.shell;
    this.wanted = answer.wanted ?? [];
    this.held = this.wanted.length ? before.document : null;
    for (const game of answer.whole ?? []) table.lines[game] = [];
    for (const [game, lines] of Object.entries(answer.lines ?? {})) {
      const ids = new Set(lines.map(({ id }) => id));
      table.lines[game] = [...(table.lines[game] ?? []).filter(({ id }) => !ids.has(id)), ...lines];
    }
    const took = new Set(answer.took);
    const settled = this.taps.filter(({ id }) => took.has(id));
    const lost = Object.entries(answer.lacks ?? {}).flatMap(([game, ids]) => givenBack(before, Number(game), ids));
    const lacks = Object.values(answer.lacks ?? {}).some((ids) => ids.length);
    const told = lacks ? toldAgain(before, table) : [];
    let again = [];
    if (lost.length || told.length) {
      const waiting = this.taps.filter((tap) => !settled.includes(tap));
      again = [...lost, ...told, ...waiting.map(({ nth: _nth, ...tap }) => tap)];
      settled.push(...waiting);
    }
    const adopted = before.document || !table.document ? [] : await this.#adopt(table);
    again.push(...adopted);
    this.taps = [...this.taps.filter((tap) => !settled.includes(tap)), ...again];
    this.table = table;
    this.#reckon();
    await settle(table, settled, again).catch(() => {});
    if (again.length) this.taps = await loadTaps(this.key).catch(() => this.taps);
    if (lost.length || told.length || adopted.length) this.#tell("given", lost.length + adopted.length, told);
    if (answer.told) this.#tell("said", answer.told);
    const { refused } = answer;
    const tap = refused && sent.find(({ id }) => id === refused.tap);
    // A server that has lost lines gets those first.
    if (tap && !this.wanted.length && !lacks) await this.#refused(tap, refused);
  }

  async #refused(tap, refused) {
    const { code, message } = refused.problem;
    if (code === "needs_confirmation") {
      this.stopped = { tap, refused };
      this.#to("confirming");
    } else if (refused.sides) {
      this.stopped = { tap, refused };
      this.#to("conflict");
    } else {
      // What builds on it is refused in its turn, each with its own reason.
      this.taps = this.taps.filter((each) => each !== tap);
      await dropTaps([tap]).catch(() => {});
      this.#tell("said", message, tap);
      this.again = true;
      return;
    }
    this.#tell("refused", tap, refused);
  }

  /** Taps of the same heat under another link, if the server there knows nothing of it: this one is a new server. */
  async #adopt(table) {
    const { heat, games } = table.document;
    if (!heat) return [];
    const players = (each) => [...(each.document?.games[0]?.seats ?? [])].sort().join("\n");
    const fresh = !Object.values(table.lines).some((lines) => lines.length) && games.every(({ game, status }) => game === 1 || status === "waiting");
    const others = (await loadTables().catch(() => [])).filter(
      (other) => other.key !== this.key && other.document && (other.document.heat === heat || (fresh && players(other) === players(table))),
    );
    const found = [];
    for (const other of others) {
      const { lost, closed } = await call(other, []);
      if (!closed && lost !== "unknown") continue;
      const known = new Set(Object.values(table.lines).flatMap((lines) => lines.map(({ id }) => id)));
      for (const [game, lines] of Object.entries(other.lines)) {
        const missing = lines.map(({ id }) => id).filter((id) => !known.has(id));
        found.push(...givenBack(other, Number(game), missing));
      }
      const waiting = await loadTaps(other.key).catch(() => []);
      found.push(...waiting.map(({ nth: _nth, ...tap }) => ({ ...tap, kept: true })));
      await erase(other.key);
    }
    return found.map((tap) => ({ ...tap, key: this.key }));
  }
}

/** What the server has lost of decisions and statements: a sign-off is given again, the rest is told in words. */
const toldAgain = (before, after) => {
  const known = new Set(after.document.told.map(({ id }) => id));
  const lost = before.document.told.filter(({ id }) => !known.has(id));
  const tap = { key: before.key, at: Date.now(), label: "" };
  const words = lost.filter(({ act }) => act !== "sign").map(({ text }) => text);
  const told = words.length ? [{ ...tap, id: uuid(), act: "lost", text: words.join("; "), label: words.join("; ") }] : [];
  return [...told, ...(lost.some(({ act }) => act === "sign") ? [{ ...tap, id: uuid(), act: "sign" }] : [])];
};
