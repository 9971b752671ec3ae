#!/usr/bin/env bash
# Model.full_clean() of a model with CheckConstraints, and of a thousand rows about to be written at once.
#
# Guess:    a check compares a row's own columns, so Django works it out in Python: full_clean() of a model whose
#           only constraints are checks asks the database nothing.
# Behaviour: each CheckConstraint is a statement of its own: the row's values are sent as parameters and the database is
#           asked whether the condition holds ("SELECT 1 … WHERE …", Q.check). All of the row's columns are sent each
#           time, not only those that the check names. A unique constraint asks once more. So a thousand rows of a model
#           with four checks and one unique field are five thousand statements before bulk_create writes any, while the
#           database would refuse a wrong row by itself. bulk_create alone asks none of it.
# What to do: where rows come from a source that is checked as a whole, call clean_fields() for messages of fields, and
#           let the INSERT check the rest; or full_clean(validate_constraints=False).
# Version:  Django 5.2.19, django/db/models/constraints.py, CheckConstraint.validate; django/db/models/query_utils.py, Q.check.
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
    USE_TZ=True,
)
django.setup()

from django.db import connection, models
from django.db.models import F, Q
from django.test.utils import CaptureQueriesContext


class Heat(models.Model):
    number = models.IntegerField(unique=True)
    seats = models.IntegerField(default=4)
    games = models.IntegerField(default=3)
    advance = models.IntegerField(default=1)
    title = models.TextField(default="Heat")

    class Meta:
        app_label = "try"
        constraints = [
            models.CheckConstraint(condition=Q(seats__range=(3, 4)), name="seats"),
            models.CheckConstraint(condition=Q(games__gte=1), name="games"),
            models.CheckConstraint(condition=Q(advance__lt=F("seats")), name="advance"),
            models.CheckConstraint(condition=~Q(title=""), name="title"),
        ]


with connection.schema_editor() as editor:
    editor.create_model(Heat)


def statements(what):
    with CaptureQueriesContext(connection) as asked:
        what()
    return [query["sql"] for query in asked]


def check_all(rows, **how):
    for row in rows:
        row.full_clean(**how)


rows = [Heat(number=number) for number in range(1000)]
one = statements(lambda: rows[0].full_clean())
checks = [sql for sql in one if "FROM" not in sql]
print("one row: statements", len(one), "of them without a table", len(checks))
print("the check of games:", checks[1])
print("a thousand rows:", len(statements(lambda: check_all(rows))))
print("a thousand rows, validate_constraints=False:", len(statements(lambda: check_all(rows, validate_constraints=False))))
print("bulk_create of them, at most ten:", len(statements(lambda: Heat.objects.bulk_create(rows))) <= 10)
PY
"$work/venv/bin/python" "$work/try.py" | tee "$work/seen"
diff "$work/seen" - <<'SEEN'
one row: statements 5 of them without a table 4
the check of games: SELECT 1 AS "_check" WHERE COALESCE((3 >= 1), 1)
a thousand rows: 5000
a thousand rows, validate_constraints=False: 1000
bulk_create of them, at most ten: True
SEEN
