"""The triggers by which the database refuses to change or delete append-only rows.

What they say is known in one place: the migrations that make them. These are carried out once more,
on a list instead of a database, and every trigger of the database is compared with it. A hash kept
in the database could be written anew there.
"""

import re
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from functools import cache
from typing import Any

from django.db import connection
from django.db.migrations.loader import MigrationLoader

_NAMED = re.compile(r"^(CREATE|DROP) (?:TRIGGER|FUNCTION)(?: IF EXISTS)? (\w+)")
_APPS = ("scoring", "tournaments")
_QUERIES = {
    "sqlite": "SELECT name, sql, '' FROM sqlite_master WHERE type = 'trigger'",
    # Switched off is as good as missing, also for all connections of the account.
    "postgresql": "SELECT tgname, pg_get_triggerdef(t.oid, true), prosrc FROM pg_trigger t "
    "JOIN pg_proc p ON p.oid = tgfoid WHERE tgenabled = 'A' "
    "OR tgenabled = 'O' AND current_setting('session_replication_role') <> 'replica'",
}


class _Script:
    """Stands in for a schema editor, its connection and its cursor; keeps what is executed."""

    def __init__(self, vendor: str) -> None:
        self.vendor = vendor
        self.connection = self
        self.statements: list[str] = []

    def cursor(self) -> AbstractContextManager["_Script"]:
        return nullcontext(self)

    def execute(self, statement: str) -> None:
        self.statements.append(statement)


def _steps() -> Iterator[Any]:
    """Return what migrations do to triggers, in order: functions of apps and schema editor."""
    graph = MigrationLoader(None).graph
    plan = [key for leaf in graph.leaf_nodes() for key in graph.forwards_plan(leaf)]
    for key in dict.fromkeys(key for key in plan if key[0] in _APPS):
        for operation in graph.nodes[key].operations:
            code = getattr(operation, "code", None)
            if getattr(code, "__name__", "") in {"make_triggers", "drop_triggers"}:
                yield code


@cache
def made(vendor: str) -> dict[str, tuple[str, str]]:
    """Return the triggers that migrations make: by name their text and that of their function."""
    script = _Script(vendor)
    for step in _steps():
        step(None, script)
    triggers: dict[str, str] = {}
    bodies: dict[str, str] = {}
    for statement in script.statements:
        [(what, name)] = _NAMED.findall(statement)
        if "$$" in statement:
            bodies[name] = statement.split("$$")[1]
        elif what == "CREATE":
            triggers[name] = statement
        else:
            triggers.pop(name, None)
    return {
        name: (_plain(vendor, text), bodies.get(text.split()[-1].removesuffix("()"), ""))
        for name, text in triggers.items()
    }


def _plain(vendor: str, text: str) -> str:
    """Return a trigger's text as both databases and migrations would write it.

    SQLite quotes the names in it when a table or a column is renamed; PostgreSQL words it anew.
    """
    plain = text.replace('"', "")
    if vendor == "postgresql":
        plain = plain.lower().replace("update or delete", "delete or update")
    return plain


def broken() -> list[tuple[str, str]]:
    """Return the triggers that are not as they were made: a finding and a name each."""
    vendor = connection.vendor
    there: dict[str, set[tuple[str, str]]] = {}
    with connection.cursor() as cursor:
        cursor.execute(_QUERIES[vendor])
        for name, text, body in cursor.fetchall():
            there.setdefault(name, set()).add((_plain(vendor, text), body))
    return [
        ("guard_changed" if name in there else "guard", name)
        for name, text in sorted(made(vendor).items())
        if text not in there.get(name, ())
    ]
