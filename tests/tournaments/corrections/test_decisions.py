"""Taking out, disqualifying and taking penalties back show first what follows."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from scoring.models import Sheet
from tests.tournaments.conftest import client_of
from tests.tournaments.corrections.test_commands import player
from tests.tournaments.factories import make_heats, make_players
from tests.tournaments.html_forms import form_to
from tests.tournaments.registration.test_views_desk import text_of, url
from tournaments.draws.commands.drafts import draft_heats
from tournaments.models import Event, Penalty
from tournaments.models.enums import RegistrationStatus, Role

pytestmark = pytest.mark.django_db


@pytest.fixture
def client(event: Event) -> Client:
    """The director's browser."""
    return client_of(event, Role.DIRECTOR)


def asked(client: Client, page: str, to: str, **more: Any) -> Any:
    """Send the form of a page as its button does; return the page of what follows."""
    return client.post(to, dict(form_to(client.get(page).text, to)) | more)


def confirmed(client: Client, answer: Any, to: str) -> Any:
    return client.post(to, dict(form_to(answer.text, to)))


def test_taking_out_shows_what_follows(event: Event, client: Client) -> None:
    out = make_players(event, 5)[0]
    draw = draft_heats(event=event, by=None)
    page = url(event, "player_edit", number=out.number)
    to = url(event, "player_withdraw", number=out.number)
    answer = asked(client, page, to)
    text = text_of(answer)
    assert "leaves the queue" in text
    assert f"Draw {draw.number} has to be drawn again." in text
    out.refresh_from_db()
    assert out.status == RegistrationStatus.CHECKED_IN
    assert confirmed(client, answer, to).status_code == 303
    out.refresh_from_db()
    assert out.status == RegistrationStatus.WITHDRAWN


def test_what_would_follow_now_must_be_what_was_seen(event: Event, client: Client) -> None:
    out = make_players(event, 5)[0]
    page = url(event, "player_edit", number=out.number)
    to = url(event, "player_withdraw", number=out.number)
    answer = asked(client, page, to)
    draft_heats(event=event, by=None)
    confirmed(client, answer, to)
    out.refresh_from_db()
    assert out.status == RegistrationStatus.CHECKED_IN


def test_disqualifying_shows_what_follows(event: Event, client: Client, sheet: Sheet) -> None:
    winner = player(event, sheet, 0)
    page, to = url(event, "penalties"), url(event, "disqualify")
    typed = {"player": winner.player_id, "offence": "cheating", "reason": "marked", "sure": "on"}
    answer = asked(client, page, to, **{f"out-{name}": value for name, value in typed.items()})
    assert f"{winner.person}: {RegistrationStatus.DISQUALIFIED.label}." in text_of(answer)
    assert not Penalty.objects.exists()
    for _twice in range(2):
        confirmed(client, answer, to)
    penalty = Penalty.objects.get()
    assert (penalty.registration, penalty.reason) == (winner, "marked")
    take = url(event, "penalty_take_back", pk=penalty.pk)
    answer = asked(client, page, take, reason="a mistake")
    penalty.refresh_from_db()
    assert penalty.taken_back_at is None
    assert "a mistake" in answer.text
    confirmed(client, answer, take)
    penalty.refresh_from_db()
    assert penalty.taken_back_at is not None


def test_a_disqualification_at_a_table_says_what_follows(event: Event, client: Client) -> None:
    heat = make_heats(event, 4).heats[0]
    sheet = Sheet.objects.get(table=heat.table)
    cheat = player(event, sheet, 0)
    page = url(event, "heat_desk", number=heat.number)
    to = url(event, "heat_penalty", number=heat.number)
    sent = {"penalty-player": cheat.player_id, "penalty-offence": "cheating"}
    answer = asked(client, page, to, **sent)
    assert answer.status_code == 422
    assert "out of the whole event" in text_of(answer)
    assert f"{cheat.person}: {RegistrationStatus.DISQUALIFIED.label}." in text_of(answer)
    assert not Penalty.objects.exists()
