"""Commands refuse an account without the right, and let the program itself act."""

from __future__ import annotations

import uuid
from typing import Any

import pytest

from scoring.models import Sheet
from tests.tournaments.factories import make_event, make_heats, make_member, make_user, write
from tests.tournaments.refusals import refused
from tournaments.corrections.commands.correct import preview_correction
from tournaments.corrections.commands.wanted import Correction
from tournaments.events.commands.events import set_event_status
from tournaments.floor.commands.clocks import end_all_by_time, extend_clocks, set_clock
from tournaments.floor.commands.floor import grant_extra_time
from tournaments.floor.commands.penalties import give_penalty
from tournaments.heats.commands import enter_ruling, void_heat
from tournaments.models import Heat
from tournaments.models.enums import EventStatus, HeatStatus, Role

pytestmark = pytest.mark.django_db


@pytest.fixture
def heat() -> Heat:
    return make_heats(make_event(minutes_per_heat=60), 4).heats[0]


def penalty(heat: Heat, by: Any, level: str = "warning") -> Any:
    sheet = Sheet.objects.filter(table=heat.table_id).order_by("number")[0]
    player = heat.event.registrations.get(number=int(sheet.seats[0]))
    return give_penalty(
        heat=heat,
        registration=player,
        level=level,
        offence="slow",
        by=by,
        client_id=uuid.uuid4(),
        seen_version=sheet.version,
    )


def ruling(heat: Heat, by: Any, action: str) -> None:
    sheet = Sheet.objects.filter(table=heat.table_id).order_by("number")[0]
    what = {"kind": "ruling", "action": action, "seat": 1, "reason": "as at the table"}
    client_id = uuid.uuid4()
    enter_ruling(heat=heat, ruling=what, by=by, client_id=client_id, seen_version=sheet.version)


def test_a_judge_decides_at_the_tables(heat: Heat) -> None:
    judge = make_member(heat.event, Role.JUDGE)
    set_clock(heat=heat, what="start", by=judge)
    assert extend_clocks(event=heat.event, minutes=5, by=judge, seen=0) == 1
    grant_extra_time(heat=heat, minutes=10, reason="a spilt coffee", by=judge, seen=5)
    write(
        Sheet.objects.filter(table=heat.table_id).order_by("number")[0],
        {"kind": "hand", "phase": 1, "seat": 1, "category": "pair"},
    )
    assert penalty(heat, judge).level == "warning"
    ruling(heat, judge, "sit_out_deal")


def test_a_judge_voids_no_heat_and_ends_no_event(heat: Heat) -> None:
    judge = make_member(heat.event, Role.JUDGE)
    with refused("not_allowed"):
        void_heat(heat=heat, by=judge, reason="no")
    with refused("not_allowed"):
        set_event_status(event=heat.event, to=EventStatus.FINISHED, by=judge)
    with refused("not_allowed"):
        end_all_by_time(event=heat.event, by=judge)
    with refused("not_allowed"):
        penalty(heat, judge, "disqualified")
    with refused("not_allowed"):
        ruling(heat, judge, "disqualify")
    sheet = Sheet.objects.filter(table=heat.table_id).order_by("number")[0]
    wanted = Correction.of_change(heat=heat, change=lambda: None, reason="no")
    with refused("not_allowed"):
        preview_correction(correction=wanted, by=judge)
    heat.refresh_from_db()
    sheet.refresh_from_db()
    assert (heat.status, sheet.version) == (HeatStatus.OPEN, 0)


def test_floor_staff_and_strangers_are_refused(heat: Heat) -> None:
    for by in (make_member(heat.event, Role.FLOOR), make_user("stranger")):
        with refused("not_allowed"):
            set_clock(heat=heat, what="start", by=by)
        with refused("not_allowed"):
            penalty(heat, by)


def test_what_a_command_calls_asks_no_more(heat: Heat) -> None:
    """Floor staff enters a player, whose turn may be taken from elsewhere."""
    director = make_member(heat.event, Role.DIRECTOR)
    void_heat(heat=heat, by=director, reason="the wrong cards")
    heat.refresh_from_db()
    assert heat.status == HeatStatus.VOID


def test_the_program_itself_may(heat: Heat) -> None:
    void_heat(heat=heat, by=None, reason="as in the document")
    heat.refresh_from_db()
    assert heat.status == HeatStatus.VOID
