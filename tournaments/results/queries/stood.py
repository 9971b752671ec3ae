"""Heats whose corrected sheets name others than who advanced, as the director let tables stand."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.models import AskedOften, Blank

from ...core.names import registration_name, staff_name
from ...models import Heat, HeatResult, LogEntry, Registration
from ...models.enums import HeatStatus, LogAction
from .standings import history_of, reason

#: As the log keeps it, of a correction after which the next tables stood.
STAND = "stand"


@dataclass(frozen=True)
class Stood:
    """Who plays on although no longer ahead, and who is ahead and gets no place.

    ``actor`` decided it at ``at``; both are empty for an imported event.
    """

    plays_on: tuple[Registration, ...]
    no_place: tuple[Registration, ...]
    first: int
    actor: str = ""
    at: datetime | None = None

    def sentence(self, *, staff: bool = True) -> str:
        """Return who plays on and who gets no place."""
        return stood_text(
            *(
                [staff_name(row.person) if staff else registration_name(row) for row in rows]
                for rows in (self.plays_on, self.no_place)
            ),
            first=self.first,
        )

    def text(self, *, staff: bool = False) -> str:
        """Return the sentence and who decided it; the account is named to the staff only."""
        who = self.actor if staff and self.actor else _("the tournament director")
        if self.at is None:
            decided = _("Decided by %(who)s.") % {"who": who}
        else:
            when = date_format(timezone.localtime(self.at), "j M H:i")
            decided = _("Decided by %(who)s, %(when)s.") % {"who": who, "when": when}
        return f"{self.sentence(staff=staff)} {decided}"

    def concerns(self, registration: Registration) -> bool:
        """Whether the player plays on by it, or gets no place."""
        return registration in (*self.plays_on, *self.no_place)

    def as_json(self) -> dict[str, Any]:
        """Return it as the log keeps it: players by reference."""
        return {
            "plays_on": [row.player_id for row in self.plays_on],
            "no_place": [row.player_id for row in self.no_place],
            "first": self.first,
        }


def stood_text(plays_on: Sequence[str], no_place: Sequence[str], *, first: int) -> str:
    """Return the sentence without who decided it."""
    texts = []
    if plays_on and first == 1:
        texts.append(_("%(names)s plays on although no longer the winner of the heat."))
    elif plays_on:
        texts.append(
            ngettext(
                "%(names)s plays on although no longer among the first %(first)s of the heat.",
                "%(names)s play on although no longer among the first %(first)s of the heat.",
                len(plays_on),
            )
        )
    if no_place:
        texts.append(
            ngettext(
                "%(out)s gets no place.",
                "%(out)s get no place.",
                len(no_place),
            )
        )
    words = {"names": ", ".join(plays_on), "out": ", ".join(no_place), "first": first}
    return " ".join(text % words for text in texts)


def _ranked(results: QuerySet[HeatResult]) -> QuerySet[HeatResult]:
    return results.filter(disqualified=False).order_by("order")


_ADVANCES = AskedOften(
    lambda: _ranked(HeatResult.objects.filter(heat__in=Blank(several=True))).values_list(
        "heat", "advances"
    )
)


def stood_of(heats: Iterable[Heat]) -> dict[int, Stood]:
    """Return what stood in these heats, by key (one query, and two for each that has some)."""
    ended = {heat.pk: heat for heat in heats if heat.status == HeatStatus.FINISHED}
    advances: dict[int, list[bool]] = {}
    for heat, goes_on in _ADVANCES.rows(list(ended)):
        advances.setdefault(heat, []).append(goes_on)
    return {
        key: _decided(ended[key], _stood(ended[key]))
        for key, own in advances.items()
        # Who has qualified elsewhere goes on, too, and somebody else instead: nobody is left out.
        if any(own) and not all(own[: ended[key].advance])
    }


def _stood(heat: Heat) -> Stood:
    rows = list(_ranked(heat.results.all()).select_related("entry__registration__person"))
    first = heat.advance
    out = [row.entry.registration for row in rows[:first] if not row.advances]
    on = [row.entry.registration for row in rows[first:] if row.advances]
    return Stood(tuple(on), tuple(out), first)


def _decided(heat: Heat, stood: Stood) -> Stood:
    entry = (
        LogEntry.objects.filter(
            action__in=[LogAction.CORRECTED, LogAction.PAPER_ENTERED],
            object_type="heat",
            object_id=str(heat.pk),
            after__round=STAND,
        )
        .order_by("-pk")
        .first()
    )
    if entry is None:
        return stood
    return Stood(stood.plays_on, stood.no_place, stood.first, entry.actor, entry.at)


def told_history(
    registration: Registration, *, staff: bool = False
) -> list[tuple[HeatResult, list[str]]]:
    """Return a player's heat results, newest first, each with what is to be said of it."""
    rows = list(history_of(registration))
    stood = stood_of([row.heat for row in rows])
    told = []
    for row in rows:
        here = stood.get(row.heat_id)
        texts = [
            reason(row),
            here.text(staff=staff) if here and here.concerns(registration) else "",
        ]
        told.append((row, [text for text in texts if text]))
    return told
