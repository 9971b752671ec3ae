"""One player's public page."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from tests.tournaments.factories import finished_heat, make_heats, make_players
from tournaments.models import Event, HeatResult
from tournaments.models.enums import Visibility
from tournaments.results.queries.player import public_player

pytestmark = pytest.mark.django_db


def path(event: Event, number: int) -> str:
    return reverse("tournaments:player", args=[event.slug, number])


def test_it_shows_heats_games_and_what_they_add_up_to(event: Event) -> None:
    heat = finished_heat(event)
    best = HeatResult.objects.get(heat=heat, order=1).entry.registration
    found = public_player(event, best.number)
    assert found is not None
    assert [each.result.heat for each in found.heats] == [heat]
    assert (found.games, len(found.heats[0].games)) == (3, 3)
    assert found.won >= 1
    page = Client().get(path(event, best.number)).text
    assert best.person.legal_name in page
    assert 'data-games="3"' in page
    # Each reason is one sentence.
    [told] = [list(each.told) for each in found.heats]
    assert told
    assert all(f'<span class="reason">{text}</span>' in page for text in told)


def test_it_is_found_by_the_search_before_any_heat_and_during_one(event: Event) -> None:
    [player] = make_players(event, 1)
    search = reverse("tournaments:event", args=[event.slug])
    assert path(event, player.number) in Client().get(search, {"q": str(player.number)}).text
    assert Client().get(path(event, player.number)).status_code == 200
    heat = make_heats(event, 3).heats[0]
    seated = heat.entries.first().registration
    assert heat.get_absolute_url() in Client().get(path(event, seated.number)).text


@pytest.mark.parametrize("visibility", Visibility)
def test_who_hides_the_name_has_no_page(event: Event, visibility: Visibility) -> None:
    [player] = make_players(event, 1)
    player.visibility = "" if visibility == Visibility.PUBLIC else visibility
    player.person.display_name = "Kortet"
    player.person.save()
    player.save()
    answer = Client().get(path(event, player.number))
    assert answer.status_code == (404 if visibility == Visibility.HIDDEN else 200)
    search = reverse("tournaments:event", args=[event.slug])
    linked = path(event, player.number) in Client().get(search, {"q": str(player.number)}).text
    assert linked == (visibility != Visibility.HIDDEN)
    if visibility == Visibility.NICKNAME:
        assert player.person.legal_name not in answer.text


def test_its_queries_do_not_grow(event: Event, django_assert_max_num_queries: object) -> None:
    heat = finished_heat(event)
    number = heat.entries.first().registration.number
    with django_assert_max_num_queries(20):
        Client().get(path(event, number))
