"""Invariants of every game under any rules: generated sheets (hypothesis)."""

from __future__ import annotations

import itertools
import json
import random
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cards.categories import SUITS
from engine.errors import ERROR_CODES, WARNING_CODES
from engine.messages import say
from engine.rules.presets import PRESETS
from engine.rules.ruleset import Ending, OutPoints
from engine.rules.variants import VARIANTS, clash_of, parse_rules
from engine.sheet.entries import ACTIONS, Entry, Hand, Ruling, entry_from_json
from engine.sheet.legality import candidates
from engine.sheet.record import dump_json, load_json
from engine.sheet.sheet import (
    can,
    legal_entries,
    legal_rulings,
    replay,
    resume,
    start,
    step,
    warnings,
    why_not,
)
from engine.sheet.state import DISQUALIFIED, IN, TRICKS, State

from ..rule_sets import specs as single_specs

SETTINGS = settings(max_examples=120, deadline=None)

specs = st.one_of(
    st.sampled_from(list(PRESETS)),
    st.builds(
        lambda preset, names: "+".join([preset, *names]),
        st.sampled_from(list(PRESETS)),
        st.lists(st.sampled_from(list(VARIANTS)), unique=True, max_size=4),
    ).filter(lambda spec: clash_of(spec.split("+")[0], set(spec.split("+")[1:])) is None),
)


def random_entry(state: State, rng: random.Random, rulings: float = 0.1) -> Entry:
    """Draw a legal entry; hands and tricks at realistic rates would make games too long."""
    if rng.random() < rulings:
        action, seat = rng.choice(legal_rulings(state))
        if action != "points" and rng.random() < 0.7:
            action, seat = "points", rng.choice([s for a, s in legal_rulings(state) if a == action])
            if seat is None or state.status[seat] != IN:
                return Ruling("end_game", reason="late")
        points = rng.randint(-30, 30) if action == "points" else None
        return Ruling(action, seat, points, "random")
    entries = legal_entries(state)
    if not entries:
        return Ruling("end_game", reason="stuck")
    mild = [
        entry
        for entry in entries
        if not (isinstance(entry, Hand) and entry.category >= 7 and rng.random() < 0.9)
    ]
    return rng.choice(mild or list(entries))


class Game(NamedTuple):
    """A random game: first state, entries, states after each."""

    first: State
    entries: list[Entry]
    states: list[State]

    def __repr__(self) -> str:
        return f"<{self.first.rules} with {self.first.seats}: {len(self.entries)} entries>"


def random_game(spec: str, seats: int, seed: int, rulings: float = 0.1, most: int = 400) -> Game:
    rng = random.Random(seed)
    first = state = start(parse_rules(spec), seats, rng.randrange(seats))
    entries: list[Entry] = []
    states: list[State] = []
    while not state.finished and len(entries) < most:
        entry = random_entry(state, rng, rulings)
        state = step(state, entry)
        entries.append(entry)
        states.append(state)
    return Game(first, entries, states)


games = st.builds(random_game, specs, st.integers(2, 4), st.integers(0, 10**6))


def check(state: State, before: State | None = None) -> None:
    rules = state.rules
    everybody = range(state.seats)
    if rules.floor:
        assert min(state.scores) >= 0
    for seat in everybody:
        if state.discardless[seat]:
            assert rules.discardless is not None
            assert state.scores[seat] >= rules.discardless
            assert state.status[seat] == IN
            assert not state.finished
        if state.asterisks[seat]:
            assert state.executed[seat]
    assert state.finished == (state.phase is None) == (state.win is not None)
    assert state.finished == bool(state.winners) == (state.places is not None)
    if state.finished:
        assert state.places is not None
        assert state.game_points is not None
        assert sorted(itertools.chain(*state.places)) == list(everybody)
        assert state.winners == state.places[0]
        check_points(state)
    else:
        assert state.status.count(IN) >= 2
        assert state.status[state.dealer] == IN or state.deal == (before or state).deal
        if rules.ending is Ending.AT_ONCE and not rules.trick_to_win:
            assert all(
                score < rules.target
                for seat, score in enumerate(state.scores)
                if state.status[seat] == IN
            )
        assert legal_entries(state) or (state.stage == TRICKS and any(state.dead))
    if before is not None:
        # A deal that everybody sits out closes as soon as it begins.
        assert state.deal - before.deal in (0, 1, 2)
        if before.begun and not state.begun and state.deal == before.deal:
            return  # A redeal.
        for seat in everybody:
            assert state.asterisks[seat] >= before.asterisks[seat]
            assert state.executed[seat] >= before.executed[seat]
            if before.status[seat] == DISQUALIFIED:
                assert state.scores[seat] == before.scores[seat]
            if before.status[seat] != IN:
                assert state.status[seat] != IN


def check_points(state: State) -> None:
    """Check that game points sum to the table's total, except for places that get nothing."""
    assert state.game_points is not None
    table = state.rules.place_points(state.seats)
    disqualified = state.status.count(DISQUALIFIED)
    if state.rules.out_points is OutPoints.LAST_PLACE:
        assert sum(state.game_points) == sum(table[: state.seats - disqualified], Fraction(0))
    assert all(points >= 0 for points in state.game_points)


@SETTINGS
@given(games)
def test_invariants_hold_in_every_state(game):
    first, _, states = game
    before = first
    for state in states:
        check(state, before)
        before = state


@SETTINGS
@given(games)
def test_replaying_gives_the_same_states_from_objects_and_from_json(game):
    first, entries, states = game
    played = replay(first.rules, first.seats, entries, first.dealer)
    assert played.valid
    assert list(played.states) == states
    documents = json.loads(json.dumps([entry.as_json() for entry in entries]))
    again = replay(first.rules, first.seats, documents, first.dealer)
    assert again.states == played.states
    assert again.entries == played.entries
    assert again.problems == played.problems


@SETTINGS
@given(games, st.integers(0, 400))
def test_a_replay_in_two_parts_equals_a_whole_one(game, cut):
    first, entries, states = game
    cut = min(cut, len(entries))
    prefix = replay(first.rules, first.seats, entries[:cut], first.dealer)
    assert resume(prefix.state, entries[cut:]).state == states[-1]


@SETTINGS
@given(games)
def test_a_voided_entry_equals_one_never_entered(game):
    first, entries, states = game
    before = states[-2] if len(states) > 1 else first
    assert replay(first.rules, first.seats, entries[:-1], first.dealer).state == before


@SETTINGS
@given(games, st.integers(0, 400))
def test_a_redeal_leaves_what_the_deals_rulings_alone_make_of_its_beginning(game, at):
    first, entries, states = game
    before = [first, *states][: at + 1]
    while before and (before[-1].finished or not before[-1].begun):
        before.pop()
    if not before:
        return
    now = before[-1]
    beginning = next(index for index, state in enumerate(before) if state.deal == now.deal)
    alone = before[beginning]
    for state, entry in zip(before[beginning:-1], entries[beginning:], strict=False):
        if isinstance(entry, Ruling) and entry.action != "redeal" and can(alone, entry):
            # "The next deal" is the one that it was when the ruling was given.
            alone = replace(step(replace(alone, begun=state.begun), entry), begun=False)
    assert step(now, Ruling("redeal", reason="a card fell")) == alone


@settings(max_examples=30, deadline=None)
@given(games, st.integers(0, 10**6))
def test_legal_entries_and_why_not_agree_on_every_candidate(game, seed):
    first, _, states = game
    rng = random.Random(seed)
    for state in rng.sample([first, *states], min(6, len(states) + 1)):
        legal = set(legal_entries(state))
        entries = list(candidates(state.rules, state.seats))
        assert len(set(entries)) == len(entries)
        assert legal == {entry for entry in entries if why_not(state, entry) is None}
        assert all(can(state, entry) for entry in legal)
        assert legal <= set(entries)
        rulings = set(legal_rulings(state))
        for action in ACTIONS:
            for seat in (None,) if action == "end_game" else range(state.seats):
                entry = Ruling(action, seat, 3 if action == "points" else None, "x")
                assert ((action, seat) in rulings) == (why_not(state, entry) is None)


@pytest.mark.parametrize("spec", PRESETS)
def test_candidates_cover_every_phase_seat_hand_and_flag(spec):
    rules = parse_rules(spec)
    documents = [entry.as_json() for entry in candidates(rules, 3)]
    phases = {document["phase"] for document in documents if document["kind"] == "none"}
    assert phases == set(range(1, rules.exchanges + 1))
    hands = [document for document in documents if document["kind"] == "hand"]
    assert len(hands) == rules.exchanges * 3 * 10
    chicagos = [document for document in documents if document["kind"] == "chicago"]
    assert len(chicagos) == 3 * (5 + (6 if rules.blind_chicago else 0))
    assert sum(document.get("blind", False) for document in chicagos) == (
        18 if rules.blind_chicago else 0
    )
    assert sum(document["kind"] == "last_trick" for document in documents) == 6
    assert sum(document.get("deuce", False) for document in documents) == (
        6 if rules.blind_chicago else 3
    )
    assert {document["kind"] for document in documents} == {
        *("hand", "none", "chicago", "last_trick", "revoke", "illegal_discard"),
    }


@settings(max_examples=60, deadline=None)
@given(games, st.integers(0, 10**6))
def test_equivalent_forms_of_an_entry_are_legal_exactly_if_the_plain_one_is(game, seed):
    first, _, states = game
    rng = random.Random(seed)
    for state in rng.sample([first, *states], min(4, len(states) + 1)):
        for entry in candidates(state.rules, state.seats):
            if not isinstance(entry, Hand) or entry.suit is not None:
                continue
            suit = rng.choice(SUITS)
            other = replace(entry, reset=entry.reset or False, suit=suit)
            assert can(state, other) == can(state, entry)


@SETTINGS
@given(games)
def test_refusals_have_codes_and_sentences(game):
    first, _, states = game
    names = ["Anna", "Bo", "Cia", "Dag"][: first.seats]
    state = states[len(states) // 2]
    for entry in candidates(state.rules, state.seats):
        problem = why_not(state, entry)
        for found in (problem,) if problem else warnings(state, entry):
            assert found.code in ERROR_CODES + WARNING_CODES
            for lang in ("en", "sv"):
                text = say(found, lang, names)
                assert text
                assert "{" not in text
                assert "?" not in text.removesuffix("?")
                assert "None" not in text


def pairs() -> list[str]:
    """Return every pair of variants on one preset each, so that all presets take their turn."""
    presets = itertools.cycle(PRESETS)
    found = []
    for first, second in itertools.combinations(VARIANTS, 2):
        preset = next(presets)
        if clash_of(preset, {first, second}) is None:
            found.append(f"{preset}+{first}+{second}")
    return found


@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 8))]
)
def test_pairwise_combinations_of_variants_keep_the_invariants_and_end(seed):
    for number, spec in enumerate(pairs()):
        if number % 8 != seed:
            continue
        first, _, states = random_game(spec, 2 + number % 3, number, rulings=0.05, most=250)
        before = first
        for state in states:
            check(state, before)
            before = state


@pytest.mark.parametrize("spec", single_specs())
def test_every_game_can_end(spec):
    """From any point of a game its players can still reach an end."""
    _, _, states = random_game(spec, 3, 7, rulings=0.0, most=3000)
    assert states[-1].finished


@given(st.sampled_from(list(PRESETS)), st.integers(2, 4))
def test_entries_survive_json(preset, seats):
    for entry in candidates(parse_rules(preset), seats):
        assert entry_from_json(load_json(dump_json(entry.as_json()))) == entry
