"""People with browsers: they open pages, find the forms there, fill them in and send them.

They use nothing but addresses, and can send a form only from a page that shows it. So they meet
every dead end that a person would meet.
"""

from __future__ import annotations

import html
import json
import re
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

HTMX = {"HX-Request": "true"}
PASSWORD = "kungens-kurva-4711"
Entry = dict[str, Any]


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
        values: dict[str, Any] = {name: value for name, value in self.fields.items() if value}
        return values | changes


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


class Person:
    """A person with a browser, signed in or not."""

    def __init__(self, slug: str = "") -> None:
        self.slug = slug
        self.client = Client()

    def url(self, name: str, **more: Any) -> str:
        """Return the address of a page of the event."""
        return reverse(f"tournaments:{name}", kwargs={"slug": self.slug, **more})

    def page_of(self, path: str, answer: HttpResponse, status: int) -> Page:
        """Return the response as a page; it must have this status."""
        page = Page(path, answer.status_code, answer.content.decode())
        assert page.status == status, f"{path}: {page.status}, {page.text[:600]}"
        return page

    def goes(self, path: str, status: int = 200, **query: Any) -> Page:
        """Open an address."""
        return self.page_of(path, self.client.get(path, query), status)

    def opens(self, name: str, status: int = 200, **more: Any) -> Page:
        return self.goes(self.url(name, **more), status)

    def sends(self, page: Page, path: str, status: int = 200, **fields: Any) -> Page:
        """Fill in the page's form for this address, send it, and follow the redirect."""
        data = page.form(path).filled(**fields)
        return self.page_of(path, self.client.post(path, data, follow=True), status)

    def does(self, on: Page, name: str, at: dict[str, Any] | None = None, **fields: Any) -> Page:
        """Send the page's form for this action of the event."""
        return self.sends(on, self.url(name, **(at or {})), **fields)

    def taps(self, name: str, status: int = 200, **more: Any) -> Page:
        """Press a button as HTMX does, without opening a page first."""
        data = more.pop("data", {})
        path = self.url(name, **more)
        return self.page_of(path, self.client.post(path, data, headers=HTMX), status)


class Auditor:
    """A phone at a table, opened with nothing but the scoring link."""

    def __init__(self, link: str) -> None:
        self.link = link
        self.client = Client()
        self.reload()
        if 'data-step="seats"' in self.html:
            self.send("seats", seats_version=str(self.version), order="")

    def reload(self) -> None:
        """Open the table's page, on the same device."""
        answer = self.client.get(self.link)
        assert answer.status_code == 200, answer.content.decode()[:500]
        self._read(answer.content.decode())

    def _read(self, text: str) -> None:
        self.html = text
        found = re.search(r'data-game="(\d+)" data-version="(\d+)" data-mode="(\w+)"', text)
        assert found, text[:500]
        self.game, self.version, self.mode = int(found[1]), int(found[2]), found[3]
        pairs = re.findall(r'name="seat" value="(\d)" data-name="([^"]*)"', text)
        if pairs:
            self.seats = {html.unescape(name): int(seat) for seat, name in pairs}
        phase = re.search(r"&quot;phase&quot;:(\d)", text)
        self.phase = int(phase[1]) if phase else 0

    @property
    def players(self) -> list[str]:
        """The names at the table, clockwise."""
        return sorted(self.seats, key=lambda name: self.seats[name])

    def send(self, part: str, status: int = 200, **fields: Any) -> dict[str, Any]:
        """Press a button as the page's script does, then reload the table."""
        answer = self.client.post(
            f"{self.link}{part}/",
            json.dumps(fields),
            content_type="application/json",
            headers={"Accept": "application/json"},
        )
        assert answer.status_code == status, (answer.status_code, answer.content[:600])
        content: dict[str, Any] = answer.json()
        if "html" in content:
            self._read(content["html"])
        return content

    def write(self, entry: Entry, *, status: int = 200, sure: bool = True) -> dict[str, Any]:
        """Write an entry, confirming unusual ones if ``sure``."""
        return self.send(
            "entry",
            status,
            id=str(uuid.uuid4()),
            game=self.game,
            version=self.version,
            entry=entry,
            confirmed=sure,
        )

    def hand(self, name: str, category: str, **more: Any) -> None:
        """Write the best hand of the current phase."""
        self.write(
            {
                "kind": "hand",
                "phase": self.phase,
                "seat": self.seats[name],
                "category": category,
                **more,
            }
        )

    def nobody(self) -> None:
        """Write that nobody had a hand that scores."""
        self.write({"kind": "none", "phase": self.phase})

    def trick(self, name: str, deuce: bool = False) -> None:
        """Write who took the last trick."""
        self.write({"kind": "last_trick", "seat": self.seats[name], "deuce": deuce})

    def chicago(self, name: str, *, won: bool, breaker: str = "") -> None:
        entry: Entry = {"kind": "chicago", "seat": self.seats[name], "won": won}
        if breaker:
            entry["breaker"] = self.seats[breaker]
        self.write(entry)

    def next_game(self) -> None:
        """Open the next game with its new seats."""
        self.send("next-game")
        assert self.mode == "play"

    def win(self, name: str) -> None:
        """End the game with a straight flush."""
        self.hand(name, "straight_flush")

    def games(self, winners: Sequence[str]) -> None:
        """Play the remaining games, each won with a straight flush."""
        for number, winner in enumerate(winners):
            if number or self.mode == "over":
                self.next_game()
            self.win(winner)
        assert self.mode == "end", self.mode

    def sign(self, status: int = 200) -> None:
        """Sign off the table's results."""
        self.send("sign", status)


def names(count: int) -> list[str]:
    """Return this many different Nordic names."""
    given = ["Åsa", "Björn", "Cia", "Dag", "Eva", "Łucja", "Göran", "Hanna", "Ivar", "Örjan"]
    family = ["Öberg", "Đurić", "Sæther", "Nyström", "Ek", "Strauß", "Łukasz", "Lindqvist"]
    made = [f"{one} {other}" for other in family for one in given]
    assert count <= len(made)
    return made[:count]


def draw_now(director: Person, swap: bool = False) -> list[int]:
    """Make a draft at the desk, view it, and publish it; return the heats' numbers."""
    draft = director.does(director.opens("desk"), "draft_make")
    return publish(director, draft, swap=swap)


def publish(director: Person, draft: Page, swap: bool = False) -> list[int]:
    """Publish a draft; with ``swap``, swap two players first."""
    number = draft_number(draft)
    if swap:
        form = draft.form(director.url("draft_change", number=number))
        groups = re.split(r'<section class="heat-card draft-card', draft.html)[1:]
        first = [re.findall(r'name="player" value="(\d+)"', group)[0] for group in groups[:2]]
        data = form.filled(player=first) | {"to": "swap", "reason": "sisters"}
        answer = director.client.post(form.action, data, follow=True)
        draft = director.opens("draft", number=number)
        assert answer.status_code == 200
        assert "by hand" in draft.text
    done = director.does(draft, "draft_publish", {"number": number})
    return drawn(done)


def draft_number(page: Page) -> int:
    found = re.search(r"/draws/(\d+)/publish/", page.html)
    assert found, page.text[:600]
    return int(found[1])


#: A link to a heat: its number, and the heat's name.
HEAT_LINK = re.compile(r'/heats/(\d+)/"[^>]*>([^<]*)<')


def drawn(page: Page) -> list[int]:
    found = re.search(r"Drawn: (?:heats? ([\d, ]+)|([^.]+))\.", page.text)
    assert found, page.text[:600]
    if found[1]:
        return [int(each) for each in found[1].split(", ")]
    # Tables of the play-offs have names.
    links = {" ".join(name.split()): int(number) for number, name in HEAT_LINK.findall(page.html)}
    return [links[name] for name in found[2].split(" · ")]


def sit_down(floor: Person, heat: int) -> Auditor:
    """Have the floor make the scoring link, and open it on a phone at the table."""
    if heat <= 2:
        # The first is sent with the button on the page, the others as its script sends it.
        floor.does(floor.opens("heat_desk", number=heat), "heat_link", {"number": heat})
    else:
        floor.taps("heat_link", number=heat)
    page = floor.opens("heat_desk", number=heat)
    links = page.links("/s/")
    assert links, page.text[:600]
    return Auditor(links[0])
