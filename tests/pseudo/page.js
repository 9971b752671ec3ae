// What a page of the made language shows: its texts, and what of them does not fit.
() => {
  const spoken = document.documentElement.lang;
  const textNodes = function* () {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) yield walker.currentNode;
  };

  // Names, addresses and what is meant for machines are in no language.
  const OTHERS = "script, style, svg, template, noscript, code, pre, .json, .link-text, .seed";
  const isOurs = (element) => element.closest("[lang]").lang === spoken && !element.closest(OTHERS);
  const ATTRIBUTES = ["title", "aria-label", "aria-description", "alt", "placeholder"];
  const attributes = [...document.querySelectorAll("*")].filter(isOurs).flatMap((element) => [
    ...ATTRIBUTES.map((name) => element.getAttribute(name)),
    element.matches("meta[name=description]") && element.content,
    element.matches("input[type=submit], input[type=button]") && element.value,
  ]);
  // In their order, together: a sentence may be in several elements.
  const whole = [...textNodes()].filter((text) => isOurs(text.parentElement)).map((text) => text.data);
  const texts = [document.title, whole.join(" "), ...attributes.filter(Boolean)];

  const cut = [];
  for (const each of document.querySelectorAll("details:not(.more)")) each.open = true;
  const isClipped = (element) =>
    element !== null && (getComputedStyle(element).clipPath !== "none" || isClipped(element.parentElement));
  const range = document.createRange();
  const BOXES = "button, .btn, .badge, .tag, td, th, label, input";
  for (const text of textNodes()) {
    // A name that is cut off is whole elsewhere; some heads of columns are only for screen readers.
    if (!/[«»]/.test(text.data) || text.parentElement.closest("details:not([open])")) continue;
    if (isClipped(text.parentElement) || text.parentElement.closest(".visually-hidden")) continue;
    range.selectNodeContents(text);
    const box = range.getBoundingClientRect();
    if (!box.width) continue;
    for (let each = text.parentElement; each !== document.body; each = each.parentElement) {
      const room = each.getBoundingClientRect();
      const style = getComputedStyle(each);
      // In a part of the page that can be scrolled, or on top of the page.
      if (/auto|scroll/.test(style.overflowX) || style.position === "absolute") break;
      if (style.display === "inline") continue;
      const wider = box.right > room.right + 1 || box.left < room.left - 1;
      const higher = box.bottom > room.bottom + 1;
      const across = style.overflowX !== "visible" || each.matches(BOXES);
      if ((across && wider) || (style.overflowY !== "visible" && higher)) {
        cut.push(`${each.tagName} ${each.className}: ${text.data.trim()}`);
        break;
      }
    }
  }
  const over = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  if (over > 0) cut.push(`the page is ${over} pixels wider than the screen`);
  return { texts, cut };
}
