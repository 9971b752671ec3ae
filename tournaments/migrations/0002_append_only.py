"""The database itself refuses to change the ledger and the log (as scoring's 0002 does)."""

from django.db import migrations

TABLES = ("tournaments_booking", "tournaments_logentry")


def make_triggers(apps, schema_editor):
    vendor = schema_editor.connection.vendor
    with schema_editor.connection.cursor() as cursor:
        for table in TABLES:
            if vendor == "sqlite":
                cursor.execute(
                    f"CREATE TRIGGER {table}_kept BEFORE UPDATE ON {table} "
                    f"BEGIN SELECT RAISE(ABORT, 'rows of {table} are never changed'); END"
                )
            elif vendor == "postgresql":
                cursor.execute(
                    f"CREATE TRIGGER {table}_kept BEFORE UPDATE OR DELETE ON {table} "
                    "FOR EACH ROW EXECUTE FUNCTION scoring_kept()"
                )


def drop_triggers(apps, schema_editor):
    vendor = schema_editor.connection.vendor
    with schema_editor.connection.cursor() as cursor:
        for table in TABLES if vendor in {"sqlite", "postgresql"} else ():
            on = f" ON {table}" if vendor == "postgresql" else ""
            cursor.execute(f"DROP TRIGGER IF EXISTS {table}_kept{on}")


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0001_first"), ("scoring", "0002_append_only")]
    operations = [migrations.RunPython(make_triggers, drop_triggers)]
