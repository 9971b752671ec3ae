"""Playthrough files: every rule set has one, and the engine still plays it as written."""

import pytest

from engine.rules.presets import PRESETS
from engine.rules.variants import VARIANTS, parse_rules
from tests.engine.table.playthrough import FOLDER, actions_in, lines, path_of, specs


def test_every_preset_and_every_variant_has_a_playthrough():
    played = [parse_rules(path.stem) for path in FOLDER.glob("*.txt")]
    assert {rules.spec for rules in played} == set(specs())
    assert set(PRESETS) <= {rules.spec for rules in played}
    assert set(VARIANTS) == {name for rules in played for name in rules.variants}


@pytest.mark.parametrize("spec", specs())
def test_the_engine_plays_it_as_written(spec):
    """If the difference is wanted: python -m tests.engine.table.playthrough, and read the diff."""
    text = path_of(spec).read_text("utf-8")
    assert "\n".join(lines(spec, actions_in(text))) + "\n" == text
