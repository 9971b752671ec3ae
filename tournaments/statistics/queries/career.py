"""A player's page over the events of an organiser: only of players who have agreed to one."""

import uuid
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from typing import NamedTuple

from django.utils.translation import gettext as _

from engine.bots import chance
from scoring.pictures.shapes import Picture
from scoring.reading.games import table_games
from scoring.reading.race import Race, races_of
from scoring.reading.words import category_label

from ...core.names import person_names
from ...models import (
    EventPlace,
    GameRating,
    GameResult,
    HeatGame,
    HeatResult,
    Organiser,
    Person,
    PlayerRating,
)
from ...models.enums import EventStatus, HeatStatus
from ...results.queries.chance import Simulated, expected, simulations
from ...results.queries.hands import Compared, compared
from ...results.queries.road import road_of
from ...results.queries.tally import ASKED, HANDS
from .rating import MIN_GAMES

#: Games whose change of the rating is told, and opponents that are named.
LATEST, OPPONENTS = 10, 20


@dataclass
class EventRow:
    """An event of the player: the final place, if it is over, and sums of its games."""

    slug: str
    name: str
    number: int
    place: int | None = None
    shared: int = 1
    heats: int = 0
    games: int = 0
    won: int = 0
    chicagos: int = 0
    points: Fraction = Fraction(0)
    road: Picture | None = None


class GameRow(NamedTuple):
    """A game: its score and place, its heat, and its picture."""

    score: int
    place: int
    where: str
    href: str
    race: Race | None


class Opponent(NamedTuple):
    """Somebody whom the player met in ``games``, and was ``ahead`` or ``behind`` of in them."""

    name: str
    games: int
    ahead: int
    behind: int


class Step(NamedTuple):
    """What a game changed in the rating."""

    where: str
    href: str
    place: int
    before: float
    after: float


@dataclass(frozen=True)
class Career:
    """All that the page shows."""

    name: str
    club: str
    events: Sequence[EventRow]
    games: int
    won: int
    chicagos: int
    broken: int
    best: GameRow | None
    worst: GameRow | None
    hands: Sequence[Compared]
    compares: bool
    opponents: Sequence[Opponent]
    rating: PlayerRating | None
    steps: Sequence[Step]
    #: The rating after each game, the first one first.
    figures: Sequence[float]


def career_of(organiser: Organiser, public_id: uuid.UUID) -> Career | None:
    """Return a player's page, None for everybody who has not agreed or shows no name."""
    person = Person.objects.filter(
        organiser=organiser, public_id=public_id, career__isnull=False, merged_into__isnull=True
    ).first()
    if person is None:
        return None
    events = list(organiser.events.exclude(status=EventStatus.DRAFT).values_list("pk", flat=True))
    names = person_names({person.pk: (person.pk,)}, events, hidden=False)
    if person.pk not in names:
        return None
    played = _played(person)
    mine = [row for row in played if row.entry.registration.person_id == person.pk]
    came = sum((Counter(row.came) for row in mine), Counter[str]())
    hands, compares = _hands(mine, came)
    ordered = sorted(mine, key=lambda row: (row.place, -row.score))
    rating = PlayerRating.objects.filter(person=person, games__gte=MIN_GAMES).first()
    return Career(
        *names[person.pk],
        events=_events(person, mine),
        games=len(mine),
        won=sum(row.place == 1 for row in mine),
        chicagos=sum(row.asterisks for row in mine),
        broken=came[chance.BROKEN],
        best=_game(ordered[0]) if ordered else None,
        worst=_game(ordered[-1]) if len(ordered) > 1 else None,
        hands=hands,
        compares=compares,
        opponents=_opponents(person, events, played, mine),
        rating=rating,
        steps=_steps(person) if rating else (),
        figures=_figures(person) if rating else (),
    )


def _played(person: Person) -> list[GameResult]:
    """Return everybody's results in the player's games, the player's own too (one query)."""
    own = GameResult.objects.filter(
        entry__registration__person=person, game__heat__status=HeatStatus.FINISHED
    ).exclude(game__heat__event__status=EventStatus.DRAFT)
    rows = GameResult.objects.filter(game__in=own.values("game")).select_related(
        "game__heat__event",
        "game__heat__stage",
        "game__heat__table",
        "game__hands",
        "entry__registration",
    )
    return list(rows.order_by("game__sheet__finished_at", "game", "seat"))


def _events(person: Person, mine: Sequence[GameResult]) -> list[EventRow]:
    """Return the player's events, newest first (two queries)."""
    found: dict[int, EventRow] = {}
    heats: dict[int, set[int]] = {}
    for result in mine:
        heat = result.game.heat
        number = result.entry.registration.number
        row = found.setdefault(heat.event_id, EventRow(heat.event.slug, heat.event.name, number))
        heats.setdefault(heat.event_id, set()).add(heat.pk)
        row.heats = len(heats[heat.event_id])
        row.games += 1
        row.won += result.place == 1
        row.chicagos += result.asterisks
        row.points += result.game_points
    _draw_roads(person, found)
    for place in EventPlace.objects.filter(registration__person=person, event__in=list(found)):
        found[place.event_id].place, found[place.event_id].shared = place.place, place.shared
    return list(reversed(found.values()))


def _draw_roads(person: Person, events: Mapping[int, EventRow]) -> None:
    rows = (
        HeatResult.objects.filter(entry__registration__person=person, heat__event__in=list(events))
        .filter(heat__status=HeatStatus.FINISHED)
        .select_related("heat__stage")
        .order_by("heat__event", "heat__number")
    )
    for event, results in groupby(rows, key=lambda row: row.heat.event_id):
        events[event].road = road_of(list(results))


def _where(game: HeatGame) -> str:
    return _("%(event)s, %(heat)s, game %(number)s") % {
        "event": game.heat.event.name,
        "heat": game.heat,
        "number": game.number,
    }


def _game(result: GameResult) -> GameRow:
    """Return a game with its picture, if it was scored deal by deal (five queries)."""
    game = result.game
    races: Sequence[Race] = ()
    if game.heat.table is not None:
        read = table_games(game.heat.table, only=[game.number])
        races = races_of(read.games, read.rules)
    return GameRow(
        result.score,
        result.place,
        _where(game),
        game.heat.get_absolute_url(),
        races[0] if races else None,
    )


def _hands(mine: Sequence[GameResult], came: Mapping[str, int]) -> tuple[list[Compared], bool]:
    """Return the player's hands beside an equal share of what chance gives (at most one query)."""
    asked: dict[tuple[str, int], Counter[int]] = {}
    for result in mine:
        hands = result.game.hands
        key = (result.game.heat.event.rules, hands.players)
        counts = asked.setdefault(key, Counter())
        counts.update({phase: getattr(hands, name) for phase, name in ASKED.items()})
    known = simulations({rules for rules, _players in asked})
    parts: list[tuple[Mapping[int, float], Simulated]] = []
    compares = True
    for key, counts in asked.items():
        simulated = known.get(key)
        if simulated is None:
            compares = False
        else:
            share = {phase: times / key[1] for phase, times in counts.items()}
            parts.append((share, simulated))
    rows = [
        compared(
            category_label(each), came.get(each, 0), expected(parts, each) if compares else None
        )
        for each in HANDS
    ]
    return rows, compares


def _opponents(
    person: Person,
    events: Sequence[int],
    played: Sequence[GameResult],
    mine: Sequence[GameResult],
) -> list[Opponent]:
    """Return those whom the player met most, if they show a name (two queries)."""
    own = {result.game_id: result.place for result in mine}
    met: dict[int, Counter[str]] = {}
    for result in played:
        other = result.entry.registration.person_id
        if other != person.pk:
            counts = met.setdefault(other, Counter())
            counts["games"] += 1
            counts["ahead"] += own[result.game_id] < result.place
            counts["behind"] += own[result.game_id] > result.place
    names = person_names({other: (other,) for other in met}, events, hidden=False)
    found = [
        Opponent(names[other][0], counts["games"], counts["ahead"], counts["behind"])
        for other, counts in met.items()
        if other in names
    ]
    return sorted(found, key=lambda row: (-row.games, row.name))[:OPPONENTS]


def _steps(person: Person) -> list[Step]:
    """Return what the latest games changed in the rating, newest first (one query)."""
    rows = GameRating.objects.filter(person=person).select_related("game__heat__event")
    return [
        Step(
            _where(row.game),
            row.game.heat.get_absolute_url(),
            row.place,
            row.mu_before - 3 * row.sigma_before,
            row.mu - 3 * row.sigma,
        )
        for row in rows.order_by("-order")[:LATEST]
    ]


def _figures(person: Person) -> list[float]:
    """Return the rating after each game (one query)."""
    rows = GameRating.objects.filter(person=person).order_by("order").values_list("mu", "sigma")
    return [mu - 3 * sigma for mu, sigma in rows]
