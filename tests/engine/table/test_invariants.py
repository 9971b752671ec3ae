"""Invariants of card play under every rule set (rulebook §2, all variants)."""

from __future__ import annotations

import random
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.bots.simulation import play_game
from engine.cards.cards import DECK
from engine.errors import ChicagoError
from engine.rules.presets import PRESETS
from engine.rules.variants import VARIANTS, parse_rules
from engine.sheet.sheet import replay
from engine.table.actions import Deck, Reshuffle, action_from_json
from engine.table.state import Stage, TableState
from engine.table.table import apply, can, legal_actions, start_table, why_not
from engine.table.view import view_of
from tests.engine.rule_sets import specs
from tests.engine.table.helpers import cards_in


def rule_sets() -> list[str]:
    """Return every preset, and every variant on every preset that allows it."""
    found = list(PRESETS)
    for preset in PRESETS:
        for variant in VARIANTS:
            spec = f"{preset}+{variant}"
            try:
                parse_rules(spec)
            except ChicagoError:
                continue
            found.append(spec)
    return found


#: Every preset, and every variant once; all the others in the slow run.
SPECS = [
    pytest.param(spec, marks=() if spec in specs() else pytest.mark.slow) for spec in rule_sets()
]
NAMES = ["Anna", "Bo", "Cia", "Dag"]


def random_game(spec: str, seats: int, seed: int, deals: int) -> list[TableState]:
    """Yield every state of a few deals of random legal actions with occasional offences."""
    rng = random.Random(f"{spec}{seats}{seed}")
    state = start_table(parse_rules(spec), seats, seed % seats)
    states = [state]
    while not state.finished and state.sheet.deal < deals:
        if state.stage is Stage.DECK:
            action = Deck(tuple(rng.sample(DECK, 52)))
        elif state.stage is Stage.RESHUFFLE:
            action = Reshuffle(tuple(rng.sample(state.muck, len(state.muck))))
        else:
            options = legal_actions(state, with_offences=rng.random() < 0.03)
            assert options, state.stage
            action = rng.choice(options)
        assert can(state, action)
        assert why_not(state, action) is None
        assert action_from_json(action.as_json()) == action
        state = apply(state, action)
        states.append(state)
    return states


def assert_pack(state: TableState) -> None:
    if state.stage not in (Stage.DECK, Stage.FINISHED):
        assert cards_in(state) == list(DECK)


@pytest.mark.parametrize("spec", SPECS)
def test_cards_are_conserved_and_the_sheet_is_a_replay_of_the_entries(spec):
    seats = 2 + len(spec) % 3
    states = random_game(spec, seats, 1, deals=3)
    for state in states:
        assert_pack(state)
    last = states[-1]
    played = replay(last.rules, seats, last.entries, 1 % seats)
    assert played.valid
    assert played.state == last.sheet


@pytest.mark.parametrize(
    "spec",
    [pytest.param(spec, marks=() if spec in PRESETS else pytest.mark.slow) for spec in rule_sets()],
)
def test_every_game_of_bots_ends(spec):
    seats = 2 + len(spec) % 3
    played = play_game(spec, NAMES[:seats], spec, max_deals=60)
    assert played.table.finished
    assert played.table.sheet.places is not None
    assert played.table.sheet.deal <= 60
    entries = played.table.entries
    warned = replay(played.table.rules, seats, entries, 0).problems
    assert {problem.code for problem in warned} <= {"rare_hand"}  # Cards do not contradict cards.


@settings(max_examples=30, deadline=None)
@given(
    st.sampled_from(list(PRESETS)),
    st.lists(st.sampled_from(list(VARIANTS)), min_size=2, max_size=4, unique=True),
    st.integers(2, 4),
    st.integers(0, 10**6),
)
def test_any_combination_of_variants_can_be_played(preset, variants, seats, seed):
    spec = "+".join([preset, *variants])
    try:
        parse_rules(spec)
    except ChicagoError:
        return
    states = random_game(spec, seats, seed, deals=2)
    for state in states:
        assert_pack(state)
    last = states[-1]
    assert replay(last.rules, seats, last.entries, seed % seats).state == last.sheet


PAIRS = list(combinations(VARIANTS, 2))


@pytest.mark.parametrize("every", [7, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("preset", list(PRESETS))
def test_every_pair_of_variants_plays_ends_and_replays(preset, every):
    """All valid pairs, a sixth of them on each preset; or every seventh pair."""
    rng = random.Random(preset)
    mine = list(PRESETS).index(preset)
    for number, pair in enumerate(PAIRS):
        if number % every:
            continue
        spec = "+".join((preset, *pair))
        if number % len(PRESETS) != mine:
            continue
        try:
            rules = parse_rules(spec)
        except ChicagoError:
            continue
        seats = 2 + number // len(PRESETS) % 3
        played = play_game(rules, NAMES[:seats], spec, bots=["novice"], max_deals=3)
        assert played.table.finished
        assert replay(rules, seats, played.table.entries, 0).state == played.table.sheet
        for state in rng.sample(random_game(spec, seats, number, deals=1), 4):
            assert_pack(state)
            seat = rng.randrange(seats)
            assert view_of(disguised(state, seat, rng), seat) == view_of(state, seat)


# --- no leaks -----------------------------------------------------------------------------------


def disguised(state: TableState, seat: int | None, rng: random.Random) -> TableState:
    """Return the same table with all cards that ``seat`` has not seen redistributed."""
    hidden: list[tuple[str, int]] = [("stub", -1), ("muck", -1)]
    for other in range(state.seats):
        if other != seat:
            hidden += [("hands", other), ("laid", other), ("aside", other)]
    looking = state.stage is not Stage.BLIND
    if seat is not None and not looking:
        hidden.append(("hands", seat))
    pool = []
    for place, other in hidden:
        cards = getattr(state, place)
        pool += cards if other < 0 else cards[other]
    rng.shuffle(pool)
    changed = {name: list(getattr(state, name)) for name in ("hands", "laid", "aside")}
    plain = {}
    for place, other in hidden:
        old = getattr(state, place) if other < 0 else getattr(state, place)[other]
        new, pool = tuple(pool[: len(old)]), pool[len(old) :]
        if other < 0:
            plain[place] = new
        else:
            changed[place][other] = new
    return state._replace(**plain, **{name: tuple(rows) for name, rows in changed.items()})


@pytest.mark.parametrize("spec", ["festival", "svensk+A+L+T+E", "pagat+reset+G", "wikipedia"])
@pytest.mark.parametrize("seats", [2, 4])
def test_a_view_does_not_depend_on_cards_the_seat_cannot_see(spec, seats):
    rng = random.Random(spec)
    for seed in range(3):
        for state in random_game(spec, seats, seed, deals=3):
            for seat in (None, *range(seats)):
                other = disguised(state, seat, rng)
                assert view_of(other, seat) == view_of(state, seat)
                assert view_of(other, seat).as_json() == view_of(state, seat).as_json()


def test_a_view_holds_no_card_of_others_until_it_is_open():
    for state in random_game("festival", 4, 7, deals=3):
        for seat in range(4):
            view = view_of(state, seat)
            open_cards = {card for seen in view.observations for card in seen.cards}
            open_cards |= {card for _, card in view.trick} | {view.offered}
            known = set(view.hand) | set(view.laid) | set(view.aside) | open_cards
            known |= {card for pile in view.piles for card in pile}
            document = repr(view)
            for other in range(4):
                for card in state.hands[other]:
                    if other != seat and card not in known:
                        assert f"'{card}'" not in document


def test_a_spectator_sees_no_hand():
    state = random_game("festival", 3, 3, deals=1)[5]
    view = view_of(state)
    assert (view.hand, view.legal) == ((), ())
