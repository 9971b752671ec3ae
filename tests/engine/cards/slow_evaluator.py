"""A second evaluator, written to be read; it shares no ideas or tables with `engine.cards.hands`.

A hand becomes a tuple that Python can compare: the category, then the ranks by importance.
"""

from collections import Counter
from collections.abc import Iterable

ORDER = [
    "nothing",
    "pair",
    "two_pair",
    "three_of_a_kind",
    "straight",
    "flush",
    "full_house",
    "four_of_a_kind",
    "straight_flush",
    "royal_flush",
]


def judge(ranks: Iterable[int], one_suit: bool) -> tuple[int, ...]:
    """Return the comparable value of five ranks (2–14), all of one suit or not."""
    groups = sorted(((count, rank) for rank, count in Counter(ranks).items()), reverse=True)
    important = [rank for _, rank in groups]
    shape = [count for count, _ in groups]
    run = shape == [1] * 5 and important[0] - important[4] == 4
    if important == [14, 5, 4, 3, 2]:
        run, important = True, [5, 4, 3, 2, 1]
    if run and one_suit:
        name = "royal_flush" if important[0] == 14 else "straight_flush"
    elif shape == [4, 1]:
        name = "four_of_a_kind"
    elif shape == [3, 2]:
        name = "full_house"
    elif one_suit:
        name = "flush"
    elif run:
        name = "straight"
    elif shape == [3, 1, 1]:
        name = "three_of_a_kind"
    elif shape == [2, 2, 1]:
        name = "two_pair"
    elif shape == [2, 1, 1, 1]:
        name = "pair"
    else:
        name = "nothing"
    return (ORDER.index(name), *important)
