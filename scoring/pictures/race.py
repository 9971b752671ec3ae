"""The picture of a game: each player's score, deal by deal, as a stepped line."""

from ..reading.race import Race
from .chart import Lined, lines_chart
from .shapes import Picture


def race_picture(race: Race) -> Picture:
    """Draw a game, with lines across at the target and where nobody may exchange any more.

    Names are beside the ends of the lines, deals below.
    """
    scores = race.scores
    known = [score for deal in scores for score in deal]
    return lines_chart(
        [Lined(label, [deal[seat] for deal in scores]) for seat, label in enumerate(race.labels)],
        title=race.title,
        text=race.text,
        marks=race.marks,
        columns=["", *(str(deal) for deal, _scores in race.rows)],
        steps=True,
        low=min(0, *known),
        high=max(*known, *(score for score, _kind in race.marks)) + 3,
    )
