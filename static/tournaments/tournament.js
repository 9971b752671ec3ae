// The tournament pages' behaviour beyond plain links and forms. Everything works without it, too.
(() => {
  "use strict";
  const REMEMBERED = "chicago-search";
  const MAX_OWN = 8;

  // Live parts send the ETag of what they show; "not changed" (304) leaves them alone.
  document.addEventListener("htmx:configRequest", (event) => {
    const mark = event.target.dataset && event.target.dataset.mark;
    if (mark) event.detail.headers["If-None-Match"] = mark;
  });
  // With a stream connected, polling only every now and then is enough.
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
    // A refusal is a response: its message is shown like any other.
    // So is the server's message when it can store nothing.
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
  // A list reloaded meanwhile has removed the button; its response's events still go to the
  // page.
  document.addEventListener("htmx:afterSwap", ({ detail: { requestConfig, xhr } }) => {
    const events = xhr && xhr.getResponseHeader("HX-Trigger");
    if (events && !requestConfig.elt.isConnected) htmx.trigger(document.body, events);
  });

  // At the door: after one check-in, the field is ready for the next name.
  document.addEventListener("htmx:afterRequest", (event) => {
    const field = document.querySelector("[data-next]");
    const { elt, xhr } = event.detail;
    if (!field || !xhr || xhr.status !== 200 || elt.tagName !== "FORM" || elt.role === "search") return;
    field.value = "";
    field.focus();
  });

  // A second tap on one spot, where somebody else's button has come by the first, is not meant for them.
  const HOLD = 600;
  const SPOT = 24;
  let tapped = null;
  let hold;
  document.addEventListener("htmx:afterSwap", () => {
    if (!tapped) return;
    tapped.moved = true;
    clearTimeout(hold);
    // What changes later has other causes.
    hold = setTimeout(() => { tapped = null; }, HOLD);
  });
  document.addEventListener("input", () => { tapped = null; });
  document.addEventListener("click", (event) => {
    const form = event.detail && event.target.closest("button")?.closest("form[hx-post]");
    if (!form) return;
    const whose = form.getAttribute("action").replace(/[^/]*\/$/, "");
    const { clientX: x, clientY: y } = event;
    if (tapped?.moved && tapped.whose !== whose && Math.hypot(x - tapped.x, y - tapped.y) < SPOT) {
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    clearTimeout(hold);
    tapped = { x, y, whose };
  }, true);

  // Unfolded parts stay unfolded when a live part is reloaded, and the keyboard stays where it was.
  let open = new Map();
  let focused = null;
  const control = (each) =>
    [each.tagName, each.id, each.closest("details")?.id, each.form?.getAttribute("action"),
      ...["name", "value", "href"].map((key) => each.getAttribute(key))].join(" ");
  const remember = (target) => {
    const active = document.activeElement;
    focused = target.contains(active) && target !== active ? control(active) : null;
    open = new Map([...target.querySelectorAll("details[open][id]")].map((d) =>
      [d.id, d.dataset.fetch && d.lastElementChild.innerHTML]));
  };
  const restore = (swapped) => {
    const target = document.getElementById(swapped.id) || swapped;
    for (const [id, html] of open) {
      const details = target.querySelector(`#${CSS.escape(id)}`);
      if (!details) continue;
      if (html) details.lastElementChild.innerHTML = html;
      details.open = true;
    }
    if (!focused || document.activeElement !== document.body) return;
    const controls = [...target.querySelectorAll("a, button, input, select, summary, textarea")];
    const same = controls.find((each) => control(each) === focused);
    (same || document.getElementById("main")).focus({ preventScroll: true });
  };
  // Long folded parts are loaded when unfolded, also by the code above, as they may have changed.
  // Until then, and without a script, they contain a link to a page of their own.
  document.addEventListener("toggle", async ({ target }) => {
    if (!target.open || !target.dataset.fetch) return;
    const answer = await fetch(target.dataset.fetch).catch(() => null);
    if (answer && answer.ok) target.lastElementChild.innerHTML = await answer.text();
  }, true);
  document.addEventListener("htmx:beforeSwap", (event) => remember(event.detail.target));
  document.addEventListener("htmx:afterSwap", (event) => restore(event.detail.target));

  // What is half typed into such a form is kept until it has been sent and not refused, even if
  // something else is sent from the page meanwhile.
  const SENT = "chicago-draft-sent";
  const draftOf = (form) => `chicago-draft ${location.pathname} ${form.closest("[id]").id}`;
  const typedIn = (form) => [...form.elements].filter(({ id, type }) => id && type !== "hidden");
  try {
    document.addEventListener("input", ({ target }) => {
      const form = target.closest("form[data-draft]");
      const typed = form && typedIn(form).map(({ id, value }) => [id, value]);
      if (form) sessionStorage.setItem(draftOf(form), JSON.stringify(typed));
    });
    document.addEventListener("submit", ({ target }) => {
      if (target.matches("[data-draft]")) sessionStorage.setItem(SENT, draftOf(target));
    });
    // Without a network nothing was sent (site/reaches.js).
    document.addEventListener("unreached", () => sessionStorage.removeItem(SENT), true);
    const sent = sessionStorage.getItem(SENT);
    if (sent && !document.querySelector(".notice-error")) sessionStorage.removeItem(sent);
    sessionStorage.removeItem(SENT);
    for (const form of document.querySelectorAll("form[data-draft]")) {
      const typed = JSON.parse(sessionStorage.getItem(draftOf(form)) || "[]");
      for (const [id, value] of typed) document.getElementById(id).value = value;
      if (typed.some(([, value]) => value)) form.closest("details").open = true;
    }
  } catch {
    // Without storage it is kept only while the page is open.
  }

  // The stream sends the changed part of a public page, so nobody has to request it.
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

  // A refused form: scroll to the first error, however far down the page.
  const wrong = document.querySelector("main .is-invalid, main form [role='alert']");
  if (wrong) {
    wrong.scrollIntoView({ block: "center" });
    if (wrong.matches("input, select, textarea")) wrong.focus({ preventScroll: true });
  }

  // A name searched for once is filled in again on the next visit.
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

  // In the standings that name's row is highlighted.
  const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  const markOwn = () => {
    for (const list of document.querySelectorAll("[data-own]")) {
      let words = [];
      try {
        words = plain(localStorage.getItem(`${REMEMBERED}-${list.dataset.own}`) || "").split(/\s+/).filter(Boolean);
      } catch {
        // Without storage no name is known.
      }
      if (!words.length) continue;
      const own = [...list.querySelectorAll("td.name-cell")].filter((cell) => {
        const name = plain((cell.querySelector("summary") || cell.firstChild || cell).textContent);
        return words.every((word) => name.includes(word));
      });
      // A search with many results was not a name.
      if (own.length && own.length <= MAX_OWN) for (const cell of own) cell.parentElement.classList.add("is-own");
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
})();
