// The number of calling tables is shown in the tab's title; if wanted, a sound announces a new call.
(() => {
  "use strict";
  const WANTED = "call-sound";
  const title = document.title;
  const box = document.getElementById("call-sound");
  let before = null;
  let audio = null;

  const beep = () => {
    for (const [at, pitch] of [[0, 880], [0.22, 660]]) {
      const tone = audio.createOscillator();
      tone.frequency.value = pitch;
      tone.connect(audio.destination);
      tone.start(audio.currentTime + at);
      tone.stop(audio.currentTime + at + 0.18);
    }
  };

  // A browser lets a page play sounds only after a tap, and a phone stops them when it is locked: the
  // tick is there while a sound would really be heard, and comes back with the next tap anywhere.
  const wake = () => {
    if (localStorage.getItem(WANTED) === null) return;
    if (audio === null) {
      audio = new AudioContext();
      audio.addEventListener("statechange", tick);
    }
    if (audio.state !== "running") audio.resume();
    tick();
  };
  const tick = () => { box.checked = localStorage.getItem(WANTED) !== null && audio?.state === "running"; };

  const show = () => {
    const calls = Number(document.querySelector("[data-calls]")?.dataset.calls ?? 0);
    document.title = calls ? `(${calls}) ${title}` : title;
    if (before !== null && calls > before && box?.checked) beep();
    before = calls;
  };

  document.addEventListener("htmx:afterSettle", show);
  show();

  if (box && "AudioContext" in window) {
    box.closest("label").hidden = false;
    box.checked = false;
    // Ticking it plays the sound once.
    box.addEventListener("change", () => {
      if (!box.checked) return localStorage.removeItem(WANTED);
      localStorage.setItem(WANTED, "on");
      wake();
      beep();
    });
    document.addEventListener("click", (event) => { if (!event.target.closest("label")) wake(); });
    wake();
  }
})();
