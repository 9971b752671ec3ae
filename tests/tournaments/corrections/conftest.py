"""Events whose heats are closed."""

from __future__ import annotations

import pytest

from scoring.models import Sheet
from tests.tournaments.corrections.test_commands import played_event
from tournaments.models import Event


@pytest.fixture
def event(db: None, request: pytest.FixtureRequest) -> Event:
    """An event with as many closed heats as the test asks for."""
    wanted = request.fixturenames
    return played_event(3 if "sheets" in wanted else 1 if "sheet" in wanted else 0)


@pytest.fixture
def sheets(event: Event) -> list[Sheet]:
    """The sheets of three closed heats."""
    return list(Sheet.objects.order_by("heat_game__heat__number"))


@pytest.fixture
def sheet(event: Event) -> Sheet:
    """The sheet of a closed heat."""
    return Sheet.objects.get()
