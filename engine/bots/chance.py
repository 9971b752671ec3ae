"""How often each best hand and each Chicago comes up, to compare a festival with.

Exchanges and the courage to play a Chicago make this more than arithmetic. So it was counted: the
program's own players, a fair pack, the festival's rules, tables of three and of four.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final

from ..rules.ruleset import RuleSet

#: What an entry tells: the phase (0: the tricks), and the hand's category or how the tricks went.
What = tuple[int, str]

NOBODY: Final = "none"
WON, BROKEN, NO_CHICAGO = "won", "broken", "last_trick"


#: How often each came in so many games: ``count(seats, GAMES, SEED)``.
GAMES: Final = 2000
SEED: Final = "chance"
COUNTED: Final[Mapping[int, Mapping[What, int]]] = {
    3: {
        (0, "broken"): 3868,
        (0, "last_trick"): 17749,
        (0, "won"): 1482,
        (1, "flush"): 785,
        (1, "four_of_a_kind"): 177,
        (1, "full_house"): 1003,
        (1, "none"): 509,
        (1, "pair"): 10584,
        (1, "straight"): 743,
        (1, "straight_flush"): 4,
        (1, "three_of_a_kind"): 4362,
        (1, "two_pair"): 6017,
        (2, "flush"): 1114,
        (2, "four_of_a_kind"): 389,
        (2, "full_house"): 2889,
        (2, "none"): 143,
        (2, "pair"): 5497,
        (2, "royal_flush"): 1,
        (2, "straight"): 896,
        (2, "straight_flush"): 2,
        (2, "three_of_a_kind"): 6463,
        (2, "two_pair"): 6468,
        (3, "flush"): 653,
        (3, "four_of_a_kind"): 519,
        (3, "full_house"): 3695,
        (3, "none"): 34,
        (3, "pair"): 1960,
        (3, "straight"): 604,
        (3, "three_of_a_kind"): 5262,
        (3, "two_pair"): 4553,
    },
    4: {
        (0, "broken"): 5635,
        (0, "last_trick"): 23512,
        (0, "won"): 1122,
        (1, "flush"): 1311,
        (1, "four_of_a_kind"): 285,
        (1, "full_house"): 1900,
        (1, "none"): 178,
        (1, "pair"): 11082,
        (1, "royal_flush"): 1,
        (1, "straight"): 1265,
        (1, "straight_flush"): 6,
        (1, "three_of_a_kind"): 7475,
        (1, "two_pair"): 8648,
        (2, "flush"): 1847,
        (2, "four_of_a_kind"): 685,
        (2, "full_house"): 5179,
        (2, "none"): 30,
        (2, "pair"): 4511,
        (2, "royal_flush"): 2,
        (2, "straight"): 1487,
        (2, "straight_flush"): 6,
        (2, "three_of_a_kind"): 10088,
        (2, "two_pair"): 7902,
        (3, "flush"): 1146,
        (3, "four_of_a_kind"): 951,
        (3, "full_house"): 6439,
        (3, "none"): 6,
        (3, "pair"): 1360,
        (3, "royal_flush"): 1,
        (3, "straight"): 1007,
        (3, "straight_flush"): 1,
        (3, "three_of_a_kind"): 7554,
        (3, "two_pair"): 4984,
    },
}


def what_of(entry: Mapping[str, Any]) -> What | None:
    """Return what an entry tells, or None if it is about neither hands nor tricks.

    >>> what_of({"kind": "hand", "phase": 1, "seat": 0, "category": "pair"})
    (1, 'pair')
    >>> what_of({"kind": "chicago", "seat": 0, "won": False, "breaker": 1})
    (0, 'broken')
    """
    match entry["kind"]:
        case "hand":
            return entry["phase"], entry["category"]
        case "none":
            return entry["phase"], NOBODY
        case "chicago":
            return 0, WON if entry["won"] else BROKEN
        case "last_trick":
            return 0, NO_CHICAGO
    return None


def count(
    seats: int, games: int, seed: str, rules: RuleSet | str = "festival", first: int = 0
) -> Counter[What]:
    """Return how often each came in games of the program's own players, from number ``first`` on.

    >>> whole = count(3, 2, "doc")
    >>> count(3, 1, "doc") + count(3, 1, "doc", first=1) == whole
    True
    """
    # Only who counts needs the card table, which takes long to load.
    from .simulation import play_game

    names = [f"Player {number + 1}" for number in range(seats)]
    found: Counter[What] = Counter()
    for number in range(first, first + games):
        played = play_game(rules, names, f"{seed} {number}")
        found.update(filter(None, (what_of(entry.as_json()) for entry in played.table.entries)))
    return found


def share(seats: int, what: What) -> Fraction:
    """Return how often this came up, as a share of all that is known of its phase.

    >>> share(4, (1, "pair")) > share(4, (1, "flush")) > 0
    True
    >>> sum(share(3, what) for what in COUNTED[3] if what[0] == 2)
    Fraction(1, 1)
    """
    of_phase = sum(times for (phase, _told), times in COUNTED[seats].items() if phase == what[0])
    return Fraction(COUNTED[seats].get(what, 0), of_phase)
