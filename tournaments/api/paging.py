"""Long lists in pages, by where the one before ended."""

import re
from collections.abc import Callable, Sequence
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from rest_framework.request import Request

from .problems import Problem

#: Rows of a page, unless asked for fewer or more, and at most.
USUAL, MOST = 50, 200


def paged(after: str) -> dict[str, tuple[str, str]]:
    """Return what a list may be asked: each name with what it is for, and the pattern it fits."""
    return {
        "after": ("Where the page before ended; `next` has it.", after),
        "limit": ("Rows of a page, 200 at most.", ""),
    }


def number_of(request: Request, name: str, default: int, most: int = 2**62) -> int:
    """Return a number of the query; raise ``Problem`` for anything else."""
    text = request.query_params.get(name)
    if text is None:
        return default
    if not (text.isascii() and text.isdigit() and len(text) < 20 and int(text) <= most):
        raise _not_in_range(name)
    return int(text)


def _not_in_range(name: str) -> Problem:
    text = _("“%(name)s” must be a whole number in range.") % {"name": name}
    return Problem(400, "bad_query", text)


def limit_of(request: Request) -> int:
    """Return how many rows a page has."""
    limit = number_of(request, "limit", USUAL, MOST)
    if not limit:
        raise _not_in_range("limit")
    return limit


def next_of(request: Request, **changed: object) -> str:
    """Return the address of the next page: this one's with these parts changed."""
    query = request.query_params.copy()
    for name, value in changed.items():
        query[name] = str(value)
    address: str = request.build_absolute_uri(f"{request.path}?{query.urlencode()}")
    return address


def page_by(
    request: Request, rows: QuerySet[Any], field: str, read: Callable[[Any], Any]
) -> tuple[Sequence[Any], dict[str, Any]]:
    """Return a page of rows in the order of a unique field, and the rest of its document.

    ``read`` makes the field's value of the text ``after``; a ``ValueError`` is a problem.
    """
    limit = limit_of(request)
    after = request.query_params.get("after")
    if after is not None:
        try:
            rows = rows.filter(**{f"{field}__gt": read(after)})
        except (ValueError, OverflowError) as error:
            text = _("“after” is where no page ended.")
            raise Problem(400, "bad_query", text) from error
    found = list(rows.order_by(field)[: limit + 1])
    shown, more = found[:limit], len(found) > limit
    following = next_of(request, after=_value(shown[-1], field)) if more else None
    return shown, {"next": following}


def _value(row: Any, field: str) -> Any:
    for name in field.split("__"):
        row = getattr(row, name)
    return row


def small(text: str) -> int:
    """Return a number as rows have; ``ValueError`` for anything else."""
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise ValueError(text)
    return int(text)


def slug(text: str) -> str:
    """Return a name as addresses have; ``ValueError`` for anything else."""
    if not re.fullmatch(r"[-a-zA-Z0-9_]{1,60}", text):
        raise ValueError(text)
    return text


def slug_of(request: Request, name: str) -> str:
    """Return a name of the query as addresses have it; a problem if it is none."""
    try:
        return slug(request.query_params[name])
    except ValueError as error:
        text = _("Give “%(name)s” as it stands in addresses: letters, digits, hyphens.")
        raise Problem(400, "bad_query", text % {"name": name}) from error
