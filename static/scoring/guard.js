// Prevents unintended taps. A tap counts only where it began, and only on a control that has been
// there for a while: where another answer was, taps are ignored for HOLD milliseconds, whatever
// changed the page. Nobody tells this script about changes; it looks for itself.

const HOLD = 600;
const LATE = 5000; // how late a busy browser may deliver a tap
const CONTROLS = "label.cell, button, summary, a[href], select";
const SLACK = 2; // pixels by which neighbours may overlap

let boxes = []; // the current controls and their boxes
let left = []; // those there a moment ago: {key, box, at}, with the time at which they were seen to be gone
let page = {}; // how far it was scrolled, and how high it was
let timer = 0;

const visible = (control) =>
  control.checkVisibility ? control.checkVisibility({ visibilityProperty: true }) : control.getClientRects().length > 0;

/** What a control stands for: the same answer to another question is another answer. */
const keyOf = (control) => {
  const answer = control.value || control.querySelector("input")?.value || "";
  // Not form.id: a form may have a field of that name.
  const part = control.classList.contains("undo") ? "undo" : ((control.form ?? control.closest("form"))?.getAttribute("id") ?? "");
  const { game, version } = document.getElementById("live")?.dataset ?? {};
  const asked = part || "takeBack" in control.dataset ? `${game}.${version}` : "";
  const question = control.closest("dialog")?.textContent ?? "";
  return [asked, part, answer || control.textContent.trim(), question].join(" ");
};

// Boxes are those on the screen, as the thumb sees them: a page that becomes shorter scrolls by itself.
const measure = () => {
  const within = document.querySelector("dialog[open]") ?? document.body;
  return [...within.querySelectorAll(CONTROLS)].filter(visible).map((control) => ({
    control,
    key: keyOf(control),
    box: control.getBoundingClientRect(),
  }));
};

const onScreen = ({ box }) => box.bottom > 0 && box.top < window.innerHeight;
const overlap = (a, b) =>
  Math.min(a.right, b.right) - Math.max(a.left, b.left) > SLACK && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > SLACK;
const near = (a, b) => Math.abs(a - b) <= SLACK;
// What is fixed or sticky stays on the screen while the rest of the page is scrolled.
const same = (old, here, moved) =>
  old.key === here.key &&
  near(old.box.left, here.box.left) &&
  (near(old.box.top, here.box.top) || near(old.box.top + moved, here.box.top));

/** How far the reader has scrolled since the last check: who scrolls sees where things go. */
const scrolled = () => (document.documentElement.scrollHeight === page.scrollHeight ? page.scrollY - window.scrollY : 0);

/** Whether another answer was in this one's place less than HOLD before that time. */
const fresh = ({ key, box }, time) => left.some((old) => old.key !== key && time < old.at + HOLD && overlap(old.box, box));

/** Find out what has changed, and hold controls where others were. */
const check = () => {
  clearTimeout(timer);
  waits = 0;
  const moved = scrolled();
  if (moved) for (const old of left) old.box = DOMRect.fromRect({ ...old.box.toJSON(), y: old.box.y + moved });
  page = { scrollY: window.scrollY, scrollHeight: document.documentElement.scrollHeight };
  const at = performance.now();
  const now = measure();
  const gone = boxes.filter((old) => onScreen(old) && !now.some((here) => same(old, here, moved)));
  left = left.filter((old) => at < old.at + HOLD + LATE);
  if (gone.length) {
    // Time runs from when the new page is visible, however long the browser takes to paint it.
    const painted = gone.map(({ key, box }) => ({ key, box, at: Infinity }));
    left.push(...painted);
    requestAnimationFrame(() => setTimeout(() => {
      const seen = performance.now();
      for (const old of painted) old.at = seen;
      check();
    }));
  }
  boxes = now;
  const kept = new Set(now.filter((here) => fresh(here, at)).map(({ control }) => control));
  for (const control of document.querySelectorAll(".held")) if (!kept.has(control)) control.classList.remove("held");
  for (const control of kept) if (!control.classList.contains("held")) control.classList.add("held");
  changes.takeRecords(); // its own
  const next = Math.min(...left.map((old) => old.at + HOLD).filter((end) => end > at));
  if (next < Infinity) timer = setTimeout(check, next - at + 1);
};

// Measuring would delay the frame: changes are looked at after the last one's, or when a tap begins before.
let waits = 0;
let soon = 0;
const checkNow = () => waits && check();
const changes = new MutationObserver(() => {
  cancelAnimationFrame(waits);
  clearTimeout(soon);
  waits = requestAnimationFrame(() => {
    soon = setTimeout(checkNow);
  });
});
let down = null;
let began = ""; // what that stood for then
let early = false; // the tap began before its place was free, however late it is delivered
let finger = false;
document.addEventListener(
  "pointerdown",
  (event) => {
    checkNow();
    finger = true;
    down = event.target.closest(CONTROLS);
    const box = down?.getBoundingClientRect();
    if (down) box.y -= scrolled();
    began = down ? keyOf(down) : "";
    early = Boolean(down) && fresh({ key: began, box }, event.timeStamp);
  },
  true,
);
document.addEventListener(
  "click",
  (event) => {
    const control = event.target.closest(CONTROLS);
    // Keys cause clicks, too, without a place.
    if (!control || !event.detail) return;
    checkNow();
    if (!control.classList.contains("held") && (!finger || (control === down && keyOf(control) === began && !early))) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  },
  true,
);
document.addEventListener(
  "keydown",
  (event) => {
    if (event.repeat && (event.key === "Enter" || event.key === " ")) event.preventDefault();
  },
  true,
);

changes.observe(document.body, {
  subtree: true,
  childList: true,
  attributes: true,
  attributeFilter: ["class", "hidden", "open"],
});
window.addEventListener("scroll", check, { passive: true });
window.addEventListener("resize", check);
check();

// ---------------------------------------------------------------------- what was just written

const TOLD = 6000;
let until = 0;

const tell = () => {
  const rest = until - performance.now();
  const bar = document.querySelector("#live .undo");
  bar?.classList.toggle("fresh", rest > 0);
  if (rest > 0) setTimeout(tell, rest);
};

/** Show for some seconds what was written, in the line that takes it back, and vibrate. */
export const written = () => {
  until = performance.now() + TOLD;
  tell();
  if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(30);
};
document.getElementById("scoring").addEventListener("scoring:shown", tell);
