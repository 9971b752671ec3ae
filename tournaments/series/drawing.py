"""The picture of a series: each player's points after each event."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engine.messages import points_text
from scoring.pictures.chart import Lined, lines_chart
from scoring.pictures.shapes import LINES
from scoring.reading.race import fitting
from scoring.reading.words import short_names
from scoring.words import lang

from ..core.charts import Chart
from ..models import Series
from ..results.queries.share import Told
from .queries.standing import Row, Standing, champions_of, rows_of, standing_of


def course_of(standing: Standing, rows: Sequence[Row]) -> Chart | None:
    """Draw the points of these players, at most six, after each event; None before a second one."""
    over = [index for index, column in enumerate(standing.columns) if column.is_over]
    rows = rows[:LINES]
    if len(over) < 2 or not rows:
        return None
    totals = [_totals(row, over, standing.rules.best_of) for row in rows]
    shorts = _shorts(rows)
    language = lang()
    lines = [
        Lined(fitting(short, points_text(total[-1], language), shorts), [0, *total])
        for short, total in zip(shorts, totals, strict=True)
    ]
    columns = [standing.columns[index] for index in over]
    text = ", ".join(f"{row.name} {points_text(row.total, language)}" for row in rows)
    return Chart(
        "course",
        lines_chart(
            lines,
            title=_("Points after each event"),
            text=text,
            columns=["", *(str(column.number) for column in columns)],
        ),
        [_("Event"), *shorts],
        [
            [
                f"{column.number}. {column.name}",
                *(points_text(each[at], language) for each in totals),
            ]
            for at, column in enumerate(columns)
        ],
    )


def _shorts(rows: Sequence[Row]) -> list[str]:
    """Return short names, and the place of who has no name of their own, such as a hidden one."""
    count = Counter(row.name for row in rows)
    own = [row.name for row in rows if count[row.name] == 1]
    shorts = dict(zip(own, short_names(own), strict=True))
    return [shorts.get(row.name) or _("place %(place)s") % {"place": row.place} for row in rows]


def told_of(series: Series) -> Told:
    """Return what the picture to share says: the first places, or the champions."""
    standing = standing_of(series)
    rows = rows_of(standing, standing.lines[:LINES])
    course = course_of(standing, rows)
    after = ngettext("After %(count)s event", "After %(count)s events", standing.after)
    champions = champions_of(standing)
    return Told(
        over=series.name if champions else series.organiser.name,
        title=", ".join(champions) or series.name,
        under=ngettext("Champion", "Champions", len(champions))
        if champions
        else after % {"count": standing.after},
        lines=[(f"{row.place}.", row.name, points_text(row.total, lang())) for row in rows],
        chart=course.picture if course else None,
        is_proud=bool(champions),
    )


def _totals(row: Row, over: Sequence[int], best_of: int | None) -> list[Fraction]:
    """Return what counts of a player's results after each event."""
    found: list[Fraction] = []
    results: list[Fraction] = []
    for index in over:
        gave = row.gave[index]
        if gave is not None:
            results = sorted([*results, gave.points], reverse=True)
        found.append(sum(results[:best_of], Fraction(0)))
    return found
