// Tells the page around a frame how high it is (see embed-size.js, which that page loads).
// It is no secret, so any page may hear it.
const told = () => parent.postMessage({ chicago: document.documentElement.scrollHeight }, "*");

new ResizeObserver(told).observe(document.body);
told();

// What has changed is put in every minute; whoever reads keeps the place. Without a network it stays as it was.
const MINUTE = 60000;
const renew = async () => {
  if (document.hidden) return;
  const answer = await fetch(location.href).catch(() => null);
  if (!answer?.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const [shown, now] = [document, page].map((each) => each.querySelector("main"));
  if (now && now.innerHTML !== shown.innerHTML) shown.replaceChildren(...now.childNodes);
};

setInterval(renew, MINUTE);
