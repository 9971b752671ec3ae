"""What an Auditor's device stores so that its page works without network.

The device replays the running game's entries with its own script (``static/scoring/count.js``) and
shows the result in the page's own words: the questions, the reasons for grey buttons and the names
of the phases are made here, once per page.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from engine.cards.categories import SCORING, SUITS
from engine.errors import Problem
from engine.messages import advance_text, say, stage_text, status_text, texts_in
from engine.rules.ruleset import FinalHand
from engine.sheet.sheet import start
from engine.sheet.state import CHICAGO_HAND, EXCHANGE, FINAL_HAND, OVER, TRICKS, State

from ..errors import ScoringError
from ..reasons import AWAY, FOLD
from ..words import lang
from .games import Game
from .pages import TablePage
from .question import BECOMES, Question, device_questions_of, lost_title
from .ranking import chain_of
from .recover import (
    corrections_of,
    decisions_of,
    heat_fingerprint,
    seating_of,
    statements_of,
    voids_of,
)
from .rules import rules_of
from .words import (
    declared_text,
    entry_text,
    short_names,
    softened,
    stopped_text,
)


def device_sheet(page: TablePage) -> dict[str, Any]:
    """Return a table's state for the device, with the running game's entries that count.

    ``games`` are those still waiting, with their drawn seats. ``gone`` maps players who start them
    out of the game to the ruling; ``away`` lists players who fold each deal; ``sat`` names the
    seats of finished games, and ``results`` what these count for in the heat. While the running
    game can be closed again, ``previous`` is the one before it, with its entries, and ``unwritten``
    the running one's version.
    """
    game = page.game
    returns = page.earlier and page.undo is not None and page.undo.kind == "game"
    before = page.earlier[0].game if returns else None
    return {
        "heat": heat_fingerprint(page.table),
        "revision": page.table.revision,
        "digest": page.table.rules_digest,
        "mode": page.mode,
        "writes": page.writes,
        "signed": page.table.signed_at is not None,
        "planned": page.table.games_planned,
        "closed": page.about.is_closed or (page.mode == "end" and not page.table.directed),
        **_played(game),
        "announced": page.declared,
        "seated": not page.asks_seats,
        "entries": _entries(game),
        **(
            {
                "unwritten": game.sheet.version,
                "previous": [_played(before), *_entries(before)],
            }
            if before
            else {}
        ),
        "games": [_seated(waiting) for waiting in page.waiting],
        "results": [_result(part.game) for part in reversed(page.earlier)],
        "penalties": {
            page.names.get(who, who): str(points) for who, points in _penalties(page).items()
        },
        "called": page.table.call_since is not None,
        "objected": bool(page.acceptance.open_objections),
        "sat": {seating_of(part.game.sheet): part.game.names for part in page.earlier},
        "corrections": corrections_of(game),
        "told": [
            *decisions_of(game, page.decided),
            *voids_of(page.voided),
            *statements_of(page.table, page.acceptance.open_objections),
        ]
        if page.table.directed
        else [],
        "away": [page.names.get(str(who), str(who)) for who in page.table.away or ()],
        "gone": {
            **{page.names.get(str(who), str(who)): "sit_out_game" for who in page.table.absent},
            **{
                seat.name: "disqualify"
                for before in (*(part.game for part in page.earlier), game)
                if before.finished
                for seat in before.seats
                if seat.status == "disqualified"
            },
        },
    }


def _played(game: Game) -> dict[str, Any]:
    return {
        **_seated(game),
        "deal": game.state.deal,
        "stage": game.state.stage,
        "phase": game.state.phase,
    }


def _result(game: Game) -> dict[str, Any]:
    """Return what a finished game counts for in the heat."""
    state: Mapping[str, Any] = game.state.as_json()
    counts = ("scores", "asterisks", "game_points", "winners", "status")
    return {"game": game.number, "seats": game.names, **{name: state[name] for name in counts}}


def _penalties(page: TablePage) -> dict[str, Fraction]:
    """Return the game points that players lose, by reference."""
    found: dict[str, Fraction] = {}
    for row in page.decided:
        if row.game_points:
            found[row.player_id] = found.get(row.player_id, Fraction()) + row.game_points
    return found


def _entries(game: Game) -> list[dict[str, Any]]:
    return [
        {"sequence": row.sequence, "entry": dict(row.entry)}
        for deal in game.deals
        for row in deal.entries
    ]


def _seated(game: Game) -> dict[str, Any]:
    return {
        "game": game.number,
        "version": game.sheet.version,
        "seats": game.names,
        "shorts": short_names(game.names),
        "labels": [softened(name) for name in short_names(game.names)],
        "dealer": game.dealer,
        "seating": seating_of(game.sheet),
    }


@dataclass(frozen=True, slots=True)
class StageQuestion:
    """The question at one point of a deal (``exchange-1``, ``tricks``, ``chicago``)."""

    key: str
    question: Question


def device_questions(page: TablePage, names: Sequence[str] | None = None) -> list[StageQuestion]:
    """Return the questions at every point of a deal, with every possible button.

    The device itself finds out which of them are grey, and why. ``names`` stand for the players'.
    """
    return [
        StageQuestion("chicago" if question.step == "chicago" else _key(state), question)
        for state in _stages(page)
        for question in device_questions_of(
            state,
            names or page.game.names,
            directed=page.table.directed,
            shot_clock=page.about.shot_seconds is not None,
        )
    ]


def _key(state: State) -> str:
    return f"{state.stage}-{state.phase}" if state.stage == EXCHANGE else state.stage


def _stages(page: TablePage) -> list[State]:
    """Return one state for each point of a deal, in which everybody may do everything."""
    rules = rules_of(page.table)
    seats = len(page.game.seats)
    first = replace(
        start(rules, seats),
        scores=(max(rules.chicago_minimum or 0, 1),) * seats,
        discardless=(True,) * seats,
    )
    last = rules.exchanges
    final = [TRICKS, FINAL_HAND]
    if rules.final_hand_in_chicago is not FinalHand.NEVER:
        final.append(CHICAGO_HAND)
    return [
        *(replace(first, phase=phase) for phase in range(1, last)),
        *(replace(first, phase=last, stage=stage) for stage in final),
    ]


#: Parameters for the engine's sentences, where the device fills in seats and numbers itself.
_MARKS = {
    name: f"{{{name}}}" for name in ("score", "minimum", "limit", "held_a", "category_a", "phase")
}
_REFUSALS = (
    "chicago_below_minimum",
    "chicago_limit",
    "seat_out.out",
    "seat_out.disqualified",
    "seat_out.sitting_out",
    "reset_not_allowed.final_hand",
    "reset_not_allowed.chicago_hand",
    "reset_not_allowed.never",
    "reset_bound",
    "dead_hand.last_trick",
    "dead_hand.chicago",
    "dead_hand.breaker",
    "dead_hand.revoke",
    "not_discardless",
    "not_discardless.now",
    "not_discardless.never",
    "self_break",
    "missing_reason",
    "missing_suit",
    "rare_hand",
    "standing_hand",
    "standing_hand.own",
)


def device_texts(page: TablePage) -> dict[str, Any]:
    """Return the words that the device needs for its predictions, in the reader's language."""
    texts = texts_in(lang())
    return {
        "reasons": {key: _sentence(key) for key in _REFUSALS},
        "hands": {category.key: texts.a_category[category.key] for category in SCORING},
        "stages": {_key(state): _stage(state) for state in _stages(page)},
        "entries": _entry_words(),
        "becomes": {first.key: [each.key for each in after] for first, after in BECOMES.items()},
        "announced": declared_text("{name}"),
        "stopped": stopped_text("{names}"),
        "losses": texts.losses,
        "now": _("Deal %(number)s · %(phase)s") % {"number": "{deal}", "phase": "{phase}"},
        "game": _("Game %(number)s of %(all)s") % {"number": "{game}", "all": "{planned}"},
        "over": capfirst(stage_text(OVER, None, lang())),
        "back": _("Back to game %(number)s") % {"number": "{game}"},
        "broke": lost_title(""),
        "broken": _("Broken by %(name)s") % {"name": "{name}"},
        "deal": _("deal %(deal)s") % {"deal": "{deal}"},
        "wins": {key: text.replace("{in_deal}", texts.in_deal) for key, text in texts.wins.items()},
        "chain": chain_of(page.table),
        "steps": {
            step: texts.steps[step] for step in (*chain_of(page.table), "disqualified", "level")
        },
        "advance": page.table.advance,
        "advances": advance_text(lang(), final=page.about.is_final),
        "sheets": _("sheets %(points)s") % {"points": "{points}"},
        "penalty": _("penalty: %(sum)s") % {"sum": "{sum}"},
        "waits": {
            "signed": _("The sign-off waits for the network."),
            **{
                code: ScoringError(code).message()
                for code in ("call_open", "objection_open", "needs_flip_flop")
            },
        },
        "status": {
            status: status_text(status, lang(), short=True) for status in ("out", "disqualified")
        },
        "statuses": {
            status: status_text(status, lang())
            for status in ("out", "disqualified", "sitting_out", "sitting_out_next")
        },
        "marks": {**texts.marks, "won": texts.marks["won.other"]},
    }


def _stage(state: State) -> str:
    return stage_text(state.stage, state.phase, lang())


def _sentence(key: str) -> str:
    """Return one of the engine's sentences with placeholders for seats and numbers."""
    code, _dot, why = key.partition(".")
    params = {
        **_MARKS,
        **({"why": why} if why else {}),
        "category": "{category_a}",
        "held": "{held_a}",
        "seat": 0,
        "holder": 1,
    }
    return say(Problem(code, params=params), lang(), ["{seat}", "{holder}"])


def _entry_words() -> dict[str, str]:
    """Return the words of each kind of entry on the sheet: "{seat}: {hand}"."""
    names = ["{seat}", "{other}"]
    kinds: dict[str, dict[str, object]] = {
        "none": {"kind": "none"},
        "chicago.won": {"kind": "chicago", "seat": 0, "won": True},
        "chicago.lost": {"kind": "chicago", "seat": 0, "won": False},
        "chicago.broken": {"kind": "chicago", "seat": 0, "won": False, "breaker": 1},
        "blind.won": {"kind": "chicago", "seat": 0, "won": True, "blind": True},
        "blind.deuce": {"kind": "chicago", "seat": 0, "won": True, "blind": True, "deuce": True},
        "blind.lost": {"kind": "chicago", "seat": 0, "won": False, "blind": True},
        "blind.broken": {"kind": "chicago", "seat": 0, "won": False, "breaker": 1, "blind": True},
        "last_trick": {"kind": "last_trick", "seat": 0},
        "last_trick.deuce": {"kind": "last_trick", "seat": 0, "deuce": True},
        "revoke": {"kind": "revoke", "seat": 0},
        "illegal_discard": {"kind": "illegal_discard", "seat": 0},
        "sit_out_deal": {"kind": "ruling", "action": "sit_out_deal", "seat": 0},
        FOLD["reason"]: {**FOLD, "seat": 0},
        AWAY["reason"]: {**AWAY, "seat": 0},
        "end_game": {"kind": "ruling", "action": "end_game"},
    }
    for category in SCORING:
        hand = {"kind": "hand", "seat": 0, "category": category.key}
        kinds[category.key] = hand
        if category.key == "four_of_a_kind":
            kinds["reset"] = {**hand, "reset": True}
            kinds["reset.one"] = {**hand, "reset": True, "reset_seat": 1}
        if category.key == "royal_flush":
            kinds |= {f"{category.key}.{suit}": {**hand, "suit": suit} for suit in SUITS}
    return {key: entry_text(entry, names) for key, entry in kinds.items()}
