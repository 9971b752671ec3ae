// Counts the page's clocks down. They only name their end, so that a page can be cached; the device's
// own clock is adjusted to the server's.
const clocks = () => document.querySelectorAll("[data-ends]");
const SLACK = 2000;
let skew = null; // not asked for until a clock runs

const two = (number) => String(number).padStart(2, "0");
// As Clock.left_text: 65:05 would be read as minutes past an hour.
const text = (seconds) => {
  const minutes = Math.floor(seconds / 60);
  const rest = two(seconds % 60);
  return minutes < 60 ? `${minutes}:${rest}` : `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${rest}`;
};

const tick = () => {
  if (skew === null && clocks().length) askTheTime();
  const now = Date.now() + skew;
  for (const clock of clocks()) {
    const left = Math.ceil((Date.parse(clock.dataset.ends) - now) / 1000);
    if (left > 0) {
      clock.querySelector(".clock-left").textContent = text(left);
    } else {
      clock.textContent = clock.dataset.over;
      clock.classList.replace("is-running", "is-over");
      delete clock.dataset.ends;
    }
  }
};

const askTheTime = async () => {
  skew = 0;
  try {
    const sent = Date.now();
    const answer = await fetch("/healthz", { method: "HEAD", cache: "no-store" });
    const there = Date.parse(answer.headers.get("Date"));
    const found = there + 500 - (sent + Date.now()) / 2;
    if (Math.abs(found) > SLACK) skew = found;
  } catch {
    // Without a connection the device's own time has to do.
  }
};

tick();
setInterval(tick, 1000);
document.addEventListener("htmx:afterSwap", tick);
document.addEventListener("stream-part", tick, true);
document.addEventListener("scoring:shown", tick, true);
