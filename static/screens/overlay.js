// An overlay for a stream: its part, changed as soon as the live stream says so.
const POLL = 5000;
const { body } = document;
const picture = document.getElementById("picture");
let mark = "";

const show = (html) => {
  const parsed = new DOMParser().parseFromString(html, "text/html").body;
  picture.replaceChildren(...parsed.childNodes);
  document.dispatchEvent(new CustomEvent("scoring:shown"));
};
const ask = async () => {
  try {
    const response = await fetch(body.dataset.path, { headers: mark ? { "If-None-Match": mark } : {}, cache: "no-store" });
    if (!response.ok) return;
    mark = response.headers.get("ETag") ?? "";
    show(await response.text());
  } catch {
    // The picture before stays.
  }
};
body.addEventListener("stream-part", ({ detail }) => {
  if (detail.mark === mark) return;
  mark = detail.mark;
  show(detail.html);
});
body.addEventListener("stream-changed", ask);
setInterval(() => body.classList.contains("is-streaming") || ask(), POLL);
ask();
