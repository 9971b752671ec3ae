"""The device's ranking of a heat equals the engine's: places, points, and ties that stay open."""

import random
from dataclasses import replace
from fractions import Fraction

import pytest
from playwright.sync_api import Page

from engine.ranking.heat import DISQUALIFIED, FLIP_FLOP, STEPS, player_results, rank
from engine.rules.presets import PRESETS
from engine.sheet.placing import place_game
from engine.sheet.state import IN, OUT
from tests.browser.sheets import Json
from tests.browser.test_count import page

pytestmark = pytest.mark.pages

__all__ = ["page"]

NAMES = ("Anna", "Bo", "Cia", "Dag", "Eva")

RANK = """async (heats) => {
    const { ranking, needsFlipFlop } = await import("/rank.js");
    return heats.map(({ games, penalties, chain, advance }) => {
        const rows = ranking(games, penalties, chain, advance);
        const found = rows.map(({ name, place, game_points }) => [name, [place, game_points]]);
        const places = Object.fromEntries(found);
        const going = rows.filter(({ advances }) => advances).map(({ name }) => name);
        return [places, needsFlipFlop(rows, chain, advance), going.sort()];
    });
}"""


def game(rng: random.Random, seats: list[str], rules: str) -> Json:
    """Return a finished game with many ties: what the device knows of it."""
    scores = [rng.choice((0, 10, 20, 52)) for _ in seats]
    status = [rng.choice((IN, IN, IN, IN, OUT, DISQUALIFIED)) for _ in seats]
    playing = [seat for seat, state in enumerate(status) if state == IN]
    winners = [rng.choice(playing)] if playing and rng.random() < 0.8 else []
    _places, points = place_game(PRESETS[rules].rules, scores, status, winners)
    return {
        "seats": seats,
        "scores": scores,
        "asterisks": [rng.choice((0, 0, 1)) for _ in seats],
        "winners": winners,
        "status": status,
        "game_points": None if points is None else list(map(str, points)),
    }


def heat(number: int, known: list[str]) -> tuple[Json, Json]:
    """Return a heat as the device has it, and the engine's answer."""
    rng = random.Random(f"rank {number}")
    rules, most = rng.choice((("festival", 4), ("sm", 4), ("svensk", 5)))
    names = list(NAMES[: rng.randint(3, most)])
    games = [game(rng, rng.sample(names, len(names)), rules) for _ in range(rng.randint(1, 3))]
    chain = rng.sample(known, rng.randint(1, len(known))) + rng.choice(([], [FLIP_FLOP]))
    penalties = {name: rng.choice(("5", "1/2", "10")) for name in names if rng.random() < 0.2}
    advance = rng.randint(1, 3)
    results = [
        replace(result, penalty=Fraction(penalties.get(result.player, 0)))
        for result in player_results(names, [(one["seats"], one) for one in games])
    ]
    found = rank(results, chain, advance)
    places = {row.player: (row.place, row.game_points) for row in found.rows}
    sent = {"games": games, "penalties": penalties, "chain": chain, "advance": advance}
    return sent, (places, bool(found.needs_flip_flop), sorted(found.advances))


def test_two_thousand_heats(page: Page) -> None:
    values = [step for step in STEPS if step != FLIP_FLOP]
    heats = [heat(number, values) for number in range(2_000)]
    answers = page.evaluate(RANK, [sent for sent, _expected in heats])
    for (sent, expected), (places, *more) in zip(heats, answers, strict=True):
        exact = {name: (place, Fraction(points)) for name, (place, points) in places.items()}
        assert (exact, *more) == expected, sent


def test_it_knows_every_step(page: Page) -> None:
    assert [step for step in STEPS if not ranks(page, [step])] == []


def test_a_chain_with_a_step_that_it_does_not_know_is_not_ranked(page: Page) -> None:
    assert ranks(page, ["game_points", "flip_flop"])
    assert not ranks(page, ["game_points", "best_game", "flip_flop"])


def ranks(page: Page, chain: list[str]) -> bool:
    return page.evaluate("""async (chain) => (await import("/rank.js")).ranks(chain)""", chain)
