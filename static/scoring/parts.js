// The parts that the server words: notices, calls, acceptances. Each has its place on the page, and is
// replaced there when it has changed; what is half typed in it stays.

const fieldsOf = (part) => [...part.querySelectorAll("input[id]:not([type=hidden]), select[id]")];

/** Whether something is half typed in a part or a form. */
export const typed = (part) =>
  fieldsOf(part).some((field) => field.value !== (field.options ? (field.querySelector("[selected]") ?? field.options[0]).value : field.defaultValue));

/** Replace a part by what `replace` returns; what is unfolded, focused or half typed in it stays. `sent`: the form that has been sent. */
export const keeping = (before, replace, sent = null) => {
  const closes = sent?.closest("details")?.className;
  const open = [...before.querySelectorAll("details[open]")].map((details) => details.className).filter((fold) => fold !== closes);
  const kept = fieldsOf(before)
    .filter((field) => !(sent && field.form === sent) && typed(field.form ?? before))
    .map(({ id, value }) => [id, value]);
  const at = before.contains(document.activeElement) ? document.activeElement.id : "";
  const after = replace();
  for (const details of after.querySelectorAll("details")) {
    if (open.includes(details.className) && !("closes" in details.dataset)) details.open = true;
  }
  for (const [id, value] of kept) {
    const field = after.querySelector(`#${CSS.escape(id)}`);
    if (field) field.value = value;
  }
  if (at) after.querySelector(`#${CSS.escape(at)}`)?.focus({ preventScroll: true });
};

const fill = (holder, { mark = "", html = "" } = {}) => {
  if (holder.dataset.mark === mark) return;
  keeping(holder, () => {
    holder.innerHTML = html;
    holder.dataset.mark = mark;
    return holder;
  });
};

/** Put the parts into their places below `page`; one that belongs to another mode, or is of an earlier game, is taken out. */
export const drawParts = (page, parts, mode, fresh) => {
  for (const holder of page.querySelectorAll("[data-part]")) {
    const { part, when } = holder.dataset;
    const elsewhere = (when && when !== mode) || ("fresh" in holder.dataset && !fresh);
    fill(holder, elsewhere ? {} : parts[part]);
  }
};

/** The questions of a deal, as the server has sent them for these rules. */
export const questionsOf = ({ parts }) => {
  const holder = document.getElementById("device");
  fill(holder, parts.questions);
  return holder;
};
