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
    const { ranking } = await import("/rank.js");
    return heats.map(({ games, penalties, chain, advance, flips }) => {
        const { rows, needs } = ranking(games, penalties, chain, advance, flips);
        const found = rows.map((row) => [
            row.name, row.place, row.game_points, row.score_points, row.asterisks, row.decided_by,
            row.disqualified, row.own_value ?? null, row.next_value ?? null, row.penalty || "0",
        ]);
        const going = rows.filter(({ advances }) => advances).map(({ name }) => name);
        return [found, going, needs];
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


def heat(number: int) -> tuple[Json, Json]:
    """Return a heat as the device has it, and the engine's answer."""
    rng = random.Random(f"rank {number}")
    rules, most = rng.choice((("festival", 4), ("sm", 4), ("svensk", 5)))
    names = list(NAMES[: rng.randint(3, most)])
    games = [game(rng, rng.sample(names, len(names)), rules) for _ in range(rng.randint(1, 3))]
    known = [step for step in STEPS if step != FLIP_FLOP]
    chain = rng.sample(known, rng.randint(1, len(known))) + rng.choice(([], [FLIP_FLOP]))
    penalties = {name: rng.choice(("5", "1/2", "10/3")) for name in names if rng.random() < 0.2}
    advance = rng.randint(1, 3)
    results = [
        replace(result, penalty=Fraction(penalties.get(result.player, 0)))
        for result in player_results(games[0]["seats"], [(one["seats"], one) for one in games])
    ]
    needed = rank(results, chain, advance).needs_flip_flop
    flips = [rng.sample(group, len(group)) for group in needed if rng.random() < 0.5]
    found = rank(results, chain, advance, flips)
    rows = [
        [
            *(row.player, row.place, str(row.game_points), row.score_points, row.asterisks),
            *(row.decided_by, row.disqualified, told(row.own_value), told(row.next_value)),
            str(row.penalty),
        ]
        for row in found.rows
    ]
    sent = {"games": games, "penalties": penalties, "chain": chain, "advance": advance}
    needs = [list(group) for group in found.needs_flip_flop]
    return sent | {"flips": flips}, [rows, list(found.advances), needs]


def told(value: Fraction | int | None) -> str | int | None:
    return str(value) if isinstance(value, Fraction) else value


def test_two_thousand_heats(page: Page) -> None:
    heats = [heat(number) for number in range(2_000)]
    answers = page.evaluate(RANK, [sent for sent, _expected in heats])
    for (sent, expected), found in zip(heats, answers, strict=True):
        assert found == expected, sent
    steps = {row[5] for _sent, (rows, *_more) in heats for row in rows}
    assert steps == {*STEPS, DISQUALIFIED, None}
    assert any(needs for _sent, (*_more, needs) in heats)


def test_it_knows_every_step_of_the_engine(page: Page) -> None:
    assert [step for step in STEPS if not ranks(page, [step])] == []


def test_a_chain_with_a_step_that_it_does_not_know_is_not_ranked(page: Page) -> None:
    assert ranks(page, ["game_points", "flip_flop"])
    assert not ranks(page, ["game_points", "shoe_size", "flip_flop"])


def ranks(page: Page, chain: list[str]) -> bool:
    return page.evaluate("""async (chain) => (await import("/rank.js")).ranks(chain)""", chain)
