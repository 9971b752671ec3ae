"""Every page that somebody with all rights can open is among those walked in a browser."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import resolve

from tests.browser.pages import AFTER_A_FINAL, IN_A_FINAL, LATER, ON_SCREENS, PAGES
from tests.tournaments.core.test_permissions import TABLE, _path, in_state
from tests.tournaments.factories import make_user
from tournaments.models.enums import EventStatus

#: What stands for something in a page's address, and an address that is like it.
LIKE = {
    "event": "/e/fest/", "heat": "1", "running": "1", "scoring": "/s/x/", "correction":
    "/e/fest/desk/heats/1/games/1/corrections/1/", "career":
    "/organisers/organiser/players/00000000-0000-0000-0000-000000000001/",
}  # fmt: skip


#: Of a game that was begun without a network: the same shell as of every table.
SHELLS = {"casual_shell"}


def walked() -> set[str | None]:
    found = set()
    for place in (*PAGES, *LATER, *ON_SCREENS, *IN_A_FINAL, *AFTER_A_FINAL):
        path = re.sub(r"\{(\w+)\}", lambda name: LIKE[name[1]], place.path)
        found.add(resolve(path.partition("?")[0]).url_name)
    return found


@pytest.mark.django_db
def test_every_page_is_walked() -> None:
    forgotten = []
    known = walked() | SHELLS
    in_state(EventStatus.OPEN)
    client = Client()
    client.force_login(make_user(is_superuser=True))
    for name, (method, arguments, _may) in TABLE.items():
        if method == "get" and name not in known:
            answer = client.get(_path(name, arguments))
            whole = not answer.streaming and answer.content.lstrip().startswith(b"<!DOCTYPE html")
            if answer.status_code == 200 and whole:
                forgotten.append(name)
    assert forgotten == []
