"""What a preview lists is what then happens: over rehearsed events, kinds and decisions.

The event's document, prizes, balances and drafts are compared before and after a correction, and
that difference with the one that the preview listed.
"""

from __future__ import annotations

import json
import uuid
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import fields, replace
from functools import partial
from itertools import cycle, islice
from random import Random
from typing import Any

import pytest
from django.db import transaction

from scoring.enums import RowKind
from scoring.models import Sheet
from scoring.reading.forgotten import forgotten_deal
from scoring.reading.games import Game
from scoring.reading.slots import grids_of, legal_values, slot_of
from scoring.reading.take_back import corrections_standing
from tests.tournaments.factories import make_players
from tests.tournaments.played_once import played_once
from tournaments.cash.queries.ledger import balances_of
from tournaments.cash.queries.prizes import prizes_at
from tournaments.core.errors import Refused
from tournaments.corrections.commands.correct import correct, decide
from tournaments.corrections.commands.follows import (
    Followed,
    make_decision,
    preview_decision,
)
from tournaments.corrections.commands.wanted import Correction
from tournaments.corrections.queries.consequences import (
    REDRAW,
    TABLE,
    Consequences,
    game_of,
)
from tournaments.documents import event_document
from tournaments.draws.commands.drafts import draft_heats
from tournaments.draws.queries.drafts import draft_view
from tournaments.floor.commands.penalties import disqualify, give_penalty, take_back_penalty
from tournaments.heats.commands import void_heat
from tournaments.heats.queries.closing import going_on
from tournaments.models import Event, Heat
from tournaments.models.enums import PenaltyLevel, RegistrationStatus, StageKind
from tournaments.registration.commands.check_in import enter_heat
from tournaments.registration.commands.people import withdraw
from tournaments.registration.queries.queue import why_not_enter
from tournaments.rehearsal.festival import Rehearsal, rehearse
from tournaments.rehearsal.heat import Chances, play_heat
from tournaments.results.queries.players import players_of
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


def listed(found: Consequences | Followed) -> dict[str, dict[Any, Any]]:
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


#: What is corrected, in turn; lines are corrected in every other turn.
KINDS = (RowKind.AMEND, "paper", RowKind.VOID, "deal", RowKind.INSERT, "points", RowKind.AMEND)


def corrections(event: Event, chance: Random) -> Iterator[tuple[str, Correction]]:
    """Yield corrections of all kinds in turn, on sheets of closed heats."""
    heats = list(event.heats.finished().order_by("number"))
    makers = {"paper": on_paper, "deal": whole_deal, "points": points_off}
    for kind in cycle(KINDS):
        heat = chance.choice(heats)
        game = game_of(heat, chance.randint(1, heat.games_planned), {})
        if game is not None and game.deals and game.win:
            maker = makers.get(kind) or partial(of_line, RowKind(kind))
            wanted = maker(heat, game, chance)
            if wanted is not None:
                yield kind, wanted


def of_line(kind: RowKind, heat: Heat, game: Game, chance: Random) -> Correction | None:
    """Return the correction of a line."""
    slots = [row for deal in game.deals for row in deal.entries]
    # What ends a game decides more than what begins it.
    slot = slots[max(0, len(slots) - 1 - int(chance.expovariate(0.8)))]
    at = slot_of(game, slot.sequence)
    legal = [json.loads(each) for each in sorted(legal_values(grids_of(at, "")))] if at else []
    if kind != RowKind.VOID and not legal:
        return None
    entry = None if kind == RowKind.VOID else chance.choice(legal)
    return wanted_on(game, kind, slot.sequence, entry)


def on_paper(heat: Heat, game: Game, chance: Random) -> Correction | None:
    """Return totals that say that two players have each other's scores."""
    rows = [
        {
            "score": seat.score,
            "executed": seat.executed,
            "asterisks": seat.asterisks,
            "out": False,
        }
        for seat in game.seats
    ]
    one, other = game.state.winners[0], chance.randrange(len(rows))
    if game.win != "target" or one == other or not all(seat.plays for seat in game.seats):
        return None
    rows[one], rows[other] = rows[other], rows[one]
    totals = {"seats": rows, "win": "target", "winner": [other]}
    return wanted_on(game, RowKind.FROM_PAPER, 0, totals)


def whole_deal(heat: Heat, game: Game, chance: Random) -> Correction | None:
    """Return the correction that puts in a deal before the last one."""
    given: list[str] = []
    for _question in range(30):
        found = forgotten_deal(game, game.deals[-1].number, given)
        if found is None or found.refused:
            return None
        if found.is_whole:
            first, *also = found.entries
            put_in = wanted_on(game, RowKind.INSERT, found.sequence, first)
            return replace(put_in, also=tuple(also))
        given.append(chance.choice(sorted(legal_values(found.grids))))
    return None


def points_off(heat: Heat, game: Game, chance: Random) -> Correction:
    """Return the penalty that takes game points from the winner of a closed heat."""
    best = heat.results.order_by("place", "order")[0].entry.registration
    client_id = uuid.UUID(int=chance.getrandbits(128))

    def take() -> None:
        give_penalty(
            heat=heat,
            registration=best,
            level=PenaltyLevel.GAME_POINTS,
            offence="slow",
            by=None,
            client_id=client_id,
            seen_version=0,
            points=8,
            closed=True,
        )

    return Correction.of_change(heat=heat, change=take, reason="took too long")


def wanted_on(game: Game, kind: RowKind, sequence: int, entry: Any) -> Correction:
    return Correction(
        sheet=Sheet.objects.get(pk=game.sheet.pk),
        kind=kind,
        sequence=sequence,
        entry=entry,
        reason="the paper says otherwise",
        seen_version=game.sheet.version,
    )


def taken_back(wanted: Correction) -> Correction:
    """Return the correction that takes back the last one of this sheet."""
    sheet = Sheet.objects.get(pk=wanted.sheet.pk)
    return Correction(
        sheet=sheet,
        kind=RowKind.VOID,
        sequence=max(corrections_standing(sheet)),
        entry=None,
        reason="the paper was read wrongly",
        seen_version=sheet.version,
        back=True,
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
        for player in players_of(event).filter(status=RegistrationStatus.CHECKED_IN):
            if why_not_enter(player) is None:
                enter_heat(registration=player, by=None)
        make_players(event, 3)
        draft_heats(event=event, by=None)
    elif moment == "drawn":
        first = event.heats.open().order_by("number").first()
        assert first is not None
        for _line in islice(play_heat(first, Random(1), Chances(), ["novice"]), 6):
            pass


def made(event: Event, wanted: Correction, number: int) -> tuple[Correction, Consequences] | None:
    """Make a correction whose preview lists what it changes; None if it cannot be made."""
    before, doc = seen(event), event_document(event)
    try:
        decided = decide(wanted=wanted, answers=Answers(number), by=None)
    except Refused:
        return None  # impossible there, whatever is decided
    assert seen(event) == before, "a preview changes nothing"
    if not decided.complete:
        return None
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
    return decided.correction, found


@pytest.mark.parametrize("moment", MOMENTS)
def test_what_a_preview_lists_is_the_difference(moment: str) -> None:
    event = rehearsed(16, moment)
    prepared(event, moment)
    kinds: list[str] = []
    rounds: list[str] = []
    changed = back = 0
    wanted_rounds = {STAND, TABLE, REDRAW} if moment == "drawn" else set()
    for kind, wanted in islice(corrections(event, Random(moment)), 90):
        missing = {*KINDS} - {*kinds}
        enough = changed and back >= 3
        if enough and wanted_rounds <= {*rounds} and not missing:
            break
        # A round is chosen only where a line decides who plays in it.
        if kind not in missing and (kind not in RowKind or wanted_rounds <= {*rounds}) and enough:
            continue
        with transaction.atomic():
            done = made(event, wanted, len(rounds))
            if done is not None:
                correction, found = done
                kinds.append(kind)
                rounds += [correction.round] if correction.round and not wanted.change else []
                changed += not found.changed.is_empty
                if back < 3 and wanted.kind != RowKind.FROM_PAPER and wanted.change is None:
                    back += made(event, taken_back(wanted), len(rounds)) is not None
            transaction.set_rollback(True)
    assert changed
    assert back >= 3
    assert {*kinds} == {*KINDS}
    assert wanted_rounds <= {*rounds}


def decisions(event: Event, chance: Random) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Yield decisions about players: taking out, disqualifying, taking penalties back."""
    players = list(event.registrations.exclude(status=RegistrationStatus.WITHDRAWN))
    chance.shuffle(players)
    for player in players:
        client_id = uuid.UUID(int=chance.getrandbits(128))
        yield "withdraw", partial(withdraw, registration=player, by=None)
        yield (
            "disqualify",
            partial(
                disqualify, registration=player, offence="cheating", by=None, client_id=client_id
            ),
        )
        penalty = player.penalties.in_force().first()
        if penalty is not None:
            yield "back", partial(take_back_penalty, penalty=penalty, by=None, reason="a mistake")
    for heat in event.heats.open():
        sheet = Sheet.objects.filter(table=heat.table, status="running").first()
        if sheet is not None:
            yield (
                "penalty",
                partial(
                    give_penalty,
                    heat=heat,
                    registration=event.registrations.get(number=int(sheet.seats[0])),
                    level=PenaltyLevel.DISQUALIFIED,
                    offence="cheating",
                    by=None,
                    client_id=uuid.UUID(int=chance.getrandbits(128)),
                    seen_version=sheet.version,
                ),
            )
        yield "void", partial(void_heat, heat=heat, by=None, reason="the wrong cards")


@pytest.mark.parametrize("moment", MOMENTS)
def test_what_the_preview_of_a_decision_lists_is_the_difference(moment: str) -> None:
    event = rehearsed(16, moment)
    prepared(event, moment)
    kinds: Counter[str] = Counter()
    for kind, change in decisions(event, Random(moment)):
        if kinds[kind] >= 3:
            continue
        before = seen(event)
        with transaction.atomic():
            try:
                preview = preview_decision(event=event, change=change)
            except Refused:
                continue
            assert seen(event) == before, "a preview changes nothing"
            found = make_decision(event=event, change=change)
            assert listed(preview) == listed(found) == differs(before, seen(event))
            assert preview.effects == found.effects
            transaction.set_rollback(True)
        kinds[kind] += 1
    expected = {"heats": {"withdraw", "disqualify"}, "drawn": {"penalty", "void"}, "over": set()}
    assert expected[moment] <= {*kinds}
