"""Ratings: the model's known traps, what a correction changes, and that they order bots."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.bots.simulation import play_game
from tests.tournaments.factories import finished_heat, make_event
from tests.tournaments.jobs import hurry, run
from tournaments.core.organisers import the_organiser
from tournaments.models import (
    Event,
    GameRating,
    GameResult,
    Person,
    PlayerRating,
    RatingState,
)
from tournaments.results.queries.from_sheets import place_numbers
from tournaments.statistics.commands.rating import store_ratings
from tournaments.statistics.queries import rating
from tournaments.statistics.queries.rating import MIN_GAMES, MU, SIGMA, rate_game, rerated

NEW = [(MU, SIGMA)] * 4


def mus(places: list[int]) -> list[float]:
    return [mu for mu, _sigma in rate_game(NEW, places)]


def test_no_weights_are_given() -> None:
    # With weights of 1 the winner would stand at 30.59 (findings/openskill-teams-of-one.sh).
    assert mus([1, 2, 3, 4])[0] == pytest.approx(27.7952526725, abs=1e-9)


def test_joint_winners_gain_more_than_the_third() -> None:
    first, second, third, last = mus([1, 1, 3, 4])
    alone = mus([1, 2, 3, 4])
    assert first == pytest.approx(second)
    assert first == pytest.approx((alone[0] + alone[1]) / 2, abs=1e-9)
    assert first > third > last


@settings(max_examples=25, deadline=None)
@given(st.permutations([0, 1, 2, 3]), st.lists(st.integers(1, 3), min_size=4, max_size=4))
def test_seats_do_not_matter(order: list[int], ranks: list[int]) -> None:
    before = [(20.0, 5.0), (25.0, 4.0), (30.0, 6.0), (25.0, 8.0)]
    straight = rate_game(before, ranks)
    turned = rate_game([before[seat] for seat in order], [ranks[seat] for seat in order])
    for seat, (mu, sigma) in zip(order, turned, strict=True):
        assert mu == pytest.approx(straight[seat][0], abs=1e-9)
        assert sigma == pytest.approx(straight[seat][1], abs=1e-9)


def test_the_order_of_games_matters() -> None:
    def after(games: list[list[int]]) -> list[float]:
        skills = NEW
        for places in games:
            skills = rate_game(skills, places)
        return [mu for mu, _sigma in skills]

    one, other = [1, 2, 3, 4], [4, 3, 2, 1]
    assert after([one, other])[0] != pytest.approx(after([other, one])[0], abs=1e-3)


def test_predicted_chances_of_four_are_never_used() -> None:
    # Of four nobody's exceeds one half, however strong; the program has no use of it at all.
    package = Path(rating.__file__).parents[1]
    sources = [path.read_text(encoding="utf-8") for path in package.rglob("*.py")]
    assert not any("predict_" in source or "weights=" in source for source in sources)


def test_an_event_is_many_games() -> None:
    # Rated as one game, twelve games would leave a newcomer as uncertain as one.
    skills = NEW
    for _game in range(12):
        skills = rate_game(skills, [1, 2, 3, 4])
    once = rate_game(NEW, [1, 2, 3, 4])
    assert skills[0][1] < once[0][1] < SIGMA


BOTS = ["regular", "novice", "novice"]


def test_it_orders_bots_of_known_strength() -> None:
    # A fixed seed: by chance a novice is ahead after thirty games, once in a while.
    skills = NEW[:3]
    for number in range(30):
        order = [(seat + number) % 3 for seat in range(3)]
        bots = [BOTS[who] for who in order]
        played = play_game("festival", ["1", "2", "3"], f"strength {number}", bots=bots)
        places = place_numbers(played.table.sheet.places or ())
        after = rate_game([skills[who] for who in order], [places[seat] for seat in range(3)])
        skills = [after[order.index(who)] for who in range(3)]
    assert skills[0][0] > max(skills[1][0], skills[2][0])


def rate() -> int:
    return store_ratings(organiser=the_organiser(), rerated=rerated(the_organiser()))


def _played(seed: str) -> Event:
    event = make_event(ends_with_heats=True)
    finished_heat(event, seed=seed)
    return event


@pytest.mark.django_db
def test_each_game_counts_and_what_changes_is_made_again() -> None:
    _played("one")
    second = _played("two")
    assert rate() == 6
    assert rate() == 0
    before = list(GameRating.objects.values_list("pk", "mu"))
    changed = GameResult.objects.filter(game__heat__event=second, game__number=2)
    changed.update(place=1)
    # The game that has changed and the one after it.
    assert rate() == 2
    after = list(GameRating.objects.values_list("pk", "mu"))
    assert after[:16] == before[:16]
    assert after[16:] != before[16:]
    # From nothing the same comes out.
    known = [mu for _pk, mu in after]
    GameRating.objects.all().delete()
    assert rate() == 6
    assert list(GameRating.objects.values_list("mu", flat=True)) == known
    assert {each.games for each in PlayerRating.objects.all()} == {3}


@pytest.mark.django_db
def test_the_page_shows_nobody_too_early_and_no_hidden_name() -> None:
    event = _played("one")
    hurry("rating")
    assert run("rating") == [1]
    path = reverse("tournaments:ratings", args=[event.organiser.slug])
    assert b"Nobody has played enough games yet." in Client().get(path).content
    PlayerRating.objects.update(games=MIN_GAMES)
    RatingState.objects.update(version=1)
    name = event.registrations.get(number=1).person.legal_name
    assert name in Client().get(path).content.decode()
    Person.objects.filter(legal_name=name).update(visibility="hidden")
    page = Client().get(path).content.decode()
    assert name not in page
    assert "Hidden name" not in page
    registration = event.registrations.get(number=2)
    registration.visibility = "hidden"
    registration.save(update_fields=["visibility"])
    assert registration.person.legal_name not in Client().get(path).content.decode()
