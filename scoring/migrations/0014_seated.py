"""When a table confirmed its seats before the first deal."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("scoring", "0013_acceptance")]

    operations = [
        migrations.AddField(
            model_name="table",
            name="seated_at",
            field=models.DateTimeField(blank=True, editable=False, null=True, verbose_name='seats confirmed'),
        ),
    ]
