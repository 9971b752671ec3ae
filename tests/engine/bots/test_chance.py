"""The stored frequencies of hands and Chicagos: their form, and that games still produce them."""

from math import sqrt

import pytest

from engine.bots.chance import COUNTED, count, share
from engine.cards.categories import SCORING


@pytest.mark.parametrize("seats", sorted(COUNTED))
def test_a_few_games_are_what_the_counted_shares_let_expect(seats: int) -> None:
    found = count(seats, 12, "a test")
    for phase in range(4):
        asked = sum(times for what, times in found.items() if what[0] == phase)
        assert asked
        for what in COUNTED[seats]:
            if what[0] == phase:
                chance = float(share(seats, what))
                spread = sqrt(asked * chance * (1 - chance))
                assert abs(found[what] - asked * chance) <= 5 * spread + 1, what


def test_nothing_was_counted_that_is_no_hand() -> None:
    hands = {category.key for category in SCORING}
    for counted in COUNTED.values():
        assert {told for phase, told in counted if phase} - {"none"} <= hands
        assert {told for phase, told in counted if not phase} == {"won", "broken", "last_trick"}
