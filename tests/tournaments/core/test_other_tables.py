"""Every address below a private link, given the objects of another table.

A link is a right at one table (``/s/``) or of one player (``/p/``). Here each request is first
made as the page makes it, which works; then it names, one thing after the other, what belongs to a
table that the link is not for: another heat of the event, a heat of another event, a casual table.
Each is refused, and no row changes anywhere. ``test_other_objects`` does the same for accounts.
"""

from __future__ import annotations

import copy
import re
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import Any

import pytest
from django.apps import apps
from django.db import connection, transaction
from django.http import HttpResponse
from django.test import Client
from django.urls import get_resolver, reverse

from scoring.enums import LinkRole
from scoring.errors import ScoringError
from scoring.models import SheetEntry, Table
from scoring.reading.links import show_token
from scoring.reading.recover import seating_of
from scoring.writing import (
    create_link,
    create_table,
    declare_chicago,
    give_heat_penalty,
    take_back_heat_penalty,
)
from tests.tournaments.conftest import client_of
from tests.tournaments.core.another_event import OF_NOBODY
from tests.tournaments.core.asked_of_tables import (
    ASKED,
    Asked,
    none,
    object_to,
    pair,
    sheet_of,
)
from tests.tournaments.core.test_links import BY_LINK
from tests.tournaments.core.test_other_objects import addresses, text_of
from tests.tournaments.core.test_permissions import TABLE
from tests.tournaments.factories import make_event, make_organiser, write
from tests.tournaments.refusals import codes_in
from tournaments.draws.commands.drafts import draw_heats
from tournaments.events.commands.invitations import invite
from tournaments.events.queries.accounts import token_of as token_of_invitation
from tournaments.floor.commands.penalties import give_penalty
from tournaments.heats.commands import answer_objection
from tournaments.models import Event, Penalty
from tournaments.models.enums import Role
from tournaments.registration.commands.check_in import check_in
from tournaments.registration.commands.people import register_person
from tournaments.registration.commands.pins import choose_pin
from tournaments.registration.queries.player_links import token_of

pytestmark = pytest.mark.django_db

PIN = "1234"


class Other:
    """A table that the link is not for, and the names of its things."""

    def __init__(self, table: Table, own: Table) -> None:
        sheet = write(sheet_of(table), none(1), none(2))
        declared = uuid.uuid4()
        declare_chicago(sheet_id=sheet.pk, client_id=declared, deal=0, seat=None, author="test")
        write(sheet, {"kind": "last_trick", "seat": 0}, none(3), none(1))
        penalty = uuid.uuid4()
        give_heat_penalty(
            table_id=table.pk, player_id=table.players[0], game_points=1, reason="late",
            by="test", client_id=penalty,
        )  # fmt: skip
        objection = object_to(table)
        #: What a table's page sends with "too slow", made into the id of a penalty.
        slow = uuid.uuid4()
        heat = getattr(table, "heat", None)
        if heat is not None:
            player = heat.event.registrations.get(number=int(table.players[0]))
            mark = uuid.uuid5(slow, own.players[0])
            Penalty.objects.create(
                event=heat.event, registration=player, level="warning", offence="slow",
                client_id=mark,
            )  # fmt: skip
        self.table = table
        #: How a request names them; None where the link's own table has one of that name.
        self.names: dict[str, Any] = {
            "entry": str(SheetEntry.objects.filter(sheet=sheet)[0].client_id),
            "declaration": str(declared),
            "penalty": str(penalty),
            "slow": str(slow) if heat else None,
            "objection": objection.pk,
            "objecting": str(objection.client_id),
            "sequence": 4,
            "game": table.games_planned if table.games_planned > own.games_planned else None,
            "player": next(each for each in table.players if each not in own.players),
            "seating": seating_of(sheet),
        }
        game = self.names["game"]
        self.names["seen"] = game and f"{game}:0"
        self.names["order"] = "\n".join([own.players[0], self.names["player"]])


def hall(event: Event, count: int, whose: str) -> list[Table]:
    """Return the tables of heats that are drawn among new players."""
    for number in range(1, count + 1):
        player = register_person(event=event, by=None, legal_name=f"{whose} {number}")
        check_in(registration=player, by=None)
    return [heat.table for heat in draw_heats(event=event, by=None, seed="test").heats]


def casual(whose: str, games: int) -> Table:
    return create_table(
        label="Kitchen", rules="festival", players=[f"{whose} {number}" for number in range(4)],
        games_planned=games, seed="test", by="casual", directed=False,
    )  # fmt: skip


@pytest.fixture(params=["heat", "casual"])
def own(request: pytest.FixtureRequest) -> Table:
    """The table that the link is for: a heat's, with another heat beside it, or a casual one."""
    event = make_event(slug="fest", games_per_heat=2, shot_clock_seconds=30)
    table = hall(event, 8, "Own")[0]
    return table if request.param == "heat" else casual("Own", 2)


@pytest.fixture
def others(own: Table) -> list[Other]:
    """A table of each kind that the link is not for; no link at "own" shows who plays there."""
    beside = Event.objects.get(slug="fest").heats.order_by("number")[1].table
    event = make_event(slug="other", organiser=make_organiser(), games_per_heat=4)
    # Its highest number belongs to no player of the other event.
    foreign = next(table for table in hall(event, 12, "Hemlig") if "12" in table.players)
    foreign.players.sort(key=int, reverse=True)
    return [Other(table, own) for table in (beside, foreign, casual("Hemlig", 5))]


@cache
def by_token() -> dict[str, str]:
    """Return the addresses below a table's or a player's link, with their paths."""
    found = addresses(get_resolver().url_patterns)
    return {name: path for path, name, _pattern in found if path.startswith(("s/", "p/"))}


def test_every_address_below_a_link_is_asked() -> None:
    assert by_token().keys() == ASKED.keys()
    for name, path in by_token().items():
        # Whatever stands in an address is named.
        named = {each for asked in ASKED[name] for each, _kind in asked.names}
        assert {f"url.{each}" for each in re.findall(r"<int:(\w+)>", path)} <= named


# ------------------------------------------------------------------------------------ asking


class Phone:
    """A browser with the link of its own table, or of that table's first player."""

    def __init__(self, table: Table) -> None:
        link = create_link(table_id=table.pk, role=LinkRole.AUDITOR, by="test")
        self.tokens = {"scoring": show_token(link=link)}
        if heat := getattr(table, "heat", None):
            player = heat.event.registrations.get(number=int(table.players[0]))
            choose_pin(registration=player, pin=PIN)
            self.tokens["tournaments"] = token_of(player)

    def addresses(self) -> Iterator[tuple[str, Asked]]:
        """Return what can be asked with these links."""
        for name, every in ASKED.items():
            if name.split(":")[0] in self.tokens:
                yield from ((name, asked) for asked in every)

    def ask(self, name: str, asked: Asked, sent: Mapping[str, Any]) -> HttpResponse:
        """Send it; the address names the first entry of game 1 unless told otherwise."""
        space, short = name.split(":")
        path = by_token()[name]
        kwargs = {each: sent.get(f"url.{each}", 1) for each in re.findall(r"<int:(\w+)>", path)}
        path = reverse(name, kwargs={"token": self.tokens[space], **kwargs})
        body = {key: value for key, value in sent.items() if not key.startswith("url.")}
        is_get = (BY_LINK.get(short) or TABLE[short])[0] == "get"
        client = Client()
        if is_get:
            return client.get(path, body)
        if asked.is_form:
            # As HTMX sends it, a refusal has a status of its own.
            return client.post(path, body, headers={"HX-Request": "true"})
        return client.post(path, body, content_type="application/json")


def is_refused(answer: HttpResponse) -> bool:
    assert answer.status_code < 500
    if answer.status_code >= 400:
        return True
    if "json" not in answer.get("Content-Type", ""):
        return False
    return bool({"problems", "refused"} & answer.json().keys())


def put(sent: Mapping[str, Any], place: str, thing: Any) -> dict[str, Any]:
    """Return the request with another table's object in this place."""
    changed = copy.deepcopy(dict(sent))
    if place.startswith("url."):
        return changed | {place: thing}
    *way, last = place.split(".")
    inside: Any = changed
    for step in way:
        inside = inside[int(step) if step.isdigit() else step]
    inside[int(last) if last.isdigit() else last] = thing
    return changed


def rows() -> list[list[Any]]:
    """Return every row of the program."""
    found = []
    with connection.cursor() as cursor:
        for app in ("scoring", "tournaments"):
            for model in apps.get_app_config(app).get_models():
                if model.__name__ not in OF_NOBODY:
                    key = model._meta.pk.column
                    cursor.execute(f"SELECT * FROM {model._meta.db_table} ORDER BY {key}")
                    found.append(cursor.fetchall())
    return found


#: What hangs on a table.
OF_TABLE = {
    "Table": "pk",
    "Sheet": "table",
    "SheetEntry": "sheet__table",
    "Link": "table",
    "LeaseChange": "sheet__table",
    "Declaration": "sheet__table",
    "HeatPenalty": "table",
    "FlipFlop": "table",
    "Objection": "sheet__table",
    "ObjectionAnswer": "objection__sheet__table",
    "GameAcceptance": "sheet__table",
}


def rows_at(table: Table) -> list[list[Any]]:
    found = [
        apps.get_model("scoring", model)._base_manager.filter(**{way: table.pk})
        for model, way in OF_TABLE.items()
    ]
    return [list(each.order_by("pk").values_list()) for each in found]


def test_every_model_hangs_on_a_table() -> None:
    models = {model.__name__ for model in apps.get_app_config("scoring").get_models()}
    assert models == OF_TABLE.keys()


@contextmanager
def undone() -> Iterator[None]:
    # No atomic block: a guess is counted in a transaction of its own.
    before = transaction.savepoint()
    yield
    transaction.savepoint_rollback(before)


@pytest.mark.usefixtures("unrendered")
def test_nothing_of_another_table_is_taken(own: Table, others: list[Other]) -> None:
    phone = Phone(own)
    is_heat = "tournaments" in phone.tokens
    wrong: list[tuple[object, ...]] = []
    for name, asked in phone.addresses():
        if not asked.names:
            continue
        with undone():
            asked.state(own)
            sent = asked.sent(own)
            with undone():
                works = not is_refused(phone.ask(name, asked, sent))
            if works != (is_heat or not asked.only_heats):
                wrong.append((name, "as the page asks", works))
            before = rows()
            for place, kind in asked.names:
                for index, other in enumerate(others):
                    thing = other.names[kind]
                    if thing is None:
                        continue
                    with undone():
                        if not is_refused(phone.ask(name, asked, put(sent, place, thing))):
                            wrong.append((name, place, index, "taken"))
                        if rows() != before:
                            wrong.append((name, place, index, "changed"))
    assert wrong == []


@pytest.mark.slow
def test_whatever_is_sent_stays_at_the_own_table(own: Table, others: list[Other]) -> None:
    """Unexpected fields are sent as well; the other table is neither shown nor changed.

    A casual table's "Hemlig 0" is a name that the request itself says.
    """
    phone = Phone(own)
    wrong: list[tuple[object, ...]] = []
    fields = {place for every in ASKED.values() for asked in every for place, _kind in asked.names}
    for name, asked in phone.addresses():
        with undone():
            asked.state(own)
            sent = asked.sent(own)
            for other in others:
                more = {each: other.names.get(each) for each in fields if "." not in each}
                more |= {"table": other.table.pk}
                before = rows_at(other.table)
                answer = phone.ask(name, asked, {**{k: v for k, v in more.items() if v}, **sent})
                if answer.status_code >= 500 or re.search("Hemlig [1-9]", text_of(answer)):
                    wrong.append((name, answer.status_code))
                if rows_at(other.table) != before:
                    wrong.append((name, "changed"))
    assert wrong == []


def test_tokens_open_their_own_sort_of_page(own: Table) -> None:
    event = Event.objects.get(slug="fest")
    tokens = Phone(event.heats.get(number=1).table).tokens
    tokens["invitation"] = token_of_invitation(invite(to=event, role=Role.FLOOR, by=None))
    for space, token in tokens.items():
        for path, name, _pattern in addresses(get_resolver().url_patterns):
            other = "invitation" if path.startswith("invitation/") else name.split(":")[0]
            if "<str:token>" in path and other != space:
                kwargs = dict.fromkeys(re.findall(r"<int:(\w+)>", path), 1)
                address = reverse(name, kwargs={"token": token, **kwargs})
                found = {Client().get(address).status_code, Client().post(address).status_code}
                assert found <= {404, 405}, (space, name)


@contextmanager
def refuses(code: str) -> Iterator[None]:
    with pytest.raises(ScoringError) as info:
        yield
    assert info.value.code == code


def test_ids_of_another_tables_penalties_are_no_repetition(own: Table, others: list[Other]) -> None:
    """A penalty given elsewhere does not count as already given here."""
    heat = Event.objects.get(slug="fest").heats.get(number=1)
    player = heat.event.registrations.get(number=int(heat.table.players[0]))
    given = {
        "table_id": own.pk, "player_id": own.players[0], "game_points": 1, "reason": "late",
        "by": "test",
    }  # fmt: skip
    mine = give_heat_penalty(**given, client_id=uuid.uuid4())
    write(sheet_of(heat.table), pair(1, 0))
    director = client_of(heat.event, Role.DIRECTOR)
    correction = reverse("tournaments:correct_apply", args=["fest", 1, 1, 1])
    before = rows()
    for penalty in Penalty.objects.all():
        with refuses("client_id_reused"):
            give_penalty(
                heat=heat, registration=player, level="warning", offence="slow", by=None,
                client_id=penalty.client_id, seen_version=0,
            )  # fmt: skip
    for other in others:
        sent = {"kind": "void", "reason": "no", "version": 1, "client_id": other.names["entry"]}
        assert codes_in(director.post(correction, sent)) == {"client_id_reused"}
        client_id = uuid.UUID(other.names["penalty"])
        with refuses("client_id_reused"):
            give_heat_penalty(**given, client_id=client_id)
        with refuses("client_id_reused"):
            take_back_heat_penalty(penalty=mine, reason="no", by="test", client_id=client_id)
        objection = {"objection_id": other.names["objection"], "reason": "no"}
        with refuses("no_such_objection"):
            answer_objection(heat=heat, by=None, **objection)
    assert rows() == before
