#!/usr/bin/env bash
# The first migration of an application whose models refer to each other, on an empty database.
#
# Guess:    an initial migration of N CreateModel operations makes N model classes, and its time is the database's.
# Behaviour: each CreateModel makes its model in the state's registry, and with it anew every model that is related to it
#           directly or through others (StateApps renders, related_models_recursive). Models that all hang together are
#           made about N²/2 times: classes, fields and managers, in Python, before a table exists. With makemigrations'
#           own order of forty such models it is twenty times as many classes as models.
# What to do: nothing for ten models. For many, an operation that adds all models to the state while the registry is not
#           made yet (without state.apps each state_forwards only notes them), and then creates their tables: one each.
# Version:  Django 5.2.19, django/db/migrations/state.py, ProjectState.add_model and reload_model.
# Seen:     the lines at the end of this script.
set -euo pipefail
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check django==5.2.19
cat > "$work/try.py" <<'PY'
import django
from django.conf import settings

settings.configure(
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
    INSTALLED_APPS=[],
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
)
django.setup()

from django.db import connection, models
from django.db.migrations import Migration
from django.db.migrations.operations import CreateModel
from django.db.migrations.state import ModelState, ProjectState

made = 0
render = ModelState.render


def counted(self, apps):
    global made
    made += 1
    return render(self, apps)


ModelState.render = counted


def operations(count, related):
    found = []
    for number in range(count):
        fields = [("id", models.BigAutoField(primary_key=True))]
        if related and number:
            fields.append(("to", models.ForeignKey(f"try.m{number - 1}", models.CASCADE)))
        found.append(CreateModel(f"M{number}", fields))
    return found


def apply(count, related):
    """Apply an initial migration to an empty database; return how many classes it made."""
    global made
    made = 0
    migration = Migration("0001_initial", "try")
    migration.operations = operations(count, related)
    with connection.schema_editor() as editor:
        migration.apply(ProjectState(), editor)
    with connection.schema_editor() as editor:
        for number in range(count):
            editor.execute(f'DROP TABLE "try_m{number}"')
    return made


for count in (10, 20, 40):
    print(count, "models: apart", apply(count, False), "in a row", apply(count, True))
PY
"$work/venv/bin/python" "$work/try.py" | tee "$work/seen"
diff "$work/seen" - <<'SEEN'
10 models: apart 10 in a row 55
20 models: apart 20 in a row 210
40 models: apart 40 in a row 820
SEEN
