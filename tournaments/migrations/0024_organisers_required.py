"""Every event and every person has an organiser; a person has no contacts any more."""

import uuid

import django.db.models.deletion
from django.db import migrations, models


def owned(related_name):
    """Return the link of a thing to its organiser."""
    return models.ForeignKey(
        editable=False,
        on_delete=django.db.models.deletion.PROTECT,
        related_name=related_name,
        to="tournaments.organiser",
        verbose_name='organiser',
    )


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0023_one_organiser")]
    operations = [
        migrations.AlterField("event", "organiser", owned("events")),
        migrations.AlterField("person", "organiser", owned("persons")),
        migrations.AlterField(
            "person", "public_id", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)
        ),
        migrations.RemoveField("person", "email"),
        migrations.RemoveField("person", "phone"),
        migrations.RemoveField("person", "note"),
    ]
