"""Points of a penalty in twelfths, for parts of game points."""

from django.db import migrations

import tournaments.models.fields


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0027_given_and_family_name")]
    operations = [
        migrations.AlterField(
            "penalty",
            "points",
            tournaments.models.fields.TwelfthsField(default=0, verbose_name="points off"),
        ),
        migrations.RunSQL(
            "UPDATE tournaments_penalty SET points = points * 12",
            "UPDATE tournaments_penalty SET points = points / 12",
        ),
    ]
