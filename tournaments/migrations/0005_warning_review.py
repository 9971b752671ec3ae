"""``LookedAt`` is called what it is: the review of an unusual entry."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0004_visible_names")]

    operations = [
        migrations.RenameModel("LookedAt", "WarningReview"),
        migrations.AlterField(
            "warningreview",
            "event",
            models.ForeignKey(
                on_delete=models.PROTECT, related_name="warning_reviews", to="tournaments.event"
            ),
        ),
        migrations.AlterField(
            "warningreview",
            "entry",
            models.OneToOneField(
                on_delete=models.PROTECT, related_name="review", to="scoring.sheetentry"
            ),
        ),
    ]
