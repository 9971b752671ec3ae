"""The database refuses to delete rows of the ledger and the log, too, and to empty them."""

from django.db import migrations

TABLES = ("tournaments_booking", "tournaments_logentry")


def make_triggers(apps, schema_editor):
    vendor = schema_editor.connection.vendor
    with schema_editor.connection.cursor() as cursor:
        for table in TABLES:
            if vendor == "sqlite":
                cursor.execute(
                    f"CREATE TRIGGER {table}_there BEFORE DELETE ON {table} "
                    f"BEGIN SELECT RAISE(ABORT, 'rows of {table} are never deleted'); END"
                )
            elif vendor == "postgresql":
                cursor.execute(
                    f"CREATE TRIGGER {table}_whole BEFORE TRUNCATE ON {table} "
                    "FOR EACH STATEMENT EXECUTE FUNCTION scoring_kept()"
                )


def drop_triggers(apps, schema_editor):
    vendor = schema_editor.connection.vendor
    with schema_editor.connection.cursor() as cursor:
        for table in TABLES:
            if vendor == "sqlite":
                cursor.execute(f"DROP TRIGGER IF EXISTS {table}_there")
            elif vendor == "postgresql":
                cursor.execute(f"DROP TRIGGER IF EXISTS {table}_whole ON {table}")


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0002_append_only")]
    operations = [migrations.RunPython(make_triggers, drop_triggers)]
