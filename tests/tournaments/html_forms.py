"""Send a page's form back as a browser would."""

from __future__ import annotations

import re
from html.parser import HTMLParser


class _Fields(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.forms: list[dict[str, list[str]]] = []
        self.actions: list[str] = []
        self._select = ""
        self._first = False
        self._area = ""

    def handle_starttag(self, tag: str, found: list[tuple[str, str | None]]) -> None:
        attrs = dict(found)
        if tag == "form":
            self.forms.append({})
            self.actions.append(attrs.get("action") or "")
        if not self.forms:
            return
        name, value = attrs.get("name") or "", attrs.get("value") or ""
        if tag == "select":
            self._select, self._first = name, True
        elif tag == "option" and self._select:
            # A select submits its first option if none is selected.
            if self._first:
                self.forms[-1].setdefault(self._select, []).append(value)
            elif "selected" in attrs:
                self.forms[-1][self._select][-1] = value
            self._first = False
        elif tag == "textarea":
            self._area = name
            self.forms[-1].setdefault(name, []).append("")
        elif tag == "input" and name:
            ticked = attrs.get("type") not in {"checkbox", "radio"} or "checked" in attrs
            if ticked:
                box = attrs.get("type") == "checkbox" and "value" not in attrs
                self.forms[-1].setdefault(name, []).append("on" if box else value)

    def handle_data(self, data: str) -> None:
        if self._area:
            self.forms[-1][self._area][-1] += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "select":
            self._select = ""
        elif tag == "textarea":
            self._area = ""


def form_with(page: str, field: str) -> dict[str, list[str]]:
    """Return the fields of the page's form that contains this one."""
    fields = _Fields()
    fields.feed(page)
    return next(form for form in fields.forms if field in form)


def form_to(page: str, action: str) -> dict[str, list[str]]:
    """Return the fields of the page's form that is sent to this address."""
    fields = _Fields()
    fields.feed(page)
    return fields.forms[fields.actions.index(action)]


def posted_by(page: str) -> list[tuple[str, set[str]]]:
    """Return where each of the page's forms and buttons posts to, with the names of its fields."""
    found = []
    for form in re.findall(r'<form\b[^>]*method="post".*?</form>', page, re.DOTALL):
        names = set(re.findall(r'<(?:input|select|textarea|button)\b[^>]*\bname="([^"]+)"', form))
        head = form[: form.index(">")]
        for action in re.findall(r'\baction="([^"]*)"', head) or [""]:
            found.append((action, names))
        found += [(action, names) for action in re.findall(r'\bformaction="([^"]*)"', form)]
    return found
