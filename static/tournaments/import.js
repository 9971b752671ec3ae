// The preview of a list: the button says how many of each kind are registered as it is answered now.
(() => {
  "use strict";
  const form = document.getElementById("import-do");
  if (!form) return;
  const ANOTHER = "new";

  const kindOf = (row) => {
    if (row.dataset.hidden !== undefined && form.elements.hidden?.value !== "take") return "";
    const choice = row.querySelector("select");
    if (choice) return ["", "out"].includes(choice.value) ? "" : choice.value === ANOTHER ? "new" : "known";
    const name = row.querySelector("[name^='name-']");
    if (name) return name.value.trim() ? "new" : "";
    return row.querySelector("[value=out]:checked") ? "" : row.dataset.kind;
  };
  const count = () => {
    const kinds = [...document.querySelectorAll("tr[data-kind]")].map(kindOf);
    for (const shown of form.querySelectorAll("[data-tally]")) {
      shown.textContent = kinds.filter((kind) => kind === shown.dataset.tally).length;
    }
  };

  document.addEventListener("input", count);
  // A browser may have kept the answers of a page that is opened again.
  addEventListener("pageshow", count);
})();
