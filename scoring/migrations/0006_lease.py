"""Rename the right to write on a sheet to lease; the columns keep their names."""

from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("scoring", "0005_kept_rows")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RemoveConstraint("sheet", "scoring_sheet_pen"),
                migrations.RenameField("sheet", "pen_device", "lease_device"),
                migrations.RenameField("sheet", "pen_since", "lease_since"),
                migrations.AlterField(
                    "sheet",
                    "lease_device",
                    models.CharField(
                        blank=True, db_column="pen_device", default="", max_length=64
                    , verbose_name='device that keeps the score'),
                ),
                migrations.AlterField(
                    "sheet",
                    "lease_since",
                    models.DateTimeField(blank=True, db_column="pen_since", null=True, verbose_name='kept since'),
                ),
                migrations.AddConstraint(
                    "sheet",
                    models.CheckConstraint(
                        condition=Q(lease_device="", lease_since__isnull=True)
                        | (~Q(lease_device="") & Q(lease_since__isnull=False)),
                        name="scoring_sheet_pen",
                    ),
                ),
            ]
        )
    ]
