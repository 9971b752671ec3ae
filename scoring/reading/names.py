"""Names for the references that tables hold; the only way names enter a page of scoring."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from scoring.host import host
from scoring.models import Table


def names_for(tables: Iterable[Table]) -> dict[int, dict[str, str]]:
    """Return ``{table id: {reference: display name}}`` for every player of the tables.

    A reference that the host does not know stands for itself, so that a casual table,
    whose references are the names, needs no host. Names that two players of a table
    share are numbered, because a score sheet must tell them apart.
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


class ShownText:
    """What somebody typed on a table's sheets, such as a reason, as everybody may read it.

    The host is asked when the first such text is there.
    """

    def __init__(self, table: Table) -> None:
        self._table = table
        self._shown: Callable[[str], str] | None = None

    def __call__(self, text: str) -> str:
        """Return a text as it may be read."""
        if not text:
            return text
        if self._shown is None:
            self._shown = host().text(self._table.pk)
        return self._shown(text)


def shown_entry(entry: Mapping[str, Any], text: Callable[[str], str]) -> Mapping[str, Any]:
    """Return an entry with its texts as they may be read."""
    typed = {key: text(entry[key]) for key in ("reason", "note") if entry.get(key)}
    return {**entry, **typed} if typed else entry


def _told_apart(names: dict[str, str]) -> dict[str, str]:
    seen: dict[str, int] = {}
    result = {}
    for player_id, name in names.items():
        seen[name] = seen.get(name, 0) + 1
        result[player_id] = name if seen[name] == 1 else f"{name} ({seen[name]})"
    return result
