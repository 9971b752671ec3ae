"""Fill the author fields of existing rows from the text, which is not changed."""

from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import migrations

#: Names used by the program itself; no account has written rows under such a name.
PROGRAM = {"program", "import", "auditor", "new_table"}


def fill(apps, schema_editor):
    links = {f"link {pk}": pk for pk in apps.get_model("scoring", "Link").objects.values_list("pk", flat=True)}
    accounts = apps.get_model(settings.AUTH_USER_MODEL).objects
    name = get_user_model().USERNAME_FIELD
    users = {username[:80]: pk for username, pk in accounts.values_list(name, "pk")}
    for model in ("SheetEntry", "FlipFlop"):
        rows = apps.get_model("scoring", model).objects
        for author in rows.order_by().values_list("author", flat=True).distinct():
            if author in links:
                rows.filter(author=author).update(author_link_id=links[author])
            elif author in users and author not in PROGRAM:
                rows.filter(author=author).update(author_user_id=users[author])


class Migration(migrations.Migration):
    dependencies = [("scoring", "0003_authors")]
    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
