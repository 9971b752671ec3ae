"""A table's fragment, meaning the live part of its page, and the changes sent after an entry."""

from __future__ import annotations

import re
import uuid
import zlib
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import Any

from django.middleware.csrf import get_token
from django.template.loader import render_to_string
from django.templatetags.static import static

from engine.sheet.state import EXCHANGE

from ..enums import LinkRole
from ..models import Link, Table
from ..reading.device import device_sheet
from ..reading.pages import etag_of, table_page
from .access import LinkRequest

#: The latest fragments by link and etag: shared by readers of the same link, and compared with the
#: next fragment.
_MADE: dict[tuple[str, str], str] = {}
_MOST_MADE = 1000
#: Placeholders in shared fragments for each reader's own values. Every process has the same ones:
#: the next answer's changes refer to this text.
_FORM = "-form-"
TOKEN = "-token-"

#: How a fragment's changes are written as JSON.
SHORT = {"separators": (",", ":"), "ensure_ascii": False}

#: The server's version of the script; a page with another version may draw differently.
SCRIPT = "scoring/auditor.js"
#: What the answer to an entry leaves out; the page asks for it at once.
_LATER = re.compile(r"\n<!--later-->.*?<!--/later-->", re.DOTALL)
_MODE = re.compile(r'data-mode="(\w+)"')
_DRAWN = re.compile(r"<!--drawn-->.*?<!--/drawn-->", re.DOTALL)


def fragment_etag(request: LinkRequest, link: Link) -> str:
    """Return the etag of the fragment for the request's device."""
    return etag_of(link, request.device, request.seen_rulings)


def live_context(request: LinkRequest, link: Link, **more: object) -> dict[str, Any]:
    """Return the context for rendering the live part of a page."""
    page = table_page(link, device=request.device, seen_rulings=request.seen_rulings)
    etag = fragment_etag(request, link)
    if link.role == LinkRole.AUDITOR:
        more["device"] = {**device_sheet(page), "script": static(SCRIPT)}
    return {
        "page": page,
        "link": link,
        "etag": etag,
        # Without the script: one UUID for any tap on this page, one for taking back.
        "new_id": uuid.uuid4(),
        "undo_id": uuid.uuid4(),
        "form_id": form_id(link, etag, request.device),
        **more,
    }


def form_id(link: Link, etag: str, device: str) -> str:
    """Return the UUID for what this fragment's forms make, the same each time it is made."""
    return str(uuid.uuid5(uuid.NAMESPACE_OID, f"{link.pk} {etag} {device}"))


def script_html(request: LinkRequest, link: Link) -> str:
    """Return the fragment for scripts: equal content gives equal text, but for readers' tokens.

    The Auditor's script has a token of its own, makes its own UUIDs, and knows where an entry
    belongs: the fields of a form that say so are left out.
    """
    etag = fragment_etag(request, link)
    html = _MADE.get((link.digest, etag))
    if html is None:
        blank = {"csrf_token": TOKEN, "new_id": "", "undo_id": "", "form_id": _FORM}
        context = live_context(request, link, **blank)
        html = by_line(render_to_string("scoring/_live.html", context, request))
        if len(_MADE) >= _MOST_MADE:
            _MADE.clear()
        _MADE[link.digest, etag] = html
    html = html.replace(_FORM, form_id(link, etag, request.device))
    return html if link.role == LinkRole.AUDITOR else html.replace(TOKEN, get_token(request))


def by_line(html: str) -> str:
    """Return HTML without indentation and empty lines, which every answer would have to carry."""
    return "\n".join(filter(None, (line.strip() for line in html.split("\n"))))


def seen_html(request: LinkRequest, link: Link, etag: object) -> str | None:
    """Return the fragment that the script has, if ``etag`` shows that it is up to date."""
    now = fragment_etag(request, link)
    if etag == _part_of(now):
        return _LATER.sub("", script_html(request, link))
    return script_html(request, link) if etag == now else None


def _part_of(etag: str) -> str:
    """Return the etag of a fragment without what comes later.

    >>> _part_of('"8f"')
    '"8f~"'
    """
    return f'{etag[:-1]}~"'


def draws_all(table: Table, before: Mapping[str, Any], after: Mapping[str, Any]) -> bool:
    """Return whether a page that counts draws everything that an entry changes between two states.

    ``after`` is the page's own claim. It does not when a first deal begins or ends (the page asks
    about seats and offers PINs), in a practice game (the page says what comes next), when somebody
    goes out (lists change), or at the end of a game.
    """
    begun = (before.get("stage"), before.get("phase")) != (EXCHANGE, 1)
    return (
        table.directed
        and (before.get("deal", 0) > 0 or (begun and after.get("deal") == 0))
        and before.get("status") == after.get("status")
        and not after.get("finished")
    )


def fragment_answer(
    request: LinkRequest,
    link: Link,
    seen: str | None,
    *,
    has_text: bool = True,
    counted: bool = False,
    to_entry: bool = False,
) -> dict[str, Any]:
    """Return the current fragment, as changes since ``seen`` or as a whole.

    ``has_text`` is whether the script still has the text of ``seen``. ``counted`` is whether it has
    computed the same state: then it has drawn the same, and needs only a confirmation if nothing
    else has changed. The answer ``to_entry`` leaves out what comes later.
    """
    html = script_html(request, link)
    if seen is not None and counted and undrawn(seen) == undrawn(html):
        return counted_answer(request, link)
    answer: dict[str, Any] = {"etag": fragment_etag(request, link)}
    if to_entry and seen is not None and counted and _mode(seen) != _mode(html):
        # The device draws a game's end, and that taken back, until it has asked for all of it.
        return {**counted_answer(request, link), "etag": _part_of(answer["etag"])}
    if to_entry and (part := _LATER.sub("", html)) != html:
        html, answer = part, {"etag": _part_of(answer["etag"])}
    if seen is None or not has_text:
        return {**answer, "html": html}
    return {**answer, "changes": changes(seen, html), "sum": zlib.adler32(html.encode())}


def counted_answer(request: LinkRequest, link: Link) -> dict[str, Any]:
    """Return the answer for a page that has already drawn the current state."""
    return {
        "etag": fragment_etag(request, link),
        "counted": True,
        "script": static(SCRIPT),
        "revision": link.table.revision,
    }


def _mode(html: str) -> str:
    """Return whether a game is played.

    >>> _mode('<div id="live" data-game="1" data-version="2" data-mode="over">')
    'over'
    """
    found = _MODE.search(html)
    return found[1] if found else ""


def undrawn(html: str) -> str:
    """Return the part of a fragment that the script does not draw itself.

    >>> undrawn("<h1>Table 1</h1><!--drawn--><p>Deal 2</p><!--/drawn--><p>Called</p>")
    '<h1>Table 1</h1><p>Called</p>'
    """
    return _DRAWN.sub("", html)


def changes(before: str, after: str) -> list[Sequence[int] | str]:
    """Return a text as another text's lines, ``[passed over, how many]``, and new lines.

    The lines passed over are counted from where the ones before ended.

    >>> changes("a\\nb\\nc\\nd", "a\\nx\\ny\\nc\\na")
    [[0, 1], 'x\\ny', [1, 1], [-3, 1]]
    """
    positions: dict[str, list[int]] = {}
    lines = before.split("\n")
    for position, line in enumerate(lines):
        positions.setdefault(line, []).append(position)
    found: list[Any] = []
    ended = 0
    for line in after.split("\n"):
        last: Any = found[-1] if found else None
        known = positions.get(line)
        if isinstance(last, list) and known and ended < len(lines) and lines[ended] == line:
            last[1] += 1
            ended += 1
        elif known:
            # The next one, or else the last one before.
            position = known[min(bisect_left(known, ended), len(known) - 1)]
            found.append([position - ended, 1])
            ended = position + 1
        elif isinstance(last, str):
            found[-1] = f"{last}\n{line}"
        else:
            found.append(line)
    return found
