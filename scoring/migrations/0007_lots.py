"""A tie may be settled by lots, and their seed is stored.

This only adds a nullable column, so the triggers on the table stay as they are.
"""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("scoring", "0006_lease"),
    ]
    operations = [
        migrations.AddField("flipflop", "seed", models.CharField(max_length=40, null=True, verbose_name='seed')),
    ]
