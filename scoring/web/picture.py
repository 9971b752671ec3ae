"""A table's picture, and what changed of it: all that a page's script is sent after an entry."""

from __future__ import annotations

import re
import uuid
import zlib
from collections.abc import Mapping, Sequence
from typing import Any

from django.template.loader import render_to_string
from django.templatetags.static import static

from scoring.enums import LinkRole
from scoring.models import Link, Table
from scoring.reading.device import device_sheet
from scoring.reading.pages import etag_of, table_page
from scoring.web.access import LinkRequest

#: Pictures that were made last, by link and mark: for all who read by the same link, and for the
#: next entry's to be compared with.
_MADE: dict[tuple[str, str], str] = {}
_MOST_MADE = 1000
#: Stands in them for what is each reader's own.
_OBJECTION = "-objection-"

#: A page of another script than the server's has other ideas of what it does.
SCRIPT = "scoring/auditor.js"
_DRAWN = re.compile(r"<!--drawn-->.*?<!--/drawn-->", re.DOTALL)


def mark_of(request: LinkRequest, link: Link) -> str:
    """Return the mark of the picture that the request's device is shown."""
    return etag_of(link, request.device, request.seen_rulings)


def live_context(request: LinkRequest, link: Link, **more: object) -> dict[str, object]:
    """Return what the live part of a page is rendered with."""
    page = table_page(link, device=request.device, seen_rulings=request.seen_rulings)
    mark = mark_of(request, link)
    if link.role == LinkRole.AUDITOR:
        more["device"] = {**device_sheet(page), "script": static(SCRIPT)}
    return {
        "page": page,
        "link": link,
        "etag": mark,
        # One UUID for whatever is tapped on this page without the script, one for taking back.
        "new_id": uuid.uuid4(),
        "undo_id": uuid.uuid4(),
        "objection_id": objection_id(link, mark, request.device),
        **more,
    }


def objection_id(link: Link, mark: str, device: str) -> str:
    """Return the UUID of an objection from this picture: the same whenever the picture is made."""
    return str(uuid.uuid5(uuid.NAMESPACE_OID, f"{link.pk} {mark} {device}"))


def live_html(request: LinkRequest, link: Link, **more: object) -> str:
    """Return the live part as it stands now."""
    return render_to_string("scoring/_live.html", live_context(request, link, **more), request)


def script_html(request: LinkRequest, link: Link) -> str:
    """Return the picture as scripts get it: the same text whenever the same is shown.

    They have a token of their own, and make their UUIDs themselves, but for an objection's.
    """
    mark = mark_of(request, link)
    html = _MADE.get((link.digest, mark))
    if html is None:
        blank = {"csrf_token": "-", "new_id": "", "undo_id": "", "objection_id": _OBJECTION}
        html = live_html(request, link, **blank)
        if len(_MADE) >= _MOST_MADE:
            _MADE.clear()
        _MADE[link.digest, mark] = html
    return html.replace(_OBJECTION, objection_id(link, mark, request.device))


def seen_html(request: LinkRequest, link: Link, mark: object) -> str | None:
    """Return the picture that the script has, if ``mark`` is that of the table as it stands."""
    return script_html(request, link) if mark == mark_of(request, link) else None


def draws_all(table: Table, before: Mapping[str, Any], after: Mapping[str, Any]) -> bool:
    """Tell whether a page that counts draws all that an entry between two states changes.

    The first deal's page offers PINs, a practice game says what comes next, who is out is left out
    of lists, and the end of a game is the server's.
    """
    return (
        table.directed
        and before["deal"] > 0
        and before["status"] == after["status"]
        and not after["finished"]
    )


def picture_answer(
    request: LinkRequest,
    link: Link,
    seen: str | None,
    *,
    kept: bool = True,
    counted: bool = False,
) -> dict[str, Any]:
    """Return the picture as it stands: as what changed since ``seen``, or whole.

    ``kept`` is whether the script has the text of ``seen``, ``counted`` whether it has counted
    the same: then it has drawn the same, and is only told so where nothing else has changed.
    """
    html = script_html(request, link)
    if seen is not None and counted and undrawn(seen) == undrawn(html):
        return counted_answer(request, link)
    answer: dict[str, Any] = {"etag": mark_of(request, link)}
    if seen is None or not kept:
        return {**answer, "html": html}
    return {**answer, "changes": changes(seen, html), "sum": zlib.adler32(html.encode())}


def counted_answer(request: LinkRequest, link: Link) -> dict[str, Any]:
    """Return the answer to a page that has drawn what there is."""
    return {
        "etag": mark_of(request, link),
        "counted": True,
        "script": static(SCRIPT),
        "revision": link.table.revision,
    }


def undrawn(html: str) -> str:
    """Return what the script does not draw by itself of a picture.

    >>> undrawn("<h1>Table 1</h1><!--drawn--><p>Deal 2</p><!--/drawn--><p>Called</p>")
    '<h1>Table 1</h1><p>Called</p>'
    """
    return _DRAWN.sub("", html)


def changes(before: str, after: str) -> list[Sequence[int] | str]:
    """Return a text as lines of another one, ``[first, how many]``, and lines that are new.

    >>> changes("a\\nb\\nc", "a\\nx\\ny\\nb\\nc")
    [[0, 1], 'x\\ny', [1, 2]]
    """
    places: dict[str, int] = {}
    lines = before.split("\n")
    for place, line in enumerate(lines):
        places.setdefault(line, place)
    found: list[Any] = []
    for line in after.split("\n"):
        last: Any = found[-1] if found else None
        following = sum(last) if isinstance(last, list) else -1
        if 0 <= following < len(lines) and lines[following] == line:
            last[1] += 1
        elif line in places and line.strip():
            found.append([places[line], 1])
        elif isinstance(last, str):
            found[-1] = f"{last}\n{line}"
        else:
            found.append(line)
    return found
