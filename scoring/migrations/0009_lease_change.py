"""Rename to lease change; table and column keep their names."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("scoring", "0008_heat_penalties")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RenameModel("PenChange", "LeaseChange"),
                migrations.AlterModelTable("leasechange", "scoring_penchange"),
                migrations.AlterField(
                    "leasechange",
                    "sheet",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="lease_changes",
                        to="scoring.sheet",
                    verbose_name='score sheet'),
                ),
                migrations.RenameField("sheet", "pen_author", "lease_author"),
                migrations.AlterField(
                    "sheet",
                    "lease_author",
                    models.CharField(
                        blank=True, db_column="pen_author", default="", max_length=80
                    , verbose_name='kept by'),
                ),
            ]
        )
    ]
