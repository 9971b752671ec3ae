"""Rule sets for tests of all of them: every preset, and every variant once."""

from engine.rules.presets import PRESETS
from engine.rules.variants import VARIANTS, parse_rules

#: The preset with which a variant is played; others use svensk, which allows all of them.
HOME = {
    **dict.fromkeys(("reset", "sf10", "sf-wins", "limit42", "breaker8"), "pagat"),
    **dict.fromkeys(("win-again", "three-exchanges", "redeal-ten"), "basic"),
    **dict.fromkeys(("no-open", "final-hand-never", "quads52", "reset-one", "sf52"), "basic"),
    **dict.fromkeys(("royal-wins", "declarer-leads"), "basic"),
    "Voff": "wikipedia",
    "outs-zero": "festival",
    "need-chicago-3": "pagat",
    "quads-end": "pagat+reset",
}


def specs() -> list[str]:
    """Return every preset, and a rule set for every variant."""
    played = [parse_rules(f"{HOME.get(name, 'svensk')}+{name}").spec for name in VARIANTS]
    return [*PRESETS, *played]
