// Shows the answer of an address beside the list of addresses; without it the links open them.

const list = document.querySelector("[data-try]");
const answer = document.getElementById("answer");

async function show(address) {
  const response = await fetch(address, { headers: { Accept: "application/json" } });
  const text = await response.text();
  let shown = text;
  try {
    shown = JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    // Not JSON: shown as it came.
  }
  const bytes = new Blob([text]).size;
  const head = `${response.status} · ${bytes} B · ETag ${response.headers.get("ETag") ?? "–"}`;
  answer.querySelector("[data-answer-head]").textContent = `${address} · ${head}`;
  answer.querySelector("[data-answer-body]").textContent = shown;
  answer.hidden = false;
  answer.scrollIntoView({ block: "nearest" });
}

list?.addEventListener("click", (event) => {
  const link = event.target.closest("a");
  if (!link || event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  show(link.href).catch(() => {
    location.href = link.href;
  });
});
