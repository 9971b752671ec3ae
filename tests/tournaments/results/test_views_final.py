"""The final ranking, its downloads, and the champion's page."""

from __future__ import annotations

import csv
import io
import re
import uuid

import pytest
from django.test import Client
from tablib import Dataset

from tests.tournaments.factories import finished_heat, make_event, make_heats
from tests.tournaments.playoffs.factories import (
    finished_event,
    played_round,
    prepared,
    qualified_event,
)
from tests.tournaments.registration.test_views_desk import text_of, url
from tournaments.events.commands.events import set_event_status
from tournaments.floor.commands.penalties import disqualify
from tournaments.models import Event, HeatResult
from tournaments.models.enums import EventStatus, StageKind
from tournaments.playoffs.commands import mark_absent
from tournaments.results.queries.final import champions_of, full_ranking, winners_of
from tournaments.results.queries.phase import phase_of
from tournaments.results.queries.ranking import final_ranking
from tournaments.results.queries.standings import reason

pytestmark = pytest.mark.django_db


def page_of(event: Event, name: str = "result") -> str:
    return text_of(Client().get(url(event, name)))


def test_an_empty_event() -> None:
    event = make_event()
    assert 'class="empty"' in page_of(event)
    assert 'class="empty"' in page_of(event, "champion")


def test_everybody_is_ranked_once_with_sections_and_reasons() -> None:
    event = finished_event(5)
    ranking = full_ranking(event)
    assert ranking.is_final
    assert [(row.place, row.player_id) for row in ranking.rows] == [
        (each.place, each.player_id) for each in final_ranking(event)
    ]
    assert len(ranking.rows) == 20
    sections = list(dict.fromkeys(row.section for row in ranking.rows))
    assert sections == ["final", "round", "heats"]
    page = page_of(event)
    assert [f'class="section-{each}"' in page for each in sections] == [True] * 3
    for row in ranking.rows[:-1]:
        assert row.why
        assert row.why in page


def test_a_long_result_has_pages_and_finds_a_name() -> None:
    event = qualified_event(16)
    rows = full_ranking(event).rows
    client = Client()

    def shown(**query: object) -> list[str]:
        page = text_of(client.get(url(event, "result"), query))
        return re.findall(r'<span class="who">([^<]+)</span>', page)

    names = [row.name for row in rows]
    assert len(names) == 64
    assert shown() == names[:60]
    assert shown(page=2) == shown(page=99) == names[60:]
    assert names[-1] in shown(q=names[-1].lower())
    assert len(shown(q=names[-1])) < 60
    assert shown(q="nobody of this name") == []


def test_the_finals_reasons_are_the_heats_own() -> None:
    event = finished_event(4)
    first = full_ranking(event).rows[0]
    row = HeatResult.objects.get(heat__stage__kind=StageKind.FINAL, order=1)
    assert first.why == reason(row)
    assert str(row.entry.registration.person) == first.name


def test_a_running_event_is_provisional_and_players_still_in_have_no_place() -> None:
    event = qualified_event(5)
    ranking = full_ranking(event)
    assert not ranking.is_final
    assert [row.place for row in ranking.rows[:5]] == [None] * 5
    assert ranking.rows[5].place == 6
    page = page_of(event)
    assert "provisional" in page
    assert 'class="section-still_in"' in page
    assert champions_of(event) == []
    played_round(event)
    rows = full_ranking(event).rows
    # Two tables of three: four go on, two went out there, the others in the heats.
    assert [row.place for row in rows[:4]] == [None] * 4
    assert [row.place for row in rows[4:6]] in ([5, 6], [5, 5])
    assert [row.section for row in rows[:7]] == ["still_in"] * 4 + ["round"] * 2 + ["heats"]


def test_a_no_show_ranks_behind_those_who_came() -> None:
    event = qualified_event(4)
    stage = prepared(event)
    place = stage.players.order_by("order")[0]
    mark_absent(player=place, by=None)
    from tests.tournaments.playoffs.factories import close
    from tournaments.draws.commands.drafts import draft_round, publish

    for heat in publish(draw=draft_round(stage=stage, by=None), by=None).heats:
        close(heat)
    rows = full_ranking(event).rows
    row = next(row for row in rows if row.player_id == place.registration.player_id)
    assert (row.section, row.place) == ("absent", 5)


def test_a_disqualified_player_is_last() -> None:
    event = qualified_event(4)
    player = event.registrations.get(pk=event.qualifications.order_by("order")[0].registration_id)
    player.status = "disqualified"
    player.save()
    row = full_ranking(event).rows[-1]
    assert (row.player_id, row.section, row.how_far) == (player.player_id, "last", "Disqualified")


def test_who_is_disqualified_in_the_final_is_the_last_of_it() -> None:
    """Rulebook §6: the final's ranking is the event's."""
    event = finished_event(6)
    row = HeatResult.objects.get(heat__stage__event=event, heat__stage__kind="final", order=4)
    HeatResult.objects.filter(pk=row.pk).update(disqualified=True)
    found = full_ranking(event).rows[3]
    assert (found.player_id, found.place) == (row.entry.registration.player_id, 4)


def test_nobody_got_further_than_one_who_was_disqualified_in_a_round() -> None:
    event = finished_event(6)
    row = HeatResult.objects.filter(heat__stage__kind="playoff", advances=False)[0]
    HeatResult.objects.filter(pk=row.pk).update(disqualified=True)
    rows = full_ranking(event).rows
    place = next(
        i for i, each in enumerate(rows) if each.player_id == row.entry.registration.player_id
    )
    assert rows[place].how_far == str(row.heat.stage)
    assert "disqualified" in rows[place - 1].why


def test_a_winner_disqualified_afterwards_has_not_won() -> None:
    event = finished_event(3)
    [first] = full_ranking(event).winners
    winner = event.registrations.get(number=first.number)
    disqualify(registration=winner, offence="cheating", by=None, client_id=uuid.uuid4())
    [champion] = champions_of(event)
    ranking = full_ranking(event)
    assert champion.player_id == ranking.rows[0].player_id != winner.player_id
    assert [each.player_id for each in ranking.winners] == [champion.player_id]


def test_downloads_agree_with_the_page() -> None:
    event = finished_event(5)
    client = Client()
    answer = client.get(url(event, "result_export", fmt="csv"))
    rows = list(csv.reader(io.StringIO(answer.content.decode("utf-8-sig"))))
    ranking = full_ranking(event).rows
    assert len(rows) == 1 + len(ranking)
    assert [row[0] for row in rows[1:]] == [str(each.place) for each in ranking]
    assert [row[2] for row in rows[1:]] == [each.name for each in ranking]
    sheet = client.get(url(event, "result_export", fmt="xlsx"))
    rows = Dataset().load(sheet.content, format="xlsx")
    # Players' numbers are numbers there, so that they can be sorted.
    assert [row[1] for row in rows] == [int(each.player_id) for each in ranking]
    assert client.get(url(event, "result_export", fmt="exe")).status_code == 404


def test_the_champions_page_tells_the_story() -> None:
    event = finished_event(5)
    [champion] = champions_of(event)
    assert champion.players == 20
    assert len(champion.way) == 3
    assert champion.games == 3
    page = page_of(event, "champion")
    assert re.search(rf"<h1>\s*{champion.name}\s*</h1>", page)
    for name in champion.beaten:
        assert name in page


def test_a_club_evening_of_one_table_has_a_winner_when_closed() -> None:
    event = make_event(name="Club evening", games_per_heat=1, ends_with_heats=True)
    heat = finished_heat(event, 4)
    assert champions_of(event) == []
    set_event_status(event=event, to=EventStatus.FINISHED, by=None)
    event.refresh_from_db()
    [champion] = champions_of(event)
    best = HeatResult.objects.get(heat=heat, place=1).entry.registration
    assert champion.player_id == best.player_id
    assert "Qualifying" not in page_of(event, "champion")
    rows = full_ranking(event).rows
    assert [row.place for row in rows] == [1, 2, 3, 4]
    assert len({row.how_far for row in rows}) == 1
    assert rows[1].name in rows[0].why
    assert f"<strong>{rows[0].name}</strong>" in page_of(event)


def test_the_first_of_the_ranking_wins_several_heats_without_a_final() -> None:
    event = make_event(games_per_heat=1)
    best = finished_heat(event, 4)
    # At a table of three the same points are less of the average.
    finished_heat(event, 3)
    assert winners_of(event) == []
    set_event_status(event=event, to=EventStatus.FINISHED, by=None)
    event.refresh_from_db()
    winner = HeatResult.objects.get(heat=best, place=1).entry.registration
    assert winners_of(event) == [str(winner.person)]
    [champion] = champions_of(event)
    assert (champion.player_id, champion.players, champion.beaten) == (winner.player_id, 7, ())
    assert [each.number for each in full_ranking(event).winners] == [winner.number]
    phase = phase_of(event)
    assert phase.is_over
    assert phase.winners == (str(winner.person),)
    assert url(event, "champion") in page_of(event, "event")


def test_equal_players_share_the_first_place_of_several_heats() -> None:
    event = make_event(games_per_heat=1)
    finished_heat(event, 4)
    finished_heat(event, 4)
    set_event_status(event=event, to=EventStatus.FINISHED, by=None)
    event.refresh_from_db()
    assert len(champions_of(event)) == len(winners_of(event)) == 2


def test_an_event_finished_without_a_heat_is_over_and_won_by_nobody() -> None:
    event = make_event()
    set_event_status(event=event, to=EventStatus.FINISHED, by=None)
    event.refresh_from_db()
    phase = phase_of(event)
    assert phase.is_over
    assert phase.winners == ()


def test_an_open_heat_does_not_count_yet() -> None:
    event = make_event()
    make_heats(event, 4)
    assert len(full_ranking(event).rows) == 0
