// Keeps a table's page up to date: asks every few seconds whether anything has changed (304 if not),
// inserts the new live part, and shows when the connection is lost.
(() => {
  "use strict";
  const root = document.getElementById("scoring");
  if (!root) return;

  const EVERY = 4000;
  const EVERY_WITH_STREAM = 30000;
  const SLOWEST = 30000;
  const TOLD = 6000; // how long it is said that an action was lost: it covers the page's foot
  let wait = EVERY;
  let timer = 0;
  let lost = null;
  let untold = false;
  let telling = 0;

  const live = () => document.getElementById("live");

  const chosenSeat = () => {
    const checked = root.querySelector('input[name="seat"]:checked');
    return checked ? checked.value : null;
  };

  const fieldsOf = (form) => [...form.querySelectorAll("input[id]:not([type=hidden]), select[id]")];

  /** Whether something is half typed in a form. */
  const typed = (form) => fieldsOf(form).some((field) =>
    field.value !== (field.options ? (field.querySelector("[selected]") ?? field.options[0]).value : field.defaultValue));

  // Replaces the live part; picked and unfolded items stay if neither sheet nor question changed.
  // After an own action (`own`) that opens another game, the page scrolls to its top. `sent`: the
  // form that has been sent.
  const show = (html, etag, own = false, sent = null) => {
    const before = live();
    const same = before.dataset.version;
    const { game, mode } = before.dataset;
    const seat = chosenSeat();
    // What was sent closes its fold: a double tap would send it again.
    const closes = sent?.closest("details")?.className;
    const open = [...before.querySelectorAll("details[open]")]
      .filter((d) => !sent?.contains(d)).map((d) => d.className).filter((fold) => fold !== closes);
    const focus = document.activeElement && before.contains(document.activeElement);
    const holder = document.createElement("template");
    holder.innerHTML = html;
    const after = holder.content.getElementById("live");
    if (!after) return;
    // What is half typed stays, with all of its form.
    const kept = [...before.querySelectorAll("form")]
      .filter((form) => form !== sent && typed(form))
      .flatMap((form) => fieldsOf(form).map(({ id, value }) => [id, value]));
    const at = document.activeElement?.id;
    before.replaceWith(after);
    // A refusal stays until the next try, or a tap on it.
    const refusal = before.querySelector("#pending.refusal:not([hidden])");
    if (refusal) after.querySelector("#pending").replaceWith(refusal);
    for (const [id, value] of kept) {
      const field = after.querySelector(`#${CSS.escape(id)}`);
      if (field) field.value = value;
    }
    if (etag) after.dataset.etag = etag;
    for (const details of after.querySelectorAll("details")) {
      if (open.includes(details.className) && !("closes" in details.dataset)) details.open = true;
    }
    const step = (part) => part.querySelector(".question")?.dataset.step;
    if (same === after.dataset.version && game === after.dataset.game && step(before) === step(after)) {
      const radio = seat === null ? null : after.querySelector(`input[name="seat"][value="${seat}"]`);
      if (radio) radio.checked = true;
    }
    // Screen readers announce what was written; the region itself is never replaced.
    const line = after.querySelector(".undo-text, .latest");
    if (line && same !== after.dataset.version) document.getElementById("announcement").textContent = line.textContent;
    // With a keyboard or a screen reader, focus moves to the next question.
    const field = !own && at && after.querySelector(`input#${CSS.escape(at)}, select#${CSS.escape(at)}`);
    const next = field || after.querySelector(".question .ask, .result-winner, h2");
    if (focus && next) next.focus({ preventScroll: true });
    if (own && (game !== after.dataset.game || mode !== after.dataset.mode)) window.scrollTo({ top: 0, behavior: "instant" });
    root.dispatchEvent(new CustomEvent("scoring:shown"));
    connection(true);
  };

  // `untold`: an action was lost because, unlike an entry, it is not stored on the device.
  const connection = (there, failed = false) => {
    const notice = document.getElementById("offline");
    untold = !there && (untold || failed);
    if (failed) {
      clearTimeout(telling);
      telling = setTimeout(forget, TOLD);
    }
    if (there) {
      lost = null;
    } else if (lost === null) {
      lost = new Date();
    }
    // An Auditor's entries are saved all the same; a reader's page is out of date.
    document.querySelector("#saving:has(.saving-lost)")?.setAttribute("data-state", there ? "saved" : "waiting");
    if (!notice) return;
    notice.hidden = lost === null;
    notice.classList.toggle("untold", untold);
    if (lost !== null) {
      const time = lost.toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
      notice.textContent = untold ? root.dataset.untold : root.dataset.offline.replace("{time}", time);
    }
  };

  const forget = () => {
    untold = false;
    if (lost) connection(false);
  };
  root.addEventListener("click", (event) => {
    if (event.target.id === "offline") forget();
    if (event.target.matches("#pending.refusal")) tell("");
  });

  const ask = async () => {
    const busy = document.hidden || (window.scoring.busy && window.scoring.busy());
    if (!busy) {
      const asked = live();
      const { etag: seen } = asked.dataset;
      try {
        const response = await fetch(root.dataset.live, {
          headers: { "If-None-Match": seen, "X-Requested-With": "fetch" },
          cache: "no-store",
          signal: AbortSignal.timeout(12000),
        });
        // A portal or a proxy that answers in the server's place is no connection, nor is a server that does not
        // know the table: the right one may come back.
        if (!response.headers.has("chicago-table")) throw new Error("foreign");
        if (response.status === 410) {
          location.reload();
          return;
        }
        if (!response.ok && response.status !== 304) throw new Error(String(response.status));
        const html = response.status === 304 ? "" : await response.text();
        // A write may have been answered meanwhile; what the page shows is newer.
        if (html && asked === live() && asked.dataset.etag === seen && !(window.scoring.busy && window.scoring.busy())) {
          const etag = (response.headers.get("ETag") ?? "").replace(/^W\//, "");
          window.scoring.keepText?.(html, etag);
          show(html, etag);
        }
        connection(true);
        wait = EVERY;
      } catch {
        connection(false);
        wait = Math.min(wait * 1.6, SLOWEST);
      }
    }
    const streaming = document.body.classList.contains("is-streaming");
    clearTimeout(timer);
    timer = setTimeout(ask, streaming && !busy && !lost ? EVERY_WITH_STREAM : wait);
  };

  // Buttons that are not entries (next game, call, sign off): sent without leaving the page, so
  // that a lost network does not end in the browser's own error page. Each is safe to repeat.
  const act = async (form, button) => {
    const fields = Object.fromEntries(new FormData(form));
    // A PIN is sent for checking and must not stay on the device.
    for (const input of form.querySelectorAll("[data-once]")) input.value = "";
    if (button && button.name) fields[button.name] = button.value;
    // While entries wait, later actions wait behind them.
    const keep = (claim) => {
      form.closest("[data-closes]")?.removeAttribute("open");
      return window.scoring.keep?.(form, claim, (button?.textContent ?? "").trim());
    };
    // Nothing has been sent under the page's id, which a second such tap must not share.
    const { id: _shown, ...unsent } = fields;
    if (window.scoring.waits?.() && keep(window.scoring.claim(form, unsent))) return true;
    const claim = window.scoring.claim?.(form, fields);
    if (!window.scoring.waits?.()) tell("");
    if (button) button.disabled = true;
    try {
      const response = await fetch(form.action, {
        method: "POST",
        headers: {
          "Content-Type": "application/json",
          Accept: "application/json",
          "X-CSRFToken": fields.csrfmiddlewaretoken,
        },
        body: JSON.stringify({ ...fields, ...claim?.fields }),
        signal: AbortSignal.timeout(12000),
      });
      if (!(response.headers.get("Content-Type") || "").includes("json")) {
        if (response.status >= 500) throw new Error(String(response.status));
        location.reload();
        return false;
      }
      const answer = await response.json();
      if (answer.html) window.scoring.keepText?.(answer.html, answer.etag);
      if (answer.html) show(answer.html, answer.etag, true, answer.ok ? form : null);
      if (answer.counted) window.scoring.counted(claim, answer);
      if (!answer.ok) tell(answer.problems[0].message);
      ask();
      return answer.ok;
    } catch {
      if (keep(claim)) return true;
      connection(false, true);
      document.getElementById("offline")?.scrollIntoView({ block: "center", behavior: "instant" });
      return false;
    } finally {
      if (button) button.disabled = false;
    }
  };

  root.addEventListener("submit", (event) => {
    if (!("act" in event.target.dataset)) return;
    event.preventDefault();
    const { dismiss } = event.target.dataset;
    const done = act(event.target, event.submitter);
    if (!dismiss) return;
    // Hidden at the tap; shown again if the server could not be told.
    const notice = event.target.closest(dismiss);
    notice.hidden = true;
    done.then((told) => { notice.hidden = told; });
  });

  const tell = (text) => {
    const box = document.getElementById("pending");
    if (!box) return;
    box.textContent = text;
    box.hidden = !text;
    box.classList.toggle("refusal", Boolean(text));
  };

  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) ask();
  });
  window.addEventListener("online", ask);
  document.body.addEventListener("stream-changed", ask);
  window.addEventListener("offline", () => connection(false));
  window.scoring = { root, live, show, typed, act, connection, tell, busy: null };
  timer = setTimeout(ask, wait);
})();
