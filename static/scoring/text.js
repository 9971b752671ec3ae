// The picture as the server sent it last: after an entry it sends only what changed of it
// (scoring/web/picture.py).

let text = "";
let mark = "";

/** The mark of the picture that is shown, and whether its text is kept here. */
export const seen = () => ({ seen: mark, kept: Boolean(text) });

/** The picture, and its mark. */
export const kept = () => ({ html: text, etag: mark });

/** Keep a whole picture; without its text where the page shows it already. */
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

/** The picture that an answer brings; empty where it does not fit the one that is kept. */
export const told = (answer) => {
  if (answer.html) {
    keep(answer.html, answer.etag);
    return text;
  }
  if (!answer.changes) return "";
  const lines = text.split("\n");
  const whole = answer.changes
    .flatMap((part) => (typeof part === "string" ? [part] : lines.slice(part[0], part[0] + part[1])))
    .join("\n");
  if (sum(whole) !== answer.sum) {
    keep("", "");
    return "";
  }
  keep(whole, answer.etag);
  return whole;
};
