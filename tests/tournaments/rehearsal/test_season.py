"""The demo's small season: so that every page over events has something to show."""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.tournaments.factories import make_event, make_players
from tests.tournaments.series.test_series import refresh
from tournaments.models import Career, Event, Series
from tournaments.models.enums import EventStatus
from tournaments.rehearsal.season import EVENINGS, is_missing, make_season
from tournaments.series.queries.standing import standing_of

pytestmark = pytest.mark.django_db


def test_a_season_has_evenings_of_the_same_players_before_the_festival() -> None:
    event = make_event()
    make_players(event, 9)
    owner = User.objects.create(username="arne")
    event.organiser.members.create(user=owner, is_owner=True)
    assert is_missing(event)
    series = make_season(event, owner)
    assert not is_missing(event)
    evenings = Event.objects.filter(slug__startswith="klubbkvall-").order_by("starts_on")
    assert len(evenings) == len(EVENINGS)
    for evening in evenings:
        assert evening.status == EventStatus.FINISHED
        assert evening.starts_on < event.starts_on
        assert {heat.finished_at.date() for heat in evening.heats.all()} == {evening.starts_on}
    refresh()
    standing = standing_of(series)
    assert len(standing.lines) == 9
    assert standing.left == 1
    assert Career.objects.count() == 2
    assert Client().get(reverse("tournaments:series", args=[series.slug])).status_code == 200
    # Begun again after a worker was killed, it makes nothing twice.
    Series.objects.filter(pk=series.pk).delete()
    make_season(event, owner)
    assert Event.objects.filter(slug__startswith="klubbkvall-").count() == len(EVENINGS)
