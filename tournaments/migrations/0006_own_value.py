from django.db import migrations, models


def keep_own_values(apps, schema_editor):
    """Each step of that time was a field of the result itself."""
    rows = apps.get_model("tournaments", "HeatResult").objects.filter(
        decided_by__in=["game_points", "score_points", "asterisks"]
    )
    for row in rows.iterator():
        rows.filter(pk=row.pk).update(own_value=str(getattr(row, row.decided_by)))


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0005_warning_review"),
    ]

    operations = [
        migrations.AddField(
            model_name="heatresult",
            name="own_value",
            field=models.CharField(blank=True, default="", max_length=20, verbose_name='own value'),
            preserve_default=False,
        ),
        migrations.RunPython(keep_own_values, migrations.RunPython.noop),
    ]
