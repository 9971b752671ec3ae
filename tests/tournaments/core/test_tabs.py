from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.urls import reverse

from tests.tournaments.factories import make_member
from tests.tournaments.playoffs.factories import qualified_event
from tournaments.core.tabs import tabs_for
from tournaments.models import Event
from tournaments.models.enums import Role

PUBLIC = ["event", "player_standings", "qualified", "playoffs", "result"]


def _addresses(event: Event, *pages: str) -> list[str]:
    return [reverse(f"tournaments:{page}", args=[event.slug]) for page in pages]


@pytest.fixture
def played(db: None) -> Event:
    """An event with three qualified players."""
    return qualified_event(3)


def test_the_public_sees_the_public_tabs(played: Event) -> None:
    tabs = tabs_for(AnonymousUser(), played, "result")
    assert [tab.address for tab in tabs] == _addresses(played, *PUBLIC)
    assert [tab.is_here for tab in tabs] == [False, False, False, False, True]
    assert not any(tab.starts_staff for tab in tabs)


def test_no_tab_leads_to_an_empty_page(event: Event) -> None:
    tabs = tabs_for(AnonymousUser(), event, "event")
    assert [tab.address for tab in tabs] == _addresses(event, "event")


@pytest.mark.parametrize(
    "money",
    [{}, {"buy_in": 20000}, {"fee": 2000}, {"prize_added": 100}, {"prizes": {"shares": [10000]}}],
)
def test_an_event_without_money_has_no_cash(event: Event, money: dict[str, Any]) -> None:
    Event.objects.update(**{"buy_in": 0, "fee": 0, **money})
    tabs = tabs_for(make_member(event, Role.CASHIER), Event.objects.get(), "desk")
    assert (_addresses(event, "cash")[0] in [tab.address for tab in tabs]) == bool(money)


def test_a_club_evening_without_play_offs_has_no_tabs_for_them(played: Event) -> None:
    played.ends_with_heats = True
    tabs = tabs_for(AnonymousUser(), played, "event")
    assert [tab.address for tab in tabs] == _addresses(
        played, "event", "player_standings", "result"
    )


@pytest.mark.parametrize(
    ("role", "pages"),
    [
        (Role.CASHIER, ["desk", "check_in", "floor", "cash"]),
        (
            Role.OWNER,
            [
                "desk",
                "check_in",
                "floor",
                "screens",
                "jobs",
                "cash",
                "log",
                "event_settings",
                "event_staff",
            ],
        ),
    ],
)
def test_staff_see_the_tabs_that_their_role_may_open(
    event: Event, role: Role, pages: list[str]
) -> None:
    Event.objects.update(buy_in=20000)
    tabs = tabs_for(make_member(event, role), event, "desk")
    # Nothing has happened yet: the public has one page.
    own = tabs[1:]
    assert [tab.address for tab in own] == _addresses(event, *pages)
    assert [tab.starts_staff for tab in own] == [index == 0 for index in range(len(own))]
