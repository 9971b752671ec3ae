"""Findings in words."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ..models.titles import heat_title

SENTENCES = {
    "guard": gettext_lazy("A safeguard of the database is missing or switched off: %(detail)s."),
    "guard_changed": gettext_lazy("A safeguard of the database was changed: %(detail)s."),
    "chain": gettext_lazy("Lines of this sheet were changed or removed (line %(detail)s)."),
    "state": gettext_lazy("The stored score does not match the lines."),
    "results": gettext_lazy("The stored results do not match the sheets."),
    "not_through": gettext_lazy("Player %(detail)s has qualified, but this is not stored."),
    "through_without_a_win": gettext_lazy(
        "Player %(detail)s is stored as qualified without having won."
    ),
    "unreadable": gettext_lazy("The sheets cannot be recomputed; see the log."),
    "head": gettext_lazy("The sheet does not match the line of %(detail)s."),
    "anchor_changed": gettext_lazy("The line of %(detail)s was changed afterwards."),
    "log_rows": gettext_lazy("Rows of the log are missing since %(detail)s."),
    "ledger_rows": gettext_lazy("Rows of the ledger are missing since %(detail)s."),
}


@dataclass(frozen=True, slots=True)
class Sentence:
    """A finding for people."""

    code: str
    where: str
    text: str


def sentences(found: Iterable[Mapping[str, Any]], titles: Mapping[int, str]) -> list[Sentence]:
    """Return the findings in the reader's language; ``titles`` of play-off heats by number."""
    return [
        Sentence(
            code=each["what"],
            where=_where(each, titles),
            text=str(SENTENCES[each["what"]]) % {"detail": each["detail"]},
        )
        for each in found
    ]


def _where(each: Mapping[str, Any], titles: Mapping[int, str]) -> str:
    parts = []
    if each["heat"]:
        parts.append(heat_title(titles.get(each["heat"], ""), each["heat"]))
    if each["game"]:
        parts.append(_("Game %(number)s") % {"number": each["game"]})
    return " · ".join(parts)
