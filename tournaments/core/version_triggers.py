"""Database triggers that raise an event's version on every write that may change its pages.

They also note the event's version at the heats that a write concerns (``HeatVersion``), and raise
the version of a series (``SeriesVersion``).

Directors' actions add a row to the log, and sheets raise their table's revision; the triggers on
other tables catch writes that do neither, such as a repair. With a trigger no write can be missed.
On PostgreSQL it runs at the end of the transaction, so the version's row is locked last: the
events' first, then those of series.

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
    "tournaments_career": _REGISTRATION + " person_id = {row}.person_id",
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
    "tournaments_seriesevent": "{row}.event_id",
    "tournaments_stage": "{row}.event_id",
    "tournaments_stageplayer": _STAGE + " id = {row}.stage_id",
}
#: Tables that play writes.
OF_PLAY = {
    "tournaments_heatresult": _HEAT + " id = {row}.heat_id",
    "scoring_table": _HEAT + " table_id = {row}.id",
}
_OF_EVENTS = OF_EVENT | OF_PLAY
#: When a write to one of these tables is not play: the results of a closed heat.
_AFTER_PLAY = {
    "tournaments_heatresult": "EXISTS (SELECT 1 FROM tournaments_heat "
    "WHERE id = {row}.heat_id AND status = 'finished')",
}

#: For each table, the heats that a row concerns.
OF_HEAT = {
    "tournaments_heat": "{row}.id",
    "tournaments_heatentry": "{row}.heat_id",
    "tournaments_heatresult": "{row}.heat_id",
    "tournaments_person": "SELECT e.heat_id FROM tournaments_heatentry e "
    "JOIN tournaments_registration r ON r.id = e.registration_id WHERE r.person_id = {row}.id",
    "tournaments_registration": "SELECT heat_id FROM tournaments_heatentry "
    "WHERE registration_id = {row}.id",
    "scoring_table": "SELECT id FROM tournaments_heat WHERE table_id = {row}.id",
}
HEAT_VERSIONS = "tournaments_heatversion"

#: For each table, the series that a row concerns beyond its events.
OF_SERIES = {
    "tournaments_series": "{row}.id",
    "tournaments_seriesevent": "{row}.series_id",
    "tournaments_outsideresult": "SELECT series_id FROM tournaments_seriesevent "
    "WHERE id = {row}.of_id",
    "tournaments_sameplayer": "{row}.series_id",
    "tournaments_organiser": "SELECT id FROM tournaments_series WHERE organiser_id = {row}.id",
    # Lists from elsewhere name persons of the organiser who may be at no event.
    "tournaments_person": "SELECT s.id FROM tournaments_series s "
    "JOIN tournaments_seriesevent j ON j.series_id = s.id AND j.event_id IS NULL "
    "WHERE s.organiser_id = {row}.organiser_id",
}
SERIES_VERSIONS = "tournaments_seriesversion"
_TABLES = tuple(dict.fromkeys((*_OF_EVENTS, *OF_SERIES)))
#: Tables whose rows have a version of their own, with the table and the column of it.
_BEGINS = {
    "tournaments_event": (VERSIONS, "event_id", ("number", "directed")),
    "tournaments_series": (SERIES_VERSIONS, "series_id", ("number",)),
}

# Microseconds, so that no version repeats, not even after restoring a backup.
_NOW = {
    "sqlite": "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER) * 1000",
    "postgresql": "(extract(epoch FROM clock_timestamp()) * 1000000)::bigint",
}
_GREATEST = {"sqlite": "max", "postgresql": "greatest"}


def _following(vendor: str) -> str:
    return f"{_GREATEST[vendor]}(number + 1, {_NOW[vendor]})"


def _moved(vendor: str, table: str, row: str) -> str:
    """Return the SQL that raises the versions of the row's events and series."""
    found = [_of_events(vendor, table, row)] if table in _OF_EVENTS else []
    if table in OF_SERIES:
        series = OF_SERIES[table].format(row=row)
        found.append(
            f"UPDATE {SERIES_VERSIONS} SET number = {_following(vendor)} "
            f"WHERE series_id IN ({series})"
        )
    return "; ".join(found)


def _of_events(vendor: str, table: str, row: str) -> str:
    following = _following(vendor)
    columns = f"number = {following}"
    if table in OF_EVENT:
        columns += f", directed = {following}"
    elif table in _AFTER_PLAY:
        after = _AFTER_PLAY[table].format(row=row)
        columns += f", directed = CASE WHEN {after} THEN {following} ELSE directed END"
    events = (
        f"UPDATE {VERSIONS} SET {columns} WHERE event_id IN ({_OF_EVENTS[table].format(row=row)})"
    )
    if table not in OF_HEAT:
        return events
    heats = OF_HEAT[table].format(row=row)
    return (
        f"{events}; INSERT INTO {HEAT_VERSIONS} (heat_id, number) "
        "SELECT h.id, v.number FROM tournaments_heat h "
        f"JOIN {VERSIONS} v ON v.event_id = h.event_id WHERE h.id IN ({heats}) "
        "ON CONFLICT (heat_id) DO UPDATE SET number = excluded.number"
    )


def _begun(vendor: str, table: str, row: str, source: str = "") -> str:
    """Return the SQL that gives a row its version, or every row of the ``source``."""
    versions, of, columns = _BEGINS[table]
    values = ", ".join([_NOW[vendor]] * len(columns))
    return (
        f"INSERT INTO {versions} ({of}, {', '.join(columns)}) SELECT {row}.id, {values} {source} "
        f"WHERE NOT EXISTS (SELECT 1 FROM {versions} WHERE {of} = {row}.id)"
    )


def _sqlite() -> list[str]:
    found = []
    for table in _TABLES:
        for what, row in (("INSERT", "NEW"), ("UPDATE", "NEW"), ("DELETE", "OLD")):
            begins = table in _BEGINS and what == "INSERT"
            statement = (_begun if begins else _moved)("sqlite", table, row)
            name = f"{table}_version_{what.lower()}"
            found.append(f"CREATE TRIGGER {name} AFTER {what} ON {table} BEGIN {statement}; END")
    return found


def _postgresql() -> list[str]:
    found = []
    for table in _TABLES:
        begun = f"{_begun('postgresql', table, 'changed')};" if table in _BEGINS else ""
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
    """Make the triggers, and version rows for events, series and heats that have none."""
    connection = connections[using]
    drop_triggers(using)
    with connection.cursor() as cursor:
        there = set(connection.introspection.table_names(cursor))
        if not there >= {VERSIONS, HEAT_VERSIONS, SERIES_VERSIONS, *_TABLES}:
            # Not all migrations have run yet.
            return
        for table in _BEGINS:
            cursor.execute(_begun(connection.vendor, table, "each", f"FROM {table} each"))
        cursor.execute(
            f"INSERT INTO {HEAT_VERSIONS} (heat_id, number) SELECT h.id, v.number "
            f"FROM tournaments_heat h JOIN {VERSIONS} v ON v.event_id = h.event_id "
            f"WHERE h.id NOT IN (SELECT heat_id FROM {HEAT_VERSIONS})"
        )
        for statement in _sqlite() if connection.vendor == "sqlite" else _postgresql():
            cursor.execute(statement)
