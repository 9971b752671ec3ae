"""Words: a turn in the queue is kept; the players of a round are called so."""

import django.core.validators
import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("tournaments", "0043_list_language"),
    ]

    operations = [
        migrations.RenameField("event", "keep_place_minutes", "keep_turn_minutes"),
        migrations.AlterField(
            "event",
            "keep_turn_minutes",
            models.PositiveSmallIntegerField(
                default=15,
                help_text="For players who leave the queue and come back. 0: the turn is lost.",
                validators=[django.core.validators.MaxValueValidator(600)],
                verbose_name="minutes for which a turn in the queue is kept",
            ),
        ),
        migrations.AlterField(
            "stageplayer",
            "registration",
            models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="stage_players",
                to="tournaments.registration",
            ),
        ),
    ]
