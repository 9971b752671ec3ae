// Somebody else wrote on the sheet while entries waited here: both sides are shown deal by deal
// (scoring/web/merge.py), and whoever has the lease chooses. Until then nothing more is sent or accepted.

const panel = () => document.getElementById("merge");

/** Close the panel. */
export const close = () => {
  panel().hidden = true;
  panel().replaceChildren();
};

/**
 * Show both sides of a game with waiting taps, and carry out the choice. `done(answer, taps)`
 * is called when the server has done it, or had done another one (`problems`), `failed(problem)` if it refused.
 */
export const compare = async (about) => {
  const { queue, base, done, failed } = about;
  const tap = queue.stopped;
  if (!tap) return;
  const taps = queue.waiting.filter((other) => "version" in other.body && other.body.game === tap.body.game);
  const sent = {
    game: tap.body.game,
    base: tap.body.version,
    version: 0,
    taps: taps.map(({ id, at, seating, body }) => ({ id, at, seating, entry: body.entry ?? null })),
  };
  const answer = await queue.ask(`${base}waiting/`, sent);
  if (!answer) {
    setTimeout(compare, 5000, about);
    return;
  }
  if (!answer.ok) {
    failed(answer.problems[0]);
    return;
  }
  const box = panel();
  box.innerHTML = answer.html;
  box.hidden = false;
  box.scrollIntoView({ block: "start", behavior: "instant" });
  box.querySelector("h2").focus({ preventScroll: true });
  // Who takes the lease may choose.
  box.onsubmit = async (event) => {
    event.preventDefault();
    event.stopPropagation();
    if (await window.scoring.act(event.target, event.submitter)) compare(about);
  };
  box.onclick = async ({ target }) => {
    const button = target.closest("[data-choice]");
    if (!button || button.disabled) return;
    button.disabled = true;
    const { choice } = button.dataset;
    const chosen = { ...sent, version: answer.version, take: choice };
    const told = await queue.ask(`${base}waiting/`, chosen);
    button.disabled = false;
    if (!told) {
      failed({ message: document.getElementById("scoring").dataset.untold });
    } else if (told.ok) {
      close();
      done(told, taps);
    } else if (told.problems[0].code === "conflict" || told.problems[0].code === "lease_taken") {
      compare(about);
    } else {
      failed(told.problems[0]);
    }
  };
};
