"""A further variant of points takes one entry and two sentences; score sheet and pages follow.

It also needs a table row in docs/rules-decisions.md, a conformance case, an item in the list in
tests/engine/rules/test_rules_spec.py and a line in the changelog.
"""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.utils import translation

from engine import Hand, RuleSet, parse_rules, replay
from engine.cards.categories import Category
from engine.cli.rules import catalogue
from engine.messages import languages, texts_in
from engine.rules.variants import VARIANTS, Variant
from tournaments.events.forms.rules import RulesWidget, read_rules

SPEC = "svensk+N+pair3"


@pytest.fixture(autouse=True)
def pair3(monkeypatch: pytest.MonkeyPatch) -> None:
    def change(rules: RuleSet) -> RuleSet:
        points = list(rules.hand_points)
        points[Category.PAIR] = 3
        return replace(rules, hand_points=tuple(points))

    monkeypatch.setitem(VARIANTS, "pair3", Variant("pair3", change))
    for lang in languages():
        monkeypatch.setitem(texts_in(lang).variant_texts, "pair3", f"Pair 3 {lang}.")


def test_the_sheet_scores_by_it_under_its_own_name_and_digest() -> None:
    rules = parse_rules("svensk+pair3+N")
    assert rules.spec == SPEC
    assert rules.digest() != parse_rules("svensk+N").digest()
    assert replay(rules, 3, [Hand(1, 0, Category.PAIR)]).state.scores[0] == 3
    assert "pair3" in [variant["name"] for variant in catalogue()["variants"]]


@pytest.mark.parametrize("lang", languages())
def test_it_is_described_and_offered_in_every_language(lang: str) -> None:
    sentence = texts_in(lang).variant_texts["pair3"]
    with translation.override(lang):
        assert sentence in RulesWidget().render("rules", "festival")
        assert sentence in str(read_rules(SPEC))
