"""The rules that a series has stored, for the engine, which reckons what places are worth."""

from fractions import Fraction

from engine.ranking.series import PointRules

from ...models import Series
from ...models.series import exact


def rules_of(series: Series) -> PointRules:
    """Return the rules of a series."""
    return PointRules(
        points=exact(series.points),
        rest=Fraction(series.rest),
        size_by=series.size_by,
        factors=tuple((int(size), Fraction(factor)) for size, factor in series.factors),
        best_of=series.best_of,
        bonus_chicago=series.bonus_chicago,
        bonus_heat=series.bonus_heat,
        bonus_start=series.bonus_start,
        ties=tuple(series.ties),
    )
