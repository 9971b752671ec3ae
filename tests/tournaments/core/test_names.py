"""What others may read of a name, even if somebody typed it into a reason."""

from __future__ import annotations

import json

import pytest
from django.test import Client

from tests.tournaments.corrections.test_commands import other_winner, play
from tests.tournaments.factories import make_event, make_heats, make_players
from tests.tournaments.registration.test_views_desk import text_of, url
from tournaments.core.names import shown_text, shown_text_of
from tournaments.corrections.commands.correct import correct
from tournaments.documents import event_document
from tournaments.draws.commands.drafts import draft_heats, publish, swap_players
from tournaments.models import Event, Registration
from tournaments.registration.commands.people import change_person

pytestmark = pytest.mark.django_db
TYPED = "anna  åkerlund's hand; ask Anna or Åkerlund, not Annabel"


@pytest.fixture
def event() -> Event:
    return make_event(slug="fest", name="Festival", games_per_heat=1)


def hide(player: Registration, visibility: str = "hidden", **fields: str) -> None:
    change_person(person=player.person, by=None, visibility=visibility, **fields)


def test_hidden_names_are_replaced(event: Event) -> None:
    anna, bo, *_ = make_players(event, 4)
    assert shown_text_of(event)(TYPED) == TYPED
    hide(anna)
    assert shown_text_of(event)(TYPED) == ("Player 1's hand; ask Player 1 or Player 1, not Annabel")
    hide(bo, "nickname", display_name="Bosse")
    assert shown_text_of(event)("Bo Öström saw Cia Lindqvist") == "Bosse saw Cia Lindqvist"


def test_a_name_that_somebody_else_shows_stays(event: Event) -> None:
    anna, bo, *_ = make_players(event, 4)
    change_person(person=bo.person, by=None, legal_name="Anna Berg")
    hide(anna)
    assert shown_text_of(event)("Anna asked Anna Åkerlund") == "Anna asked Player 1"


def test_an_earlier_name_stays_possessive(event: Event) -> None:
    anna, *_ = make_players(event, 4)
    hide(anna, "nickname", display_name="Ankan Ek")
    typed = "Anna Åkerlunds kort, Annas kort, Anna Åkerlund's hand"
    shown = "Ankan Eks kort, Ankan Eks kort, Ankan Ek's hand"
    assert shown_text_of(event)(typed) == shown
    change_person(person=anna.person, by=None, legal_name="Anna Lind")
    assert shown_text_of(event)(typed) == shown


def test_anonymising_replaces_every_name(event: Event) -> None:
    players = make_players(event, 3)
    hide(players[0], "nickname", display_name="Nicke")
    text = shown_text(event.registrations.select_related("person"), anonymous=True)
    assert text("Nicke (Anna Åkerlund), Bo and Cias cards") == (
        "Player 1 (Player 1), Player 2 and Player 3s cards"
    )


def test_public_reasons_name_no_hidden_player(event: Event, client: Client) -> None:
    make_players(event, 7)
    draw = draft_heats(event=event, by=None, seed="names")
    one, other = draw.groups[0][0], draw.groups[1][0]
    hidden = event.registrations.get(number=1)
    name = hidden.person.legal_name
    swap_players(draw=draw, one=one, other=other, by=None, reason=f"{name} sees badly")
    draw.refresh_from_db()
    heat = publish(draw=draw, by=None, seen_version=draw.version).heats[0]
    ruling = {"kind": "ruling", "action": "points", "seat": 1, "points": 1, "reason": f"for {name}"}
    sheet = play(heat, [ruling])
    correct(correction=other_winner(sheet, reason=f"{name} had it"), by=None)
    hide(hidden)
    for page in (url(event, "heat", number=heat.number), url(event, "draw", number=draw.number)):
        text = text_of(client.get(page))
        assert "Åkerlund" not in text
        assert "Anna" not in text
    assert "Player 1 had it" in text_of(client.get(url(event, "heat", number=heat.number)))
    for options in ({}, {"anonymous": True}, {"history": True}):
        document = json.dumps(event_document(event, **options), ensure_ascii=False)
        assert "Åkerlund" not in document
        assert "for Player 1" in document
        assert ("Bo Öström" in document) is ("anonymous" not in options)


def test_staff_can_read_what_was_typed(event: Event, director: Client) -> None:
    sheet = play(make_heats(event, 4).heats[0])
    correct(correction=other_winner(sheet, reason="Anna Åkerlund had it"), by=None)
    hide(event.registrations.get(number=1))
    page = director.get(url(event, "correct_sheet", number=1, game=1))
    assert "Anna Åkerlund had it" in text_of(page)
