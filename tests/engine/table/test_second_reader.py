"""Card records of bots give the same entries to a reader that does not use the card table."""

import random

import pytest

from engine.bots.players import BOTS
from engine.bots.simulation import next_action
from engine.rules.variants import parse_rules
from engine.sheet.entries import Ruling
from engine.table.actions import Bid, Blind, Concede, Correct, Deck, Discard, Quads, Rule, Show
from engine.table.state import Stage
from engine.table.table import apply, legal_actions, start_table
from tests.engine.table.second_reader import Reader

RULES = ["festival", "svensk", "svensk+M+P", "pagat", "pagat+breaker8", "basic", "wikipedia"]


def played(spec: str, seed: int):
    """Play a few deals without resets, offences and blind calls, with many Chicagos."""
    rng = random.Random(f"{spec} {seed}")
    table = start_table(spec, 3 + seed % 2)
    actions = [Rule(Ruling("points", seat, 20, "to begin with")) for seat in range(table.seats)]
    for action in actions:
        table = apply(table, action)
    orders = []
    while table.sheet.deal < 3 and not table.finished:
        action = next_action(table, [BOTS["regular"]] * table.seats, rng)
        if isinstance(action, Blind):
            action = Blind(action.seat, False)
        elif isinstance(action, Bid):
            action = Bid(action.seat, rng.random() < 0.6)
        elif table.stage is Stage.DISCARD:
            choices = [a for a in legal_actions(table) if isinstance(a, Discard)]
            action = rng.choice(choices[-12:])
        actions.append(action)
        table = apply(table, action)
        if isinstance(action, Deck):
            orders.append(list(table.order))
    return table, actions, orders


@pytest.mark.parametrize("spec", RULES)
def test_a_second_reader_gets_the_same_entries(spec):
    chicagos = 0
    for seed in range(12):
        table, actions, orders = played(spec, seed)
        if any(isinstance(a, Quads | Concede | Correct) for a in actions):
            continue
        if any(isinstance(a, Show) and a.claim for a in actions) or 6 in map(len, table.hands):
            continue
        record = {"seats": ["x"] * table.seats, "actions": [a.as_json() for a in actions]}
        reader = Reader(record, parse_rules(spec), orders)
        assert reader.entries == [entry.as_json() for entry in table.entries]
        chicagos += sum(entry["kind"] == "chicago" for entry in reader.entries)
    assert chicagos
