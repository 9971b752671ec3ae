"""The database itself refuses to change and to delete append-only rows.

Only the rows of an expired table can be deleted, and only a table without a director can expire: a
casual one that belongs to no event (``manage.py purge_casual_tables``).

SQLite checks the triggers whenever a table is recreated, so a migration that alters a field of
``Sheet`` or ``Table`` must drop them first and create them again.
"""

from django.db import migrations

_OF_TABLE = "SELECT 1 FROM scoring_table t WHERE t.id = OLD.table_id AND t.expired_at IS NOT NULL"
_OF_SHEET = (
    "SELECT 1 FROM scoring_sheet s JOIN scoring_table t ON t.id = s.table_id "
    "WHERE s.id = {sheet} AND t.expired_at IS NOT NULL"
)
_SHEET = _OF_SHEET.format(sheet="OLD.sheet_id")
#: By table: the condition for deleting its rows.
EXPIRED = {
    "scoring_sheetentry": _SHEET,
    "scoring_leasechange": _SHEET,
    "scoring_flipflop": _OF_TABLE,
    "scoring_heatpenalty": _OF_TABLE,
    "scoring_gameacceptance": _SHEET,
    "scoring_objection": _SHEET,
    "scoring_objectionanswer": _OF_SHEET.format(
        sheet="(SELECT sheet_id FROM scoring_objection WHERE id = OLD.objection_id)"
    ),
    "scoring_declaration": _SHEET,
}


def sqlite():
    for table, expired in EXPIRED.items():
        yield (
            f"CREATE TRIGGER {table}_kept BEFORE UPDATE ON {table} "
            f"BEGIN SELECT RAISE(ABORT, 'rows of {table} are never changed'); END"
        )
        yield (
            f"CREATE TRIGGER {table}_there BEFORE DELETE ON {table} WHEN NOT EXISTS ({expired}) "
            f"BEGIN SELECT RAISE(ABORT, 'rows of {table} are never deleted'); END"
        )
    yield (
        "CREATE TRIGGER scoring_table_directed BEFORE UPDATE OF directed ON scoring_table "
        "WHEN OLD.directed <> NEW.directed "
        "BEGIN SELECT RAISE(ABORT, 'whether a table has a director is never changed'); END"
    )


def postgresql():
    yield (
        "CREATE FUNCTION scoring_kept() RETURNS trigger LANGUAGE plpgsql AS $$ "
        "BEGIN RAISE EXCEPTION 'rows of % are never changed', TG_TABLE_NAME "
        "USING ERRCODE = 'integrity_constraint_violation'; END $$"
    )
    for table, expired in EXPIRED.items():
        yield (
            f"CREATE TRIGGER {table}_kept BEFORE UPDATE ON {table} "
            "FOR EACH ROW EXECUTE FUNCTION scoring_kept()"
        )
        yield (
            f"CREATE FUNCTION {table}_there() RETURNS trigger LANGUAGE plpgsql AS $$ "
            f"BEGIN IF EXISTS ({expired}) THEN RETURN OLD; END IF; "
            f"RAISE EXCEPTION 'rows of {table} are never deleted' "
            "USING ERRCODE = 'integrity_constraint_violation'; END $$"
        )
        yield (
            f"CREATE TRIGGER {table}_there BEFORE DELETE ON {table} "
            f"FOR EACH ROW EXECUTE FUNCTION {table}_there()"
        )
        yield (
            f"CREATE TRIGGER {table}_whole BEFORE TRUNCATE ON {table} "
            "FOR EACH STATEMENT EXECUTE FUNCTION scoring_kept()"
        )
    yield (
        "CREATE TRIGGER scoring_table_directed BEFORE UPDATE OF directed ON scoring_table "
        "FOR EACH ROW WHEN (OLD.directed <> NEW.directed) EXECUTE FUNCTION scoring_kept()"
    )


def make_triggers(apps, schema_editor):
    with schema_editor.connection.cursor() as cursor:
        for statement in {"sqlite": sqlite, "postgresql": postgresql}[schema_editor.connection.vendor]():
            cursor.execute(statement)


def drop_triggers(apps, schema_editor):
    vendor = schema_editor.connection.vendor
    names = {"sqlite": ("kept", "there"), "postgresql": ("kept", "there", "whole")}[vendor]
    triggers = [(f"{table}_{name}", table) for table in EXPIRED for name in names]
    with schema_editor.connection.cursor() as cursor:
        for name, table in [*triggers, ("scoring_table_directed", "scoring_table")]:
            on = f" ON {table}" if vendor == "postgresql" else ""
            cursor.execute(f"DROP TRIGGER {name}{on}")
        if vendor == "postgresql":
            for function in ("scoring_kept", *(f"{table}_there" for table in EXPIRED)):
                cursor.execute(f"DROP FUNCTION {function}()")


class Migration(migrations.Migration):
    dependencies = [("scoring", "0001_initial")]
    operations = [migrations.RunPython(make_triggers, drop_triggers)]
