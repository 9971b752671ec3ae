"""The ladder of penalties becomes a setting; the events of before keep the one that they had."""

from django.db import migrations, models

from tournaments.models.ladder import festival_ladder, first_ladder, validate_ladder


def ladder(default):
    return models.JSONField(
        default=default, validators=[validate_ladder], verbose_name="steps of the penalties"
    )


def per_offence(default):
    return models.BooleanField(
        default=default,
        help_text="Otherwise every penalty of a player counts, whatever it was for.",
        verbose_name="counted for each offence by itself",
    )


OFFENCES = {
    "slow": "Took too long",
    "language": "Bad language or manners",
    "showed_cards": "Showed or told cards",
    "wrong_exchange": "Exchanged wrongly",
    "false_claim": "Claimed a hand that was not there",
    "wrong_score": "Let a wrong score stand",
    "absent": "Away from the table",
    "cheating": "Cheated",
    "collusion": "Played together",
    "other": "Something else",
}


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0010_prints_by_name"),
    ]

    operations = [
        migrations.AddField("event", "penalty_ladder", ladder(first_ladder)),
        migrations.AddField("event", "penalties_per_offence", per_offence(False)),
        migrations.AlterField("event", "penalty_ladder", ladder(festival_ladder)),
        migrations.AlterField("event", "penalties_per_offence", per_offence(True)),
        migrations.RemoveConstraint("penalty", "penalty_offence"),
        migrations.AlterField(
            "penalty",
            "offence",
            models.CharField(
                choices=list(OFFENCES.items()), max_length=20, verbose_name="offence"
            ),
        ),
        migrations.AddConstraint(
            "penalty",
            models.CheckConstraint(
                condition=models.Q(offence__in=list(OFFENCES)), name="penalty_offence"
            ),
        ),
    ]
