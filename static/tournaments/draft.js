// Edits a draft by taps: at most two players are chosen, and only possible actions can be tapped.
// Without this script the same form works with check boxes and buttons.
(() => {
  "use strict";
  let order = [];

  const show = () => {
    const form = document.querySelector(".draft-form");
    if (!form) return;
    form.classList.add("is-live");
    const picks = order.map((id) => form.querySelector(`#${CSS.escape(id)}`)).filter(Boolean);
    const text = form.querySelector("#swap-text");
    const swap = form.querySelector("#swap-button");
    if (!text || !swap) return;
    const names = picks.map((pick) => pick.dataset.name);
    text.textContent = names.length ? names.join(` ${text.dataset.and} `) : text.dataset.none;
    const tables = picks.map((pick) => pick.dataset.table);
    const out = form.querySelector("#out-button");
    if (out) out.disabled = picks.length !== 1 || tables[0] === "waiting";
    swap.disabled = picks.length !== 2 || tables[0] === tables[1];
    for (const button of form.querySelectorAll(".move-here")) {
      button.disabled = picks.length !== 1 || tables[0] === button.dataset.table || tables[0] === "waiting";
    }
    form.classList.toggle("has-picks", picks.length > 0);
  };

  document.addEventListener("change", (event) => {
    if (!event.target.matches(".draft-form .pick")) return;
    const { id, checked } = event.target;
    order = order.filter((each) => each !== id);
    if (checked) order.push(id);
    while (order.length > 2) {
      const oldest = document.getElementById(order.shift());
      if (oldest) oldest.checked = false;
    }
    show();
  });
  document.addEventListener("htmx:afterSettle", (event) => {
    if (event.target.id !== "draft" && !event.target.closest?.("#draft")) return;
    const changed = document.getElementById(order[0]);
    order = [...document.querySelectorAll(".draft-form .pick:checked")].map((pick) => pick.id);
    show();
    // Whoever goes by keyboard is still at the player whom the change was about.
    const { activeElement } = document;
    if (activeElement === document.body || activeElement.disabled) changed?.focus({ preventScroll: true });
  });
  order = [...document.querySelectorAll(".draft-form .pick:checked")].map((pick) => pick.id);
  show();
})();
