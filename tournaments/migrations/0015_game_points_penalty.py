"""Penalties may take game points off a heat's sum."""

from django.db import migrations, models

import tournaments.models.fields

LEVELS = {
    "warning": "Warning",
    "points": "Points off",
    "miss_deal": "Sits out the rest of the deal",
    "miss_next": "Sits out the next deal",
    "miss_game": "Out of the game, on 0",
    "game_points": "Game points off",
    "disqualified": "Disqualified, no refund",
}
COUNTED = models.Q(level__in=["points", "game_points"])


class Migration(migrations.Migration):
    dependencies = [
        ("scoring", "0008_heat_penalties"),
        ("tournaments", "0014_staff_second_step"),
    ]
    operations = [
        migrations.AddField(
            "heatresult",
            "penalty",
            tournaments.models.fields.TwelfthsField(
                default=0, verbose_name="penalty in game points"
            ),
        ),
        migrations.RemoveConstraint("penalty", "penalty_level"),
        migrations.RemoveConstraint("penalty", "penalty_points_fit_level"),
        migrations.AlterField(
            "penalty",
            "level",
            models.CharField(choices=list(LEVELS.items()), max_length=12, verbose_name="penalty"),
        ),
        migrations.AddConstraint(
            "penalty",
            models.CheckConstraint(
                condition=models.Q(level__in=list(LEVELS)), name="penalty_level"
            ),
        ),
        migrations.AddConstraint(
            "penalty",
            models.CheckConstraint(
                condition=(COUNTED & models.Q(points__gt=0)) | (~COUNTED & models.Q(points=0)),
                name="penalty_points_fit_level",
            ),
        ),
    ]
