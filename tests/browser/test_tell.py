"""What the device tells a table in words equals what the engine says."""

import json
import random

import pytest
from playwright.sync_api import Page

from engine.messages import (
    equal_text,
    minimum_text,
    needs_text,
    prospect_words,
    scored_text,
    scored_words,
    turn_text,
)
from engine.sheet.entries import entry_from_json
from engine.sheet.sheet import legal_entries, resume
from tests.browser.sheets import Json, fitting, generated
from tests.browser.test_count import page

pytestmark = pytest.mark.pages

__all__ = ["page"]

NAMES = ["Anna", "Bosse", "Cia", "Dag", "Elif", "Fia"]

TELL = """async (games) => {
    const count = await import("/count.js");
    const tell = await import("/tell.js");
    return JSON.parse(games).map((game) => {
        const { rules, seats, dealer, entries, legal, words, scored, names } = game;
        let state = count.start(rules, seats, dealer);
        const steps = entries.map((entry) => {
            const before = state;
            ({ state } = count.step(before, entry));
            return { entry, before, after: state };
        });
        return {
            turn: tell.turnText(words, state, names),
            needs: tell.needsText(words, state, names),
            minimum: tell.minimumText(words, rules.fields),
            equal: tell.equalText(words, rules.fields),
            scored: entries.map((entry) => tell.scoredText(scored, entry, names)),
            legal: legal.map((each) => tell.scoredText(scored, each, names)),
            fields: [...tell.fieldsOf(steps, state)].map(([key, { entry }]) => [key, entry]),
        };
    });
}"""


def game(number: int, lang: str) -> tuple[Json, Json]:
    """Return the beginning of a generated game, and what the engine says of its state."""
    sheet = generated(number)
    taken = [entry for entry, found in sheet.attempts if entry and "state" in found]
    taken = taken[: random.Random(number).randint(0, len(taken))]
    first = resume(sheet.begun, taken)
    state, seats = first.state, sheet.state.seats
    sent = {
        "rules": sheet.rules.as_json(),
        "seats": seats,
        "dealer": sheet.dealer,
        "entries": taken,
        "legal": [entry.as_json() for entry in legal_entries(state)],
        "names": NAMES,
        "words": prospect_words(lang),
        "scored": scored_words(lang),
    }
    fields: dict[str, Json] = {}
    steps = [each for each in first.steps if each.before.deal == state.deal]
    for each in steps:
        entry = each.entry.as_json()
        if entry.get("action") == "redeal":
            fields.clear()
        elif entry["kind"] in ("hand", "none"):
            last = entry["phase"] == sheet.rules.exchanges
            fields["hand" if last else str(entry["phase"])] = taken[each.index]
        elif entry["kind"] in ("chicago", "last_trick"):
            fields["tricks"] = taken[each.index]
    expected = {
        "turn": turn_text(state, lang, NAMES),
        "needs": needs_text(state, lang, NAMES),
        "minimum": minimum_text(sheet.rules, lang),
        "equal": equal_text(sheet.rules, lang),
        "scored": [scored_text(entry_from_json(each).as_json(), lang, NAMES) for each in taken],
        "legal": [scored_text(entry.as_json(), lang, NAMES) for entry in legal_entries(state)],
        "fields": [list(pair) for pair in fields.items()],
    }
    return sent, expected


@pytest.mark.parametrize("lang", ["en", "sv"])
def test_the_same_words_as_the_engine(page: Page, lang: str) -> None:
    games = [game(number, lang) for number in range(0, 3 * len(fitting()), 2)]
    answers = page.evaluate(TELL, json.dumps([sent for sent, _expected in games]))
    for (sent, expected), found in zip(games, answers, strict=True):
        assert found == expected, sent
    said = {expected["needs"] for _sent, expected in games}
    assert len(said) > 30
