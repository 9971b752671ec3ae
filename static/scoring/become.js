// Changes on the page only what differs, so that the rest need not be laid out again before the score is seen.

const alike = (old, now) => old.nodeName === now.nodeName && old.classList?.[0] === now.classList?.[0];

/** Make a part of the page equal to a new one, which is used up. */
export const become = (old, now) => {
  old.checked &&= now.checked;
  if (old.isEqualNode(now)) return;
  if (!old.attributes) {
    old.data = now.data;
    return;
  }
  const { attributes = old.attributes } = now; // a fragment has none
  for (const { name } of [...old.attributes]) if (!attributes.getNamedItem(name)) old.removeAttribute(name);
  for (const { name, value } of attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  const rest = [...old.childNodes];
  for (const child of [...now.childNodes]) {
    const at = rest.findIndex((each, index) => alike(each, child) && (child.localName || !index));
    if (at < 0) old.insertBefore(child, rest[0] ?? null);
    else {
      for (const gone of rest.splice(0, at)) gone.remove();
      become(rest.shift(), child);
    }
  }
  for (const gone of rest) gone.remove();
};
