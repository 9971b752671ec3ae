"""The program's settings, with a few changes for tests.

Chosen in pyproject.toml. Each test process has its own data folder, so tests never touch a
developer's data, and several runs can go on side by side.
"""

import atexit
import os
import shutil
import tempfile

_folder = tempfile.mkdtemp(prefix="chicago-tests-")
atexit.register(shutil.rmtree, _folder, ignore_errors=True)
os.environ["DATA_DIR"] = _folder
# Each process has its own key as well, because Redis keys depend on it and every process has a
# "festival-1".
os.environ["SECRET_KEY"] = f"for-tests-only-{_folder}".ljust(60, "x")
os.environ["PLAIN_STATIC"] = "1"
os.environ["ADMIN"] = "1"
for _name in ("HOST", "PORT", "PUBLIC_URL", "DEBUG", "ALLOWED_HOSTS", "TRUST_PROXY", "LOG_LEVEL"):
    os.environ.pop(_name, None)

from config.settings import *
from config.settings import DATABASES, STATIC_ROOT

# WhiteNoise warns about a missing folder, and warnings are errors.
STATIC_ROOT.mkdir(exist_ok=True)
WHITENOISE_AUTOREFRESH = True
# Real hashes are slow on purpose.
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
# Copying SQLite's file would wait forever for the test's own transaction.
BACKUP_HOURS = 0.0
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
PRINTS_EMAIL = False

# Test threads end without closing persistent connections.
DATABASES["default"]["CONN_MAX_AGE"] = 0
# Nothing here has to survive a power cut.
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    # A file, not memory, so that a test's threads meet the same locks as in production.
    DATABASES["default"]["TEST"] = {"NAME": os.path.join(_folder, "test.sqlite3")}
    DATABASES["default"]["OPTIONS"]["init_command"] = (
        "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF;"
    )
else:
    DATABASES["default"]["TEST"] = {"NAME": os.environ.get("TEST_DATABASE", "test_chicago")}
    DATABASES["default"].setdefault("OPTIONS", {})["options"] = "-c synchronous_commit=off"
