"""A table's picture, and what changed of it: all that a page's script is sent after an entry."""

from __future__ import annotations

import uuid
import zlib
from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest
from django.template.loader import render_to_string
from django.templatetags.static import static

from scoring.enums import LinkRole
from scoring.models import Link
from scoring.reading.device import device_sheet
from scoring.reading.pages import etag_of, table_page

#: Pictures that were sent last, by link and mark: the next entry's are compared with them.
_SENT: dict[tuple[int, str], str] = {}
_MOST_SENT = 200


def live_context(request: HttpRequest, link: Link, **more: object) -> dict[str, object]:
    """Return what the live part of a page is rendered with."""
    device: str = request.device  # type: ignore[attr-defined]
    page = table_page(link, device=device)
    if link.role == LinkRole.AUDITOR:
        # A page of another script than the server's has other ideas of what it does.
        more["device"] = {**device_sheet(page), "script": static("scoring/auditor.js")}
    return {
        "page": page,
        "link": link,
        "etag": etag_of(link, device),
        # One UUID for whatever is tapped on this page without the script, one for taking back.
        "new_id": uuid.uuid4(),
        "undo_id": uuid.uuid4(),
        # One for each picture, which is the same text whenever it is made.
        "objection_id": uuid.uuid5(uuid.NAMESPACE_OID, f"{link.pk} {etag_of(link, device)}"),
        **more,
    }


def live_html(request: HttpRequest, link: Link, **more: object) -> str:
    """Return the live part as it stands now."""
    return render_to_string("scoring/_live.html", live_context(request, link, **more), request)


def script_html(request: HttpRequest, link: Link) -> str:
    """Return the picture as scripts get it: the same text whenever the same is shown.

    They have a token of their own, and make their UUIDs themselves.
    """
    device: str = request.device  # type: ignore[attr-defined]
    html = live_html(request, link, csrf_token="-", new_id="", undo_id="")
    if len(_SENT) >= _MOST_SENT:
        _SENT.clear()
    _SENT[link.pk, etag_of(link, device)] = html
    return html


def seen_html(request: HttpRequest, link: Link, mark: object) -> str | None:
    """Return the picture that the script has, if ``mark`` is that of the table as it stands."""
    device: str = request.device  # type: ignore[attr-defined]
    if mark != etag_of(link, device):
        return None
    return _SENT.get((link.pk, str(mark))) or script_html(request, link)


def picture_answer(request: HttpRequest, link: Link, seen: str | None) -> dict[str, Any]:
    """Return the picture as it stands: as what changed since ``seen``, or whole."""
    device: str = request.device  # type: ignore[attr-defined]
    html = script_html(request, link)
    answer: dict[str, Any] = {"etag": etag_of(link, device)}
    if seen is None:
        return {**answer, "html": html}
    return {**answer, "changes": changes(seen, html), "sum": zlib.adler32(html.encode())}


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
