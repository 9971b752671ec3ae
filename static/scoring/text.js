// The live part as the server last sent it: after an entry the server only sends the changes to it
// (scoring/web/fragment.py).

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
