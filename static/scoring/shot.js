// The shot clock: a tap starts it, it counts down on this device only, another tap restarts it.
let ends = 0;
let over = false;

const tick = () => {
  const button = document.querySelector("[data-shot]");
  if (!button || button.hidden) return;
  const whole = Number(button.dataset.shot);
  const left = ends ? Math.max(0, Math.ceil((ends - Date.now()) / 1000)) : whole;
  const counter = button.querySelector(".shot-left");
  if (counter.textContent !== String(left)) counter.textContent = left;
  button.classList.toggle("is-over", ends > 0 && left === 0);
  if (ends && left === 0 && !over) {
    over = true;
    if (navigator.vibrate) navigator.vibrate(300);
  }
};

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-shot]");
  if (!button) return;
  ends = Date.now() + Number(button.dataset.shot) * 1000;
  over = false;
  tick();
});
tick();
setInterval(tick, 250);
