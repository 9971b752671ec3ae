"""The database itself refuses to change and to delete append-only rows (as scoring's 0002 does)."""

from django.db import migrations

TABLES = (
    "tournaments_booking",
    "tournaments_logentry",
    "tournaments_anchor",
    "tournaments_tillcount",
)
#: By database: the triggers' names, when they fire and what they do.
TRIGGERS = {
    "sqlite": {
        "kept": ("UPDATE", "BEGIN SELECT RAISE(ABORT, 'rows of {table} are never changed'); END"),
        "there": ("DELETE", "BEGIN SELECT RAISE(ABORT, 'rows of {table} are never deleted'); END"),
    },
    "postgresql": {
        "kept": ("UPDATE OR DELETE", "FOR EACH ROW EXECUTE FUNCTION scoring_kept()"),
        "whole": ("TRUNCATE", "FOR EACH STATEMENT EXECUTE FUNCTION scoring_kept()"),
    },
}


def make_triggers(apps, schema_editor):
    triggers = TRIGGERS[schema_editor.connection.vendor]
    with schema_editor.connection.cursor() as cursor:
        for table in TABLES:
            for name, (event, action) in triggers.items():
                cursor.execute(
                    f"CREATE TRIGGER {table}_{name} BEFORE {event} ON {table} "
                    f"{action.format(table=table)}"
                )


def drop_triggers(apps, schema_editor):
    vendor = schema_editor.connection.vendor
    with schema_editor.connection.cursor() as cursor:
        for table in TABLES:
            on = f" ON {table}" if vendor == "postgresql" else ""
            for name in TRIGGERS[vendor]:
                cursor.execute(f"DROP TRIGGER {table}_{name}{on}")


class Migration(migrations.Migration):
    dependencies = [("scoring", "0002_triggers"), ("tournaments", "0001_initial")]
    operations = [migrations.RunPython(make_triggers, drop_triggers)]
