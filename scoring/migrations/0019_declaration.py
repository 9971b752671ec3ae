"""A Chicago is declared, not announced; the table keeps its name."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("scoring", "0018_confirmed_entries")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterModelTable("announcement", "scoring_announcement"),
                migrations.RenameModel("Announcement", "Declaration"),
                migrations.AlterField(
                    "declaration",
                    "sheet",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="declarations",
                        to="scoring.sheet",
                    ),
                ),
            ]
        )
    ]
