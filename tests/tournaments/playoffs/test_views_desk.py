from __future__ import annotations

import re

import pytest
from django.test import Client

from tests.tournaments.conftest import client_of
from tests.tournaments.factories import make_heats, make_players
from tests.tournaments.playoffs.factories import (
    close,
    played_round,
    played_to_the_end,
    prepared,
    qualified_event,
)
from tests.tournaments.registration.test_views_desk import text_of, url
from tournaments.models import Event, LogEntry
from tournaments.models.enums import (
    EventStatus,
    LogAction,
    Role,
    StageKind,
    StagePlayerSource,
)
from tournaments.playoffs.queries.desk import playoff_desk
from tournaments.results.queries.ranking import final_ranking

pytestmark = pytest.mark.django_db


def director_of(event: Event) -> Client:
    return client_of(event, Role.DIRECTOR)


def page_of(event: Event) -> str:
    return text_of(director_of(event).get(url(event, "rounds")))


def test_too_few_qualifiers_are_reported_with_a_way_out() -> None:
    event = qualified_event(2)
    page = page_of(event)
    assert url(event, "desk") in page
    assert "Prepare:" not in page


def test_every_blocker_links_to_where_it_can_be_resolved() -> None:
    event = qualified_event(3)
    make_players(event, 4)
    page = page_of(event)
    assert url(event, "desk") in page.split('class="plain-list ways"')[1].split("</ul>")[0]
    heat = make_heats(event, 4).heats[0]
    page = page_of(event)
    assert url(event, "heat_desk", number=heat.number) in page


def test_an_open_draft_of_day_1_is_linked() -> None:
    from tournaments.draws.commands.drafts import draft_heats

    event = qualified_event(3)
    make_players(event, 4)
    draw = draft_heats(event=event, by=None)
    assert url(event, "draft", number=draw.number) in page_of(event)


def test_with_five_qualifiers_the_lucky_loser_is_shown_beforehand() -> None:
    event = qualified_event(5)
    page = page_of(event)
    assert "2×3" in page
    client = director_of(event)
    answer = client.post(url(event, "round_prepare"), follow=True)
    assert "notice-success" in text_of(answer)
    stage = event.stages.get(kind=StageKind.PLAYOFF)
    lucky = stage.players.get(source=StagePlayerSource.LUCKY_LOSER)
    assert str(lucky.registration.person) in page
    places = page_of(event).split("rows planned")[1]
    assert places.index(str(lucky.registration.person)) < places.index("tag-amber")
    assert places.count("tag-amber") == 1


def test_a_no_show_and_the_replacement_with_its_reason() -> None:
    event = qualified_event(4)
    stage = prepared(event)
    client = director_of(event)
    place = stage.players.order_by("order")[1]
    answer = client.post(
        url(event, "round_absent"),
        {"number": place.registration.number, "reason": "train"},
        follow=True,
    )
    page = text_of(answer)
    instead = stage.players.get(replaces=place)
    assert "notice-success" in page
    assert page.count(str(instead.registration.person)) >= 2  # In the notice and in the list.
    assert page.count('class="is-off"') == 1
    assert LogEntry.objects.get(action=LogAction.NO_SHOW).reason == "train"
    answer = client.post(
        url(event, "round_present"), {"number": place.registration.number}, follow=True
    )
    assert "notice-success" in text_of(answer)
    place.refresh_from_db()
    assert not place.absent


def test_the_best_of_all_is_added_if_the_event_says_so() -> None:
    event = qualified_event(4, no_show_rule="lucky_loser")
    stage = prepared(event)
    place = stage.players.order_by("-order")[0]
    director_of(event).post(url(event, "round_absent"), {"number": place.registration.number})
    instead = stage.players.get(replaces=place)
    page = page_of(event)
    assert page.count('class="is-off"') == 1
    assert str(instead.registration.person) in page


@pytest.mark.parametrize(
    "data", [{}, {"number": "x"}, {"number": "-1"}, {"number": "1", "reason": "x" * 999}]
)
def test_a_bad_player_changes_nothing(data: dict[str, str]) -> None:
    event = qualified_event(3)
    stage = prepared(event)
    client = director_of(event)
    for name in ("round_absent", "round_present"):
        assert client.post(url(event, name), data).status_code == 303
    assert not stage.players.filter(absent=True).exists()


def test_a_player_not_in_the_round_is_404() -> None:
    event = qualified_event(3)
    prepared(event)
    client = director_of(event)
    assert client.post(url(event, "round_absent"), {"number": 999}).status_code == 404


def test_buttons_of_an_unprepared_round_say_so() -> None:
    event = qualified_event(3)
    client = director_of(event)
    for name in ("round_absent", "round_present", "round_take_in", "round_draft", "round_discard"):
        answer = client.post(url(event, name), {"number": 1}, follow=True)
        assert "notice-error" in text_of(answer), name


@pytest.mark.parametrize(
    ("grouping", "method"), [("draw", "sha256-lots-fair-1"), ("snake", "snake-1")]
)
def test_draft_by_draw_or_snake(grouping: str, method: str) -> None:
    event = qualified_event(8)
    prepared(event)
    answer = director_of(event).post(
        url(event, "round_draft"), {"grouping": grouping, "seed": "dice"}
    )
    draw = event.draws.get(status="draft")
    assert (draw.method, draw.seed) == (method, "dice")
    assert answer["Location"] == url(event, "draft", number=draw.number)
    page = page_of(event)
    assert url(event, "draft", number=draw.number) in page
    assert f'action="{url(event, "round_draft")}"' not in page
    assert 'name="number"' not in page


@pytest.mark.parametrize(
    "data", [{}, {"grouping": "magic"}, {"grouping": "draw", "seed": "x" * 101}]
)
def test_bad_way_of_drawing_is_refused(data: dict[str, str]) -> None:
    event = qualified_event(3)
    prepared(event)
    answer = director_of(event).post(url(event, "round_draft"), data)
    assert answer.status_code == 422
    assert not event.draws.filter(stage__kind=StageKind.FINAL).exists()


def test_a_number_that_makes_no_tables_is_refused() -> None:
    event = qualified_event(3, no_show_rule="nobody")
    stage = prepared(event)
    for place in stage.players.all():
        place.registration.status = "withdrawn"
        place.registration.save()
    answer = director_of(event).post(url(event, "round_draft"), {"grouping": "draw"})
    assert answer.status_code == 409
    assert not event.draws.filter(stage=stage).exists()


def test_played_rounds_and_the_end() -> None:
    event = qualified_event(5)
    played_round(event)
    page = page_of(event)
    assert url(event, "round_prepare") in page
    assert url(event, "champion") not in page
    assert "✓\N{NO-BREAK SPACE}" in page
    played_to_the_end(event)
    page = page_of(event)
    assert url(event, "champion") in page


def test_the_plan_of_later_rounds_is_shown() -> None:
    event = qualified_event(9)
    sizes = re.findall(r"\d×\d", page_of(event))
    assert sizes == ["3×3", "2×3", "1×4"]


def test_two_tables_before_the_final_need_no_lucky_loser() -> None:
    event = qualified_event(12, playoff_advance=[2, 1])
    assert re.findall(r"\d×\d", page_of(event)) == ["3×4", "2×3", "1×4"]
    director_of(event).post(url(event, "round_prepare"))
    sources = event.stages.get(kind=StageKind.PLAYOFF).players.values_list("source", flat=True)
    assert set(sources) == {StagePlayerSource.QUALIFIED}


def test_players_of_open_tables_may_still_qualify() -> None:
    event = qualified_event(10)
    stage = played_round(event, finish=False)
    heats = list(stage.heats.order_by("number"))
    assert len(heats) == 3
    for heat in heats[:2]:
        close(heat)
    # Four have qualified: if there were no open tables, it would look like the final.
    assert re.findall(r"\d×\d", page_of(event)) == ["2×3", "1×4"]
    assert url(event, "round_prepare") not in page_of(event)
    close(heats[2])
    assert re.findall(r"\d×\d", page_of(event)) == ["2×3", "1×4"]
    assert url(event, "round_prepare") in page_of(event)


def test_a_day_still_being_played_says_so() -> None:
    event = qualified_event(5)
    make_heats(event, 4)
    page = page_of(event)
    assert "2×3" in page
    assert url(event, "round_prepare") not in page


def test_sm_uses_the_same_pages_with_its_settings() -> None:
    event = qualified_event(
        8, rules="sm", advance_per_heat=2, playoff_advance=[2, 1], reentry_limit=1
    )
    client = director_of(event)
    assert event.qualifications.count() == 16
    for kind, number, tables in (("playoff", 1, 4), ("playoff", 2, 2), ("final", 1, 1)):
        client.post(url(event, "round_prepare"))
        stage = event.stages.order_by("number").last()
        assert stage is not None
        assert (stage.kind, stage.round) == (kind, number)
        assert not stage.players.filter(source=StagePlayerSource.LUCKY_LOSER).exists()
        client.post(url(event, "round_draft"), {"grouping": "draw"})
        draw = event.draws.get(status="draft")
        client.post(url(event, "draft_publish", number=draw.number), {"version": draw.version})
        assert draw.heats.count() == tables
        for heat in draw.heats.order_by("number"):
            close(heat)
    assert url(event, "champion") in page_of(event)
    # Two tables send two each.
    assert event.stages.get(kind=StageKind.FINAL).players.count() == 4
    assert len(final_ranking(event)) == 32


# --- day 2 ------------------------------------------------------------------------------------


def test_presence_can_be_switched_on_and_off() -> None:
    event = qualified_event(6)
    stage = prepared(event)
    place = stage.players.first()
    client = director_of(event)
    number = {"number": place.registration.number}
    client.post(url(event, "round_present"), number)
    assert stage.players.get(pk=place.pk).here
    page = page_of(event)
    assert f"{url(event, 'round_present')}?here=0" in page
    client.post(url(event, "round_present"), number)
    assert stage.players.get(pk=place.pk).here
    client.post(url(event, "round_present") + "?here=0", number)
    assert not stage.players.get(pk=place.pk).here


def test_a_no_show_who_comes_after_all_is_present() -> None:
    event = qualified_event(6)
    stage = prepared(event)
    place = stage.players.first()
    client = director_of(event)
    number = {"number": place.registration.number}
    client.post(url(event, "round_absent"), number)
    client.post(url(event, "round_present"), number)
    place.refresh_from_db()
    assert (place.absent, place.here) == (False, True)


def test_the_desk_of_day_2_shows_no_empty_queue() -> None:
    event = qualified_event(6)
    client = client_of(event, Role.DIRECTOR)
    assert 'id="waiting-head"' in text_of(client.get(url(event, "desk")))
    prepared(event)
    assert 'id="waiting-head"' not in text_of(client.get(url(event, "desk")))


def test_only_who_goes_on_has_a_mark_and_nobody_goes_on_from_the_final() -> None:
    event = played_to_the_end(qualified_event(6))
    marked = [
        sum(name.startswith("✓") for name in names)
        for each in playoff_desk(event).rounds
        for _heat, names in each.heats
    ]
    assert marked == [2, 2, 0]


@pytest.mark.parametrize("name", ["desk", "floor"])
def test_desk_and_floor_follow_day_2_to_the_end(name: str) -> None:
    event = qualified_event(6)
    client = client_of(event, Role.OWNER)

    def ways() -> tuple[bool, bool, bool]:
        """Return whether the page leads to the rounds, to the event's end, and to the result."""
        page = client.get(url(event, name))
        assert page.context["qualified_count"] == 0
        body = text_of(page).partition('id="notices"')[2]
        finish = 'name="to" value="finished"' in body
        rounds, result = (f'href="{url(event, each)}"' in body for each in ("rounds", "result"))
        return rounds, finish, result

    played_round(event)
    assert ways() == (True, False, False)
    final = played_round(event, finish=False)
    assert final.kind == StageKind.FINAL
    assert ways() == (True, False, False)
    close(final.heats.get())
    assert ways() == (False, True, True)
    client.post(url(event, "event_status"), {"to": "finished"})
    assert Event.objects.get(pk=event.pk).status == EventStatus.FINISHED
    assert ways() == (False, False, True)
