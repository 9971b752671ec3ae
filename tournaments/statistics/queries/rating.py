"""Ratings by openskill's Plackett–Luce model: each game a free-for-all in its places.

Measured traps, each with a test: weights change even teams of one, so they are never given; of four
players nobody's predicted chance of winning exceeds one half, so it is never shown; joint winners
of four would gain no more than the third, so a shared place is the mean of its orders.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby, permutations, product
from math import sqrt
from typing import NamedTuple

from django.db.models import F
from openskill.models import PlackettLuce

from ...core.names import person_names
from ...core.versions import sum_of
from ...models import (
    EventVersion,
    GameRating,
    GameResult,
    Organiser,
    PlayerRating,
    RatingState,
)
from ...models.enums import HeatStatus, Visibility

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
    """Yield the organiser's games of closed heats in the order in which they ended (one query).

    A game at which somebody had two seats, under two registrations, is none of different players.
    """
    rows = (
        GameResult.objects.filter(
            game__heat__event__organiser=organiser, game__heat__status=HeatStatus.FINISHED
        )
        .order_by("game__sheet__finished_at", "game", "place", "entry__registration")
        .values_list("game", "entry__registration", "entry__registration__person", "place")
    )
    for _game, each in groupby(map(Played._make, rows.iterator()), key=lambda row: row.game):
        players = tuple(each)
        if 1 < len(players) == len({player.person for player in players}):
            yield players


@dataclass(frozen=True)
class Rerated:
    """What is to be written of an organiser's ratings: the first ``kept`` of all games stay.

    ``was`` and ``version`` are the versions of the events from which the stored ratings were made,
    and these.
    """

    was: int
    version: int
    kept: int
    games: int
    rows: Sequence[GameRating]
    skills: Mapping[int, Skill]


def rerated(organiser: Organiser) -> Rerated:
    """Rate what is new, and all that came after a game that has changed (five queries)."""
    state = RatingState.objects.filter(organiser=organiser).first()
    events = EventVersion.objects.filter(event__organiser=organiser)
    version = events.aggregate(sum=sum_of("directed"))["sum"] or 0
    games = list(games_of(organiser))
    kept = _kept(organiser, games)
    skills = _skills(organiser, kept)
    rows: list[GameRating] = []
    for order in range(kept, len(games)):
        rows += _rated(organiser, order, games[order], skills)
    return Rerated(state.version if state else 0, version, kept, len(games), rows, skills)


def _kept(organiser: Organiser, games: Sequence[tuple[Played, ...]]) -> int:
    """Return how many games, from the first on, are stored as they are."""
    rows = (
        GameRating.objects.filter(organiser=organiser)
        .order_by("order", "place", "registration")
        .values_list("order", "game", "registration", "person", "place")
    )
    kept = 0
    for order, stored in groupby(rows.iterator(), key=lambda row: row[0]):
        players = tuple(Played._make(row[1:]) for row in stored)
        if order != kept or order >= len(games) or players != games[order]:
            break
        kept += 1
    return kept


def _skills(organiser: Organiser, kept: int) -> dict[int, Skill]:
    """Return each person's rating after so many games."""
    stored = GameRating.objects.filter(organiser=organiser, order__lt=kept).order_by("order")
    return {
        person: (mu, sigma)
        for person, mu, sigma in stored.values_list("person", "mu", "sigma").iterator()
    }


def _rated(
    organiser: Organiser, order: int, players: Sequence[Played], skills: dict[int, Skill]
) -> list[GameRating]:
    before = [skills.get(player.person, (MU, SIGMA)) for player in players]
    after = rate_game(before, [player.place for player in players])
    skills |= {player.person: skill for player, skill in zip(players, after, strict=True)}
    return [
        GameRating(
            organiser=organiser,
            order=order,
            game_id=player.game,
            registration_id=player.registration,
            person_id=player.person,
            place=player.place,
            mu_before=old[0],
            sigma_before=old[1],
            mu=new[0],
            sigma=new[1],
        )
        for player, old, new in zip(players, before, after, strict=True)
    ]


def changed_organisers() -> list[Organiser]:
    """Return the organisers at whose events something was written since their ratings."""
    organisers = Organiser.objects.annotate(
        now=sum_of("events__version__directed"), rated=F("ratingstate__version")
    )
    return [each for each in organisers if each.now is not None and each.now != each.rated]


class RatedRow(NamedTuple):
    """A line of the list of ratings; equal figures share the ``place``."""

    place: int
    name: str
    club: str
    figure: float
    sigma: float
    games: int


def rated_players(organiser: Organiser) -> list[RatedRow]:
    """Return the players with enough games whose names are shown, best first (four queries).

    Places are among those, so that they do not tell of anybody else.
    """
    rows = list(
        PlayerRating.objects.filter(organiser=organiser, games__gte=MIN_GAMES)
        .exclude(person__visibility=Visibility.HIDDEN)
        .values_list("person", "figure", "sigma", "games")
    )
    events = list(organiser.events.values_list("pk", flat=True))
    names = person_names({row[0]: (row[0],) for row in rows}, events, hidden=False)
    found: list[RatedRow] = []
    for person, figure, sigma, games in rows:
        if person in names:
            level = bool(found) and found[-1].figure == figure
            place = found[-1].place if level else len(found) + 1
            found.append(RatedRow(place, *names[person], figure, sigma, games))
    return found
