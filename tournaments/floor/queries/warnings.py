"""Entries of the tables that were confirmed although unusual."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from engine.messages import unusual_text
from scoring.models import SheetEntry
from scoring.reading.words import entry_text
from scoring.words import lang

from ...core.names import staff_name
from ...heats.queries.cards import unusual_entries
from ...models import Event, Heat, HeatEntry


@dataclass(frozen=True)
class SheetWarning:
    """An unusual entry, confirmed by the Auditor and not yet reviewed by staff."""

    heat: int
    heat_name: str
    game: int
    sequence: int
    text: str
    codes: tuple[str, ...]
    at: datetime

    @property
    def why(self) -> str:
        """Return in words what is unusual."""
        return ", ".join(unusual_text(code, lang()) for code in self.codes)


def open_warnings(event: Event, heat: Heat | None = None) -> list[SheetWarning]:
    """Return confirmed warnings that nobody has reviewed, oldest first (two queries)."""
    rows = (
        unusual_entries()
        .filter(sheet__heat_game__heat__event=event)
        .select_related("sheet__heat_game__heat")
        .order_by("created_at", "pk")
    )
    if heat is not None:
        rows = rows.filter(sheet__heat_game__heat=heat)
    found = list(rows)
    names = _names({row.sheet.heat_game.heat_id for row in found})
    return [
        SheetWarning(
            heat=row.sheet.heat_game.heat.number,
            heat_name=str(row.sheet.heat_game.heat),
            game=row.sheet.number,
            sequence=row.sequence,
            text=entry_text(
                row.entry or {},
                [
                    names[row.sheet.heat_game.heat_id].get(player_id, player_id)
                    for player_id in row.sheet.seats
                ],
            ),
            codes=tuple(codes_of(row)),
            at=row.created_at,
        )
        for row in found
    ]


def _names(heats: Iterable[int]) -> dict[int, dict[str, str]]:
    """Return staff names by heat and reference."""
    names: dict[int, dict[str, str]] = {heat: {} for heat in heats}
    for entry in HeatEntry.objects.filter(heat__in=list(names)).select_related(
        "registration__person"
    ):
        names[entry.heat_id or 0][entry.registration.player_id] = staff_name(
            entry.registration.person
        )
    return names


def codes_of(row: SheetEntry) -> list[str]:
    """Return the codes of the engine's warnings when the entry was confirmed."""
    return [str(each["code"]) for each in row.answer.get("warnings", ())]
