"""Author fields beside the hashed text; casual tables can expire.

0004 fills the fields, so the triggers are off until 0005.
"""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

TABLES = ("scoring_sheetentry", "scoring_flipflop", "scoring_penchange")


def drop_triggers(apps, schema_editor):
    vendor = schema_editor.connection.vendor
    with schema_editor.connection.cursor() as cursor:
        for table in TABLES if vendor in {"sqlite", "postgresql"} else ():
            on = f" ON {table}" if vendor == "postgresql" else ""
            cursor.execute(f"DROP TRIGGER IF EXISTS {table}_kept{on}")


def author_fields(model):
    return [
        migrations.AddField(
            model,
            "author_link",
            models.ForeignKey(
                blank=True,
                editable=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="scoring.link",
                verbose_name="by link",
            ),
        ),
        migrations.AddField(
            model,
            "author_user",
            models.ForeignKey(
                blank=True,
                editable=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
                verbose_name="by account",
            ),
        ),
    ]


class Migration(migrations.Migration):
    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("scoring", "0002_append_only"),
    ]
    operations = [
        migrations.RunPython(drop_triggers, migrations.RunPython.noop),
        *author_fields("sheetentry"),
        *author_fields("flipflop"),
        migrations.AddField(
            "table", "expired_at", models.DateTimeField(blank=True, editable=False, null=True, verbose_name='expired')
        ),
        migrations.AddConstraint(
            "table",
            models.CheckConstraint(
                condition=models.Q(("expired_at__isnull", True), ("directed", False), _connector="OR"),
                name="scoring_table_expired",
            ),
        ),
    ]
