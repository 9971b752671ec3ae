"""What chance would have given: how often each hand and Chicago comes by these rules, and how sure.

Counted over games of the program's own players: the festival's rules come with the program, all
others the worker plays (``results/tasks.py``).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from math import sqrt

from engine.bots import chance
from engine.errors import ChicagoError
from engine.rules.presets import FESTIVAL
from engine.rules.variants import parse_rules

from ...models import GameHands, SimulatedHands
from ...models.enums import EventStatus

#: Nineteen events of twenty lie within this many standard deviations.
_WIDTH = 1.96


@dataclass(frozen=True, slots=True)
class Simulated:
    """Counts over ``games`` games from ``seed``, by phase (0: the tricks) and what came."""

    games: int
    seed: str
    counts: Mapping[chance.What, int]

    def asked(self, phase: int) -> int:
        """Return for how many of the phase it is known what came."""
        return sum(times for (of, _told), times in self.counts.items() if of == phase)


def plays_as_festival(rules: str) -> bool:
    """Return whether cards are dealt, exchanged and played as by the festival's rules.

    >>> plays_as_festival("festival"), plays_as_festival("sm"), plays_as_festival("wikipedia")
    (True, True, False)
    """
    try:
        found = parse_rules(rules)
    except ChicagoError:
        return False
    alike = replace(found, preset=FESTIVAL.preset, game_points=FESTIVAL.game_points)
    return alike == FESTIVAL


def simulations(rules: Iterable[str]) -> dict[tuple[str, int], Simulated]:
    """Return what is known of chance by rules and number of players (at most one query)."""
    found: dict[tuple[str, int], Simulated] = {}
    other = []
    for each in rules:
        if plays_as_festival(each):
            for players, counts in chance.COUNTED.items():
                found[each, players] = Simulated(chance.GAMES, chance.SEED, counts)
        else:
            other.append(each)
    for row in SimulatedHands.objects.filter(rules__in=other, games__gt=0) if other else ():
        counts = {(phase, what): times for phase, what, times in row.counts}
        found[row.rules, row.players] = Simulated(row.games, row.seed, counts)
    return found


@dataclass(frozen=True, slots=True)
class Expected:
    """How often something would come by chance, and between what in nineteen events of twenty."""

    times: float
    least: int
    most: int


def expected(parts: Iterable[tuple[Mapping[int, float], Simulated]], key: str) -> Expected:
    """Return what chance gives; ``parts`` have how often each phase was asked, and its simulation.

    The interval allows for chance at the table and for the simulation, whose share is itself
    counted. It is taken on the scale of square roots, on which rare hands vary as much as others.

    >>> four = Simulated(chance.GAMES, chance.SEED, chance.COUNTED[4])
    >>> expected([({1: 1000}, four)], "pair")
    Expected(times=344.69, least=315, most=375)
    >>> expected([({1: 100}, four)], "royal_flush")
    Expected(times=0.0, least=0, most=1)
    """
    times = variance = 0.0
    for asked, simulated in parts:
        for phase, number in asked.items():
            known = simulated.asked(phase)
            if not (number and known):
                continue
            share = simulated.counts.get((phase, key), 0) / known
            times += number * share
            variance += number * share * (1 - share) * (1 + number / known)
    wide = _WIDTH / 2 * sqrt(variance / times if variance else 1.0)
    least = max(0.0, sqrt(times) - wide) ** 2
    return Expected(round(times, 2), int(least), int((sqrt(times) + wide) ** 2))


def unknown_chances() -> list[tuple[str, int, int]]:
    """Return rules and numbers of players of finished events that are not wholly simulated.

    The third figure is how many games are, of ``engine.bots.chance.GAMES`` (two queries).
    """
    done = {(row.rules, row.players): row.games for row in SimulatedHands.objects.all()}
    played = (
        GameHands.objects.filter(game__heat__event__status=EventStatus.FINISHED)
        .values_list("game__heat__event__rules", "players")
        .distinct()
        .order_by("game__heat__event__rules", "players")
    )
    return [
        (rules, players, done.get((rules, players), 0))
        for rules, players in played
        if done.get((rules, players), 0) < chance.GAMES
        and not (players in chance.COUNTED and plays_as_festival(rules))
    ]
