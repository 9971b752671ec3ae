// The number of calling tables is shown in the tab's title; if wanted, a sound announces a new call.
(() => {
  "use strict";
  const title = document.title;
  const box = document.getElementById("call-sound");
  let before = null;
  let audio = null;

  const beep = () => {
    audio ??= new AudioContext();
    for (const [at, pitch] of [[0, 880], [0.22, 660]]) {
      const tone = audio.createOscillator();
      tone.frequency.value = pitch;
      tone.connect(audio.destination);
      tone.start(audio.currentTime + at);
      tone.stop(audio.currentTime + at + 0.18);
    }
  };

  const show = () => {
    const calls = Number(document.querySelector("[data-calls]")?.dataset.calls ?? 0);
    document.title = calls ? `(${calls}) ${title}` : title;
    if (before !== null && calls > before && box?.checked) beep();
    before = calls;
  };

  // A browser only lets a page play sounds after a tap; ticking the box is that tap, and plays one.
  box?.addEventListener("change", () => { if (box.checked) beep(); });
  if (box && "AudioContext" in window) box.closest("label").hidden = false;
  document.addEventListener("htmx:afterSettle", show);
  show();
})();
