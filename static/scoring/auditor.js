// The Auditor's page. Every tap that writes gets a UUID and is kept on this device before it is
// sent; it stays there until the server has answered, is sent again under the same UUID after a
// lost connection or a reload, and its state is always to be seen in the corner.
(() => {
  "use strict";
  const scoring = window.scoring;
  if (!scoring) return;
  const { root } = scoring;
  const KEY = `chicago:${root.dataset.key}`;
  const dialog = document.getElementById("confirm");
  let picked = null;
  let byTap = false;
  let sending = false;
  let retry = 0;
  let fault = "";
  let timer = 0;
  // Where the browser keeps nothing for us (private windows), the tap is kept in the page.
  let memory = null;

  // ------------------------------------------------------------------------------ the one tap

  const kept = () => {
    try {
      return JSON.parse(localStorage.getItem(KEY)) || memory;
    } catch {
      return memory;
    }
  };
  const keep = (tap) => {
    memory = tap;
    try {
      if (tap) localStorage.setItem(KEY, JSON.stringify(tap));
      else localStorage.removeItem(KEY);
    } catch {
      /* kept in memory */
    }
  };

  const uuid = () => {
    if (crypto.randomUUID) return crypto.randomUUID();
    const b = crypto.getRandomValues(new Uint8Array(16));
    b[6] = (b[6] & 0x0f) | 0x40;
    b[8] = (b[8] & 0x3f) | 0x80;
    const h = [...b].map((x) => x.toString(16).padStart(2, "0")).join("");
    return `${h.slice(0, 8)}-${h.slice(8, 12)}-${h.slice(12, 16)}-${h.slice(16, 20)}-${h.slice(20)}`;
  };

  const state = (name) => {
    const corner = document.getElementById("saving");
    if (!corner) return;
    corner.dataset.state = name;
    corner.querySelector(".saving-text").textContent = root.dataset[name];
  };

  const hint = (text) => {
    const line = document.getElementById("hint");
    if (line) line.textContent = text;
  };

  const busy = (on) => {
    const form = document.getElementById("entry");
    if (form) form.classList.toggle("busy", on);
  };

  const notice = (text, buttons = []) => {
    const box = document.getElementById("pending");
    if (!box) return;
    box.hidden = !text;
    box.replaceChildren();
    if (!text) return;
    const words = document.createElement("span");
    words.textContent = text;
    box.append(words);
    for (const [label, action] of buttons) {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "btn btn-outline-primary";
      button.textContent = label;
      button.addEventListener("click", action);
      box.append(button);
    }
  };

  const start = (tap) => {
    if (kept()) return;
    keep({ id: uuid(), at: Date.now(), ...tap });
    send();
  };

  const send = async () => {
    clearTimeout(timer);
    const tap = kept();
    if (!tap || sending) return;
    sending = true;
    state("sending");
    busy(true);
    hint("");
    const control = new AbortController();
    const limit = setTimeout(() => control.abort(), 12000);
    let response;
    let answer;
    try {
      response = await fetch(tap.url, {
        method: "POST",
        headers: {
          "Content-Type": "application/json",
          Accept: "application/json",
          "X-CSRFToken": root.querySelector('input[name="csrfmiddlewaretoken"]')?.value || "",
        },
        body: JSON.stringify({ ...tap.body, id: tap.id }),
        signal: control.signal,
      });
      // What is wrong with the server, if it can say so: the disk is full, the database away.
      fault = response.status === 503 ? (await response.json().catch(() => ({}))).text || "" : "";
      if (response.status >= 500) throw new Error("server");
      if (response.status === 403 && !(response.headers.get("Content-Type") || "").includes("json")) {
        // The page's token has grown old: a fresh page sends the kept tap again. If that does
        // not help either, waiting is all that is left.
        if ((tap.reloads || 0) > 1) throw new Error("token");
        keep({ ...tap, reloads: (tap.reloads || 0) + 1 });
        location.reload();
        return;
      }
      answer = await response.json();
    } catch {
      sending = false;
      again(tap);
      return;
    } finally {
      clearTimeout(limit);
    }
    sending = false;
    retry = 0;
    if (answer.ok) {
      keep(null);
      picked = null;
      scoring.show(answer.html, answer.etag, true);
      state("saved");
      return;
    }
    refused(tap, answer);
  };

  const again = (tap) => {
    retry += 1;
    state("waiting");
    notice(`${fault} ${root.dataset.unsent} ${tap.label}`.trim());
    fault = "";
    timer = setTimeout(send, Math.min(1000 * 2 ** (retry - 1), 10000));
  };

  const refused = (tap, answer) => {
    const problem = answer.problems[0];
    if (problem.code === "needs_confirmation") {
      busy(false);
      state("saved");
      askTwice(tap, problem.message);
      return;
    }
    keep(null);
    picked = null;
    if (answer.html) scoring.show(answer.html, answer.etag);
    busy(false);
    if (answer.html && tap.body.entry && problem.code !== "client_id_reused") {
      // Somebody else was first: what was tapped is not lost, but looked at again.
      // Where another device has the lease, writing means taking it over first.
      state("conflict");
      const taken = problem.code === "lease_taken";
      notice(`${problem.message} ${root.dataset.notwritten} ${tap.label}`, [
        [taken ? root.dataset.take : root.dataset.again, async () => {
          const lease = taken && scoring.live().querySelector(".lease form");
          if (lease && !(await scoring.act(lease))) return;
          notice("");
          const { version, game } = scoring.live().dataset;
          start({ ...tap, id: uuid(), body: { ...tap.body, confirmed: false, version: Number(version), game: Number(game) } });
        }],
        [root.dataset.drop, () => { notice(""); state("saved"); }],
      ]);
    } else if (problem.code.startsWith("link_")) {
      state("conflict");
      notice(`${problem.message} ${root.dataset.notwritten} ${tap.label}`);
    } else {
      state("saved");
      hint(problem.message);
      if (!document.getElementById("hint")) notice(problem.message);
    }
  };

  const askTwice = (tap, text) => {
    document.getElementById("confirm-what").textContent = tap.label;
    document.getElementById("confirm-text").textContent = text;
    dialog.returnValue = "";
    if (!dialog.open) dialog.showModal();
  };

  dialog.addEventListener("click", (event) => {
    const button = event.target.closest("[data-answer]");
    if (button) dialog.close(button.dataset.answer);
  });
  dialog.addEventListener("close", () => {
    const tap = kept();
    if (!tap) return;
    if (dialog.returnValue === "yes") {
      keep({ ...tap, body: { ...tap.body, confirmed: true } });
      send();
    } else {
      keep(null);
      unpick();
      busy(false);
    }
  });

  // -------------------------------------------------------------------------- who and what

  const seat = () => root.querySelector('input[name="seat"]:checked');

  const unpick = () => {
    picked = null;
    root.querySelectorAll(".chosen").forEach((button) => button.classList.remove("chosen"));
    const radio = seat();
    if (radio) radio.checked = false;
    grey();
  };

  // Greys out what the engine forbids for the picked seat, and seats for which nothing is left
  // of the question; the reason is told on touch.
  const grey = () => {
    const radio = seat();
    const asked = [...root.querySelectorAll(".question:not([hidden]) [data-who]")];
    for (const cell of root.querySelectorAll("label.cell")) {
      const input = cell.querySelector("input");
      const reasons = asked.map((button) => (JSON.parse(button.dataset.reasons || "{}"))[input.value]);
      const off = reasons.length && reasons.every(Boolean) ? reasons[0] : "";
      cell.classList.toggle("off", Boolean(off));
      cell.classList.toggle("picked", input.checked);
      input.dataset.off = off;
    }
    for (const button of root.querySelectorAll("[data-who]")) {
      const reasons = button.dataset.reasons ? JSON.parse(button.dataset.reasons) : {};
      const reason = radio ? reasons[radio.value] : button.dataset.reason;
      button.classList.toggle("off", Boolean(reason));
      // Nobody breaks the own Chicago: that button is not there at all.
      button.classList.toggle("self", Boolean(radio) && String(JSON.parse(button.value).breaker) === radio.value);
      button.setAttribute("aria-disabled", reason ? "true" : "false");
      if (reason) button.title = reason;
      else button.removeAttribute("title");
      button.dataset.now = reason || "";
    }
  };

  const label = (button, radio) => {
    const text = [...button.children].map((child) => child.textContent).join(" ");
    return radio ? `${radio.dataset.name}: ${text}` : text;
  };

  const write = (button, radio) => {
    const entry = JSON.parse(button.value);
    if (radio && "who" in button.dataset) entry.seat = Number(radio.value);
    const form = button.form;
    start({
      url: form.action,
      label: label(button, "who" in button.dataset ? radio : null),
      body: { entry, game: Number(form.elements.game.value), version: Number(form.elements.version.value), confirmed: false },
    });
  };

  const tapped = (button) => {
    const radio = seat();
    if (!("who" in button.dataset)) {
      write(button, null);
      return;
    }
    if (button.dataset.now) {
      hint(button.dataset.now);
      return;
    }
    if (radio) {
      write(button, radio);
      return;
    }
    // What first, who second: two taps all the same.
    root.querySelectorAll(".chosen").forEach((other) => other.classList.remove("chosen"));
    picked = picked === button ? null : button;
    if (picked) picked.classList.add("chosen");
    hint(picked ? root.dataset.then : "");
  };

  root.addEventListener("change", (event) => {
    if (event.target.name !== "seat") return;
    grey();
    hint(event.target.dataset.off || "");
    if (!picked || !document.contains(picked)) return;
    if (picked.dataset.now) hint(picked.dataset.now);
    // The arrow keys walk over the players; only a tap, or Enter, chooses one.
    else if (byTap) write(picked, event.target);
  });

  root.addEventListener("keydown", (event) => {
    byTap = false;
    if (event.key !== "Enter" || event.target.name !== "seat") return;
    event.preventDefault();
    if (picked && document.contains(picked) && !picked.dataset.now && !kept()) write(picked, event.target);
  });

  // A second tap on the same seat lets go of it.
  let down = null;
  root.addEventListener("pointerdown", (event) => {
    byTap = true;
    const cell = event.target.closest("label.cell");
    down = cell && cell.querySelector("input").checked ? cell : null;
  });

  root.addEventListener("click", (event) => {
    const cell = event.target.closest("label.cell");
    if (cell && cell === down && !kept()) {
      event.preventDefault();
      down = null;
      hint("");
      unpick();
      return;
    }
    const link = event.target.closest("[data-to]");
    if (link) {
      event.preventDefault();
      scoring.goTo(link.dataset.to);
      hint("");
      unpick();
    }
  });

  root.addEventListener("submit", (event) => {
    const form = event.target;
    const button = event.submitter;
    // Not form.id: the form has a field of that name.
    if (form.matches("#entry")) {
      event.preventDefault();
      if (kept() || sending) return;
      if (button && button.name) tapped(button);
    } else if (form.matches("#undo")) {
      event.preventDefault();
      if (kept() || sending) return;
      start({
        url: form.action,
        label: form.dataset.label,
        body: { game: Number(form.elements.game.value), version: Number(form.elements.version.value) },
      });
    }
  });

  root.addEventListener("scoring:shown", () => {
    picked = null;
    grey();
    const tap = kept();
    if (tap && !dialog.open) {
      busy(true);
      if (retry) {
        state("waiting");
        notice(`${fault} ${root.dataset.unsent} ${tap.label}`.trim());
    fault = "";
      }
    }
  });

  // A phone that goes dark between two deals has to be unlocked for every entry.
  const stayAwake = () => {
    if (document.hidden || !navigator.wakeLock || scoring.live().dataset.mode !== "play") return;
    navigator.wakeLock.request("screen").catch(() => {});
  };
  document.addEventListener("visibilitychange", stayAwake);
  document.addEventListener("pointerup", stayAwake, { once: true });

  window.addEventListener("online", () => { retry = 0; send(); });
  document.addEventListener("visibilitychange", () => { if (!document.hidden) send(); });
  window.addEventListener("pageshow", () => { grey(); send(); });
  scoring.busy = () => Boolean(kept()) || sending || dialog.open;
  grey();
  send();
})();
