"""A final, or a heat with no play-offs after it, is won: nobody goes on."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.contrib.messages import get_messages
from django.test import Client

from engine.messages import texts_in
from scoring.models import Sheet
from scoring.paper import Labels, printout
from scoring.reading.links import show_token
from scoring.reading.protocol import protocol_of
from scoring.writing import create_link
from tests.scoring.web.phone import parts_of
from tests.tournaments.conftest import client_of
from tests.tournaments.factories import make_event, make_heats, play_game, play_heat
from tests.tournaments.playoffs.factories import finished_event, played_round, qualified_event
from tests.tournaments.registration.test_views_desk import text_of, url
from tournaments.heats.commands import close_heat
from tournaments.models import Event, Heat, HeatResult, Registration
from tournaments.models.enums import Role
from tournaments.registration.queries.player_links import token_of
from tournaments.results.queries.player_standings import (
    CHAMPION,
    FINALIST,
    KNOCKED_OUT,
    QUALIFIED,
    STATES,
    player_standings_of,
)

pytestmark = pytest.mark.django_db

#: The title of the box is about winning.
WINS = "needs-box is-final"


def pages_of(heat: Heat) -> list[str]:
    """Return the heat's public page, a player's own page, and the Auditor's."""
    player = heat.entries.select_related("registration").order_by("pk")[0].registration
    link = create_link(table_id=heat.table_id or 0, role="auditor", by="test")
    paths = (
        url(heat.event, "heat", number=heat.number),
        f"/p/{token_of(player)}/",
    )
    auditors = "".join(parts_of(Client(), f"/s/{show_token(link=link)}/").values())
    return [*(text_of(Client().get(path)) for path in paths), auditors]


def final_of_three_games() -> Heat:
    event = qualified_event(4)
    event.playoff_games = 3
    event.save()
    return played_round(event, finish=False).heats.get()


def heat_of_an_evening() -> Heat:
    return make_heats(make_event(ends_with_heats=True, advance_per_heat=2), 4).heats[0]


def table_of_a_semi_final() -> Heat:
    return played_round(qualified_event(6), finish=False).heats.order_by("number")[0]


@pytest.mark.parametrize(
    ("make", "named"),
    [(final_of_three_games, 1), (heat_of_an_evening, 1), (table_of_a_semi_final, 2)],
)
def test_the_message_at_the_closing_names_who_won_or_went_on(
    make: Callable[[], Heat], named: int
) -> None:
    heat = play_heat(make())
    director = client_of(heat.event, Role.DIRECTOR)
    answer = director.post(url(heat.event, "heat_close", number=heat.number))
    [said] = get_messages(answer.wsgi_request)
    best, second = [
        str(row.entry.registration.person) for row in heat.results.order_by("order")[:2]
    ]
    assert [name in str(said) for name in (best, second)] == [True, named == 2]
    assert ("Qualified" in str(said)) == (named == 2)


@pytest.mark.parametrize("make", [final_of_three_games, heat_of_an_evening])
def test_players_are_told_what_they_need_to_win(make: Callable[[], Heat]) -> None:
    heat = make()
    play_game(Sheet.objects.get(table=heat.table, number=1))
    for page in pages_of(heat):
        assert WINS in page
        for key in ("clinched", "wins_last", "wins_next"):
            assert texts_in("en").outlook[key].removeprefix("{name} ") not in page


def test_a_heat_of_day_1_says_who_goes_on(event: Event) -> None:
    heat = make_heats(event, 4).heats[0]
    play_game(Sheet.objects.get(table=heat.table, number=1))
    assert all("needs-box" in page and WINS not in page for page in pages_of(heat))


def test_paper_says_the_same_as_the_pages(event: Event) -> None:
    for heat, is_final in (
        (final_of_three_games(), True),
        (heat_of_an_evening(), True),
        (make_heats(event, 4).heats[0], False),
    ):
        assert printout(protocol_of(heat.table_id or 0), Labels()).is_final is is_final


def own_page(player: Registration) -> str:
    return text_of(Client().get(f"/p/{token_of(player)}/"))


def test_after_the_play_offs_a_players_page_says_how_they_ended() -> None:
    event = finished_event(6)
    ends = {row.number: row.state for row in player_standings_of(event)}
    for state in (CHAMPION, FINALIST, KNOCKED_OUT):
        number = next(number for number, end in ends.items() if end == state)
        page = own_page(event.registrations.get(number=number))
        assert f'<p class="big">{str(STATES[state]).capitalize()}</p>' in page
        assert "Qualified as" not in page
        assert 'id="own-withdraw"' not in page


def test_a_club_evening_never_says_that_somebody_goes_on() -> None:
    event = make_event(ends_with_heats=True)
    heat = play_heat(make_heats(event, 4).heats[0])
    close_heat(heat=heat, by=None)
    winner = HeatResult.objects.get(heat=heat, place=1).entry.registration
    state = next(row.state for row in player_standings_of(event) if row.number == winner.number)
    assert state != QUALIFIED
    staff = client_of(event, Role.DIRECTOR)
    texts = [
        own_page(winner),
        *(text_of(staff.get(url(event, name))) for name in ("player_standings", "floor", "desk")),
        text_of(staff.get(url(event, "standings"))).split("<table")[1],
        text_of(staff.get(url(event, "heat", number=heat.number))),
    ]
    for text in texts:
        for through in (">qualified", ">advances", "Qualified as", "play-offs"):
            assert through not in text
