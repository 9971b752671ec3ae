"""What a table's link and a player's link open, and what they no longer open when revoked."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from scoring.enums import LinkRole
from scoring.reading.links import show_token
from scoring.web.urls import urlpatterns as scoring_urls
from scoring.writing import create_link, revoke_link
from tests.tournaments.core.test_permissions import STATES, TABLE, in_state, names_of
from tournaments.models.enums import EventStatus
from tournaments.registration.commands import player_links
from tournaments.registration.queries.player_links import token_of

#: A page by a table's link -> (method, answers to an Auditor's, reader's, revoked, forged link).
BY_LINK: dict[str, tuple[str, str]] = {
    "table_detail": ("get", "rr44"),
    "table_read": ("get", "rr44"),
    "table_live": ("get", "rr44"),
    "table_sync": ("post", "rr44"),
    "table_share": ("post", "r344"),
    "table_worker": ("get", "r344"),
    "table_manifest": ("get", "r344"),
    "table_protocol": ("get", "rr44"),
    "entry_correct": ("get", "r344"),
    "entry_corrected": ("post", "r344"),
    "deal_forgotten": ("get", "r344"),
    "deal_inserted": ("post", "r344"),
}
PLAYERS_OWN = ("player_page", "player_page_now", "player_page_name", "player_page_score",
               "player_page_accept", "player_page_compared", "player_page_rulings",
               "player_page_object", "player_page_object_back",
               "player_page_pin", "player_page_enter", "player_page_part",
               "player_page_withdraw", "player_page_series", "player_page_apart",
               "player_page_career", "player_page_data",
               "player_page_erase", "player_page_erase_back", "player_page_pictures",
               "player_page_push", "player_page_push_try", "player_page_push_end",
               "player_page_worker", "player_page_manifest", "player_calendar")  # fmt: skip


def test_every_page_by_link_is_in_the_table() -> None:
    assert names_of(scoring_urls) == set(BY_LINK)
    own = ("player_page", "player_calendar")
    assert set(PLAYERS_OWN) == {name for name in TABLE if name.startswith(own)}


@pytest.mark.usefixtures("db", "unrendered")
@pytest.mark.parametrize("state", [EventStatus.OPEN, EventStatus.FINISHED])
def test_what_a_tables_link_opens(state: EventStatus) -> None:
    heat = in_state(state).heats.get()
    links = [
        create_link(table_id=heat.table_id or 0, role=role, by="test")
        for role in (LinkRole.AUDITOR, LinkRole.READER, LinkRole.AUDITOR)
    ]
    tokens = [show_token(link=link) for link in links] + ["forged"]
    revoke_link(link_id=links[2].pk, by="test")
    wrong = []
    for name, (method, row) in BY_LINK.items():
        for token, expected in zip(tokens, row, strict=True):
            where = [token, 1, 1] if name.startswith(("entry_correct", "deal_")) else [token]
            answer = getattr(Client(), method)(reverse(f"scoring:{name}", args=where))
            got = {403: "3", 404: "4", 410: "4"}.get(answer.status_code, "r")
            if answer.status_code >= 500 or got != expected:
                wrong.append((name, tokens.index(token), answer.status_code))
    assert wrong == []


@pytest.mark.parametrize("state", STATES)
def test_what_a_players_link_opens(db: None, state: EventStatus) -> None:
    event = in_state(state)
    player = event.registrations.get(number=1)
    token = token_of(player)
    client = Client()
    for name in PLAYERS_OWN:
        path = reverse(f"tournaments:{name}", args=[token])
        answer = getattr(client, TABLE[name][0])(path)
        expected = {404} if state == EventStatus.DRAFT else {200, 302, 303, 409, 422}
        # It names a choice that was made.
        expected |= {404} if name == "player_page_apart" else set()
        assert answer.status_code in expected, name
    player_links.renew_link(registration=player, by=None)
    for name in PLAYERS_OWN:
        path = reverse(f"tournaments:{name}", args=[token])
        assert getattr(client, TABLE[name][0])(path).status_code == 404, name
