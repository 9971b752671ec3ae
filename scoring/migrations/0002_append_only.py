"""The database itself refuses to change append-only rows.

DELETE is refused on PostgreSQL only: between tests SQLite empties tables with DELETE, but
PostgreSQL with TRUNCATE.
"""

from django.db import migrations

TABLES = ("scoring_sheetentry", "scoring_flipflop", "scoring_penchange")


def make_triggers(apps, schema_editor):
    with schema_editor.connection.cursor() as cursor:
        if schema_editor.connection.vendor == "sqlite":
            for table in TABLES:
                cursor.execute(
                    f"CREATE TRIGGER {table}_kept BEFORE UPDATE ON {table} "
                    f"BEGIN SELECT RAISE(ABORT, 'rows of {table} are never changed'); END"
                )
        elif schema_editor.connection.vendor == "postgresql":
            cursor.execute(
                "CREATE FUNCTION scoring_kept() RETURNS trigger LANGUAGE plpgsql AS $$ "
                "BEGIN RAISE EXCEPTION 'rows of % are never changed', TG_TABLE_NAME "
                "USING ERRCODE = 'integrity_constraint_violation'; END $$"
            )
            for table in TABLES:
                cursor.execute(
                    f"CREATE TRIGGER {table}_kept BEFORE UPDATE OR DELETE ON {table} "
                    "FOR EACH ROW EXECUTE FUNCTION scoring_kept()"
                )


def drop_triggers(apps, schema_editor):
    with schema_editor.connection.cursor() as cursor:
        vendor = schema_editor.connection.vendor
        for table in TABLES if vendor in {"sqlite", "postgresql"} else ():
            on = f" ON {table}" if vendor == "postgresql" else ""
            cursor.execute(f"DROP TRIGGER IF EXISTS {table}_kept{on}")
        if vendor == "postgresql":
            cursor.execute("DROP FUNCTION IF EXISTS scoring_kept()")


class Migration(migrations.Migration):
    dependencies = [("scoring", "0001_first")]
    operations = [migrations.RunPython(make_triggers, drop_triggers)]
