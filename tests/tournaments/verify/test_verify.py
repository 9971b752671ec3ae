"""Changes made in the database behind the program's back are found and reported."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO
from typing import Any

import pytest
from django.apps import apps
from django.core import mail
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.urls import reverse

from scoring.models import Sheet, SheetEntry
from scoring.models.append_only import AppendOnly
from tests.tournaments.conftest import client_of
from tests.tournaments.factories import finished_heat, make_event
from tests.tournaments.jobs import hurry, run
from tests.tournaments.refusals import codes_in
from tournaments.core.errors import Refused
from tournaments.documents.writing import event_document
from tournaments.events.commands.events import set_event_status
from tournaments.models import Anchor, Event, GameResult, LogEntry, Qualification
from tournaments.models.enums import EventStatus, Role
from tournaments.verify import anchors
from tournaments.verify.checks import check_in_turn, verify
from tournaments.verify.guards import broken, made
from tournaments.verify.queries import last_check
from tournaments.verify.texts import SENTENCES, sentences


@pytest.fixture
def played(db: None) -> Event:
    event = make_event(slug="fest", games_per_heat=1)
    finished_heat(event)
    return event


@contextmanager
def unguarded(*tables: str) -> Iterator[Any]:
    """Switch the safeguards off, as somebody with the database's password could."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name IN "
            f"({', '.join(['%s'] * len(tables))})",
            tables,
        )
        triggers = cursor.fetchall()
        for name, _sql in triggers:
            cursor.execute(f"DROP TRIGGER {name}")
        yield cursor
        for _name, sql in triggers:
            cursor.execute(sql)


#: Writes past SQLite's triggers.
sqlite = pytest.mark.sqlite


def whats(found: list[Any]) -> set[str]:
    return {each.what for each in found}


def test_nothing_is_found_where_nothing_is_wrong(played: Event) -> None:
    anchors.make_anchor()
    assert verify() == []
    assert verify(played) == []


@sqlite
@pytest.mark.parametrize(
    ("table", "statement", "what"),
    [
        ("scoring_sheetentry", "UPDATE scoring_sheetentry SET author = 'x' WHERE sequence = 2",
         "chain"),
        ("scoring_sheetentry", "DELETE FROM scoring_sheetentry WHERE sequence > 1", "chain"),
        ("scoring_sheet", "UPDATE scoring_sheet SET seats = '[\"9\", \"8\", \"7\", \"6\"]'",
         "state"),
        ("tournaments_gameresult", "UPDATE tournaments_gameresult SET score = score + 1",
         "results"),
        ("tournaments_qualification", "DELETE FROM tournaments_qualification", "not_through"),
        ("scoring_sheetentry", "UPDATE scoring_sheetentry SET entry = '\"x\"'", "chain"),
    ],
)  # fmt: skip
def test_what_was_changed_is_found(played: Event, table: str, statement: str, what: str) -> None:
    with unguarded(table) as cursor:
        cursor.execute(statement)
    assert what in whats(verify(played))


def names_of_triggers() -> dict[str, str]:
    """Return the database's triggers with the tables that they are on."""
    query = {
        "sqlite": "SELECT name, tbl_name FROM sqlite_master WHERE type = 'trigger'",
        "postgresql": "SELECT tgname, tgrelid::regclass::text FROM pg_trigger "
        "WHERE NOT tgisinternal",
    }[connection.vendor]
    with connection.cursor() as cursor:
        cursor.execute(query)
        return dict(cursor.fetchall())


def test_dropped_triggers_are_noticed_and_tables_cannot_be_emptied(db: None) -> None:
    tables = names_of_triggers()
    for guard in made(connection.vendor):
        with transaction.atomic(), connection.cursor() as cursor:
            on = f" ON {tables[guard]}" if connection.vendor == "postgresql" else ""
            cursor.execute(f"DROP TRIGGER {guard}{on}")
            assert broken() == [("guard", guard)]
            transaction.set_rollback(True)
    assert broken() == []
    for guard in made(connection.vendor):
        if guard.endswith("_whole"):
            table = guard.removesuffix("_whole")
            with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
                cursor.execute(f"TRUNCATE {table} CASCADE")


_NOTHING = "RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$"
_ELSEWHERE = "CREATE TRIGGER {name} BEFORE UPDATE ON auth_user "
#: Ways to leave nothing of a guard but its name, by kind of database.
EMPTIED = {
    "sqlite": [
        ["DROP TRIGGER {name}", "{never}"],
        ["DROP TRIGGER {name}", _ELSEWHERE + "BEGIN SELECT RAISE(ABORT, 'no'); END"],
        [
            "DROP TRIGGER {name}",
            "CREATE TRIGGER {name} BEFORE UPDATE ON {table} BEGIN SELECT 1; END",
        ],
    ],
    "postgresql": [
        ["ALTER TABLE {table} DISABLE TRIGGER {name}"],
        ["ALTER TABLE {table} ENABLE REPLICA TRIGGER {name}"],
        ["DROP TRIGGER {name} ON {table}", "{never}"],
        ["DROP TRIGGER {name} ON {table}", _ELSEWHERE + "EXECUTE FUNCTION scoring_kept()"],
        ["CREATE OR REPLACE FUNCTION {function}() " + _NOTHING],
        [
            "CREATE SCHEMA other",
            "CREATE FUNCTION other.{function}() " + _NOTHING,
            "DROP TRIGGER {name} ON {table}",
            "{elsewhere}",
        ],
    ],
}


@pytest.mark.parametrize("statements", EMPTIED[connection.vendor])
def test_emptied_triggers_are_noticed(db: None, statements: list[str]) -> None:
    tables = names_of_triggers()
    for name, (text, _body) in made(connection.vendor).items():
        function = text.split()[-1].removesuffix("()")
        words = {
            "name": name,
            "table": tables[name],
            "function": function,
            "never": re.sub(
                r"( when .*)? (begin|execute) ", r" when (false) \2 ", text, count=1, flags=re.I
            ),
            "elsewhere": text.replace(f" {function}()", f" other.{function}()"),
        }
        with transaction.atomic(), connection.cursor() as cursor:
            for each in statements:
                cursor.execute(each.format_map(words))
            assert name in {guard for _what, guard in broken()}
            transaction.set_rollback(True)
    assert broken() == []


def test_every_guard_of_the_database_is_looked_for(db: None) -> None:
    ends = ("_kept", "_there", "_whole", "_directed")
    guards = {name for name in names_of_triggers() if name.endswith(ends)}
    assert guards == made(connection.vendor).keys()
    kept = {
        model._meta.db_table
        for app in ("scoring", "tournaments")
        for model in apps.get_app_config(app).get_models()
        if issubclass(model, AppendOnly)
    }
    assert {f"{table}_kept" for table in kept} <= guards


def rewrite(event: Event) -> None:
    """Change an entry and recompute every hash after it."""
    from scoring.chain import row_body, row_hash
    from scoring.reading.check import head_of

    sheet = Sheet.objects.get(table__heat__event=event)
    with unguarded("scoring_sheetentry") as cursor:
        previous = head_of(sheet)
        for row in sheet.entries.order_by("sequence"):
            body = row_body(
                sequence=row.sequence, client_id=row.client_id, kind=row.kind, target=None,
                entry=row.entry, author="somebody else", reason=row.reason,
                confirmed=row.confirmed, at=row.created_at,
            )  # fmt: skip
            found = row_hash(previous, body)
            cursor.execute(
                "UPDATE scoring_sheetentry SET author = 'somebody else', previous_hash = %s, "
                "hash = %s WHERE id = %s",
                [previous, found, row.pk],
            )
            previous = found
    Sheet.objects.filter(pk=sheet.pk).update(chain=previous)


@sqlite
def test_a_rewritten_chain_differs_from_the_signed_line(played: Event) -> None:
    line = anchors.make_anchor()
    assert line is not None
    rewrite(played)
    assert whats(verify(played)) == {"head"}
    # The line is changed in the database as well; the copy kept elsewhere tells.
    sheet = Sheet.objects.get()
    with unguarded("tournaments_anchor") as cursor:
        heads = json.dumps({str(sheet.public_id): [sheet.version, sheet.chain]})
        cursor.execute("UPDATE tournaments_anchor SET heads = %s", [heads])
    assert whats(verify(played)) == {"anchor_changed"}
    with pytest.raises(CommandError):
        call_command("verify", line=line.line)
    with unguarded("tournaments_anchor") as cursor:
        cursor.execute("DELETE FROM tournaments_anchor")
    assert verify(played) == []
    with pytest.raises(anchors.BadLine):
        anchors.check_line(line.line)


@sqlite
def test_an_emptied_log_is_noticed(played: Event) -> None:
    anchors.make_anchor()
    with unguarded("tournaments_logentry") as cursor:
        cursor.execute("DELETE FROM tournaments_logentry")
    assert whats(verify(played)) == {"log_rows"}


def test_lines_are_signed_chained_published_and_mailed(played: Event, settings: Any) -> None:
    settings.ANCHOR_MAIL = ["federation@example.org"]
    run("anchor", "mail")
    first = Anchor.objects.get()
    assert first.line in mail.outbox[0].body
    assert anchors.make_anchor() is None
    set_event_status(event=played, to=EventStatus.FINISHED, by=None)
    second = anchors.make_anchor()
    assert second is not None
    assert second.previous == first.digest
    page = Client().get(reverse("tournaments:heads")).content.decode().splitlines()
    assert page[0].split()[1] == anchors.public_key()
    assert page[1:] == [second.line, first.line]
    assert anchors.check_line(first.line) == first
    call_command("verify", line=first.line, stdout=StringIO())
    with pytest.raises(anchors.BadLine):
        anchors.check_line(first.line.replace(" 1 sheets", " 2 sheets"))
    sheet = Sheet.objects.get()
    assert event_document(played, heads=True)["heads"] == {
        str(sheet.public_id): [sheet.version, sheet.chain]
    }
    call_command("verify", stdout=StringIO())


def test_without_a_mail_server_the_line_is_logged(
    played: Event, settings: Any, caplog: pytest.LogCaptureFixture
) -> None:
    settings.ANCHOR_MAIL, settings.PRINTS_EMAIL = ["federation@example.org"], True
    line = anchors.make_anchor()
    assert line is not None
    with caplog.at_level("INFO"):
        anchors.mail(line)
    assert line.line in caplog.text
    assert "federation" not in caplog.text
    assert mail.outbox == []


def test_an_event_is_not_finished_while_a_check_fails(played: Event) -> None:
    GameResult.objects.update(score=1)
    with pytest.raises(Refused) as refused:
        set_event_status(event=played, to=EventStatus.FINISHED, by=None)
    assert refused.value.code == "does_not_hold"
    owner = client_of(played, Role.OWNER)
    status = reverse("tournaments:event_status", args=[played.slug])
    owner.post(status, {"to": "finished", "despite": "1"})
    played.refresh_from_db()
    assert played.status == EventStatus.FINISHED
    assert LogEntry.objects.filter(action="event_status").first().after["found"]


def test_the_worker_checks_and_the_desk_shows_what_fails(played: Event) -> None:
    desk = client_of(played, Role.DIRECTOR)
    banner = reverse("tournaments:verification_banner", args=[played.slug])
    page = reverse("tournaments:verification", args=[played.slug])
    assert [run("check"), run("check")] == [[1], [0]]
    assert desk.get(banner).content.strip() == b""
    assert desk.post(page).status_code == 303
    Qualification.objects.all().delete()
    hurry("check")
    run("check")
    assert b'role="alert"' in desk.get(banner).content
    assert codes_in(desk.get(page)) == {"not_through"}
    assert codes_in(desk.post(page)) == {"not_through"}
    with pytest.raises(CommandError):
        call_command("verify", stderr=StringIO())


def test_finished_events_are_checked_in_turn(db: None) -> None:
    first, second = (make_event(games_per_heat=1) for _ in range(2))
    for event in (first, second):
        finished_heat(event)
        set_event_status(event=event, to=EventStatus.FINISHED, by=None)
    assert check_in_turn() == []
    assert last_check(first).at
    assert last_check(second).at is None
    GameResult.objects.update(score=1)
    assert {each["event"] for each in check_in_turn()} == {second.slug}
    assert {each["event"] for each in check_in_turn()} == {first.slug, second.slug}
    assert [each.code for each in last_check(second).found] == ["results"]
    # Asked for by a director, out of turn.
    call_command("check_results", "--repair", stdout=StringIO())
    desk = client_of(second, Role.DIRECTOR)
    page = reverse("tournaments:verification", args=[second.slug])
    assert codes_in(desk.get(page)) == {"results"}
    desk.post(page)
    assert codes_in(desk.get(page)) == set()
    assert last_check(first).found


def test_every_finding_has_its_sentence(db: None) -> None:
    each = {"event": "", "heat": 1, "game": 2, "detail": "x"}
    assert all(text.text for text in sentences([{**each, "what": what} for what in SENTENCES], {}))
    assert not SheetEntry.objects.exists()
