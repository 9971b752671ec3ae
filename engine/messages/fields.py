"""The fields of a rule set in words: their meanings and the names of their values.

docs/rules-decisions.md lists them for every rule set; a test compares the two.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..rules.ruleset import FIELD_NAMES, RuleSet
from ..rules.variants import rules_of
from .languages import texts_in


@dataclass(frozen=True, slots=True)
class FieldText:
    """One field of a rule set in words: its name, label, meaning and value."""

    name: str
    label: str
    meaning: str
    value: str


def value_text(name: str, value: object, lang: str = "en") -> str:
    """Return a field's value in words.

    >>> from engine.rules.presets import FESTIVAL
    >>> value_text("need", FESTIVAL.need), value_text("need", FESTIVAL.need, "sv")
    ('a Chicago played', 'en spelad chicago')
    """
    words = texts_in(lang).value_texts
    if isinstance(value, tuple):
        return ", ".join(str(item) for item in value)
    return words.get(f"{name}={value}") or words.get(str(value)) or str(value)


def describe(rules: RuleSet | str, lang: str = "en") -> tuple[FieldText, ...]:
    """Return every field of a rule set in words, for pages that show the rules.

    >>> from engine.rules.presets import FESTIVAL
    >>> [field.value for field in describe(FESTIVAL) if field.name == "discardless"]
    ['45']
    """
    rules, texts = rules_of(rules), texts_in(lang).field_texts
    return tuple(
        FieldText(name, *texts[name], value_text(name, getattr(rules, name), lang))
        for name in FIELD_NAMES
    )
