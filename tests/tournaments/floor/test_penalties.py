"""Penalties: the ladder, taking back, corrections of their rulings, and the event document."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone

from scoring.enums import RowKind, SheetStatus
from scoring.host import host
from scoring.models import SheetEntry
from scoring.reading.outlook import needs_of
from scoring.reading.protocol import protocol_of
from tests.tournaments.factories import (
    make_event,
    make_heats,
    make_players,
    play_game,
    play_heat,
    write,
)
from tests.tournaments.floor.test_commands import PAIR, at_seat, sheet_of
from tests.tournaments.refusals import refused
from tournaments.core.errors import Refused
from tournaments.core.queries import log_of
from tournaments.corrections.commands.correct import correct, preview_correction
from tournaments.corrections.commands.wanted import Correction
from tournaments.documents import BadDocument, event_document, import_event
from tournaments.floor.commands.penalties import disqualify, give_penalty, take_back_penalty
from tournaments.floor.queries.penalties import next_step, set_points_taken
from tournaments.heats.commands import close_heat, enter_ruling, set_auditor, void_heat
from tournaments.heats.queries.cards import heat_cards
from tournaments.models import Event, Heat, Penalty, Registration
from tournaments.models.enums import PenaltyLevel, RegistrationStatus
from tournaments.models.ladder import Step, step_after, validate_ladder

pytestmark = pytest.mark.django_db


@pytest.fixture
def heat() -> Heat:
    return make_heats(make_event(), 4).heats[0]


def punish(heat: Heat, registration: Registration, level: str, **more: Any) -> Penalty:
    return give_penalty(
        heat=heat,
        registration=registration,
        level=level,
        offence=more.pop("offence", "slow"),
        by=None,
        client_id=more.pop("client_id", uuid.uuid4()),
        seen_version=sheet_of(heat).version,
        **more,
    )


def next_level(player: Registration, offence: str = "slow") -> PenaltyLevel:
    given = player.penalties.in_force().order_by("pk")
    return next_step(player.event, given, offence).level


def test_a_players_log_has_rulings_and_penalties_each_once(heat: Heat) -> None:
    player = at_seat(heat, 0)
    ruling = {"kind": "ruling", "action": "disqualify", "seat": 0, "reason": "marked cards"}
    punish(heat, player, PenaltyLevel.MISS_DEAL)
    seen = sheet_of(heat).version
    enter_ruling(heat=heat, ruling=ruling, by=None, client_id=uuid.uuid4(), seen_version=seen)
    rows = log_of(player).filter(heat_number=heat.number)
    assert [row.action for row in rows.order_by("pk")] == ["penalty", "ruling"]


def test_penalties_escalate(heat: Heat) -> None:
    player = at_seat(heat, 1)
    write(sheet_of(heat), {"kind": "hand", "phase": 1, "seat": 1, "category": "full_house"})
    for step in heat.event.ladder:
        assert next_level(player) == step.level
        punish(heat, player, step.level, points=step.points)
    state = sheet_of(heat).state
    assert state["status"][1] == "disqualified"
    assert [entry["action"] for entry in rulings(heat)] == [
        "points",
        "sit_out_next_deal",
        "sit_out_game",
        "disqualify",
    ]
    player.refresh_from_db()
    assert player.status == RegistrationStatus.DISQUALIFIED
    assert next_level(player) == PenaltyLevel.DISQUALIFIED


def rulings(heat: Heat) -> list[dict[str, Any]]:
    rows = sheet_of(heat).entries.order_by("sequence")
    return [row.entry for row in rows if row.entry and row.entry.get("kind") == "ruling"]


@pytest.mark.parametrize("offence", ["cheating", "collusion"])
def test_cheating_disqualifies_at_once(heat: Heat, offence: str) -> None:
    assert next_level(at_seat(heat, 0), offence) == PenaltyLevel.DISQUALIFIED


def test_a_disqualified_player_is_not_told_what_is_needed(heat: Heat) -> None:
    player = at_seat(heat, 0)
    assert heat.table is not None
    punish(heat, player, "disqualified", offence="cheating")
    play_game(sheet_of(heat), winner=1)
    needs = {need.player_id for need in needs_of(protocol_of(heat.table.pk))}
    assert player.player_id not in needs
    assert len(needs) == 3


def test_offences_are_counted_separately_or_together(heat: Heat) -> None:
    player = at_seat(heat, 0)
    punish(heat, player, "warning")
    assert next_level(player, "slow") == PenaltyLevel.POINTS
    assert next_level(player, "absent") == PenaltyLevel.WARNING
    player.event.penalties_per_offence = False
    assert next_level(player, "absent") == PenaltyLevel.POINTS


LADDERS = [
    ("warning", [], "warning"),
    ("points 5", [], "points 5"),
    ("warning, warning, points 5", ["warning"], "warning"),
    ("warning, warning, points 5", ["warning", "warning"], "points 5"),
    ("warning, points 5, points 10", ["points 7"], "points 10"),
    ("warning, points 5, points 10", ["points 3"], "points 10"),
    ("warning, points 5, miss_game", ["miss_deal"], "miss_game"),
    ("warning, points 5, miss_game", ["miss_game", "warning"], "miss_game"),
]


def step(text: str) -> Step:
    level, _, points = text.partition(" ")
    return Step(PenaltyLevel(level), int(points or 0))


@pytest.mark.parametrize(("ladder", "given", "following"), LADDERS)
def test_the_next_step_of_a_ladder(ladder: str, given: list[str], following: str) -> None:
    steps = [step(each) for each in ladder.split(", ")]
    validate_ladder([each.as_json() for each in steps])
    assert step_after(steps, [step(each) for each in given]) == step(following)


@pytest.mark.parametrize(
    "ladder",
    [
        [],
        None,
        [{"level": "flogging"}],
        [{"level": "points"}],
        [{"level": "warning", "points": 5}],
        [{"level": "points", "points": 5}, {"level": "warning"}],
        [{"level": "points", "points": "5"}],
    ],
)
def test_impossible_ladder_is_refused(ladder: Any) -> None:
    with pytest.raises(ValidationError):
        validate_ladder(ladder)


def test_a_penalty_records_the_points_actually_deducted(heat: Heat) -> None:
    write(sheet_of(heat), {"kind": "hand", "phase": 1, "seat": 0, "category": "straight"})
    penalty = punish(heat, at_seat(heat, 0), "points", points=5)
    set_points_taken([penalty])
    assert (penalty.points, penalty.taken) == (5, 4)


def test_the_same_penalty_sent_twice_counts_once(heat: Heat) -> None:
    write(sheet_of(heat), PAIR)
    client_id = uuid.uuid4()
    player = at_seat(heat, 0)
    first = punish(heat, player, "points", client_id=client_id, points=1)
    assert punish(heat, player, "points", client_id=client_id, points=1) == first
    assert Penalty.objects.count() == 1
    assert sheet_of(heat).state["scores"][0] == 0


@pytest.mark.parametrize(
    ("level", "points", "code"), [("points", 0, "bad_points"), ("points", 53, "bad_points")]
)
def test_impossible_penalty_is_refused(heat: Heat, level: str, points: int, code: str) -> None:
    with pytest.raises(Refused) as refused:
        punish(heat, at_seat(heat, 0), level, points=points)
    assert refused.value.code == code
    assert not Penalty.objects.exists()


def test_without_a_running_game_a_disqualification_waits_until_the_heat_is_closed(
    heat: Heat,
) -> None:
    cheat = at_seat(heat, 1)
    play_heat(heat)
    with pytest.raises(Refused) as refused:
        punish(heat, cheat, "disqualified", offence="cheating")
    assert refused.value.code == "no_running_game"
    close_heat(heat=heat, by=None)
    disqualify(registration=cheat, offence="cheating", by=None, client_id=uuid.uuid4())
    cheat.refresh_from_db()
    assert cheat.status == RegistrationStatus.DISQUALIFIED


@pytest.fixture
def between(heat: Heat) -> Heat:
    """A heat whose first game is over and whose second has not begun."""
    play_game(sheet_of(heat))
    return heat


def punish_between(heat: Heat, level: str, **more: Any) -> Penalty:
    data = {"offence": "slow", "by": None, "client_id": uuid.uuid4(), "seen_version": 0} | more
    return give_penalty(heat=heat, registration=at_seat(heat, 1), level=level, **data)


@pytest.mark.parametrize(
    ("level", "action"),
    [
        ("miss_next", "sit_out_next_deal"),
        ("miss_game", "sit_out_game"),
        ("disqualified", "disqualify"),
    ],
)
def test_a_penalty_between_two_games_begins_the_next(
    between: Heat, level: str, action: str
) -> None:
    same = uuid.uuid4()
    penalty = punish_between(between, level, client_id=same)
    assert punish_between(between, level, client_id=same) == penalty
    assert penalty.game is not None
    assert penalty.game.number == 2
    sheet = sheet_of(between, 2)
    assert sheet.status == "running"
    entry = sheet.entries.get().entry
    assert entry is not None
    assert (entry["action"], sheet.seats[entry["seat"]]) == (action, penalty.registration.player_id)
    take_back_penalty(penalty=penalty, by=None, reason="somebody else")
    assert set(sheet_of(between, 2).state["status"]) == {"in"}


def test_a_warning_between_two_games_begins_none_and_is_told_at_the_table(between: Heat) -> None:
    given = punish_between(between, "warning", reason="Twice")
    [told] = host().warned(between.table_id or 0)
    assert (told.client_id, told.player_id) == (given.client_id, at_seat(between, 1).player_id)
    assert told.reason.endswith("Twice")
    assert not between.games.filter(sheet__status=SheetStatus.RUNNING).exists()


@pytest.mark.parametrize(
    ("level", "more", "code"),
    [
        ("points", {"points": 5}, "nothing_to_take"),
        # Seen was the first game, which has ended.
        ("miss_game", {"seen_version": 7}, "game_over"),
    ],
)
def test_what_means_the_game_before_does_not_begin_the_next(
    between: Heat, level: str, more: dict[str, int], code: str
) -> None:
    with refused(code):
        punish_between(between, level, **more)
    assert sheet_of(between, 2).status == "waiting"


def test_no_penalty_begins_a_game_once_time_is_up(between: Heat) -> None:
    Event.objects.update(minutes_per_heat=30)
    Heat.objects.update(clock_started_at=timezone.now() - timedelta(minutes=31))
    heat = Heat.objects.get(pk=between.pk)
    with refused("no_running_game"):
        punish_between(heat, "miss_game")


def test_a_penalty_for_a_player_of_another_table_is_refused(heat: Heat) -> None:
    other = make_heats(heat.event, 3).heats[0]
    with pytest.raises(Refused) as refused:
        punish(heat, at_seat(other, 0), "warning")
    assert refused.value.code == "not_at_table"


def test_taking_a_penalty_back_voids_its_ruling(heat: Heat) -> None:
    write(sheet_of(heat), PAIR)
    player = at_seat(heat, 0)
    penalty = punish(heat, player, "disqualified", offence="cheating")
    take_back_penalty(penalty=penalty, by=None, reason="somebody else's cards")
    assert sheet_of(heat).state["scores"][0] == 1
    assert sheet_of(heat).state["status"][0] == "in"
    player.refresh_from_db()
    assert player.status == RegistrationStatus.CHECKED_IN
    assert next_level(player) == PenaltyLevel.WARNING
    for again in ("again", " "):
        with pytest.raises(Refused):
            take_back_penalty(penalty=penalty, by=None, reason=again)


# --- at no table ------------------------------------------------------------------------------


def put_out(player: Registration, **more: Any) -> Penalty:
    more = {"client_id": uuid.uuid4(), "by": None, "offence": "cheating"} | more
    return disqualify(registration=player, **more)


def test_a_player_who_waits_can_be_disqualified() -> None:
    [player] = make_players(make_event(), 1)
    penalty = put_out(player, reason="marked cards")
    player.refresh_from_db()
    assert player.status == RegistrationStatus.DISQUALIFIED
    assert not player.entries.open().exists()
    assert (penalty.level, penalty.offence, penalty.game) == ("disqualified", "cheating", None)
    assert put_out(player, client_id=penalty.client_id) == penalty
    take_back_penalty(penalty=penalty, by=None, reason="another pack")
    player.refresh_from_db()
    assert player.status == RegistrationStatus.CHECKED_IN


def test_a_player_at_a_table_is_disqualified_there(heat: Heat) -> None:
    player = at_seat(heat, 0)
    with pytest.raises(Refused) as refused:
        put_out(player)
    assert refused.value.code == "in_open_heat"
    assert not player.penalties.exists()


def test_a_disqualified_auditor_is_one_no_longer(heat: Heat) -> None:
    player = at_seat(heat, 0)
    heat = set_auditor(heat=heat, registration=player, by=None)
    punish(heat, player, "warning")
    assert heat_cards([heat])[0].has_auditor
    punish(heat, player, "disqualified", offence="cheating")
    assert not heat_cards([heat])[0].has_auditor


def test_a_disqualification_at_no_table_survives_export_and_import() -> None:
    [player] = make_players(make_event(), 1)
    put_out(player, reason="marked cards")
    first = event_document(player.event)
    [row] = first["penalties"]
    assert (row["id"], row["action"], row["heat"]) == (player.player_id, "disqualified", None)
    made = again(player.event)
    assert event_document(made) | {"slug": first["slug"]} == first
    assert made.penalties.get().level == PenaltyLevel.DISQUALIFIED


# --- corrections of rulings -------------------------------------------------------------------


def corrected(penalty: Penalty, kind: RowKind, **change: Any) -> Correction:
    row = SheetEntry.objects.select_related("sheet").get(client_id=penalty.client_id)
    return Correction(
        sheet=row.sheet,
        kind=kind,
        sequence=row.sequence,
        entry={**row.entry, **change} if kind == RowKind.AMEND else None,
        reason="looked at again",
        seen_version=row.sheet.version,
    )


def test_a_penalty_is_taken_back_when_its_ruling_is_removed_by_correction(heat: Heat) -> None:
    write(sheet_of(heat), PAIR)
    player = at_seat(heat, 0)
    penalty = punish(heat, player, "points", points=1)
    wanted = corrected(penalty, RowKind.VOID)
    preview_correction(correction=wanted, by=None)
    penalty.refresh_from_db()
    assert penalty.taken_back_at is None
    correct(correction=wanted, by=None)
    penalty.refresh_from_db()
    assert penalty.taken_back_at is not None
    assert next_level(player) == PenaltyLevel.WARNING


def test_a_disqualification_is_taken_back_after_its_heat_was_voided(heat: Heat) -> None:
    player = at_seat(heat, 1)
    penalty = punish(heat, player, "disqualified", offence="cheating")
    void_heat(heat=heat, by=None, reason="wrong cards")
    take_back_penalty(penalty=penalty, by=None, reason="it was somebody else")
    player.refresh_from_db()
    assert player.status == RegistrationStatus.CHECKED_IN
    imported = again(heat.event).registrations.get(number=player.number)
    assert imported.status == RegistrationStatus.CHECKED_IN


def test_removing_a_disqualification_by_correction_lets_the_player_continue(heat: Heat) -> None:
    player = at_seat(heat, 1)
    penalty = punish(heat, player, "disqualified", offence="cheating")
    correct(correction=corrected(penalty, RowKind.VOID), by=None)
    player.refresh_from_db()
    assert player.status == RegistrationStatus.CHECKED_IN


def test_correcting_a_ruling_to_another_player_takes_the_penalty_back(heat: Heat) -> None:
    write(sheet_of(heat), PAIR)
    penalty = punish(heat, at_seat(heat, 0), PenaltyLevel.MISS_DEAL)
    correct(correction=corrected(penalty, RowKind.AMEND, seat=2), by=None)
    penalty.refresh_from_db()
    assert penalty.taken_back_at is not None


def test_correcting_a_rulings_points_changes_the_penaltys_points(heat: Heat) -> None:
    write(sheet_of(heat), {"kind": "hand", "phase": 1, "seat": 0, "category": "full_house"})
    penalty = punish(heat, at_seat(heat, 0), "points", points=5)
    correct(correction=corrected(penalty, RowKind.AMEND, points=-3), by=None)
    penalty.refresh_from_db()
    assert (penalty.points, penalty.taken_back_at) == (3, None)


# --- the event document -----------------------------------------------------------------------


def again(event: Event) -> Event:
    return import_event({**event_document(event), "slug": "again"})


def test_penalties_and_their_steps_survive_export_and_import(heat: Heat) -> None:
    warned, fined, out = (at_seat(heat, seat) for seat in (0, 1, 2))
    punish(heat, warned, "warning", reason="phone on the table")
    write(sheet_of(heat), {"kind": "hand", "phase": 1, "seat": 1, "category": "full_house"})
    punish(heat, fined, "points", points=5, reason="slow again")
    take_back_penalty(penalty=punish(heat, warned, PenaltyLevel.MISS_DEAL), by=None, reason="no")
    punish(heat, out, "disqualified", offence="cheating")
    first = event_document(heat.event)
    assert [
        (row["id"], row["action"], row["points"], row["note"]) for row in first["penalties"]
    ] == [
        (fined.player_id, "points", -5, "slow again"),
        (out.player_id, "disqualify", None, ""),
        (warned.player_id, "warning", None, "phone on the table"),
    ]
    made = again(heat.event)
    same = {"slug": first["slug"]}
    assert event_document(made) | same == first
    for old in (warned, fined, out):
        new = made.registrations.get(number=old.number)
        assert next_level(new) == next_level(old)
    penalty = made.penalties.get(level=PenaltyLevel.POINTS)
    take_back_penalty(penalty=penalty, by=None, reason="it was the neighbour")
    sheet = penalty.game.sheet
    sheet.refresh_from_db()
    assert (
        sheet.state["scores"][sheet.seats.index(fined.player_id)]
        == sheet_of(heat).state["scores"][1] + 5
    )


IMPOSSIBLE: list[dict[str, Any]] = [
    {"heat": "7"},
    {"game": 4},
    {"id": "99"},
    {"action": "sit_out_game"},
    {"action": "flogging"},
    {"heat": None, "game": None},
    {"offence": "nothing"},
    {"note": "x" * 201},
]


def test_a_document_with_an_impossible_penalty_is_refused(heat: Heat) -> None:
    write(sheet_of(heat), PAIR)
    punish(heat, at_seat(heat, 0), "points", points=1)
    document = event_document(heat.event)
    (penalty,) = document["penalties"]
    for change in IMPOSSIBLE:
        changed = {**document, "slug": "again", "penalties": [{**penalty, **change}]}
        with pytest.raises(BadDocument, match="penalties"):
            import_event(changed)
        assert not Event.objects.filter(slug="again").exists(), change
