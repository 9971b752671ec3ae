"""Who wrote the rows of before: read once from the text, which stays as it is."""

from django.conf import settings
from django.db import migrations

#: What the program called itself; an account of such a name has written nothing under it.
PROGRAM = {"program", "import", "auditor", "new_table"}


def fill(apps, schema_editor):
    links = {f"link {pk}": pk for pk in apps.get_model("scoring", "Link").objects.values_list("pk", flat=True)}
    app, model = settings.AUTH_USER_MODEL.split(".")
    user = apps.get_model(app, model)
    users = {row.get_username()[:80]: row.pk for row in user.objects.all()}
    for name in ("SheetEntry", "FlipFlop"):
        rows = apps.get_model("scoring", name).objects
        for author in rows.order_by().values_list("author", flat=True).distinct():
            if author in links:
                rows.filter(author=author).update(author_link_id=links[author])
            elif author in users and author not in PROGRAM:
                rows.filter(author=author).update(author_user_id=users[author])


class Migration(migrations.Migration):
    dependencies = [("scoring", "0003_authors")]
    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
