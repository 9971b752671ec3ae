#!/usr/bin/env bash
# A Celery worker made in Python, in a process where Django is set up already.
#
# Guess:    checks of the project are the business of manage.py and of the command `celery worker`; `app.Worker(...)`, made
#           where django.setup() has run, checks nothing again.
# Behaviour: as soon as DJANGO_SETTINGS_MODULE is set, making the object runs Django's system checks of all apps, those
#           of databases left out, and imports what they import (the urls and with them every view). What they find is
#           thrown away: an error is neither told nor does it keep the worker from being made. The environment variable
#           CELERY_SKIP_CHECKS, any text, leaves them out; there is no setting and no argument for it.
# What to do: where the program runs the checks itself, set the variable before the worker is made: ours is 12 MB smaller.
# Version:  celery 5.7.0, Django 5.2.19; celery/fixups/django.py.
# Seen:     the lines at the end of this script.
set -euo pipefail
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check celery==5.7.0 django==5.2.19
cat > "$work/site_settings.py" <<'PY'
SECRET_KEY = "of a try"
INSTALLED_APPS = ["hall"]
ROOT_URLCONF = "site_urls"
USE_TZ = True
PY
mkdir "$work/hall"
cat > "$work/hall/__init__.py" <<'PY'
PY
cat > "$work/hall/apps.py" <<'PY'
from django.apps import AppConfig
from django.core import checks


class HallConfig(AppConfig):
    name = "hall"

    def ready(self):
        @checks.register()
        def tables(app_configs, **kwargs):
            print("  a check ran, databases:", kwargs.get("databases"))
            return [checks.Error("There are no tables.")]
PY
cat > "$work/site_urls.py" <<'PY'
print("  urls imported")
urlpatterns = []
PY
cat > "$work/try.py" <<'PY'
import os

os.environ["DJANGO_SETTINGS_MODULE"] = "site_settings"
import celery
import django

django.setup()
print("set up")
app = celery.Celery("try", broker="memory://")
app.Worker(pool="solo", without_gossip=True, without_mingle=True)
print("made")
PY
cd "$work"
{
    venv/bin/python try.py
    CELERY_SKIP_CHECKS=1 venv/bin/python try.py
} 2>/dev/null | tee seen
diff seen - <<'SEEN'
set up
  a check ran, databases: None
  urls imported
made
set up
made
SEEN
