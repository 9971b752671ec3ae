"""The reminder on a blank protocol, by rule set: words, and numbers from a trial step."""

import doctest

import pytest

from engine.messages import checksum_text, languages, reminder, reminder_lines
from engine.rules.presets import PRESETS
from engine.rules.variants import parse_rules


def test_the_documented_examples_are_correct() -> None:
    assert doctest.testmod(reminder).failed == 0


@pytest.mark.parametrize(
    ("rules", "lang", "parts"),
    [
        (
            "festival",
            "en",
            [
                "pair 1 · two pair 2 · three of a kind 3 · straight 4 · flush 5 · full house 6",
                "four of a kind 8 or others to 0 · straight flush wins · royal flush wins",
                "last trick 5, with a deuce 10 · Chicago won +15, broken −15",
                "first to break it +10 · Chicago from 15",
                "to 52 with a Chicago played · no exchange from 45 · game points 20/15/12/8",
            ],
        ),
        (
            "sm",
            "sv",
            [
                "par 1 · två par 2 · triss 3 · stege 4 · färg 5 · kåk 6",
                "fyrtal 8 eller nollar de andra · färgstege vinner",
                "sista sticket 5, med tvåa 10",
                "till 52 med spelad chicago · köpstopp från 45 · placeringspoäng 20/12/8/5",
            ],
        ),
        (
            "wikipedia",
            "en",
            ["Blind Chicago +30, with a deuce +60, lost −20", "no exchange from 42"],
        ),
        ("svensk+W", "en", ["to 52 with a Chicago won"]),
        ("svensk+D", "en", ["four of a kind 8, others to 0", "straight flush wins"]),
        ("svensk+R", "en", ["straight flush 52"]),
        ("basic+reset-one", "sv", ["fyrtal 7 eller nollar en annan"]),
        ("basic", "en", ["straight flush 8", "to 52 · game points"]),
    ],
)
def test_the_reminder_matches_the_rule_set(rules: str, lang: str, parts: list[str]) -> None:
    lines = [text for _label, text in reminder_lines(parse_rules(rules), 4, lang)]
    for part in parts:
        assert part in " / ".join(lines)


@pytest.mark.parametrize("lang", languages())
@pytest.mark.parametrize("spec", [*PRESETS, "svensk+W", "festival+N", "svensk+need-chicago-3"])
def test_every_rule_set_has_its_reminder(spec: str, lang: str) -> None:
    for seats in (3, 4):
        lines = reminder_lines(parse_rules(spec), seats, lang)
        assert len(lines) == 3
        assert not any("{" in text for line in lines for text in line)


def test_the_checksum_is_for_one_game_or_for_all() -> None:
    festival, sm = parse_rules("festival"), parse_rules("sm")
    assert checksum_text(festival, 4, 3).endswith("add up to 55, of all games to 165.")
    assert checksum_text(sm, 4, 3, "sv").endswith(
        "45 i varje parti, 135 i alla partier tillsammans."
    )
    assert "165" not in checksum_text(festival, 4, 1)
