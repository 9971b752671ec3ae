// Sets Bootstrap's colour mode from the system before the first paint; no inline script is allowed.
(() => {
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const apply = () => {
    document.documentElement.dataset.bsTheme = dark.matches ? "dark" : "light";
  };
  apply();
  dark.addEventListener("change", apply);
})();
