"""What is drawn to be shared, and which of it is to be drawn anew."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.conf import settings
from django.db.models import F, OuterRef, Q, Subquery
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.pictures.shapes import Picture
from scoring.reading.games import table_games
from scoring.reading.race import Race, races_of
from scoring.reading.words import points_text

from ...core.days import days_of
from ...core.names import registration_name
from ...models import Event, Heat, HeatResult, SharedPicture
from ...models.enums import EventStatus, HeatStatus, Shares, Visibility
from .final import champions_of, is_over
from .player import public_player


class Wanted(NamedTuple):
    """A picture that there should be: of what, as of which version."""

    kind: str
    number: int
    version: int


@dataclass(frozen=True)
class Told:
    """What a picture says: what is above and below its title, and lines of place, name, points."""

    over: str
    title: str
    under: str = ""
    lines: Sequence[tuple[str, str, str]] = ()
    race: Race | None = None
    #: Heats of a player, whose road is drawn.
    road: Sequence[HeatResult] = ()
    #: Any other picture.
    chart: Picture | None = None
    is_proud: bool = False


def changed_events() -> list[Event]:
    """Return the events of which something was written since their pictures were made."""
    drawn = SharedPicture.objects.filter(event=OuterRef("pk"), kind=Shares.EVENT)
    events = Event.objects.exclude(status=EventStatus.DRAFT).annotate(
        drawn=Subquery(drawn.order_by("version").values("version")[:1])
    )
    return list(
        events.filter(Q(drawn__isnull=True) | ~Q(drawn=F("version__directed")))
        .select_related("organiser", "version")
        .order_by("pk")
    )


def wanted_of(event: Event) -> list[Wanted]:
    """Return the pictures that there should be of an event (a fixed number of queries).

    Of players and the champion once the result is final, of heats once they are closed. The event
    itself comes last, as it tells that all others are made.
    """
    version = event.version.directed
    heats = event.heats.finished().order_by("number").values_list("number", "changed__number")
    found = [Wanted(Shares.HEAT, number, changed or 0) for number, changed in heats]
    if is_over(event):
        played = event.registrations.filter(entries__heat__status=HeatStatus.FINISHED).distinct()
        found += [
            Wanted(Shares.PLAYER, player.number, version)
            for player in played.select_related("person").order_by("number")
            if player.shown_as != Visibility.HIDDEN
        ]
        found.append(Wanted(Shares.CHAMPION, 0, version))
    return [*found, Wanted(Shares.EVENT, 0, version)]


def missing_of(event: Event) -> list[tuple[Wanted, str]]:
    """Return what is to be drawn, and in which language."""
    rows = event.shared_pictures.values_list("kind", "number", "version", "language")
    there = set(rows.iterator())
    return [
        (each, code)
        for each in wanted_of(event)
        for code, _name in settings.LANGUAGES
        if (*each, code) not in there
    ]


def told_of(event: Event, wanted: Wanted) -> Told | None:
    """Return what a picture says in the active language, None if there is nothing to show."""
    if wanted.kind == Shares.HEAT:
        heat = event.heats.filter(number=wanted.number).select_related("table", "stage").first()
        return _of_heat(event, heat) if heat else None
    if wanted.kind == Shares.PLAYER:
        return _of_player(event, wanted.number)
    if wanted.kind == Shares.CHAMPION:
        return _of_champions(event)
    under = " · ".join(filter(None, (days_of(event), event.venue)))
    return Told(event.organiser.name, event.name, under)


def last_race(heat: Heat) -> Race | None:
    """Return the last game of a heat as it is drawn, if it was scored deal by deal."""
    if heat.table is None:
        return None
    read = table_games(heat.table)
    races = races_of(read.games, read.rules)
    return races[-1] if races else None


def _of_heat(event: Event, heat: Heat) -> Told:
    rows = HeatResult.objects.filter(heat=heat).select_related("entry__registration__person")
    lines = [
        (f"{row.place}.", registration_name(row.entry.registration), points_text(row.game_points))
        for row in rows.order_by("order")
    ]
    return Told(event.name, str(heat), lines=lines, race=last_race(heat))


def _of_player(event: Event, number: int) -> Told | None:
    found = public_player(event, number)
    if found is None:
        return None
    heats = [each.result for each in reversed(found.heats)]
    played = ngettext("%(count)s heat", "%(count)s heats", len(heats)) % {"count": len(heats)}
    won = ngettext("%(won)s of %(count)s game won", "%(won)s of %(count)s games won", found.games)
    lines = [("", found.state, ""), ("", played, "")]
    lines.append(("", won % {"won": found.won, "count": found.games}, ""))
    if found.chicagos:
        lines.append(("", f"{_('Chicagos')}: {found.chicagos}", ""))
    return Told(event.name, found.name, found.club, lines, road=heats)


def _of_champions(event: Event) -> Told | None:
    champions = champions_of(event)
    if not champions:
        return None
    word = ngettext("Champion", "Champions", len(champions))
    names = ", ".join(each.name for each in champions)
    way = champions[0].way
    race = last_race(way[-1].heat) if way else None
    lines = [("", each, "") for each in champions[0].beaten[:3]]
    return Told(event.name, names, word, lines, race, is_proud=True)
