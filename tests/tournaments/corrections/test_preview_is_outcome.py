"""What a preview lists is what then happens: over rehearsed events, kinds and decisions.

The event's document, prizes, balances and drafts are compared before and after a correction, and
that difference with the one that the preview listed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import fields
from itertools import cycle, islice
from random import Random
from typing import Any

import pytest
from django.db import transaction

from scoring.enums import RowKind
from scoring.models import Sheet
from scoring.reading.slots import grids_of, legal_values, slot_of
from tests.tournaments.factories import make_players
from tests.tournaments.played_once import played_once
from tournaments.cash.queries.ledger import balances_of
from tournaments.cash.queries.prizes import prizes_at
from tournaments.core.errors import Refused
from tournaments.corrections.commands.correct import Correction, correct, decide
from tournaments.corrections.commands.exchange import Exchanged
from tournaments.corrections.queries.consequences import (
    REDRAW,
    TABLE,
    Consequences,
    game_of,
)
from tournaments.documents import event_document
from tournaments.draws.commands.drafts import draft_heats
from tournaments.draws.queries.drafts import draft_view
from tournaments.heats.queries.closing import going_on
from tournaments.models import Event
from tournaments.models.enums import RegistrationStatus, StageKind
from tournaments.registration.commands.check_in import enter_heat
from tournaments.registration.queries.queue import why_not_enter
from tournaments.rehearsal.festival import Rehearsal, rehearse
from tournaments.rehearsal.heat import Chances, play_heat
from tournaments.results.queries.stood import STAND

pytestmark = pytest.mark.django_db

#: How far an event has come, with what the rehearsal says then.
MOMENTS = {"heats": "Draw 3", "drawn": " table", "over": ""}


class _Stop(Exception):
    """The rehearsal has come as far as the test wants it."""


@played_once
def rehearsed(players: int, moment: str) -> Event:
    """Return an event with money and prizes, with drafts and a queue where there may be some."""

    def tell(text: str) -> None:
        if MOMENTS[moment] and MOMENTS[moment] in text:
            raise _Stop

    plan = Rehearsal(players=players, seed="desk", slug="desk", reentry=0.7, tell=tell)
    with suppress(_Stop):
        rehearse(plan)
    Event.objects.update(buy_in=20000, prizes={"1": [50, 30, 20]}, prize_added=5000)
    return Event.objects.get()


def seen(event: Event) -> dict[str, Any]:
    """Return what the event's document, prizes, balances and drafts say now."""
    doc = event_document(Event.objects.get(pk=event.pk))
    stages = [stage for stage in doc["stages"] if stage["kind"] != "qualifying"]
    heats = {int(heat["id"]): heat for stage in doc["stages"] for heat in stage["heats"]}
    rows = [(stage["number"], row) for stage in stages for row in stage["players"]]
    registrations = event.registrations.select_related("person")
    for row in registrations:
        row.event = event
    drafts = event.draws.drafts().select_related("stage__event", "event")
    return {
        "qualified": dict.fromkeys(doc["qualifiers"], True),
        "going_on": {
            heat.number: tuple(sorted(going_on(heat, {}), key=int))
            for heat in event.heats.finished()
            if going_on(heat, {})
        },
        "statuses": {row["id"]: row["status"] for row in doc["registrations"]},
        "waiting": dict.fromkeys(doc["queue"], True),
        "heats": {number: heat["status"] for number, heat in heats.items()},
        "tables": {
            number: tuple(sorted(heat["players"], key=int))
            for number, heat in heats.items()
            if heat["status"] != "void"
        },
        "rounds": {stage["number"]: stage["status"] for stage in stages},
        "round_players": {
            (number, row["id"]): row["source"] for number, row in rows if not row["absent"]
        },
        "round_absent": {(number, row["id"]): True for number, row in rows if row["absent"]},
        "drafts": {draw.number: draft_view(draw).is_stale for draw in drafts},
        "places": {row["id"]: row["place"] for row in doc["result"]},
        "prizes": {str(row.number): row.amount for row in prizes_at(event).rows if row.amount},
        "owed": {
            row.registration.player_id: row.owes
            for row in balances_of(event, registrations)
            if row.owes
        },
    }


def differs(before: dict[str, Any], after: dict[str, Any]) -> dict[str, dict[Any, Any]]:
    return {
        what: {
            key: (before[what].get(key), after[what].get(key))
            for key in {*before[what], *after[what]}
            if before[what].get(key) != after[what].get(key)
        }
        for what in before
    }


def listed(found: Consequences | Exchanged) -> dict[str, dict[Any, Any]]:
    return {each.name: dict(getattr(found.changed, each.name)) for each in fields(found.changed)}


def paths(one: Any, other: Any, at: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Yield where two documents differ; lists of things with ids are compared by those."""
    if isinstance(one, list) and isinstance(other, list):
        rows = [*one, *other]
        keys = [
            key
            for key in ("id", "number")
            if rows and all(isinstance(row, dict) and key in row for row in rows)
        ]
        if keys:
            key = keys[0]
            one, other = ({str(each[key]): each for each in rows} for rows in (one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        for name in {*one, *other}:
            yield from paths(one.get(name), other.get(name), (*at, str(name)))
    elif one != other:
        yield at


def elsewhere(before: Any, after: Any, found: Consequences) -> set[tuple[str, ...]]:
    """Return where the document has changed without a word in the preview."""
    heats = {str(number) for number in (*found.changed.heats, *found.changed.tables)}
    told = {"qualifiers", "queue", "result", "lucky_losers", "penalties"}
    left = set()
    for path in paths(before, after):
        match path:
            case (top, *_rest) if top in told:
                continue
            case ("registrations", player, "status" | "entries"):
                assert player in found.changed.statuses or player in found.changed.waiting
            case ("stages", number, "players", *_rest):
                assert any(key[0] == int(number) for key in found.changed.round_players)
            case ("stages", number, "status" | "rounds_left"):
                assert int(number) in found.changed.rounds or path[2] == "rounds_left"
            case ("stages", _number, "draws", *_rest):
                assert found.changed.drafts or found.changed.tables or found.changed.heats
            case ("stages", _number, "heats", heat, *rest):
                if heat != str(found.heat.number) and heat not in heats:
                    # Somebody who loses a place here goes on or not from another heat.
                    assert rest == ["went_on"], path
                    assert int(heat) in found.changed.going_on
            case _:
                left.add(path)
    return left


def corrections(event: Event, chance: Random) -> Iterator[Correction]:
    """Yield corrections of all kinds in turn, on sheets of closed heats."""
    heats = list(event.heats.finished().order_by("number"))
    for kind in cycle([RowKind.AMEND, RowKind.VOID, RowKind.INSERT, RowKind.AMEND]):
        heat = chance.choice(heats)
        game = game_of(heat, chance.randint(1, heat.games_planned), {})
        slots = [row for deal in game.deals for row in deal.entries] if game else []
        if not game or not slots:
            continue
        # What ends a game decides more than what begins it.
        slot = slots[max(0, len(slots) - 1 - int(chance.expovariate(0.8)))]
        at = slot_of(game, slot.sequence)
        legal = [json.loads(each) for each in sorted(legal_values(grids_of(at, "")))] if at else []
        if kind != RowKind.VOID and not legal:
            continue
        yield Correction(
            sheet=Sheet.objects.get(pk=game.sheet.pk),
            kind=kind,
            sequence=slot.sequence,
            entry=None if kind == RowKind.VOID else chance.choice(legal),
            reason="the paper says otherwise",
            seen_version=game.sheet.version,
        )


class Answers:
    """Decisions for whatever is asked; each choice for the tables in turn."""

    def __init__(self, number: int) -> None:
        self.round = [STAND, TABLE, REDRAW][number % 3]

    def __call__(self, asked: Sequence[str], found: Consequences) -> dict[str, Any]:
        return {
            "with_later": "with_later" in asked,
            "end_game": "end_game" in asked,
            "lots": "flip_flop" in asked,
            "round": self.round if "round" in asked else "",
            "instead": [*found.stand_ins, ""][0] if "instead" in asked else None,
        }


def prepared(event: Event, moment: str) -> None:
    """Have somebody wait, and a draft where there may be one."""
    if moment == "heats":
        for player in event.registrations.filter(status=RegistrationStatus.CHECKED_IN):
            if why_not_enter(player) is None:
                enter_heat(registration=player, by=None)
        make_players(event, 3)
        draft_heats(event=event, by=None)
    elif moment == "drawn":
        first = event.heats.open().order_by("number").first()
        assert first is not None
        for _line in islice(play_heat(first, Random(1), Chances(), ["novice"]), 6):
            pass


@pytest.mark.parametrize("moment", MOMENTS)
def test_what_a_preview_lists_is_the_difference(moment: str) -> None:
    event = rehearsed(16, moment)
    prepared(event, moment)
    kinds: list[str] = []
    rounds: list[str] = []
    changed = 0
    wanted_rounds = {STAND, TABLE, REDRAW} if moment == "drawn" else set()
    for wanted in islice(corrections(event, Random(moment)), 80):
        if len(kinds) >= 8 and wanted_rounds <= {*rounds}:
            break
        before, doc = seen(event), event_document(event)
        try:
            decided = decide(wanted=wanted, answers=Answers(len(rounds)), by=None)
        except Refused:
            continue  # impossible there, whatever is decided
        chosen = decided.correction.round
        if not decided.complete or (len(kinds) >= 8 and chosen in {"", *rounds}):
            continue
        assert seen(event) == before, "a preview changes nothing"
        with transaction.atomic():
            found = correct(correction=decided.correction, by=None)
            after = seen(event)
            assert listed(decided.found) == listed(found) == differs(before, after)
            assert decided.found.effects == found.effects
            assert elsewhere(doc, event_document(event), found) == set()
            if found.heat.stage.kind == StageKind.QUALIFYING:
                assert not {*found.lost} & {*after["qualified"]}
                assert {*found.won} <= {*after["qualified"]}
            if found.stood is not None:
                assert (found.lost, found.won) == ((), ())
            transaction.set_rollback(True)
        kinds.append(wanted.kind)
        rounds += [chosen] if chosen else []
        changed += not found.changed.is_empty
    assert changed
    assert {*kinds} == {RowKind.AMEND, RowKind.VOID, RowKind.INSERT}
    assert wanted_rounds <= {*rounds}
