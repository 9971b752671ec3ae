"""Read a page as a browser does: its forms, what they would send, its links."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

HTMX = {"HX-Request": "true"}


@dataclass
class Form:
    """A form of a page: its target, the data that it would send, and its choices."""

    action: str
    method: str
    fields: dict[str, list[str]] = field(default_factory=dict)
    choices: dict[str, list[str]] = field(default_factory=dict)
    buttons: int = 0

    def filled(self, **changes: Any) -> dict[str, Any]:
        """Return the data to send with these fields filled in; they must exist."""
        unknown = set(changes) - set(self.fields)
        assert not unknown, f"{self.action} has no {unknown}, only {sorted(self.fields)}"
        for name, value in changes.items():
            for each in value if isinstance(value, list) else [value]:
                assert name not in self.choices or str(each) in self.choices[name], (
                    f"{name} cannot be {each!r}, only {self.choices[name]}"
                )
        return self.sent | changes

    @property
    def sent(self) -> dict[str, Any]:
        """The data that it would send as it is."""
        return {name: value for name, value in self.fields.items() if value}


class _Reader(HTMLParser):
    """Finds the forms of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self.open: Form | None = None
        self.select = ""
        self.area = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        own = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.open = Form(own.get("action", ""), own.get("method", "get").lower())
            self.forms.append(self.open)
        form, name = self.open, own.get("name", "")
        if form is None or "disabled" in own:
            return
        form.buttons += tag == "button" and own.get("type", "submit") == "submit"
        if tag == "option" and self.select:
            form.choices[self.select].append(own.get("value", ""))
            if "selected" in own or not form.fields[self.select]:
                form.fields[self.select] = [own.get("value", "")]
        elif not name:
            return
        elif tag == "select":
            self.select = name
            form.fields[name], form.choices[name] = [], []
        elif tag == "textarea":
            self.area = name
            form.fields[name] = [""]
        elif tag == "input":
            self._input(form, name, own)
        elif tag == "button":
            form.fields.setdefault(name, [])
            form.choices.setdefault(name, []).append(own.get("value", ""))

    def _input(self, form: Form, name: str, own: dict[str, str]) -> None:
        values = form.fields.setdefault(name, [])
        if own.get("type") in {"radio", "checkbox"}:
            form.choices.setdefault(name, []).append(own.get("value", "on"))
            if "checked" in own:
                values.append(own.get("value", "on"))
        else:
            values.append(own.get("value", ""))

    def handle_data(self, data: str) -> None:
        if self.open is not None and self.area:
            self.open.fields[self.area] = [data.strip()]

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self.open = None
        elif tag == "select":
            self.select = ""
        elif tag == "textarea":
            self.area = ""


@dataclass
class Page:
    """What a person sees."""

    path: str
    status: int
    html: str

    @property
    def text(self) -> str:
        """The page's text, without entities and tags."""
        plain = html.unescape(re.sub(r"<[^>]+>", " ", self.html))
        return re.sub(r"\s+", " ", plain)

    def forms(self) -> list[Form]:
        """Return the page's forms."""
        reader = _Reader()
        reader.feed(self.html)
        return reader.forms

    def form(self, path: str) -> Form:
        found = [form for form in self.forms() if form.action == path]
        actions = [form.action for form in self.forms()]
        assert found, f"{self.path} has no form to {path}, only {actions}"
        return found[0]

    def links(self, containing: str) -> list[str]:
        """Return the addresses of links that contain this text."""
        found = re.findall(r'href="([^"]*)"', self.html)
        return [html.unescape(each) for each in found if containing in each]


def form_with(page: str, field: str) -> dict[str, list[str]]:
    """Return what the page's form that contains this field would send."""
    return next(form.sent for form in Page("", 200, page).forms() if field in form.fields)


def form_to(page: str, action: str) -> dict[str, list[str]]:
    """Return what the page's form to this address would send."""
    return Page("", 200, page).form(action).sent


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
