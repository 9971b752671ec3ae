"""Records, tables of different sizes, and hands beside chance: a tally as pages show it."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import NamedTuple

from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.reading.words import category_label

from ...core.names import registration_name
from ...models import HeatGame, Registration
from ...models.enums import EventStatus
from .hands import Hands, hands_of
from .tally import CHICAGOS, FAST, HANDS, RARE, RECORDS, RUN, SAD, SCORE, Record, Tally

#: Nineteen cases of twenty lie within this many standard deviations.
_WIDTH = 1.96


class Row(NamedTuple):
    """A line of a list of records: whose, how much, and the sheet that says so."""

    name: str
    what: str
    event: str
    where: str
    href: str


@dataclass(frozen=True)
class RecordList:
    """A list of records with its title."""

    key: str
    title: str
    rows: Sequence[Row]


@dataclass(frozen=True)
class TableSize:
    """Tables of so many players, in means of a game; None where nothing is known.

    ``dealer`` and ``fair`` are shares of games that the first dealer won, and would win if it gave
    no advantage, in percent, between ``least`` and ``most`` in nineteen cases of twenty.
    """

    players: int
    games: int
    deals: float | None
    seconds: float | None
    chicagos: float
    zeroed: float
    dealer: float
    fair: float
    least: float
    most: float

    @property
    def minutes_per_deal(self) -> float | None:
        """How long a deal takes."""
        return None if self.seconds is None else self.seconds / 60


@dataclass(frozen=True)
class Statistics:
    """All that a page of statistics shows."""

    hands: Hands
    records: Sequence[RecordList]
    sizes: Sequence[TableSize]


def statistics_of(tally: Tally, *, with_events: bool = False) -> Statistics:
    """Return a tally as pages show it (three queries).

    ``with_events``: each row names its event.
    """
    return Statistics(hands_of(tally), _lists(tally, with_events), _sizes(tally))


def _titles() -> dict[str, str]:
    return {
        SCORE: _("Highest sheet"),
        FAST: _("Fastest game to the target"),
        CHICAGOS: _("Most Chicagos won at an event"),
        RUN: _("Most games won in a row"),
        RARE: _("Rarest hand"),
        SAD: _("Reached the target without a Chicago, and fell to zero"),
    }


def _value(name: str, value: int) -> str:
    if name == FAST:
        return ngettext("%(count)s deal", "%(count)s deals", value) % {"count": value}
    if name == RARE:
        return category_label(HANDS[value])
    if name == SAD:
        return ngettext("%(count)s time", "%(count)s times", value) % {"count": value}
    return str(value)


def _lists(tally: Tally, with_events: bool) -> list[RecordList]:
    rows = [row for name in RECORDS for row in tally.records.get(name, ())]
    registrations = {
        each.pk: each
        for each in Registration.objects.filter(pk__in={row.registration for row in rows})
        .exclude(event__status=EventStatus.DRAFT)
        .select_related("person", "event")
    }
    games = {
        game.pk: game
        for game in HeatGame.objects.filter(pk__in={row.game for row in rows if row.game})
        .filter(~Q(heat__event__status=EventStatus.DRAFT))
        .select_related("heat__event")
    }

    def shown(name: str, row: Record) -> Row | None:
        player, game = registrations.get(row.registration), games.get(row.game)
        if player is None or (row.game and game is None):
            return None
        event = player.event.name if with_events else ""
        what = _value(name, row.value)
        if game is None:
            page = reverse("tournaments:result", args=[player.event.slug])
            return Row(registration_name(player), what, event, _("Result"), page)
        where = _("%(heat)s, game %(number)s") % {"heat": game.heat, "number": game.number}
        return Row(registration_name(player), what, event, where, game.heat.get_absolute_url())

    titles = _titles()
    return [
        RecordList(name, titles[name], found)
        for name in RECORDS
        if (found := [each for row in tally.records.get(name, ()) if (each := shown(name, row))])
    ]


def _sizes(tally: Tally) -> list[TableSize]:
    found = []
    for players, counts in sorted(tally.tables.items(), key=lambda each: int(each[0])):
        games, size = counts["games"], int(players)
        spread = 100 * _WIDTH * sqrt((1 / size) * (1 - 1 / size) / games)
        found.append(
            TableSize(
                players=size,
                games=games,
                deals=counts["lengths"] / counts["known"] if counts["known"] else None,
                seconds=counts["took"] / counts["timed"] if counts["timed"] else None,
                chicagos=counts["won"] / games,
                zeroed=counts.get("zeroed", 0) / games,
                dealer=100 * counts.get("dealer", 0) / games,
                fair=100 / size,
                least=max(0.0, 100 / size - spread),
                most=min(100.0, 100 / size + spread),
            )
        )
    return found
