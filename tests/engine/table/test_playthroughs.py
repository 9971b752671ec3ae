"""Playthrough files: every rule set has one, and the engine still plays it as written."""

import pytest

from engine.rules.presets import PRESETS
from engine.rules.variants import VARIANTS, parse_rules
from tests.engine.table.playthrough import FIRST, FOLDER, actions_in, anew, lines, path_of, specs


def test_every_preset_and_every_variant_has_a_playthrough():
    played = [parse_rules(path.stem) for path in FOLDER.rglob("*.txt")]
    assert {rules.spec for rules in played} == set(specs())
    assert set(PRESETS) <= {rules.spec for rules in played}
    assert set(VARIANTS) == {name for rules in played for name in rules.variants}


@pytest.mark.parametrize("spec", anew())
def test_the_engine_plays_it_as_written(spec):
    """If the change is intended: python -m tests.engine.table.playthrough, and read the diff."""
    text = path_of(spec).read_text("utf-8")
    assert "\n".join(lines(spec, actions_in(text))) + "\n" == text


@pytest.mark.parametrize("path", sorted(FIRST.glob("*.txt")), ids=lambda path: path.stem)
def test_playthroughs_from_before_the_second_reading_still_play_as_written(path):
    text = path.read_text("utf-8")
    assert "\n".join(lines(path.stem, actions_in(text), first=True)) + "\n" == text
