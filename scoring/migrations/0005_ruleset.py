from django.db import migrations, models


def store_rule_sets(apps, schema_editor):
    from scoring.ruleset import resolve

    for table in apps.get_model("scoring", "Table").objects.all():
        table.ruleset = resolve(table.rules, table.overrides).as_json()
        table.save(update_fields=["ruleset"])


class Migration(migrations.Migration):
    dependencies = [("scoring", "0004_absent")]

    operations = [
        migrations.AddField(
            model_name="table",
            name="ruleset",
            field=models.JSONField(default=dict),
            preserve_default=False,
        ),
        migrations.RunPython(store_rule_sets, migrations.RunPython.noop),
    ]
