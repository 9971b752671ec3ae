"""The database refuses to change and to delete append-only rows.

Only the rows of an expired table can be deleted, and only a table without a director can expire: a
casual one that belongs to no event (``manage.py purge_casual_tables``).

SQLite checks the triggers whenever a table is recreated, so a migration that alters a field of
``Sheet`` or ``Table`` must drop them first and create them again.
"""

from django.db import migrations

#: By table: the additional condition for keeping a row.
TABLES = {
    "scoring_sheetentry": "SELECT 1 FROM scoring_sheet s JOIN scoring_table t ON t.id = s.table_id "
    "WHERE s.id = OLD.sheet_id AND t.expired_at IS NOT NULL",
    "scoring_penchange": "SELECT 1 FROM scoring_sheet s JOIN scoring_table t ON t.id = s.table_id "
    "WHERE s.id = OLD.sheet_id AND t.expired_at IS NOT NULL",
    "scoring_flipflop": "SELECT 1 FROM scoring_table t "
    "WHERE t.id = OLD.table_id AND t.expired_at IS NOT NULL",
}
SQLITE = [
    *(
        f"CREATE TRIGGER {table}_kept BEFORE UPDATE ON {table} "
        f"BEGIN SELECT RAISE(ABORT, 'rows of {table} are never changed'); END"
        for table in TABLES
    ),
    *(
        f"CREATE TRIGGER {table}_there BEFORE DELETE ON {table} WHEN NOT EXISTS ({expired}) "
        f"BEGIN SELECT RAISE(ABORT, 'rows of {table} are never deleted'); END"
        for table, expired in TABLES.items()
    ),
    "CREATE TRIGGER scoring_table_directed BEFORE UPDATE OF directed ON scoring_table "
    "WHEN OLD.directed <> NEW.directed "
    "BEGIN SELECT RAISE(ABORT, 'whether a table has a director is never changed'); END",
]
POSTGRESQL = [
    *(
        f"CREATE TRIGGER {table}_kept BEFORE UPDATE ON {table} "
        "FOR EACH ROW EXECUTE FUNCTION scoring_kept()"
        for table in TABLES
    ),
    *(
        f"CREATE FUNCTION {table}_there() RETURNS trigger LANGUAGE plpgsql AS $$ "
        f"BEGIN IF EXISTS ({expired}) THEN RETURN OLD; END IF; "
        f"RAISE EXCEPTION 'rows of {table} are never deleted' "
        "USING ERRCODE = 'integrity_constraint_violation'; END $$"
        for table, expired in TABLES.items()
    ),
    *(
        f"CREATE TRIGGER {table}_there BEFORE DELETE ON {table} "
        f"FOR EACH ROW EXECUTE FUNCTION {table}_there()"
        for table in TABLES
    ),
    *(
        f"CREATE TRIGGER {table}_whole BEFORE TRUNCATE ON {table} "
        "FOR EACH STATEMENT EXECUTE FUNCTION scoring_kept()"
        for table in TABLES
    ),
    "CREATE TRIGGER scoring_table_directed BEFORE UPDATE OF directed ON scoring_table "
    "FOR EACH ROW WHEN (OLD.directed <> NEW.directed) EXECUTE FUNCTION scoring_kept()",
]


def run(schema_editor, statements):
    with schema_editor.connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


def make_triggers(apps, schema_editor):
    run(schema_editor, {"sqlite": SQLITE, "postgresql": POSTGRESQL}.get(schema_editor.connection.vendor, ()))


def drop_triggers(apps, schema_editor):
    names = [(f"{table}_{name}", table) for table in TABLES for name in ("kept", "there")]
    names.append(("scoring_table_directed", "scoring_table"))
    if schema_editor.connection.vendor == "sqlite":
        run(schema_editor, [f"DROP TRIGGER IF EXISTS {name}" for name, _table in names])
    elif schema_editor.connection.vendor == "postgresql":
        names += [(f"{table}_whole", table) for table in TABLES]
        run(
            schema_editor,
            [
                *(f"DROP TRIGGER IF EXISTS {name} ON {table}" for name, table in names),
                *(f"DROP FUNCTION IF EXISTS {table}_there()" for table in TABLES),
            ],
        )


class Migration(migrations.Migration):
    dependencies = [("scoring", "0004_fill_authors")]
    operations = [migrations.RunPython(make_triggers, drop_triggers)]
