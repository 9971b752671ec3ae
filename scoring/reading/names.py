"""Names for the references that tables hold; the only source of names for scoring's pages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ..host import host
from ..models import Table


def names_for(tables: Iterable[Table]) -> dict[int, dict[str, str]]:
    """Return ``{table id: {reference: display name}}`` for every player of the tables.

    A reference unknown to the host is its own name, so a casual table, whose references are the
    names, needs no host. Equal names at one table are numbered, because a score sheet must tell the
    players apart.
    """
    tables = list(tables)
    known = host().names([table.pk for table in tables]) if tables else {}
    result = {}
    for table in tables:
        own = known.get(table.pk, {})
        names = {
            str(player_id): str(own.get(str(player_id), player_id)) for player_id in table.players
        }
        result[table.pk] = _told_apart(names)
    return result


def names_of(table: Table) -> dict[str, str]:
    """Return ``{reference: display name}`` of one table."""
    return names_for([table])[table.pk]


def title_of_table(table: Table, heat: str | None = None) -> str:
    """Return the title of the table's pages; ``heat`` is its heat's name, if already asked for."""
    if heat is None:
        heat = host().at_table(table.pk).heat
    return f"{heat} · {table.label}" if heat else table.title


class ShownText:
    """Converts typed text on a table's sheets, such as a reason, to what everybody may read.

    The host is asked only when the first such text is shown.
    """

    def __init__(self, table: Table) -> None:
        self._table = table
        self._shown: Callable[[str], str] | None = None

    def __call__(self, text: str) -> str:
        """Return the text as everybody may read it."""
        if not text:
            return text
        if self._shown is None:
            self._shown = host().text(self._table.pk)
        return self._shown(text)


def shown_entry(entry: Mapping[str, Any], text: Callable[[str], str]) -> Mapping[str, Any]:
    """Return an entry with its texts as everybody may read them."""
    typed = {key: text(entry[key]) for key in ("reason", "note") if entry.get(key)}
    return {**entry, **typed} if typed else entry


def _told_apart(names: dict[str, str]) -> dict[str, str]:
    seen: dict[str, int] = {}
    result = {}
    for player_id, name in names.items():
        seen[name] = seen.get(name, 0) + 1
        result[player_id] = name if seen[name] == 1 else f"{name} ({seen[name]})"
    return result
