"""Store a table's heat number and event name separately instead of one sentence."""

import re
from typing import Any

from django.db import migrations, models

#: The label as written before.
SENTENCE = re.compile(r"Heat (\d{1,9}) · (.+)", re.DOTALL)


def split_labels(apps: Any, schema_editor: Any) -> None:
    """Split the labels of tables with a director."""
    tables = apps.get_model("scoring", "Table").objects.using(schema_editor.connection.alias)
    for table in tables.filter(directed=True, label__startswith="Heat ").iterator():
        if found := SENTENCE.fullmatch(table.label):
            table.heat_number, table.label = int(found[1]), found[2]
            table.save(update_fields=["heat_number", "label"])


def join_labels(apps: Any, schema_editor: Any) -> None:
    """Join the label again."""
    tables = apps.get_model("scoring", "Table").objects.using(schema_editor.connection.alias)
    for table in tables.filter(heat_number__isnull=False).iterator():
        table.label = f"Heat {table.heat_number} · {table.label}"[:120]
        table.save(update_fields=["label"])


class Migration(migrations.Migration):
    dependencies = [("scoring", "0009_lease_change")]

    operations = [
        migrations.AddField(
            model_name="table",
            name="heat_number",
            field=models.PositiveIntegerField(blank=True, null=True, verbose_name='heat'),
        ),
        migrations.RunPython(split_labels, join_labels),
    ]
