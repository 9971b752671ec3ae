"""When a table said before the first deal that it sits like this."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("scoring", "0013_acceptance")]

    operations = [
        migrations.AddField(
            model_name="table",
            name="seated_at",
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
    ]
