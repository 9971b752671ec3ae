"""The unique number within the sheet finds its lines, too; every entry wrote a second index.

By a statement of its own, as Django would make SQLite's table anew, without its triggers.
"""

import django.db.models.deletion
from django.db import migrations, models

INDEX = "scoring_sheetentry_sheet_id_0d817274"


class Migration(migrations.Migration):
    dependencies = [("scoring", "0021_ordered_by_keys")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterField(
                    "sheetentry",
                    "sheet",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="entries",
                        to="scoring.sheet",
                        verbose_name="score sheet",
                    ),
                ),
            ],
            database_operations=[
                migrations.RunSQL(
                    f"DROP INDEX IF EXISTS {INDEX}",
                    f"CREATE INDEX {INDEX} ON scoring_sheetentry (sheet_id)",
                ),
            ],
        )
    ]
