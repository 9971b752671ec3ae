from django.db import migrations

from tournaments.models.alphabet import filed


def file_again(apps, schema_editor):
    Person = apps.get_model("tournaments", "Person")
    rows = []
    for person in Person.objects.exclude(family_name="").iterator():
        before = person.filed_name
        person.filed_name = filed(person.given_name, person.family_name)[:130]
        if person.filed_name != before:
            if person.filed_public == before:
                person.filed_public = person.filed_name
            rows.append(person)
    Person.objects.bulk_update(rows, ["filed_name", "filed_public"], batch_size=200)


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0047_ordered_by_keys")]

    operations = [migrations.RunPython(file_again, migrations.RunPython.noop)]
