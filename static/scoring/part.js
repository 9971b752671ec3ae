// The page's live part as the server last sent it, as after an entry it only sends the changes to it
// (scoring/web/fragment.py), and how the page becomes equal to a new one.

let text = "";
let mark = "";

/** The ETag of the live part shown, and whether its text is stored here. */
export const seen = () => ({ seen: mark, kept: Boolean(text) });

/** The live part, and its ETag. */
export const stored = () => ({ html: text, etag: mark });

/** Store a whole live part, without its text if the page already shows it. */
export const keep = (html, etag) => {
  text = html;
  mark = etag;
};

const sum = (whole) => {
  let [a, b] = [1, 0];
  for (const byte of new TextEncoder().encode(whole)) {
    a = (a + byte) % 65521;
    b = (b + a) % 65521;
  }
  return b * 65536 + a;
};

/** Apply a response to the stored live part; empty if it does not fit. */
export const told = (answer) => {
  if (answer.html) {
    keep(answer.html, answer.etag);
    return text;
  }
  if (!answer.changes) return "";
  const lines = text.split("\n");
  let ended = 0;
  const copied = ([over, count]) => lines.slice((ended += over), (ended += count));
  const whole = answer.changes.flatMap((part) => (typeof part === "string" ? [part] : copied(part))).join("\n");
  if (sum(whole) !== answer.sum) {
    keep("", "");
    return "";
  }
  keep(whole, answer.etag);
  return whole;
};

const alike = (old, now) => old.nodeName === now.nodeName && old.classList?.[0] === now.classList?.[0];

/**
 * Make a part of the page equal to a new one, which is used up. Only what differs is changed, so that the rest need not be laid
 * out again before the score is seen.
 */
export const become = (old, now) => {
  old.checked &&= now.checked;
  if (old.isEqualNode(now)) return;
  if (!old.attributes) {
    old.data = now.data;
    return;
  }
  const { attributes = old.attributes } = now; // a fragment has none
  for (const { name } of [...old.attributes]) if (!attributes.getNamedItem(name)) old.removeAttribute(name);
  for (const { name, value } of attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  const rest = [...old.childNodes];
  for (const child of [...now.childNodes]) {
    const at = rest.findIndex((each, index) => alike(each, child) && (child.localName || !index));
    if (at < 0) old.insertBefore(child, rest[0] ?? null);
    else {
      for (const gone of rest.splice(0, at)) gone.remove();
      become(rest.shift(), child);
    }
  }
  for (const gone of rest) gone.remove();
};
