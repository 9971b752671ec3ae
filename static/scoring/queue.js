// What was tapped and is not acknowledged yet: kept on the device first, then sent in order, each
// once (its UUID stays the same), again after a lost connection or a reload. It knows nothing of
// the page; whoever uses it hears of every change, and decides about what was refused.

import { acknowledge, dropTap, erase, keepTap, loadWaiting } from "./store.js";

const SLOWEST = 10000;
const PATIENCE = 12000;

/** A UUID, also over plain http, where browsers have no randomUUID. */
export const uuid = () => {
  if (crypto.randomUUID) return crypto.randomUUID();
  const b = crypto.getRandomValues(new Uint8Array(16));
  b[6] = (b[6] & 0x0f) | 0x40;
  b[8] = (b[8] & 0x3f) | 0x80;
  const h = [...b].map((x) => x.toString(16).padStart(2, "0")).join("");
  return `${h.slice(0, 8)}-${h.slice(8, 12)}-${h.slice(12, 16)}-${h.slice(16, 20)}-${h.slice(20)}`;
};

/**
 * One link's queue. `token` gives the page's CSRF token, `seen(tap)` what the page shows, for the server
 * to tell what differs; `changed(queue)` is told whenever something waits or does not wait any more,
 * `answered(tap, answer)` of each acknowledged tap, at the moment at which it waits no more,
 * `refused(tap, answer)` of one that the server would not take: sending stops until `settle`.
 */
export class Queue {
  constructor({ key, token, seen, changed, answered, refused }) {
    Object.assign(this, { key, token, seen, changed, answered, refused });
    this.waiting = [];
    this.sending = false;
    this.lost = false; // the last attempt found no server
    this.stopped = null; // the tap whose refusal waits for somebody's decision
    this.fault = ""; // why the server takes nothing, in its own words
    this.retry = 0;
    this.timer = 0;
  }

  /** What waited when the page was closed. */
  async load() {
    this.waiting = await loadWaiting(this.key);
    this.changed(this);
  }

  /** When the first of what waits was tapped. */
  get since() {
    return this.waiting.length ? new Date(this.waiting[0].at) : null;
  }

  /** Keep a tap ({path, body, …}) and send it when its turn comes. */
  async add(tap) {
    const kept = { key: this.key, id: uuid(), at: Date.now(), ...tap };
    // Shown at once; sent when it is on the disk.
    this.waiting.push(kept);
    this.changed(this);
    // A device that keeps nothing more sends it all the same.
    kept.order = await keepTap(kept).then(({ order }) => order, () => 0);
    this.send();
    return kept;
  }

  /** Whether the last tap can simply be forgotten: no server can have heard of it. */
  get canForget() {
    const last = this.waiting.at(-1);
    return last?.order !== undefined && !last.tried;
  }

  /** Forget a tap that was never sent, or that was refused. */
  async forget(tap = this.waiting.at(-1)) {
    this.waiting = this.waiting.filter((other) => other !== tap);
    if (this.stopped === tap) this.stopped = null;
    await dropTap(tap);
    this.changed(this);
  }

  /** Go on after a refusal, with what the tap says now. */
  async settle(tap, change = {}) {
    this.stopped = null;
    await this.#keep(tap, change);
    this.send();
  }

  async #keep(tap, change) {
    Object.assign(tap, change);
    await keepTap(tap);
  }

  /** Ask the server about what was refused; null where it does not answer. */
  async ask(path, body) {
    return this.#post({ path, body, tried: true });
  }

  /** What is written on a sheet is kept until the heat is closed (kept.js); all else is done. */
  #done(tap) {
    return tap.place ? acknowledge(tap).catch(() => dropTap(tap)) : dropTap(tap);
  }

  /** Taps that were decided about wait no more, `written` or not; go on. */
  async decided(taps, written) {
    this.waiting = this.waiting.filter((tap) => !taps.includes(tap));
    this.stopped = null;
    for (const tap of taps) await (written ? this.#done(tap) : dropTap(tap));
    this.changed(this);
    this.send();
  }

  /** Nothing of this link stays on the device. */
  async erase() {
    this.waiting = [];
    await erase(this.key);
    this.changed(this);
  }

  /** What is sent next: a call for the director waits for nothing. */
  #next() {
    const urgent = this.waiting.find((tap) => tap.urgent && tap !== this.stopped);
    const next = urgent ?? (this.stopped ? null : this.waiting[0]);
    return next?.order === undefined ? null : next;
  }

  /** Send what waits, until all is acknowledged, the network is gone, or something is refused. */
  async send() {
    clearTimeout(this.timer);
    if (this.sending) return;
    this.sending = true;
    try {
      for (let tap = this.#next(); tap; tap = this.#next()) {
        this.changed(this);
        const answer = await this.#post(tap);
        if (!answer) {
          this.lost = true;
          this.retry += 1;
          this.timer = setTimeout(() => this.send(), Math.min(1000 * 2 ** (this.retry - 1), SLOWEST));
          break;
        }
        this.lost = false;
        this.retry = 0;
        if (answer.ok) {
          this.waiting = this.waiting.filter((other) => other !== tap);
          this.answered(tap, answer);
          await this.#done(tap);
        } else {
          this.stopped = tap;
          this.refused(tap, answer);
        }
      }
    } finally {
      // Whatever fails here, what waits is sent at the next occasion.
      this.sending = false;
      this.changed(this);
    }
  }

  /** The server's answer; null where there was none. */
  async #post(tap) {
    if (navigator.onLine === false) return null;
    // Noted before it leaves: an answer may get lost, and the server has taken it all the same.
    if (!tap.tried) await this.#keep(tap, { tried: true });
    const control = new AbortController();
    const limit = setTimeout(() => control.abort(), PATIENCE);
    try {
      const response = await fetch(tap.path, {
        method: "POST",
        headers: {
          "Content-Type": "application/json",
          Accept: "application/json",
          "X-CSRFToken": this.token(),
        },
        body: JSON.stringify({ ...tap.body, id: tap.id, ...this.seen(tap) }),
        signal: control.signal,
      });
      // What is wrong with the server, if it can say so: the disk is full, the database away.
      this.fault = response.status === 503 ? (await response.json().catch(() => ({}))).text || "" : "";
      if (response.status >= 500) return null;
      if (response.status === 403 && !(response.headers.get("Content-Type") || "").includes("json")) {
        // The page's token has grown old: a fresh page sends the kept tap again. If that does
        // not help either, waiting is all that is left.
        if ((tap.reloads || 0) > 1) return null;
        await this.#keep(tap, { reloads: (tap.reloads || 0) + 1 });
        location.reload();
        return null;
      }
      return await response.json();
    } catch {
      this.fault = "";
      return null;
    } finally {
      clearTimeout(limit);
    }
  }
}
