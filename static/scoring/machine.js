// The state of a table's page, and its one owner: what this device holds, what waits, and what the page
// is doing. Everything else asks it, and draws what it says.

import { adopted, lacks, taken, uuid } from "./answer.js";
import { viewOf } from "./log.js";
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
const KEPT = 30 * 24 * 3600 * 1000; // how long a table stays here after its sign-off
const [FIRST, SLOWEST, FOREIGN] = [1000, 10000, 60000];

const empty = (key) => ({ key, document: null, version: "", rules: null, parts: {}, lines: {}, at: 0, skew: 0 });

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
    this.choice = ""; // a person's, after a conflict, until it has been answered
    this.view = null;
    this.newShell = "";
    this.attempts = 0;
    this.busy = false;
    this.drawing = false; // the page does not yet show what the last tap changed
    this.moved = false; // this game goes on at another address, where its taps are
    this.question = null; // a call under way that brings nothing
    this.timer = 0;
  }

  /** Move on. @param {keyof MOVES} next */
  #to(next) {
    if (next !== this.state && !MOVES[this.state].includes(next)) throw new Error(`${this.state} → ${next}`);
    this.state = next;
    this.#reckon();
    this.#tell("changed", this);
  }

  /** What the page shows. An error there, or in drawing it, must keep no tap from being stored and sent. */
  #reckon() {
    try {
      if (this.table.document) this.view = viewOf(this.table, this.taps);
    } catch (error) {
      reportError(error);
    }
  }

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
    return Boolean(this.view) && !this.moved && !this.drawing && !this.stopped && !["loading", "nothing", "closed", "confirming"].includes(this.state);
  }

  /** Begin with what this device holds, then ask the server. */
  async open() {
    const [table, taps] = await Promise.all([loadTable(this.key), loadTaps(this.key)]).catch(() => [null, []]);
    if (table) this.table = table;
    this.skew = this.table.skew;
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
    if (this.moved) return;
    const made = { key: this.key, id: uuid(), at: this.now, ...tap };
    if (this.state === "offline") made.waited = true;
    this.taps.push(made);
    this.#to(this.state === "offline" ? "offline" : "sending");
    // If storing fails, it is sent all the same.
    const stored = await keepTap(made).catch(() => null);
    made.nth = stored?.nth ?? 0;
    if (!stored) this.#tell("unstored");
    this.question?.abort();
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
    const { tap, refused } = this.stopped ?? {};
    this.stopped = null;
    if (take) this.#choose(take, tap, refused);
    await this.#drop(gone);
    if (tap && !gone.includes(tap) && Object.keys(change).length) {
      Object.assign(tap, change);
      await keepTap(tap).catch(() => {});
    }
    this.#to(this.taps.length ? "sending" : "asking");
    return this.agree();
  }

  /** Let taps go. What was tapped after one follows the line before it: by that the server knows what it was built on. */
  async #drop(gone) {
    this.taps = this.taps.filter((each) => !gone.includes(each));
    const later = this.taps.filter((each) => each.follows && gone.some(({ id }) => id === each.follows));
    for (const { id, follows } of gone.toReversed()) for (const each of later) if (each.follows === id) each.follows = follows;
    await dropTaps(gone).catch(() => {});
    for (const each of later) if (each.nth) await keepTap(each).catch(() => {});
  }

  /** What becomes of a game's lines that wait, as it was compared. */
  #choose(take, tap, { sides }) {
    this.choice = take;
    for (const each of this.taps) if (each.game === tap.game) each.version = sides.version;
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
      // What was tapped meanwhile waits for this.
      if (this.again || this.state === "sending") this.agree();
    }
  }

  /** Which taps are sent next: a call for the director waits for nothing. */
  #next() {
    const stored = this.taps.filter(({ nth }) => nth !== undefined);
    const urgent = ({ act }) => URGENT.includes(act);
    if (this.stopped) return stored.filter(urgent).slice(0, MOST);
    // Without an answer no more is tried than has been: what no server can have is taken back without a trace.
    const tried = this.state === "offline" && stored.some((tap) => tap.tried);
    return (tried ? stored.filter((tap) => tap.tried || urgent(tap)) : stored).slice(0, MOST);
  }

  /**
   * Note that these are about to be sent: an answer may be lost although the server has taken them. Another tab may
   * have taken some back; those are left out.
   */
  async #tried(taps) {
    if (navigator.onLine === false) return taps;
    const known = await Promise.all(taps.map(async (tap) => !tap.nth || tap.tried || tryTap(tap).catch(() => tap)));
    const gone = taps.filter((_tap, index) => !known[index]);
    this.taps = this.taps.filter((tap) => !gone.includes(tap));
    const sent = taps.filter((tap) => !gone.includes(tap));
    for (const tap of sent) tap.tried = true;
    return sent;
  }

  /** Send what waits and learn what is new, until both agree or nobody answers. */
  async agree() {
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
        const next = this.#next();
        if (next.length && this.state === "asking") this.#to("sending");
        const sent = await this.#tried(next);
        const stop = new AbortController();
        // On a network that hangs, a question makes way for the first tap.
        this.question = sent.length || this.choice ? null : stop;
        const found = await call(this.table, sent, { whole: this.wanted, take: this.choice, shell: this.shell, stop });
        const gaveWay = this.question?.signal.aborted && this.again;
        this.question = null;
        if (!found.answer && gaveWay) continue;
        if (!found.answer) {
          this.#lost(found);
          return;
        }
        this.choice = "";
        await this.#take(found.answer, sent);
        this.attempts = 0;
        if (this.state === "offline") this.#to("sending");
        // What is written is told now, whenever the rest of its document comes.
        if (found.answer.more && !this.taps.length) this.#to("asking");
        const more = this.#next().length > 0 && (found.answer.took.length > 0 || this.#next().some((tap) => !sent.includes(tap)));
        this.again ||= found.answer.more || this.wanted.length > 0 || (more && !this.stopped);
      } while (this.again);
      const rest = this.taps.some(({ nth }) => nth === undefined);
      if (this.state !== "confirming") this.#to(this.stopped ? "conflict" : rest ? "sending" : "asking");
    } finally {
      this.busy = false;
    }
  }

  /** The server has the game that was begun here: go on with it at its own address. */
  async #begun({ path, seatings }) {
    this.moved = true;
    const [first, ...rest] = this.taps;
    const moved = rest.map(({ nth: _nth, ...tap }) => ({ ...tap, key: path, seating: seatings[tap.game - 1] ?? "" }));
    await settle({ ...this.table, key: path, version: "" }, [first, ...rest], moved).catch((error) => {
      this.moved = false;
      throw error;
    });
    this.taps = [];
    await erase(this.key).catch(() => {});
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
    if (this.state !== "offline") this.since = this.now;
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
    const { table, settled, again, lost, told } = taken(this.table, before, answer, this.taps);
    this.skew = table.skew;
    if (answer.shell && answer.shell !== this.shell) this.newShell = answer.shell;
    this.wanted = answer.wanted ?? [];
    this.held = this.wanted.length ? before.document : null;
    const [given, from] = before.document || !table.document ? [[], []] : await adopted(table);
    again.push(...given);
    this.taps = [...this.taps.filter((tap) => !settled.includes(tap)), ...again];
    this.table = table;
    // Drawn before it is stored: what was tapped twice must no longer stand there.
    if (this.ready) this.#to(this.state);
    else this.#reckon();
    const stored = await settle(table, settled, again).then(() => true, () => false);
    if (stored) for (const key of from) await erase(key).catch(() => {});
    else for (const tap of again) tap.nth = 0;
    if (stored && again.length) {
      const held = await loadTaps(this.key).catch(() => again.map((tap) => ({ ...tap, nth: 0 })));
      const ids = new Set(held.map(({ id }) => id));
      // What is being stored just now, or cannot be, comes after it.
      this.taps = [...held, ...this.taps.filter((tap) => !ids.has(tap.id) && !again.includes(tap))];
    }
    if (lost.length || told.length || given.length) this.#tell("given", lost.length + given.length, told);
    if (answer.told) this.#tell("said", answer.told);
    const { refused } = answer;
    const tap = refused && sent.find(({ id }) => id === refused.tap);
    // A server that has lost lines gets those first.
    if (tap && !this.wanted.length && !lacks(answer)) await this.#refused(tap, refused, sent);
  }

  async #refused(tap, refused, sent) {
    const { code, message } = refused.problem;
    if (code === "needs_confirmation") {
      this.stopped = { tap, refused };
      this.#to("confirming");
    } else if (refused.sides && sent.length < MOST && this.taps.some((each) => each.game === tap.game && each.nth !== undefined && !sent.includes(each))) {
      this.again = true; // compared with all that waits here
      return;
    } else if (refused.sides?.same) {
      this.#choose("theirs", tap, refused);
      this.again = true;
      return;
    } else if (refused.sides) {
      this.stopped = { tap, refused };
      this.#to("conflict");
    } else {
      // What builds on it is refused in its turn, each with its own reason.
      await this.#drop([tap]);
      this.#tell("said", message, tap);
      this.again = true;
      return;
    }
    this.#tell("refused", tap, refused);
  }
}
