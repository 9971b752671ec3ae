"""Every address of the interface, asked for another event's things.

A token is a right at one event. With it, and without any, each address is asked for an event of
another organiser, open and as a draft: nothing of a draft is told, nothing private of an open one,
and no row changes. ``core/test_other_objects`` does the same for the pages.
"""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests.tournaments.api.addresses import API
from tests.tournaments.core.another_event import SECRETS, Other
from tests.tournaments.core.test_other_objects import text_of
from tests.tournaments.factories import make_event, make_heats, make_organiser
from tournaments.api.commands import make_token
from tournaments.models import Event
from tournaments.models.enums import EventStatus

pytestmark = pytest.mark.django_db

#: What could be sent to any of them.
SENT = {"name": "Ny Nilsson", "reason": "because", "method": "cash", "amount": 100}


@pytest.fixture
def own() -> Event:
    event = make_event(slug="fest", name="Festival", status=EventStatus.OPEN)
    make_heats(event, 4)
    return event


def ask(name: str, kwargs: dict[str, Any], token: str) -> Any:
    headers = {"authorization": f"Bearer {token}"} if token else {}
    path = reverse(f"api:{name}", kwargs=kwargs)
    if API[name][0] == "get":
        return Client().get(path, headers=headers)
    headers["idempotency-key"] = name
    return Client().post(path, SENT, content_type="application/json", headers=headers)


@pytest.mark.parametrize("draft", [False, True])
def test_a_token_opens_no_other_events_addresses(own: Event, draft: bool) -> None:
    other = Other("other", make_organiser(), draft=draft)
    _row, token = make_token(event=own, name="own", scope="desk", by=own.roles.get().user)
    before, wrong = other.rows(), []
    for name, (_method, names, is_public) in API.items():
        kwargs = {each: other.kwargs[each] for each in names if each != "slug"}
        if "number" in kwargs and name in {"heat", "games", "game", "draw"}:
            kwargs["number"] = other.numbers["draw" if name == "draw" else "heat"]
        kwargs |= {"slug": "other"} if "slug" in names else {}
        for said in ("", token):
            answer = ask(name, kwargs, said)
            if any(secret in text_of(answer) for secret in SECRETS):
                wrong.append((name, bool(said), "shown"))
            closed = (404,) if said or is_public else (401,)
            if names and (draft or not is_public) and answer.status_code not in closed:
                wrong.append((name, bool(said), answer.status_code))
    assert wrong == []
    assert other.rows() == before
