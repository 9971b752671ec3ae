"""The program's settings, with the few things changed that tests need.

Chosen in pyproject.toml. Each test process has a data folder of its own, so that tests never touch
the data of a person who tries them, and several runs can go on side by side.
"""

import atexit
import os
import shutil
import tempfile

_folder = tempfile.mkdtemp(prefix="chicago-tests-")
atexit.register(shutil.rmtree, _folder, ignore_errors=True)
os.environ["DATA_DIR"] = _folder
# Each process has a key of its own, too: what is kept in Redis is found by it, and every process
# has a "festival-1".
os.environ["SECRET_KEY"] = f"for-tests-only-{_folder}".ljust(60, "x")
os.environ["PLAIN_STATIC"] = "1"
os.environ["ADMIN"] = "1"
for _name in ("HOST", "PORT", "PUBLIC_URL", "DEBUG", "ALLOWED_HOSTS", "TRUST_PROXY", "LOG_LEVEL"):
    os.environ.pop(_name, None)

from config.settings import *  # noqa: E402, F403
from config.settings import DATABASES, STATIC_ROOT  # noqa: E402

# Whitenoise warns about a folder that is not there, and warnings are errors.
STATIC_ROOT.mkdir(exist_ok=True)
WHITENOISE_AUTOREFRESH = True
# Real hashes are slow on purpose.
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
# A copy of SQLite's file would wait for ever for the transaction that its own test is in.
BACKUP_HOURS = 0.0
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"

# Threads of a test end without closing what they have kept.
DATABASES["default"]["CONN_MAX_AGE"] = 0
# Nothing here has to survive a power cut.
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    # A file, not memory: threads of one test must meet the locks that they will meet in real life.
    DATABASES["default"]["TEST"] = {"NAME": os.path.join(_folder, "test.sqlite3")}
    DATABASES["default"]["OPTIONS"]["init_command"] = (
        "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF;"
    )
else:
    DATABASES["default"]["TEST"] = {"NAME": os.environ.get("TEST_DATABASE", "test_chicago")}
    DATABASES["default"].setdefault("OPTIONS", {})["options"] = "-c synchronous_commit=off"
