"""Penalties: given as the next step, listed, taken back."""

from __future__ import annotations

import re
import uuid

import pytest
from django.contrib.messages import get_messages
from django.test import Client

from scoring.models import Sheet
from scoring.writing import open_next_sheet
from tests.tournaments.factories import make_heats, make_players, play_game, write
from tests.tournaments.refusals import codes_in
from tests.tournaments.registration.test_views_desk import text_of, url
from tournaments.floor.queries.penalties import LAST_AT_ONCE, last_penalty
from tournaments.models import Event, Heat, Penalty
from tournaments.models.enums import Offence, PenaltyLevel, RegistrationStatus


@pytest.fixture
def heat(event: Event) -> Heat:
    """An open heat of four in which seat 0 has a full house."""
    heat = make_heats(event, 4).heats[0]
    write(sheet_of(heat), {"kind": "hand", "phase": 1, "seat": 0, "category": "full_house"})
    return heat


def sheet_of(heat: Heat) -> Sheet:
    return Sheet.objects.get(table=heat.table, number=1)


def penalty(heat: Heat, **more: object) -> dict[str, object]:
    sheet = sheet_of(heat)
    data: dict[str, object] = {
        "penalty-player": sheet.seats[0],
        "penalty-offence": "slow",
        "penalty-level": "",
        "penalty-points": 5,
        "penalty-reason": "third time",
        "penalty-game": 1,
        "penalty-version": sheet.version,
        "penalty-last": last_penalty(heat.event),
        "penalty-client_id": uuid.uuid4(),
    }
    return data | {f"penalty-{key}": value for key, value in more.items()}


def give(client: Client, heat: Heat, **more: object) -> object:
    path = url(heat.event, "heat_penalty", number=heat.number)
    return client.post(path, penalty(heat, **more), follow=True)


def test_the_offences_that_are_the_last_step_are_marked(heat: Heat, director: Client) -> None:
    page = text_of(director.get(url(heat.event, "heat_desk", number=heat.number)))
    marked = re.findall(r'<option value="(\w+)" data-last>', page)
    assert set(marked) == set(LAST_AT_ONCE)


def test_each_penalty_is_a_step_higher(heat: Heat, director: Client) -> None:
    page = url(heat.event, "heat_desk", number=heat.number)
    # Of this class, the style sheet hides it where another step is chosen.
    assert f'<span class="next-step">→ {PenaltyLevel.WARNING.label}</span>' in text_of(
        director.get(page)
    )
    give(director, heat)
    assert f": {PenaltyLevel.POINTS.label} (−5)" in text_of(director.get(page))
    give(director, heat)
    give(director, heat)
    assert list(Penalty.objects.values_list("level", flat=True)) == [
        PenaltyLevel.WARNING,
        PenaltyLevel.POINTS,
        PenaltyLevel.MISS_NEXT_DEAL,
    ]
    assert sheet_of(heat).state["scores"][0] == 1


def test_the_same_form_twice_gives_one_penalty(heat: Heat, director: Client) -> None:
    data = penalty(heat, level="points")
    path = url(heat.event, "heat_penalty", number=heat.number)
    director.post(path, data)
    answer = director.post(path, data, follow=True)
    assert answer.status_code == 200
    assert Penalty.objects.count() == 1
    assert sheet_of(heat).version == 2


def test_a_disqualification_needs_confirmation(heat: Heat, director: Client) -> None:
    asked = give(director, heat, offence="cheating")
    assert asked.status_code == 422
    assert 'name="penalty-sure"' in text_of(asked)
    assert 'value="third time"' in text_of(asked)
    assert 'type="checkbox"' in text_of(asked)
    assert not Penalty.objects.exists()
    give(director, heat, offence="cheating", sure="on")
    row = Penalty.objects.get()
    assert row.level == PenaltyLevel.DISQUALIFIED
    assert row.registration.status == RegistrationStatus.DISQUALIFIED


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"player": ""}, 422),
        ({"player": "9999"}, 422),
        ({"offence": "sneezing"}, 422),
        ({"level": "points", "points": 99}, 422),
        ({"version": "x"}, 422),
        ({"client_id": "x"}, 422),
        ({"level": "points", "version": 0}, 409),
    ],
)
def test_bad_penalty_keeps_what_was_typed(
    heat: Heat, director: Client, change: dict[str, object], status: int
) -> None:
    answer = give(director, heat, **change)
    assert answer.status_code == status
    assert 'value="third time"' in text_of(answer)
    assert not Penalty.objects.exists()
    assert sheet_of(heat).version == 1


def test_a_conflict_shows_the_form_with_the_current_sheet(heat: Heat, director: Client) -> None:
    late = penalty(heat, level="points")
    write(sheet_of(heat), {"kind": "none", "phase": 2})
    path = url(heat.event, "heat_penalty", number=heat.number)
    answer = director.post(path, late)
    assert answer.status_code == 409
    assert 'name="penalty-version" value="2"' in text_of(answer)


def test_a_penalty_is_not_given_in_another_game_than_shown(event: Event, director: Client) -> None:
    heat = make_heats(event, 4).heats[0]
    late = penalty(heat, level="miss_game", version=0)
    play_game(sheet_of(heat))
    open_next_sheet(table_id=heat.table_id or 0, by="test")
    path = url(heat.event, "heat_penalty", number=heat.number)
    answer = director.post(path, late)
    assert codes_in(answer) == {"other_game"}
    assert 'value="third time"' in text_of(answer)
    form = answer.context["penalty_form"]
    again = late | {form.add_prefix(name): form[name].value() or "" for name in form.fields}
    director.post(path, again)
    assert Penalty.objects.get().game.number == 2


def test_a_penalty_between_two_games_is_for_the_next_one_shown(
    event: Event, director: Client
) -> None:
    heat = make_heats(event, 4).heats[0]
    play_game(sheet_of(heat))
    page = director.get(url(heat.event, "heat_desk", number=heat.number))
    assert page.context["penalty_form"]["game"].value() == 2
    late = penalty(heat, level="miss_game", version=0, game=2)
    play_game(open_next_sheet(table_id=heat.table_id or 0, by="test"))
    answer = director.post(url(heat.event, "heat_penalty", number=heat.number), late)
    assert codes_in(answer) == {"game_over"}
    assert not Penalty.objects.exists()


def test_a_players_page_tells_of_penalties_given_at_tables(heat: Heat, director: Client) -> None:
    give(director, heat)
    page = director.get(url(heat.event, "player_edit", number=sheet_of(heat).seats[0]))
    [line] = [
        row for row in page.context["log"] if str(Offence.SLOW.label) in row.text + row.reason
    ]
    assert line.text in text_of(page)
    for said in (PenaltyLevel.WARNING.label, Offence.SLOW.label, line.reason):
        assert str(said) in text_of(page)


def test_the_list_shows_all_penalties_and_takes_them_back(heat: Heat, director: Client) -> None:
    give(director, heat, level="points")
    row = Penalty.objects.get()
    listed = url(heat.event, "penalties")
    assert "third time" in text_of(director.get(listed))
    path = url(heat.event, "penalty_take_back", pk=row.pk)
    bad = director.post(path, {"reason": " "})
    assert bad.status_code == 422
    director.post(path, {"reason": "it was another player"})
    assert sheet_of(heat).state["scores"][0] == 6
    again = director.post(path, {"reason": "twice"})
    assert again.status_code == 409
    assert 'value="twice"' not in text_of(director.get(listed))


def test_empty_list_says_so(event: Event, director: Client) -> None:
    assert 'class="empty"' in text_of(director.get(url(event, "penalties")))


def test_another_events_penalty_is_404(heat: Heat, director: Client) -> None:
    path = url(heat.event, "penalty_take_back", pk=4711)
    assert director.post(path, {"reason": "x"}).status_code == 404


def test_a_player_at_no_table_is_disqualified_once_it_is_confirmed(
    heat: Heat, director: Client
) -> None:
    [player] = make_players(heat.event, 1)
    page = text_of(director.get(url(heat.event, "penalties")))
    assert f'<option value="{player.player_id}">' in page
    assert f'<option value="{sheet_of(heat).seats[0]}">' not in page
    data = {
        "out-player": player.player_id,
        "out-offence": "cheating",
        "out-last": 0,
        "out-client_id": uuid.uuid4(),
    }
    assert director.post(url(heat.event, "disqualify"), data).status_code == 422
    assert not Penalty.objects.exists()
    director.post(url(heat.event, "disqualify"), data | {"out-sure": "on"})
    player.refresh_from_db()
    assert player.status == RegistrationStatus.DISQUALIFIED
    assert player.penalties.get().given_by is not None


def test_who_loses_a_penalty_in_game_points_with_the_heat_is_named(
    heat: Heat, director: Client
) -> None:
    event = heat.event
    other, drawn = make_heats(event, 4).heats[0], make_heats(event, 4).heats[0]
    give(director, heat, level="warning")
    losers = []
    for each in (heat, drawn):
        give(director, each, level="game_points", points="5/2")
        losers.append(Penalty.objects.latest("pk").registration.person.legal_name)
    void, reason = {"void-reason": "no light"}, {"reason": "no light"}
    answers = [
        director.post(url(event, "heat_void", number=heat.number), void),
        director.post(url(event, "draw_take_back", number=drawn.draw.number), reason),
        director.post(url(event, "heat_void", number=other.number), void),
    ]
    notes = [str([*get_messages(answer.wsgi_request)][-1]) for answer in answers]
    named = [[name in note for name in losers] for note in notes]
    assert named == [[True, False], [False, True], [False, False]]
