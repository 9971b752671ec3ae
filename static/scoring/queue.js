// Taps that have not been acknowledged yet: stored on the device first, then sent in order, each under
// one UUID, again after a lost connection or a reload. The queue knows nothing of the page; its user
// is notified of every change, and decides about refused taps.

import { acknowledge, dropTap, dropUntried, erase, keepTap, loadWaiting, tryTap } from "./store.js";

const SLOWEST = 10000;

/** A UUID, also over plain http, where browsers have no randomUUID. */
export const uuid = () => {
  if (crypto.randomUUID) return crypto.randomUUID();
  const b = crypto.getRandomValues(new Uint8Array(16));
  b[6] = (b[6] & 0x0f) | 0x40;
  b[8] = (b[8] & 0x3f) | 0x80;
  const h = [...b].map((x) => x.toString(16).padStart(2, "0")).join("");
  return `${h.slice(0, 8)}-${h.slice(8, 12)}-${h.slice(12, 16)}-${h.slice(16, 20)}-${h.slice(20)}`;
};

// Buttons whose request can wait like an entry when offline, by their address.
const QUEUED = { "call/": "call", "call-done/": "call", "slow/": "call", "next-game/": "next-game", "last-game/": "return", "sign/": "sign", "rulings/": "rulings", "seats/": "seats" };

/** The tap for a button's request where the table is now (`predict`); null if it needs the server. */
export const tapOf = (base, form, fields, now) => {
  const act = QUEUED[form.action.slice(form.action.indexOf(base) + base.length)];
  // So does changing the seats.
  if (!act || (act === "seats" && fields.order)) return null;
  const { csrfmiddlewaretoken: _token, ...body } = fields;
  if (act === "next-game") body.game = now.games[0]?.game;
  if (act === "return") body.game = now.game;
  return { act, path: form.action, body, urgent: act === "call" };
};

/**
 * One link's queue. `token` gives the page's CSRF token, `expired()` gets another, `seen(tap)` what the page shows, so that the
 * server can send just the changes. `changed(queue)` is called whenever taps begin or stop waiting,
 * `answered(tap, answer)` for each acknowledged tap, as soon as it stops waiting, and
 * `refused(tap, answer)` for one that the server refused: sending stops until `settle`. `shared()` is called when another tab
 * of the page has changed what waits, and `unstored()` when a tap could not be stored.
 */
export class Queue {
  constructor(page) {
    Object.assign(this, page);
    this.waiting = [];
    this.loaded = false;
    this.sending = false;
    this.lost = false; // the last attempt did not reach a server
    this.stopped = null; // the tap whose refusal waits for a decision
    this.fault = ""; // why the server accepts nothing, in its own words
    this.retry = 0;
    this.timer = 0;
  }

  /** Tell the page. An error there, in drawing, must keep no tap from being stored and sent. */
  #tell(event, ...about) {
    try {
      this[event](...about);
    } catch (error) {
      reportError(error);
    }
  }

  /** Load the taps that were waiting when the page was closed, or that another tab has added or deleted since. */
  async load() {
    const before = [...this.waiting];
    const stored = await loadWaiting(this.key).catch(() => before);
    if (this.loaded && (this.sending || this.stopped)) return;
    const has = (taps, { id }) => taps.some((tap) => tap.id === id);
    const more = stored.filter((tap) => !has(this.waiting, tap));
    // A button may have been tapped meanwhile; what could not be stored waits all the same.
    const here = this.waiting.filter((tap) => !tap.order || has(stored, tap) || !has(before, tap));
    const shared = this.loaded && (more.length > 0 || here.length < this.waiting.length);
    this.waiting = [...more, ...here].sort((one, other) => (one.order || Infinity) - (other.order || Infinity) || 0);
    this.loaded = true;
    this.#tell(shared ? "shared" : "changed", this);
  }

  /** When the first waiting tap was made. */
  get since() {
    return this.waiting.length ? new Date(this.waiting[0].at) : null;
  }

  /** Store a tap ({path, body, …}) and send it when its turn comes. */
  async add(tap) {
    const stored = { key: this.key, id: uuid(), at: Date.now(), ...tap };
    // Shown at once; sent once it is stored.
    this.waiting.push(stored);
    this.#tell("changed", this);
    // If storing fails, it is sent all the same.
    stored.order = await keepTap(stored).then(({ order }) => order, () => 0);
    if (!stored.order) this.#tell("unstored");
    this.send();
    return stored;
  }

  /** Whether the last tap can simply be deleted, because no server can have received it. */
  get canForget() {
    const last = this.waiting.at(-1);
    return last?.order !== undefined && !last.tried;
  }

  /** Delete the last tap, which was never sent; return false if another tab has begun to. */
  async takeBack() {
    const tap = this.waiting.at(-1);
    const known = tap.order ? await dropUntried(tap).catch(() => ({ tried: true })) : tap;
    tap.tried = known?.tried;
    if (tap.tried) return false;
    this.#out(tap);
    this.#tell(known ? "changed" : "shared", this);
    return true;
  }

  #out(tap) {
    this.waiting = this.waiting.filter((other) => other !== tap);
  }

  /** Go on after a refusal, with the tap as it now is. */
  async settle(tap, change = {}) {
    this.stopped = null;
    await this.#keep(tap, change);
    this.send();
  }

  async #keep(tap, change) {
    Object.assign(tap, change);
    await keepTap(tap).catch(() => {}); // sent all the same
  }

  /** Ask the server about a refused tap; null if it does not answer. */
  async ask(path, body) {
    return this.#post({ path, body, tried: true });
  }

  /** Entries on a sheet are stored until the heat is closed (recover.js); other taps are done. */
  #done(tap) {
    return (tap.place ? acknowledge(tap).catch(() => dropTap(tap)) : dropTap(tap)).catch(() => {});
  }

  /** Taps that were decided about stop waiting; go on. */
  async decided(taps) {
    this.waiting = this.waiting.filter((tap) => !taps.includes(tap));
    this.stopped = null;
    for (const tap of taps) await dropTap(tap);
    this.#tell("changed", this);
    this.send();
  }

  /** Delete everything of this link from the device. */
  async erase() {
    this.waiting = [];
    await erase(this.key);
    this.#tell("changed", this);
  }

  /** The tap to send next: a call for the director waits for nothing but the table itself. */
  #next() {
    const begun = this.waiting[0]?.act === "begin";
    const urgent = begun ? null : this.waiting.find((tap) => tap.urgent && tap !== this.stopped);
    const next = urgent ?? (this.stopped ? null : this.waiting[0]);
    return next?.order === undefined ? null : next;
  }

  /** Send taps until all are acknowledged, the network is lost, or one is refused. */
  async send() {
    clearTimeout(this.timer);
    if (this.sending) return;
    this.sending = true;
    try {
      for (let tap = this.#next(); tap; tap = this.#next()) {
        this.#tell("changed", this);
        const answer = await this.#post(tap);
        if (!answer) {
          this.lost = true;
          this.retry += 1;
          this.timer = setTimeout(() => this.send(), Math.min(1000 * 2 ** (this.retry - 1), SLOWEST));
          break;
        }
        this.lost = false;
        this.retry = 0;
        if (answer.gone) {
          this.#out(tap);
          this.#tell("shared", this);
        } else if (answer.ok) {
          this.#out(tap);
          this.#tell("answered", tap, answer);
          await this.#done(tap);
        } else {
          this.stopped = tap;
          this.refused(tap, answer);
        }
      }
    } finally {
      // Whatever fails here, the taps are sent at the next opportunity.
      this.sending = false;
      this.#tell("changed", this);
    }
  }

  /** The server's response; null if there was none. */
  async #post(tap) {
    if (navigator.onLine === false) return null;
    // Recorded before sending: the response may get lost although the server has accepted the tap.
    if (tap.order && !(await tryTap(tap).catch(() => tap))) return { gone: true };
    tap.tried = true;
    const form = tap.act === "form" || tap.act === "begin";
    const headers = { "X-CSRFToken": this.token() };
    if (!form) Object.assign(headers, { "Content-Type": "application/json", Accept: "application/json" });
    try {
      const response = await fetch(tap.path, {
        method: "POST",
        headers,
        body: form ? new URLSearchParams(tap.body) : JSON.stringify({ id: tap.id, ...tap.body, ...this.seen(tap) }),
        signal: AbortSignal.timeout(12000),
      });
      // What is wrong with the server, if it can say so: disk full, database unavailable.
      this.fault = response.status === 503 ? (await response.json().catch(() => ({}))).text || "" : "";
      if (response.status >= 500) return null;
      if (response.status === 403 && !(response.headers.get("Content-Type") || "").includes("json")) {
        // The page's CSRF token has expired: the stored tap is sent again with a fresh one. If that
        // does not help either, waiting is all that is left.
        if ((tap.reloads || 0) > 1) return null;
        await this.#keep(tap, { reloads: (tap.reloads || 0) + 1 });
        await this.expired();
        return null;
      }
      // A form's response is a page, which the browser opens itself.
      if (tap.act === "form") return { ok: true };
      const answer = await response.json();
      // It is not the table's server, or not restored yet: what waits goes to the one that knows it.
      if (answer.problems?.[0]?.code !== "link_unknown") return answer;
      this.fault = answer.problems[0].message;
      return null;
    } catch {
      this.fault = "";
      return null;
    }
  }
}
