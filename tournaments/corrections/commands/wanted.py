"""What the director wants corrected, with the decisions that it needs."""

import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from scoring.enums import RowKind
from scoring.models import Sheet

from ...models import Heat
from ...results.queries.stood import STAND


@dataclass(frozen=True)
class Correction:
    """A correction and its decisions: void, amend or insert an entry on one sheet.

    ``also`` are inserted after ``entry``: the rest of a forgotten deal. Kind ``paper`` replaces the
    whole sheet by the totals on its paper. With ``back``, the correction whose first row has the
    number ``sequence`` is taken back. ``change``, if given, is called instead of writing to the
    sheet. ``seen_version`` is the sheet's version that the director saw.

    Decisions: ``with_later`` accepts that later entries which become impossible are voided too;
    ``end_game`` ends a game that would be open again, by a ruling; ``flip_flops`` are the orders of
    groups now tied, or ``lots`` has the program draw them; ``round`` is :data:`STAND` (tables that
    have begun play on), :data:`TABLE` (only those with a wrong player begin anew) or
    :data:`REDRAW` (draw the round again); ``instead`` advances if the heat's
    new winner has qualified from another heat; empty for nobody.
    """

    sheet: Sheet
    kind: RowKind
    sequence: int
    entry: Mapping[str, Any] | None
    reason: str
    seen_version: int
    client_id: uuid.UUID = field(default_factory=uuid.uuid4)
    with_later: bool = False
    end_game: bool = False
    flip_flops: tuple[tuple[str, ...], ...] = ()
    round: str = ""
    lots: bool = False
    instead: str | None = None
    also: tuple[Mapping[str, Any], ...] = ()
    back: bool = False
    change: Callable[[], Any] | None = None

    @classmethod
    def of_change(cls, *, heat: Heat, change: Callable[[], Any], reason: str) -> Self:
        """Return the correction of a closed heat's ranking that ``change`` makes.

        Who advances follows as usual; tables of the next round that have begun play on.
        """
        sheet = Sheet.objects.filter(table=heat.table_id).order_by("number")[0]
        return cls(sheet, RowKind.VOID, 0, None, reason, sheet.version, round=STAND, change=change)
