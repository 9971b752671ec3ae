"""Losses: who the page asks about before an entry, and names after it."""

import pytest

from engine.messages import languages, loss_text, near_text
from engine.sheet.losses import Loss, losses, near_target
from engine.sheet.sheet import step

from .factory import FLUSH, QUADS, at, hand, lost, points, rule, to_tricks


@pytest.mark.parametrize(
    ("spec", "scores", "entry", "found"),
    [
        ("festival", (0, 7, 12), hand(1, 0, QUADS, reset=True), [Loss(1, 7, 0), Loss(2, 12, 0)]),
        ("festival", (48, 0, 0), hand(1, 0, FLUSH), [Loss(0, 48, 0, short=True, out=True)]),
        ("festival", (0, 30, 0), points(1, -11), [Loss(1, 30, 19)]),
        ("festival", (0, 30, 0), points(1, -10), []),
        ("festival", (0, 5, 0), points(1, -5), [Loss(1, 5, 0)]),
        ("festival", (0, 30, 0), rule("sit_out_game", 1), [Loss(1, 30, 0, out=True)]),
    ],
)
def test_losses_by_entry(spec, scores, entry, found):
    before = at(spec, *scores)
    assert losses(step(before, entry).facts) == found


def test_a_declarers_lost_chicago_is_asked_about():
    before = to_tricks(at("festival", 20, 0, 0))
    assert losses(step(before, lost(0, 1)).facts) == [Loss(0, 20, 5)]


@pytest.mark.parametrize(("score", "seats"), [(46, []), (47, [0]), (51, [0])])
def test_who_may_be_set_to_zero_next(score, seats):
    assert near_target(at("festival", score, 0, 0)) == seats


@pytest.mark.parametrize("lang", languages())
def test_every_kind_of_loss_has_a_sentence_of_its_own(lang):
    kinds = [Loss(0, 48, 0, short, out) for short in (False, True) for out in (False, True)]
    texts = [loss_text([loss], 52, lang, ["Anna"]) for loss in kinds]
    assert len({*texts, near_text([0], 52, lang, ["Anna"])}) == 5
    assert all("Anna" in text for text in texts)
