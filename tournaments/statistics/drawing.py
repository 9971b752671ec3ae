"""Pictures of a player over events: the rating, game points, best and worst game, who was met."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from django.template.defaultfilters import floatformat
from django.utils.translation import gettext as _

from scoring.pictures.chart import Lined, lines_chart, parts_bar
from scoring.pictures.race import race_picture
from scoring.pictures.shapes import Picture
from scoring.reading.race import Race
from scoring.reading.words import points_text

from ..core.charts import Chart
from .queries.career import Career, Opponent

#: More games than this are drawn at that many places, the last one always among them.
MOST = 60


@dataclass(frozen=True, slots=True)
class GameDrawn:
    """A game with its picture, and its numbers (``race``)."""

    name: str
    picture: Picture
    race: Race


def rating_chart(career: Career) -> Chart | None:
    """Draw the rating after each game; None for a player without one."""
    figures = career.figures
    if len(figures) < 2:
        return None
    every = -(-len(figures) // MOST)
    first = (len(figures) - 1) % every
    shown = [(at + 1, figures[at]) for at in range(first, len(figures), every)]
    texts = [floatformat(figure, 1) for _game, figure in shown]
    return Chart(
        "rating",
        lines_chart(
            [Lined(texts[-1], [figure for _game, figure in shown])],
            title=_("Rating, game by game"),
            text=_("After %(games)s games: %(figure)s.")
            % {"games": len(figures), "figure": texts[-1]},
            columns=[str(game) for game, _figure in shown],
            right=52,
        ),
        [_("Game"), _("Rating")],
        [[str(game), text] for (game, _figure), text in zip(shown, texts, strict=True)],
    )


def points_chart(career: Career) -> Chart | None:
    """Draw the game points per game at each event, the first one first; None for one event."""
    events = [row for row in reversed(career.events) if row.games]
    if len(events) < 2:
        return None
    means = [Fraction(row.points) / row.games for row in events]
    texts = [points_text(mean) for mean in means]
    return Chart(
        "points",
        lines_chart(
            [Lined(texts[-1], means)],
            title=_("Game points a game, event by event"),
            text=", ".join(f"{row.name} {text}" for row, text in zip(events, texts, strict=True)),
            columns=[str(number) for number in range(1, len(events) + 1)],
            right=52,
        ),
        [_("Event"), _("Game points a game")],
        [
            [f"{number}. {row.name}", text]
            for number, (row, text) in enumerate(zip(events, texts, strict=True), 1)
        ],
    )


def games_drawn(career: Career) -> list[GameDrawn]:
    """Draw the best and the worst game, where they were scored deal by deal."""
    games = (("best", career.best), ("worst", career.worst))
    return [
        GameDrawn(name, race_picture(row.race), row.race)
        for name, row in games
        if row is not None and row.race is not None
    ]


def met_bars(opponents: Sequence[Opponent]) -> list[tuple[Opponent, Picture]]:
    """Draw beside each opponent how often the player was ahead, level and behind."""
    most = max((row.games for row in opponents), default=0)
    return [
        (row, parts_bar([row.ahead, row.games - row.ahead - row.behind, row.behind], most))
        for row in opponents
    ]
