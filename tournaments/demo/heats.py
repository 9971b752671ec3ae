"""Whole heats for the demo: three games whose outcome is as the story wants it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from random import Random

from engine.cards.categories import Category
from engine.ranking.heat import SCORE_POINTS, PlayerResult, Ranking, rank
from engine.rules.ruleset import RuleSet
from engine.sheet.entries import Entry, Hand, LastTrick
from engine.sheet.state import OUT

from .play import Game, play_game, search

#: The festival article's worked round: it leaves three players at 4, 0 and 8.
WORKED_ROUND: tuple[Entry, ...] = (
    Hand(1, 0, Category.TWO_PAIR),
    Hand(2, 0, Category.TWO_PAIR),
    LastTrick(2),
    Hand(3, 2, Category.THREE_OF_A_KIND),
)


@dataclass(frozen=True, slots=True)
class HeatPlan:
    """The games of a heat; `seats` are the players' references clockwise, game by game."""

    seats: tuple[tuple[str, ...], ...]
    games: tuple[Game, ...]

    def ranking(self) -> Ranking:
        """Return how the heat ends."""
        points = dict.fromkeys(self.seats[0], Fraction(0))
        scores = dict.fromkeys(self.seats[0], 0)
        asterisks = dict.fromkeys(self.seats[0], 0)
        for seats, game in zip(self.seats, self.games, strict=True):
            assert game.state.game_points is not None
            for seat, player in enumerate(seats):
                points[player] += game.state.game_points[seat]
                scores[player] += game.state.scores[seat]
                asterisks[player] += game.state.asterisks[seat]
        return rank(
            [
                PlayerResult(player, points[player], scores[player], asterisks[player])
                for player in self.seats[0]
            ]
        )


def any_end(plan: HeatPlan) -> bool:
    """Accept every heat that ends without a Flip Flop."""
    return not plan.ranking().needs_flip_flop


def tie_by_the_chain(plan: HeatPlan) -> bool:
    """Accept a heat whose winner is ahead on sheet points only."""
    return any_end(plan) and plan.ranking().rows[0].decided_by == SCORE_POINTS


def zeroed(game: Game) -> bool:
    """Accept a game in which somebody was zeroed at 52 and somebody else reached it."""
    return OUT in game.state.status and game.state.win == "target"


def plan_heat(
    rules: RuleSet,
    seats: Sequence[Sequence[str]],
    seed: str,
    *,
    wanted: Callable[[HeatPlan], bool] = any_end,
    with_royal: bool = False,
    with_zeroed: bool = False,
    with_worked_round: bool = False,
) -> HeatPlan:
    """Return a heat as it is wanted; the same arguments give the same heat."""
    orders = tuple(tuple(order) for order in seats)
    size = len(orders[0])

    def make(generator: Random) -> HeatPlan:
        games = []
        for number in range(1, len(orders) + 1):
            if number == 1 and with_worked_round:
                games.append(play_game(rules, size, generator, opening=WORKED_ROUND))
            elif number == 2 and with_royal:
                games.append(play_game(rules, size, generator, royal_after=5))
            elif number == 1 and with_zeroed:
                child = str(generator.random())
                games.append(search(child, lambda own: play_game(rules, size, own), zeroed))
            else:
                games.append(play_game(rules, size, generator))
        return HeatPlan(orders, tuple(games))

    return search(seed, make, wanted)
