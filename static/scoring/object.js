// A tap on a deal's number in the sheet objects to that deal: it opens the form and fills in the number.
document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-object]");
  const fold = link && document.querySelector(link.hash);
  if (!fold) return;
  event.preventDefault();
  fold.open = true;
  const { deal, game } = fold.querySelector("form").elements;
  game.value = link.dataset.object;
  deal.value = link.textContent;
  deal.dispatchEvent(new Event("input", { bubbles: true })); // kept like what is typed
  fold.scrollIntoView({ block: "center", behavior: "instant" });
});
