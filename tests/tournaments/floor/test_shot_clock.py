"""The shot clock: warnings are given at the table, deductions on the floor page."""

from __future__ import annotations

import re
import uuid

import pytest
from django.test import Client
from django.urls import reverse

from scoring.models import Table
from scoring.reading.links import show_token
from scoring.writing import create_link, open_next_sheet
from tests.scoring.web.phone import refused, tapped, told_by
from tests.tournaments.conftest import client_of
from tests.tournaments.factories import (
    make_event,
    make_heats,
    make_players,
    play_game,
    play_heat,
    write,
)
from tests.tournaments.floor.test_commands import PAIR, at_seat, sheet_of
from tests.tournaments.refusals import codes_in
from tests.tournaments.registration.test_views_desk import text_of, url
from tournaments.floor.commands.penalties import give_penalty, take_back_penalty
from tournaments.floor.commands.players import change_players
from tournaments.heats.commands import close_heat
from tournaments.models import Heat, LogEntry, Penalty
from tournaments.models.enums import LogAction, Role
from tournaments.registration.queries.player_links import token_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def heat() -> Heat:
    """An open heat with a shot clock."""
    return make_heats(make_event(shot_clock_seconds=30), 4).heats[0]


def table_path(heat: Heat, name: str, role: str = "auditor") -> str:
    link = create_link(table_id=heat.table_id or 0, role=role, by="test")
    return reverse(f"scoring:{name}", args=[show_token(link=link)])


def slow(heat: Heat, seat: int = 0, *, times: int = 1) -> str:
    """Tap once, sent so many times; return why it was refused."""
    page = table_path(heat, "table_detail")
    tap = {"player": at_seat(heat, seat).player_id, "id": str(uuid.uuid4())}
    answers = {refused(tapped(Client(), page, "slow", **tap)) for _ in range(times)}
    assert len(answers) == 1
    return answers.pop()


def test_the_first_violation_is_a_warning_at_the_table(heat: Heat) -> None:
    assert told_by(Client(), table_path(heat, "table_detail"))["document"]["shot"] == 30
    assert slow(heat) == ""
    penalty = Penalty.objects.get()
    assert (penalty.level, penalty.offence, penalty.registration) == (
        "warning", "slow", at_seat(heat, 0),
    )  # fmt: skip
    assert Table.objects.get(pk=heat.table_id).call_since is None


def shown(client: Client, page: str) -> list[str]:
    """Return the marks of what a page tells at its top."""
    found = re.search(r'name="rulings" value="([^"]*)"', client.get(page).text)
    return found[1].split() if found else []


def test_a_warning_is_told_on_the_tables_pages_and_the_players_own_until_read(heat: Heat) -> None:
    pages = [table_path(heat, "table_read", role) for role in ("auditor", "reader")]
    pages.append(reverse("tournaments:player_page", args=[token_of(at_seat(heat, 1))]))
    before = Table.objects.get(pk=heat.table_id).revision
    slow(heat)
    assert Table.objects.get(pk=heat.table_id).revision > before
    name = str(at_seat(heat, 0).person)
    for page in pages:
        assert f"Warning: {name}" in text_of(Client().get(page))
        assert len(shown(Client(), page)) == 1
    phone = Client()
    own = table_path(heat, "table_detail")
    assert not refused(tapped(phone, own, "read", rulings=" ".join(shown(phone, pages[0]))))
    assert shown(phone, pages[0]) == []
    take_back_penalty(penalty=Penalty.objects.get(), by=None, reason="x")
    assert [shown(Client(), page) for page in pages] == [[], [], []]


def test_a_warning_is_not_told_at_a_table_without_its_player(heat: Heat) -> None:
    slow(heat)
    coming = make_players(heat.event, 1)[0]
    change_players(heat=heat, out=at_seat(heat, 0), into=coming, by=None, reason="away")
    page = reverse("tournaments:player_page", args=[token_of(at_seat(heat, 1))])
    assert shown(Client(), table_path(heat, "table_read")) == shown(Client(), page) == []


def test_a_warning_is_told_until_the_next_game_goes_on(heat: Heat) -> None:
    slow(heat)
    play_game(sheet_of(heat))
    page = table_path(heat, "table_read")
    [told] = shown(Client(), page)
    following = open_next_sheet(table_id=heat.table_id, by="test")
    assert shown(Client(), page) == [told]
    write(following, PAIR)
    assert shown(Client(), page) == []


def test_no_warning_is_told_after_the_sign_off(heat: Heat) -> None:
    play_heat(heat)
    director = {"offence": "slow", "level": "warning", "client_id": uuid.uuid4(), "by": None}
    give_penalty(heat=heat, registration=at_seat(heat, 0), seen_version=0, **director)
    page = table_path(heat, "table_read")
    assert len(shown(Client(), page)) == 1
    close_heat(heat=heat, by=None)
    assert shown(Client(), page) == []


def test_rulings_and_warnings_are_told_by_time(heat: Heat) -> None:
    write(sheet_of(heat), PAIR)
    for seat, level in ((0, "points"), (1, "warning"), (2, "points")):
        sheet = sheet_of(heat)
        points = {"points": 5} if level == "points" else {}
        give_penalty(
            heat=heat, registration=at_seat(heat, seat), level=level, offence="slow", by=None,
            client_id=uuid.uuid4(), seen_version=sheet.version, **points,
        )  # fmt: skip
    rows = Client().get(table_path(heat, "table_read")).context["page"].rulings
    assert [row.text.startswith("Warning") for row in rows] == [False, True, False]


def test_a_second_tap_on_the_same_page_does_nothing(heat: Heat) -> None:
    assert slow(heat, times=3) == ""
    assert Penalty.objects.count() == 1
    assert Table.objects.get(pk=heat.table_id).call_since is None


def test_a_deduction_is_one_tap_on_the_floor_page(heat: Heat) -> None:
    slow(heat)
    slow(heat)
    assert Penalty.objects.count() == 1
    table = Table.objects.get(pk=heat.table_id)
    assert table.call_reason.startswith("reason:call_slow")
    director = client_of(heat.event, Role.DIRECTOR)
    give = url(heat.event, "heat_slow", number=heat.number)
    assert give in text_of(director.get(url(heat.event, "floor")))
    director.post(give)
    director.post(give)
    assert list(Penalty.objects.order_by("pk").values_list("level", "points")) == [
        ("warning", 0), ("points", 5),
    ]  # fmt: skip
    assert sheet_of(heat).version == 1
    assert Table.objects.get(pk=heat.table_id).call_since is None


def test_a_deduction_leaves_what_else_the_table_called_for(heat: Heat) -> None:
    slow(heat)
    reader = table_path(heat, "table_detail", "reader")
    assert not refused(tapped(Client(), reader, "call", reason="reason:call_quarrel"))
    slow(heat)
    slow(heat)
    director = client_of(heat.event, Role.DIRECTOR)
    director.post(url(heat.event, "heat_slow", number=heat.number))
    assert Penalty.objects.count() == 2
    assert Table.objects.get(pk=heat.table_id).call_reasons == ["reason:call_quarrel"]
    answered = LogEntry.objects.get(action=LogAction.CALL_ANSWERED)
    assert answered.before["reason"].startswith("reason:call_slow")


def test_a_deduction_is_not_given_in_another_game_than_shown(heat: Heat) -> None:
    slow(heat)
    slow(heat)
    director = client_of(heat.event, Role.DIRECTOR)
    page = text_of(director.get(url(heat.event, "floor")))
    give = url(heat.event, "heat_slow", number=heat.number)
    shown = re.search(rf'{give}".*?name="game" value="(\d+)"', page, re.DOTALL)
    assert shown
    play_game(sheet_of(heat))
    open_next_sheet(table_id=heat.table_id, by="test")
    assert codes_in(director.post(give, {"game": shown[1]}, follow=True)) == {"other_game"}
    assert Penalty.objects.count() == 1
    director.post(give, {"game": 2})
    assert Penalty.objects.count() == 2


def test_another_player_starts_with_a_warning(heat: Heat) -> None:
    slow(heat, 0)
    slow(heat, 1)
    assert Penalty.objects.filter(level="warning").count() == 2


def test_an_event_without_a_shot_clock() -> None:
    heat = make_heats(make_event(), 4).heats[0]
    assert told_by(Client(), table_path(heat, "table_detail"))["document"]["shot"] is None
    assert slow(heat) == "malformed"
    assert not Penalty.objects.exists()


def test_unknown_players_and_readers_are_refused(heat: Heat) -> None:
    for role, code in (("auditor", "unknown_player"), ("reader", "read_only")):
        page = table_path(heat, "table_detail", role)
        assert refused(tapped(Client(), page, "slow", player="99")) == code
