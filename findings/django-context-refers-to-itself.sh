#!/usr/bin/env bash
# A template rendered with a dictionary, and what becomes of the values in it.
#
# Guess:    once the text is made, nothing refers to the context any more, and all that only it held is freed at once.
# Behaviour: with a request, the values are pushed on a RequestContext as a ContextDict, which keeps the context as an
#           attribute, and the context keeps it in its list of dictionaries. So every page leaves its query sets, rows
#           and forms in a cycle, until the collector of cycles comes by; where that runs rarely, as in servers that
#           raised its threshold, that is many pages' rows. Without a request there is no cycle.
# What to do: in an own template backend, empty context.dicts after rendering (config/rendering.py).
# Version:  Django 5.2.19, django/template/context.py, ContextDict and make_context.
# Seen:     the lines at the end of this script.
set -euo pipefail
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check django==5.2.19
cat > "$work/try.py" <<'PY'
import gc
import weakref

import django
from django.conf import settings

settings.configure(TEMPLATES=[{"BACKEND": "django.template.backends.django.DjangoTemplates"}])
django.setup()

from django.template import engines
from django.test import RequestFactory


class Row:
    pass


def is_there_after(request):
    row = Row()
    gone = weakref.ref(row)
    gc.collect()
    gc.disable()
    engines["django"].from_string("{{ row }}").render({"row": row}, request)
    del row
    there = gone() is not None
    gc.collect()
    return there, gone() is not None


print("without a request: there, and there once cycles are collected:", *is_there_after(None))
print("with a request:", *is_there_after(RequestFactory().get("/")))
PY
"$work/venv/bin/python" "$work/try.py" | tee "$work/seen"
diff "$work/seen" - <<'SEEN'
without a request: there, and there once cycles are collected: False False
with a request: True False
SEEN
