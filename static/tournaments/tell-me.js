// "Tell me" on a player's own page: notifications where the browser has them, and a ring while it is open.
const part = document.getElementById("tell-me");

const show = (name) => {
  const found = part.querySelector(`[data-push="${name}"]`);
  if (found) found.hidden = false;
};

const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (letter) => letter.charCodeAt(0));
const text = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer))).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");

const subscribe = async () => {
  await navigator.serviceWorker.register(part.dataset.worker, { scope: part.dataset.scope });
  const { pushManager } = await navigator.serviceWorker.ready;
  const key = bytes(part.dataset.key);
  const known = await pushManager.getSubscription();
  // One that belongs to an earlier key of the server reaches nobody.
  if (known && text(known.options.applicationServerKey ?? new ArrayBuffer(0)) !== part.dataset.key) await known.unsubscribe();
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
};

const offer = () => {
  if (!part?.dataset.key) return;
  if (!window.isSecureContext) return show("insecure");
  const able = "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;
  const isApple = /iPhone|iPad/.test(navigator.userAgent);
  if (!able) return show(isApple && !navigator.standalone ? "home" : "none");
  const form = part.querySelector("form[data-push]");
  form.hidden = false;
  form.addEventListener("submit", async (event) => {
    if (form.elements.endpoint.value) return;
    event.preventDefault();
    if ((await Notification.requestPermission()) !== "granted") return show("denied");
    try {
      const found = await subscribe();
      form.elements.endpoint.value = found.endpoint;
      form.elements.p256dh.value = text(found.getKey("p256dh"));
      form.elements.auth.value = text(found.getKey("auth"));
      form.requestSubmit();
    } catch {
      show("none");
    }
  });
};

// --- while the page is open -------------------------------------------------------------------------

const WANTED = "tell-rings";
const box = document.getElementById("tell-rings");
let audio = null;
let before = null;

const ring = () => {
  navigator.vibrate?.([200, 100, 200]);
  for (const [at, pitch] of [[0, 660], [0.22, 880]]) {
    const tone = audio.createOscillator();
    tone.frequency.value = pitch;
    tone.connect(audio.destination);
    tone.start(audio.currentTime + at);
    tone.stop(audio.currentTime + at + 0.18);
  }
};
const look = () => {
  const now = document.querySelector(".own-seat .big")?.textContent.trim() ?? "";
  if (before !== null && now !== before && box?.checked && audio) ring();
  before = now;
};
// A browser lets a page play sounds only after a tap.
const wake = () => {
  if (!box?.checked) return;
  audio ??= new AudioContext();
  audio.resume();
};

if (box) {
  box.checked = localStorage.getItem(WANTED) !== null;
  box.addEventListener("change", () => {
    if (!box.checked) return localStorage.removeItem(WANTED);
    localStorage.setItem(WANTED, "on");
    wake();
    return ring();
  });
  document.addEventListener("click", wake);
  document.addEventListener("htmx:afterSettle", look);
  look();
}
offer();
