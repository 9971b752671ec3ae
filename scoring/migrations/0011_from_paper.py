"""Games from paper: two new kinds of rows. Triggers are off while the table is recreated."""

from importlib import import_module

from django.db import migrations, models
from django.db.models import Q

kept = import_module("scoring.migrations.0005_kept_rows")
TARGET = Q(kind__in=["void", "amend", "insert"], target__isnull=False)


class Migration(migrations.Migration):
    dependencies = [("scoring", "0010_heat_number")]
    operations = [
        migrations.RunPython(kept.drop_triggers, kept.make_triggers),
        migrations.AlterField(
            "sheetentry",
            "kind",
            models.CharField(
                max_length=8,
                choices=[
                    ("entry", "line"),
                    ("void", "taken back"),
                    ("amend", "corrected"),
                    ("insert", "added"),
                    ("reseat", "new seats"),
                    ("paper", "from paper"),
                    ("checked", "compared with the paper"),
                ],
            verbose_name='kind'),
        ),
        migrations.RemoveConstraint("sheetentry", "scoring_entry_kind"),
        migrations.AddConstraint(
            "sheetentry",
            models.CheckConstraint(
                condition=Q(
                    kind__in=["entry", "void", "amend", "insert", "reseat", "paper", "checked"]
                ),
                name="scoring_entry_kind",
            ),
        ),
        migrations.RemoveConstraint("sheetentry", "scoring_entry_target"),
        migrations.AddConstraint(
            "sheetentry",
            models.CheckConstraint(
                condition=TARGET
                | Q(kind__in=["entry", "reseat", "paper", "checked"], target__isnull=True),
                name="scoring_entry_target",
            ),
        ),
        migrations.RunPython(kept.make_triggers, kept.drop_triggers),
    ]
