"""A further language is a folder that the engine finds; every sentence of the engine is in it."""

from collections.abc import Iterator
from fractions import Fraction

import pytest

from engine import messages as engine
from engine.bots.simulation import simulate_game
from engine.bots.statistics import Tally, report
from engine.errors import Problem
from engine.messages.open_questions import open_questions
from engine.messages.outlook import all_sentences, short
from engine.ranking.outlook import HeatSoFar, outlook
from engine.rules.presets import PRESETS
from engine.rules.variants import VARIANTS, parse_rules
from engine.sheet.legality import candidates
from engine.sheet.losses import Loss
from engine.sheet.sheet import Worth
from engine.table.errors import ActionProblem
from tests import pseudo
from tests.engine.messages.test_messages import NAMES, PARAMS

LANG = pseudo.CODE
ENGLISH = engine.texts_in("en")


@pytest.fixture(scope="module", autouse=True)
def _language(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    engine.add_languages(pseudo.make(tmp_path_factory.mktemp("pseudo")) / "engine")
    yield
    engine.add_languages()


def test_a_language_is_found_by_its_folder() -> None:
    assert LANG in engine.languages()
    assert engine.language(f"{LANG}-SE") == LANG
    assert engine.texts_in(LANG).name == pseudo.marked("English")


def problems() -> Iterator[str]:
    for kind, texts in ((Problem, ENGLISH.problems), (ActionProblem, ENGLISH.action_problems)):
        for key in texts:
            code, _, why = key.partition(".")
            params = {name: value for name, value in PARAMS.items() if name in texts[key]}
            yield engine.say(kind(code, params={**PARAMS, **params, "why": why}), LANG, NAMES)


def sheets() -> Iterator[str]:
    for entry in candidates(parse_rules("festival"), 4):
        yield engine.entry_text(entry.as_json(), LANG, NAMES)
    for win in ENGLISH.wins:
        way, _, shared = win.partition(".")
        yield engine.win_text(way, LANG, deal=7, score=53, suit="♥", shared=bool(shared))
        yield engine.win_name(way, LANG)
    yield engine.win_text("target", LANG, score=53)
    yield engine.zeroed_text(54, "no_chicago", 3, LANG)
    yield engine.marks_text(True, 1, LANG)
    yield engine.marks_text(True, 2, LANG)
    yield engine.loss_text([Loss(0, 46, 0, short=True)], 52, LANG, NAMES)
    yield engine.near_text([0, 1], 52, LANG, NAMES)
    yield engine.worth_text(Worth({"hand": 8}, zeroed=(1, 2)), LANG)
    yield engine.seat_name(1, LANG)


def rules() -> Iterator[str]:
    for preset in PRESETS:
        yield engine.preset_text(preset, LANG)
        yield from (text for line in engine.reminder_lines(preset, 4, LANG) for text in line)
        for field in engine.describe(preset, LANG):
            yield from (field.label, field.meaning, field.value)
    yield from (engine.variant_text(variant, LANG) for variant in VARIANTS)
    yield from (text for question in open_questions(LANG) for text in question)
    yield engine.checksum_text("festival", 4, 3, LANG)


def heats() -> Iterator[str]:
    for step in ENGLISH.steps:
        yield engine.rank_text(step, "Bo", Fraction(47), Fraction(35, 3), LANG)
    for left in (1, 2):
        heat = HeatSoFar({"Anna": Fraction(35), "Bo": Fraction(32), "Cia": Fraction(24)}, left)
        yield from all_sentences(outlook(heat), LANG)
        yield from (short(each, LANG) for each in outlook(heat))
    yield engine.advance_text(LANG)
    tally = Tally()
    tally.game(simulate_game("festival", NAMES, 1))
    yield report({"rules": "festival", **tally.as_json()}, LANG)


@pytest.mark.parametrize("texts", [problems, sheets, rules, heats])
def test_every_sentence_of_the_engine_is_in_the_language(texts) -> None:
    known = {word for name in [*NAMES, *PRESETS, *VARIANTS] for word in pseudo.words(name)}
    known |= {word for value in PARAMS.values() for word in pseudo.words(str(value))}
    left = {text: words for text in texts() if (words := pseudo.unmarked(text, known))}
    assert left == {}
