"""Database triggers that raise an event's version on every write that may change its pages.

Directors' actions add a row to the log, and sheets raise their table's revision; the triggers on
other tables catch writes that do neither, such as a repair. With a trigger no write can be missed.
On PostgreSQL it runs at the end of the transaction, so the version's row is locked last.

Triggers are dropped before migrations, which alter tables, and made again afterwards.
"""

from typing import Any

from django.db import connections

VERSIONS = "tournaments_eventversion"
_HEAT = "SELECT event_id FROM tournaments_heat WHERE"
_REGISTRATION = "SELECT event_id FROM tournaments_registration WHERE"
_STAGE = "SELECT event_id FROM tournaments_stage WHERE"

#: For each table, the events that a row belongs to.
OF_EVENT = {
    "tournaments_announcement": "{row}.event_id",
    "tournaments_event": "{row}.id",
    "tournaments_day": "{row}.event_id",
    "tournaments_draw": "{row}.event_id",
    "tournaments_heat": "{row}.event_id",
    "tournaments_heatentry": _REGISTRATION + " id = {row}.registration_id",
    "tournaments_logentry": "{row}.event_id",
    "tournaments_penalty": "{row}.event_id",
    "tournaments_organiser": "SELECT id FROM tournaments_event WHERE organiser_id = {row}.id",
    "tournaments_person": _REGISTRATION + " person_id = {row}.id",
    "tournaments_qualification": "{row}.event_id",
    "tournaments_registration": "{row}.event_id",
    "tournaments_screen": "{row}.event_id",
    "tournaments_screenpicture": "{row}.event_id",
    "tournaments_stage": "{row}.event_id",
    "tournaments_stageplayer": _STAGE + " id = {row}.stage_id",
}
#: Tables that play writes.
OF_PLAY = {
    "tournaments_heatresult": _HEAT + " id = {row}.heat_id",
    "scoring_table": _HEAT + " table_id = {row}.id",
}
_TABLES = OF_EVENT | OF_PLAY
#: When a write to one of these tables is not play: the results of a closed heat.
_AFTER_PLAY = {
    "tournaments_heatresult": "EXISTS (SELECT 1 FROM tournaments_heat "
    "WHERE id = {row}.heat_id AND status = 'finished')",
}

# Microseconds, so that no version repeats, not even after restoring a backup.
_NOW = {
    "sqlite": "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER) * 1000",
    "postgresql": "(extract(epoch FROM clock_timestamp()) * 1000000)::bigint",
}
_GREATEST = {"sqlite": "max", "postgresql": "greatest"}


def _moved(vendor: str, table: str, row: str) -> str:
    """Return the SQL that raises the versions of the row's events."""
    following = f"{_GREATEST[vendor]}(number + 1, {_NOW[vendor]})"
    columns = f"number = {following}"
    if table in OF_EVENT:
        columns += f", directed = {following}"
    elif table in _AFTER_PLAY:
        after = _AFTER_PLAY[table].format(row=row)
        columns += f", directed = CASE WHEN {after} THEN {following} ELSE directed END"
    return f"UPDATE {VERSIONS} SET {columns} WHERE event_id IN ({_TABLES[table].format(row=row)})"


def _begun(vendor: str, row: str) -> str:
    now = _NOW[vendor]
    return (
        f"INSERT INTO {VERSIONS} (event_id, number, directed) SELECT {row}.id, {now}, {now} "
        f"WHERE NOT EXISTS (SELECT 1 FROM {VERSIONS} WHERE event_id = {row}.id)"
    )


def _sqlite() -> list[str]:
    found = []
    for table in _TABLES:
        for what, row in (("INSERT", "NEW"), ("UPDATE", "NEW"), ("DELETE", "OLD")):
            event = table == "tournaments_event" and what == "INSERT"
            statement = _begun("sqlite", row) if event else _moved("sqlite", table, row)
            name = f"{table}_version_{what.lower()}"
            found.append(f"CREATE TRIGGER {name} AFTER {what} ON {table} BEGIN {statement}; END")
    return found


def _postgresql() -> list[str]:
    found = []
    for table in _TABLES:
        begun = f"{_begun('postgresql', 'changed')};" if table == "tournaments_event" else ""
        found.append(
            f"CREATE OR REPLACE FUNCTION {table}_version() RETURNS trigger LANGUAGE plpgsql AS $$ "
            "DECLARE changed record; BEGIN "
            "IF TG_OP = 'DELETE' THEN changed := OLD; ELSE changed := NEW; END IF; "
            f"IF TG_OP = 'INSERT' THEN {begun} END IF; "
            f"{_moved('postgresql', table, 'changed')}; RETURN NULL; END $$"
        )
        found.append(
            "CREATE CONSTRAINT TRIGGER event_version AFTER INSERT OR UPDATE OR DELETE "
            f"ON {table} DEFERRABLE INITIALLY DEFERRED FOR EACH ROW "
            f"EXECUTE FUNCTION {table}_version()"
        )
    return found


def drop_triggers(using: str = "default", **kwargs: Any) -> None:
    """Drop the triggers, so that tables can be altered."""
    connection = connections[using]
    with connection.cursor() as cursor:
        there = set(connection.introspection.table_names(cursor))
        if connection.vendor == "sqlite":
            for table in _TABLES:
                for what in ("insert", "update", "delete"):
                    cursor.execute(f"DROP TRIGGER IF EXISTS {table}_version_{what}")
        elif connection.vendor == "postgresql":
            for table in there & set(_TABLES):
                cursor.execute(f"DROP TRIGGER IF EXISTS event_version ON {table}")


def make_triggers(using: str = "default", **kwargs: Any) -> None:
    """Make the triggers, and version rows for events that have none."""
    connection = connections[using]
    drop_triggers(using)
    with connection.cursor() as cursor:
        there = set(connection.introspection.table_names(cursor))
        if not there >= {VERSIONS, *_TABLES}:
            # Not all migrations have run yet.
            return
        now = _NOW[connection.vendor]
        cursor.execute(
            f"INSERT INTO {VERSIONS} (event_id, number, directed) SELECT id, {now}, {now} "
            f"FROM tournaments_event WHERE id NOT IN (SELECT event_id FROM {VERSIONS})"
        )
        for statement in _sqlite() if connection.vendor == "sqlite" else _postgresql():
            cursor.execute(statement)
