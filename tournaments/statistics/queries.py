"""Ratings by openskill's Plackett–Luce model: each game a free-for-all in its places.

Measured traps, each with a test: weights change even teams of one, so they are never given; of four
players nobody's predicted chance of winning exceeds one half, so it is never shown; joint winners
of four would gain no more than the third, so a shared place is the mean of its orders.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import groupby, permutations, product
from math import sqrt
from typing import NamedTuple

from django.db.models import F, Sum
from openskill.models import PlackettLuce

from ..core.names import person_names
from ..models import GameResult, Organiser, PlayerRating
from ..models.enums import HeatStatus, Visibility

#: Games after which a figure is shown.
MIN_GAMES = 10
#: What a player begins with.
MU, SIGMA = 25.0, 25.0 / 3

Skill = tuple[float, float]


@cache
def _model() -> PlackettLuce:
    return PlackettLuce(mu=MU, sigma=SIGMA)


def rate_game(before: Sequence[Skill], places: Sequence[int]) -> list[Skill]:
    """Return everybody's rating after a game.

    Players who share a place get the mean of all orders in which they could have come (of the
    variance, too), so that two joint winners gain what a first and a second gain on average.
    """
    groups = [
        [index for index in range(len(places)) if places[index] == place]
        for place in sorted(set(places))
    ]
    orders = [
        [index for group in chosen for index in group]
        for chosen in product(*(list(permutations(group)) for group in groups))
    ]
    mu, variance = [0.0] * len(before), [0.0] * len(before)
    for order in orders:
        teams = [[_model().rating(mu=before[index][0], sigma=before[index][1])] for index in order]
        rated = _model().rate(teams, ranks=[float(place) for place in range(1, len(order) + 1)])
        for index, [after] in zip(order, rated, strict=True):
            mu[index] += after.mu
            variance[index] += after.sigma**2
    return [
        (own / len(orders), sqrt(spread / len(orders)))
        for own, spread in zip(mu, variance, strict=True)
    ]


class Played(NamedTuple):
    """A player in a game, as it is rated."""

    game: int
    registration: int
    person: int
    place: int


def games_of(organiser: Organiser) -> Iterator[tuple[Played, ...]]:
    """Yield the organiser's games of closed heats in the order in which they ended (one query)."""
    rows = (
        GameResult.objects.filter(
            game__heat__event__organiser=organiser, game__heat__status=HeatStatus.FINISHED
        )
        .order_by("game__sheet__finished_at", "game", "place", "entry__registration")
        .values_list(
            "game",
            "entry__registration",
            "entry__registration__person",
            "place",
        )
    )
    for _game, players in groupby(map(Played._make, rows.iterator()), key=lambda row: row.game):
        yield tuple(players)


def changed_organisers() -> list[Organiser]:
    """Return the organisers at whose events something was written since their ratings."""
    organisers = Organiser.objects.annotate(
        now=Sum("events__version__directed"), rated=F("ratingstate__version")
    )
    return [each for each in organisers if each.now is not None and each.now != each.rated]


class RatedRow(NamedTuple):
    """A line of the list of ratings."""

    place: int
    name: str
    club: str
    figure: float
    sigma: float
    games: int


def rated_players(organiser: Organiser) -> list[RatedRow]:
    """Return the players with enough games whose names are shown, best first (three queries)."""
    rows = list(
        PlayerRating.objects.filter(organiser=organiser, games__gte=MIN_GAMES)
        .exclude(person__visibility=Visibility.HIDDEN)
        .values_list("person", "figure", "sigma", "games")
    )
    events = list(organiser.events.values_list("pk", flat=True))
    names = person_names({row[0]: (row[0],) for row in rows}, events, hidden=False)
    shown = [(names[row[0]], row) for row in rows if row[0] in names]
    return [
        RatedRow(place, name, club, figure, sigma, games)
        for place, ((name, club), (_person, figure, sigma, games)) in enumerate(shown, start=1)
    ]
