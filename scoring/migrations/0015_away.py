"""Players who are called away fold each deal until they are back."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("scoring", "0014_seated")]
    operations = [
        migrations.AddField("table", "away", models.JSONField(blank=True, null=True, verbose_name='players called away')),
    ]
