// What the tournament's pages do beyond plain links and forms. All of it works without, too.
(() => {
  "use strict";
  const REMEMBERED = "chicago-search";
  const MOST_OWN = 8;

  // Live parts ask with the mark of what they show; "not changed" (304) leaves them alone.
  document.addEventListener("htmx:configRequest", (event) => {
    const mark = event.target.dataset && event.target.dataset.mark;
    if (mark) event.detail.headers["If-None-Match"] = mark;
  });
  // Who is told of every change need not ask every few seconds, only now and then.
  const asked = new WeakMap();
  document.addEventListener("htmx:beforeRequest", (event) => {
    const { elt, requestConfig } = event.detail;
    if (elt.dataset.mark === undefined) return;
    const streaming = document.body.classList.contains("is-streaming");
    const soon = Date.now() - (asked.get(elt) || 0) < 30000;
    if (streaming && soon && !requestConfig.triggeringEvent) event.preventDefault();
    else asked.set(elt, Date.now());
  });
  document.addEventListener("htmx:beforeSwap", (event) => {
    const { xhr } = event.detail;
    if (xhr.status === 304) event.detail.shouldSwap = false;
    // A refusal is an answer: its sentence is shown like any other.
    // So is what the server says of itself when it can keep nothing.
    const fault = xhr.status === 503 && event.detail.requestConfig.verb !== "get";
    if (xhr.status === 409 || xhr.status === 422 || fault) {
      event.detail.shouldSwap = true;
      event.detail.isError = false;
    }
  });
  document.addEventListener("htmx:afterRequest", (event) => {
    const { xhr, elt } = event.detail;
    if (!xhr) return;
    const mark = xhr.getResponseHeader("ETag");
    if (mark && elt.dataset.mark !== undefined) elt.dataset.mark = mark;
    if (xhr.status) document.body.classList.remove("is-offline");
  });
  document.addEventListener("htmx:sendError", () => document.body.classList.add("is-offline"));
  document.addEventListener("htmx:timeout", () => document.body.classList.add("is-offline"));
  // A list that was fetched anew meanwhile has taken the button away: what its answer says has
  // changed is told to the page all the same.
  document.addEventListener("htmx:afterSwap", ({ detail: { requestConfig, xhr } }) => {
    const said = xhr && xhr.getResponseHeader("HX-Trigger");
    if (said && !requestConfig.elt.isConnected) htmx.trigger(document.body, said);
  });

  // At the door: one is done, and the field is ready for the next.
  document.addEventListener("htmx:afterRequest", (event) => {
    const field = document.querySelector("[data-next]");
    const { elt, xhr } = event.detail;
    if (!field || !xhr || xhr.status !== 200 || elt.tagName !== "FORM" || elt.role === "search") return;
    field.value = "";
    field.focus();
  });

  // What somebody reads or has unfolded stays so when a live part is fetched again.
  let open = new Set();
  const remember = (target) => {
    open = new Set([...target.querySelectorAll("details[open][id]")].map((d) => d.id));
  };
  const restore = (target) => {
    for (const id of open) {
      const details = target.querySelector(`#${CSS.escape(id)}`);
      if (details) details.open = true;
    }
  };
  document.addEventListener("htmx:beforeSwap", (event) => remember(event.detail.target));
  document.addEventListener("htmx:afterSwap", (event) => restore(event.detail.target));

  // The stream sends the part of a public page that has changed: nobody has to ask for it.
  document.addEventListener("stream-part", (event) => {
    const { mark, html } = event.detail;
    const target = document.querySelector("[data-mark]");
    if (!target || target.dataset.mark === mark) return;
    remember(target);
    target.innerHTML = html;
    target.dataset.mark = mark;
    restore(target);
    asked.set(target, Date.now());
    document.body.classList.remove("is-offline");
  }, true);

  // On a phone the row of tabs is wider than the screen: the one that is open is in sight.
  const tab = document.querySelector(".tabs [aria-current='page']");
  if (tab) tab.parentElement.scrollLeft = tab.offsetLeft - tab.parentElement.clientWidth / 2;

  // A refused form: what has to be put right comes into sight, however far down the page.
  const wrong = document.querySelector("main .is-invalid, main form [role='alert']");
  if (wrong) {
    wrong.scrollIntoView({ block: "center" });
    if (wrong.matches("input, select, textarea")) wrong.focus({ preventScroll: true });
  }

  // A person who looked for a name once finds it again on the next visit.
  const remembered = document.querySelector("[data-remember]");
  if (remembered) {
    const key = `${REMEMBERED}-${remembered.dataset.remember}`;
    try {
      if (!remembered.value) {
        const last = localStorage.getItem(key);
        if (last) {
          remembered.value = last;
          document.addEventListener("DOMContentLoaded", () => {
            remembered.dispatchEvent(new Event("search", { bubbles: true }));
          });
        }
      }
      remembered.addEventListener("input", () => localStorage.setItem(key, remembered.value));
    } catch {
      // Without storage nothing is remembered.
    }
  }

  // In the standings the row of that name stands out.
  const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  const markOwn = () => {
    for (const list of document.querySelectorAll("[data-own]")) {
      let words = [];
      try {
        words = plain(localStorage.getItem(`${REMEMBERED}-${list.dataset.own}`) || "").split(/\s+/).filter(Boolean);
      } catch {
        // Without storage nobody is known.
      }
      if (!words.length) continue;
      const own = [...list.querySelectorAll("td.name-cell, .result-table td:nth-child(2)")].filter((cell) => {
        const name = plain((cell.querySelector("summary") || cell.firstChild || cell).textContent);
        return words.every((word) => name.includes(word));
      });
      // A search that fits many was no name.
      if (own.length && own.length <= MOST_OWN) for (const cell of own) cell.parentElement.classList.add("is-own");
    }
  };
  markOwn();
  const sought = document.querySelector(".filter-form input[name='q']");
  const list = document.querySelector("[data-own]");
  if (sought && sought.value && list) {
    try {
      localStorage.setItem(`${REMEMBERED}-${list.dataset.own}`, sought.value);
      markOwn();
    } catch {
      // Without storage nothing is remembered.
    }
  }
  document.addEventListener("htmx:afterSwap", markOwn);

  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-copy]");
    if (!button || !navigator.clipboard) return;
    await navigator.clipboard.writeText(button.dataset.copy);
    const text = button.textContent;
    button.textContent = button.dataset.copied;
    setTimeout(() => { button.textContent = text; }, 2000);
  });
  document.addEventListener("submit", (event) => {
    const question = event.submitter?.dataset.confirm || event.target.dataset.confirm;
    if (question && !window.confirm(question)) {
      event.preventDefault();
      event.stopPropagation();
    }
  }, true);
  // Where nothing is kept, a form without network leaves what was typed where it is.
  document.addEventListener("submit", async (event) => {
    const form = event.target;
    if (!("reaches" in form.dataset) || event.defaultPrevented) return;
    event.preventDefault();
    const there = await fetch(location.href, { method: "HEAD", cache: "no-store" }).then(() => true, () => false);
    document.body.classList.toggle("is-offline", !there);
    if (there) form.submit();
    else document.querySelector(".stale")?.scrollIntoView({ block: "center" });
  });
})();
