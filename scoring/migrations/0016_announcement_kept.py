"""The database refuses to change and to delete announced Chicagos, too."""

from django.db import migrations

TABLE = "scoring_announcement"
EXPIRED = (
    "SELECT 1 FROM scoring_sheet s JOIN scoring_table t ON t.id = s.table_id "
    "WHERE s.id = OLD.sheet_id AND t.expired_at IS NOT NULL"
)
SQLITE = [
    f"CREATE TRIGGER {TABLE}_kept BEFORE UPDATE ON {TABLE} "
    f"BEGIN SELECT RAISE(ABORT, 'rows of {TABLE} are never changed'); END",
    f"CREATE TRIGGER {TABLE}_there BEFORE DELETE ON {TABLE} WHEN NOT EXISTS ({EXPIRED}) "
    f"BEGIN SELECT RAISE(ABORT, 'rows of {TABLE} are never deleted'); END",
]
POSTGRESQL = [
    f"CREATE TRIGGER {TABLE}_kept BEFORE UPDATE ON {TABLE} "
    "FOR EACH ROW EXECUTE FUNCTION scoring_kept()",
    f"CREATE FUNCTION {TABLE}_there() RETURNS trigger LANGUAGE plpgsql AS $$ "
    f"BEGIN IF EXISTS ({EXPIRED}) THEN RETURN OLD; END IF; "
    f"RAISE EXCEPTION 'rows of {TABLE} are never deleted' "
    "USING ERRCODE = 'integrity_constraint_violation'; END $$",
    f"CREATE TRIGGER {TABLE}_there BEFORE DELETE ON {TABLE} "
    f"FOR EACH ROW EXECUTE FUNCTION {TABLE}_there()",
    f"CREATE TRIGGER {TABLE}_whole BEFORE TRUNCATE ON {TABLE} "
    "FOR EACH STATEMENT EXECUTE FUNCTION scoring_kept()",
]


def run(schema_editor, statements):
    with schema_editor.connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


def make_triggers(apps, schema_editor):
    run(schema_editor, {"sqlite": SQLITE, "postgresql": POSTGRESQL}[schema_editor.connection.vendor])


def drop_triggers(apps, schema_editor):
    names = [f"{TABLE}_{name}" for name in ("kept", "there")]
    if schema_editor.connection.vendor == "sqlite":
        run(schema_editor, [f"DROP TRIGGER IF EXISTS {name}" for name in names])
    else:
        names.append(f"{TABLE}_whole")
        run(schema_editor, [f"DROP TRIGGER IF EXISTS {name} ON {TABLE}" for name in names])
        run(schema_editor, [f"DROP FUNCTION IF EXISTS {TABLE}_there()"])


class Migration(migrations.Migration):
    dependencies = [("scoring", "0015_away")]
    operations = [migrations.RunPython(make_triggers, drop_triggers)]
