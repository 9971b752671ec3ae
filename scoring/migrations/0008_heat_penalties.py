"""Game point penalties, in append-only rows protected by the database."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.models import Q

TABLE = "scoring_heatpenalty"
EXPIRED = "SELECT 1 FROM scoring_table t WHERE t.id = OLD.table_id AND t.expired_at IS NOT NULL"
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
    vendor = schema_editor.connection.vendor
    run(schema_editor, {"sqlite": SQLITE, "postgresql": POSTGRESQL}.get(vendor, ()))


def drop_triggers(apps, schema_editor):
    if schema_editor.connection.vendor == "sqlite":
        run(schema_editor, [f"DROP TRIGGER IF EXISTS {TABLE}_{name}" for name in ("kept", "there")])
    elif schema_editor.connection.vendor == "postgresql":
        names = ("kept", "there", "whole")
        run(
            schema_editor,
            [
                *(f"DROP TRIGGER IF EXISTS {TABLE}_{name} ON {TABLE}" for name in names),
                f"DROP FUNCTION IF EXISTS {TABLE}_there()",
            ],
        )


def link(to, label):
    return models.ForeignKey(
        blank=True,
        editable=False,
        null=True,
        on_delete=django.db.models.deletion.PROTECT,
        related_name="+",
        to=to,
        verbose_name=label,
    )


class Migration(migrations.Migration):
    dependencies = [
        ("scoring", "0007_lots"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]
    operations = [
        migrations.CreateModel(
            "HeatPenalty",
            [
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("author", models.CharField(max_length=80, verbose_name='by')),
                ("player", models.CharField(help_text='As the event knows the player.', max_length=64, verbose_name='player')),
                ("twelfths", models.PositiveIntegerField(verbose_name='twelfths of a game point')),
                ("reason", models.CharField(max_length=200, verbose_name='reason')),
                ("client_id", models.UUIDField(unique=True, verbose_name='UUID from the device')),
                ("created_at", models.DateTimeField(verbose_name='created')),
                ("author_link", link("scoring.link", "by link")),
                ("author_user", link(settings.AUTH_USER_MODEL, "by account")),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="penalties",
                        to="scoring.table",
                    verbose_name='table'),
                ),
                (
                    "takes_back",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="taken_back_by",
                        to="scoring.heatpenalty",
                    verbose_name='takes back'),
                ),
            ],
            options={
                'verbose_name': 'penalty in game points',
                'verbose_name_plural': 'penalties in game points',
                "ordering": ["pk"],
                "constraints": [
                    models.CheckConstraint(
                        condition=Q(twelfths__gte=1), name="scoring_penalty_twelfths"
                    ),
                    models.CheckConstraint(condition=~Q(reason=""), name="scoring_penalty_reason"),
                ],
            },
        ),
        migrations.RunPython(make_triggers, drop_triggers),
    ]
