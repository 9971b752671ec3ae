"""The choice of a rule set on an event's settings."""

from engine.errors import ChicagoError
from engine.rules.presets import PRESETS
from engine.rules.ruleset import FIELD_NAMES
from engine.rules.variants import VARIANTS, parse_rules
from tournaments.events.forms.rules import CARDS_ONLY

#: Left to the players; no entry on the sheet depends on these.
AT_THE_CARDS = {
    *("exchange_max", "open_card", "open_card_on_request", "redeal", "broken_aside"),
    *("alone_of_category", "chicago_lead", "chicago_free_order", "breaker"),
}


def changed_by(name: str) -> set[str]:
    """Return the fields that a variant changes on any rule set that allows it."""
    fields = set()
    for preset in PRESETS:
        try:
            before, after = parse_rules(preset), parse_rules(f"{preset}+{name}")
        except ChicagoError:
            continue
        fields |= {each for each in FIELD_NAMES if getattr(before, each) != getattr(after, each)}
    return fields


def test_a_variant_that_changes_nothing_on_the_sheet_says_so() -> None:
    assert {name for name in VARIANTS if changed_by(name) <= AT_THE_CARDS} == CARDS_ONLY
