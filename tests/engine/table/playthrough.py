"""Playthroughs: a few deals of every preset and every variant, written down line by line.

A playthrough file (``tests/engine/playthroughs/SPEC.txt``) shows, for every action, what the table
waited for, whose turn it was, what was legal, what was done, what was written on the sheet, and the
scores. The tests replay its actions and must get the same text, so a change in the engine shows as
a readable diff. To write the files again:

    python -m tests.engine.table.playthrough [SPEC ...]

When writing (not replaying), bots and chance pick the actions. Rulings give the seats points, and
every other pack is stacked in favour of good hands, so that a few deals show more than many real
games.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from engine.bots.players import BOTS
from engine.cards.cards import DECK, Card, format_cards
from engine.rules.presets import PRESETS
from engine.rules.ruleset import RuleSet
from engine.rules.variants import VARIANTS, first_reading, parse_rules
from engine.sheet.entries import Ruling
from engine.table.actions import Action, Deck, Discard, Play, Reshuffle, Rule, action_from_json
from engine.table.state import Stage, TableState
from engine.table.table import apply, legal_actions, start_table
from engine.table.view import view_of

FOLDER = Path(__file__).with_name("playthroughs")
#: Playthroughs from before the second reading of the sources; they keep the names' old meanings.
FIRST = FOLDER / "first_reading"
DEALS = 3
SEEDS = 12

#: The preset with which each variant is played; others use svensk, which allows all of them.
HOME = {
    **dict.fromkeys(("reset", "sf10", "sf-wins", "limit42", "breaker8"), "pagat"),
    **dict.fromkeys(("quads52", "reset-one", "royal-wins", "declarer-leads"), "pagat"),
    **dict.fromkeys(("no-open", "final-hand-never", "sf52"), "basic"),
    **dict.fromkeys(("win-again", "three-exchanges", "redeal-ten"), "basic"),
    **dict.fromkeys(("no-open", "final-hand-never", "quads52", "reset-one", "sf52"), "basic"),
    **dict.fromkeys(("royal-wins", "declarer-leads"), "basic"),
    "Voff": "wikipedia",
    "outs-zero": "festival",
    "need-chicago-3": "pagat",
    "quads-end": "pagat+reset",
}


#: Names whose meaning the second reading changed; it also added variants.
AGAIN = ("breaker8", "D", "E", "G", "K", "L", "M", "P", "T", "Z")


def anew() -> list[str]:
    """Return the rule sets to play with their names' current meaning."""
    old = {name for path in FIRST.glob("*.txt") for name in path.stem.split("+")[1:]}
    return [
        spec
        for spec in specs()
        if spec in PRESETS or any(n in AGAIN or n not in old for n in spec.split("+")[1:])
    ]


def specs() -> list[str]:
    """Return the rule sets that need a playthrough: every preset, and every variant once."""
    played = [parse_rules(f"{HOME.get(name, 'svensk')}+{name}").spec for name in VARIANTS]
    return [*PRESETS, *played]


def seats_of(spec: str) -> int:
    """Return three if the rule set is for three players, else four."""
    return 3 if "need-chicago-3" in spec else 4


# --- the text -----------------------------------------------------------------------------------


def told(action: Action) -> str:
    document = action.as_json()
    words = [str(document.pop("do"))]
    words += [str(value) for value in document.values() if value not in ("", None)]
    return " ".join(words)


def choices(state: TableState) -> str:
    """Return the legal actions in shorthand, or just their number if there are many."""
    legal = legal_actions(state)
    if state.stage is Stage.DISCARD:
        sizes = [len(action.cards) for action in legal if isinstance(action, Discard)]
        return ", ".join(f"{sizes.count(n)} of {n}" for n in sorted(set(sizes)))
    if legal and all(isinstance(action, Play) for action in legal):
        return format_cards(action.card for action in legal if isinstance(action, Play))
    return " | ".join(told(action) for action in legal) or "chance"


def lines(spec: str, actions: Iterable[Action], first: bool = False) -> Iterator[str]:
    """Return the text of a playthrough."""
    rules = first_reading(spec) if first else parse_rules(spec)
    state = start_table(rules, seats_of(spec))
    yield f"# {spec}, {state.seats} players"
    for action in actions:
        turn = "-" if state.turn is None else str(state.turn)
        head = f"{state.sheet.deal}.{state.exchange} {state.stage.value:<9} {turn}"
        after = apply(state, action)
        yield f"{head}  legal: {choices(state)}"
        yield f"  do {json.dumps(action.as_json())}"
        if isinstance(action, Deck):
            for seat in after.order:
                yield f"  seat {seat} holds {format_cards(after.hands[seat])}"
        for entry in after.entries[len(state.entries) :]:
            words = " ".join(f"{key}={value}" for key, value in entry.as_json().items())
            yield f"  sheet {words}"
        if after.sheet is not state.sheet:
            yield f"  scores {' '.join(map(str, after.sheet.scores))}{marks(after)}"
        state = after
    sheet = state.sheet
    if sheet.finished:
        points = " ".join(map(str, sheet.game_points or ()))
        yield f"# over: {sheet.win} by {' '.join(map(str, sheet.winners))}, game points {points}"


def marks(state: TableState) -> str:
    """Return the marks on the sheet beside the scores."""
    sheet = state.sheet
    shown = [
        (name, [seat for seat in range(state.seats) if flags[seat]])
        for name, flags in (
            ("executed", sheet.executed),
            ("asterisks", sheet.asterisks),
            ("discardless", sheet.discardless),
            ("out", [status != "in" for status in sheet.status]),
        )
    ]
    return "".join(f", {name} {' '.join(map(str, seats))}" for name, seats in shown if seats)


def actions_in(text: str) -> list[Action]:
    """Return the actions in a playthrough file."""
    return [
        action_from_json(json.loads(line.removeprefix("  do ")))
        for line in text.splitlines()
        if line.startswith("  do ")
    ]


def rules_of(path: Path) -> RuleSet:
    """Return a playthrough's rule set, with its name's meaning at the time of writing."""
    return first_reading(path.stem) if path.parent == FIRST else parse_rules(path.stem)


def path_of(spec: str) -> Path:
    """Return the path of a rule set's playthrough."""
    return FOLDER / f"{spec}.txt"


# --- picking the actions --------------------------------------------------------------------------


def pack(rng: random.Random, deal: int) -> tuple[Card, ...]:
    """Return a shuffled pack, usually with the cards of a few ranks on top."""
    cards = rng.sample(DECK, 52)
    ranks = [range(2, 15), range(10, 15), range(2, 10), range(9, 15)][(deal + rng.randrange(4)) % 4]
    top = [card for card in cards if card.rank in ranks]
    return (*top, *(card for card in cards if card.rank not in ranks))


def pick(state: TableState, rng: random.Random) -> Action:
    """Return an action: usually a bot's, sometimes any legal one, rarely an offence."""
    if state.stage is Stage.DECK:
        return Deck(pack(rng, state.sheet.deal))
    if state.stage is Stage.RESHUFFLE:
        return Reshuffle(tuple(rng.sample(state.muck, len(state.muck))))
    chance = rng.random()
    if chance < 0.9:
        assert state.turn is not None
        bot = rng.choice(list(BOTS.values()))
        return bot.act(view_of(state, state.turn), rng)
    return rng.choice(legal_actions(state, with_offences=chance > 0.97))


def attempt(spec: str, seed: int) -> tuple[list[Action], int]:
    """Play a few deals; return them, and how many different things happened."""
    rng = random.Random(f"{spec} {seed}")
    state = start_table(parse_rules(spec), seats_of(spec))
    points = [16, 28, 37, 46]
    rng.shuffle(points)
    actions: list[Action] = []
    seen: set[object] = set()
    while not state.finished and state.sheet.deal < DEALS:
        seat = len(actions)
        if seat < state.seats:
            action: Action = Rule(Ruling("points", seat, points[seat], reason="to start with"))
        else:
            action = pick(state, rng)
        actions.append(action)
        after = apply(state, action)
        seen.add((state.stage, getattr(action, "call", None), getattr(action, "claim", None)))
        if isinstance(action, Discard) and action.offence:
            seen.add("offence")
        seen |= {each.do for each in after.observations}
        for entry in after.entries[len(state.entries) :]:
            document = entry.as_json()
            seen.add(tuple(document.get(key) for key in ("kind", "category", "reset", "won")))
        seen.add((after.sheet.win, after.sheet.status, after.sheet.discardless))
        state = after
    return actions, len(seen)


def write(spec: str) -> None:
    """Write the most eventful of several attempts."""
    actions, _ = max((attempt(spec, seed) for seed in range(SEEDS)), key=lambda tried: tried[1])
    path_of(spec).write_text("\n".join(lines(spec, actions)) + "\n", encoding="utf-8")


def main(argv: list[str]) -> None:
    """Write the named playthroughs, or all, and remove files of unknown rule sets."""
    FOLDER.mkdir(exist_ok=True)
    for spec in argv or anew():
        write(parse_rules(spec).spec)
        print(spec)
    if not argv:
        for path in FOLDER.glob("*.txt"):
            if path.stem not in anew():
                path.unlink()


if __name__ == "__main__":
    main(sys.argv[1:])
