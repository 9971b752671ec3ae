// How many tables call stands in the tab's title; a sound, if it is wanted, says that one more does.
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

  // A browser lets a page sound only after a tap on it; the tick is that tap, and says how it sounds.
  box?.addEventListener("change", () => { if (box.checked) beep(); });
  if (box && "AudioContext" in window) box.closest("label").hidden = false;
  document.addEventListener("htmx:afterSettle", show);
  show();
})();
