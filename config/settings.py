"""The only settings file; docs/operations.md lists what comes from the environment."""

import os
import secrets
import socket
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import environ
from csp.constants import NONE, SELF
from whitenoise.compress import Compressor

from engine.messages import languages, texts_in

BASE_DIR = Path(__file__).resolve().parent.parent
env = environ.Env()
# A variable that is set to nothing counts as not set.
env.ENVIRON = {name: value for name, value in os.environ.items() if value}

DATA_DIR = Path(env.str("DATA_DIR", default=str(BASE_DIR / "data"))).resolve()
DATA_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)
with suppress(PermissionError):
    # The folder may belong to another user, who is then responsible for it.
    DATA_DIR.chmod(0o700)


def _secret_key() -> str:
    """Return the key in ``DATA_DIR``, created with owner-only rights on the first run."""
    path = DATA_DIR / "secret_key"
    try:
        # "x" fails if another process was first, so all workers agree on one key.
        with path.open("x", encoding="ascii") as file:
            path.chmod(0o600)
            file.write(secrets.token_urlsafe(50))
    except FileExistsError:
        pass
    return path.read_text(encoding="ascii").strip()


DEBUG = env.bool("DEBUG", default=False)
SECRET_KEY = env.str("SECRET_KEY", default="") or _secret_key()

HOST = env.str("HOST", default="127.0.0.1")
PORT = env.int("PORT", default=8000)
PUBLIC_URL = env.str("PUBLIC_URL", default="").rstrip("/")
TLS_CERTIFICATE = env.str("TLS_CERTIFICATE", default="")
TLS_KEY = env.str("TLS_KEY", default="")
_proxies = env.str("TRUST_PROXY", default="0")
#: "true" and the like mean one proxy.
TRUST_PROXY = int(_proxies) if _proxies.isdecimal() else int(env.bool("TRUST_PROXY"))
ADMIN = env.bool("ADMIN", default=False)
LIVE_PORT = env.int("LIVE_PORT", default=PORT + 1)
#: A path on this server, ``:port`` on the same host, or a full address; pages poll without it. The
#: run command sets it for the processes that it starts.
LIVE_URL = env.str("LIVE_URL", default="")


def _own_addresses() -> list[str]:
    """Return the names under which other devices on the local network may reach this machine."""
    names = {socket.gethostname(), f"{socket.gethostname()}.local"}
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # Connecting a datagram socket sends nothing; it only picks the outgoing address.
            probe.connect(("192.0.2.1", 9))
            names.add(probe.getsockname()[0])
        except OSError:
            pass
    return sorted(names)


ALLOWED_HOSTS = ["localhost", "127.0.0.1", "[::1]", *env.list("ALLOWED_HOSTS", default=[])]
if HOST not in {"127.0.0.1", "localhost", "::1"}:
    ALLOWED_HOSTS += _own_addresses() if HOST in {"0.0.0.0", "::"} else [HOST]
if PUBLIC_URL:
    ALLOWED_HOSTS.append(urlsplit(PUBLIC_URL).hostname or "")
    CSRF_TRUSTED_ORIGINS = [PUBLIC_URL]

INSTALLED_APPS = [
    # For its command lines only.
    "config",
    "tournaments",
    "scoring",
    # Its pages, and what they load, only where they are served.
    "django.contrib.admin" if ADMIN else "django.contrib.admin.apps.SimpleAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "bootstrap",
    "crispy_forms",
    "crispy_bootstrap5",
    "csp",
    "django_filters",
    "django_htmx",
    "django_tables2",
    "drf_spectacular",
    "rest_framework",
    "rules",
]

MIDDLEWARE = [
    "config.logs.RequestIdMiddleware",
    "config.policy.CompressMiddleware",
    "tournaments.core.address_language.AddressLanguage",
    "tournaments.core.page_cache.CachePages",
    "django.middleware.security.SecurityMiddleware",
    "config.storage.StaticMiddleware",
    "config.policy.PolicyMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "config.failures.FormMiddleware",
]

ROOT_URLCONF = "config.urls"
CSRF_FAILURE_VIEW = "config.failures.csrf_failure"
WSGI_APPLICATION = "config.wsgi.application"

TEMPLATES = [
    {
        "NAME": "django",
        "BACKEND": "config.rendering.Templates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

# --- storage ---------------------------------------------------------------------------------

DATABASES: dict[str, dict[str, Any]] = {
    "default": env.db("DATABASE_URL", default=f"sqlite:///{DATA_DIR / 'chicago.sqlite3'}")
}
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    DATABASES["default"]["ENGINE"] = "config.sqlite3"
    DATABASES["default"]["OPTIONS"] = {
        # A writer takes its lock at the start, so two writers wait instead of failing.
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        # Python keeps 128 prepared statements, fewer than an evening's pages and commands have.
        "cached_statements": 500,
        # FULL: an acknowledged entry survives a power cut, not only a killed process.
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;",
    }
    # Packages load PostgreSQL's driver where they find it, which takes 10 MB. This is how Python is
    # told that there is none (https://docs.python.org/3/reference/import.html#the-module-cache).
    sys.modules["django.contrib.postgres.fields"] = None  # type: ignore[assignment]
    with suppress(FileNotFoundError, PermissionError):
        # The files that SQLite puts beside it get the same rights.
        Path(DATABASES["default"]["NAME"]).chmod(0o600)
else:
    DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
# Each thread keeps its connection: opening one costs more than most requests need, and SQLite
# tidies its log away, behind a lock, whenever the last one closes. `restore` is refused while
# `serve` holds the data (config/preparing.py), so the file behind it stays the same.
DATABASES["default"]["CONN_MAX_AGE"] = 60
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

BACKUP_DIR = Path(env.str("BACKUP_DIR", default=str(DATA_DIR / "backups")))
BACKUP_HOURS = env.float("BACKUP_HOURS", default=1.0)
BACKUP_PASSPHRASE = env.str("BACKUP_PASSPHRASE", default="")

REDIS_URL = env.str("REDIS_URL", default="")
_redis = {
    "BACKEND": "config.cache.SurvivingRedisCache",
    "LOCATION": REDIS_URL,
    "OPTIONS": {
        "socket_connect_timeout": 1,
        "socket_timeout": 2,
        "serializer": "config.cache.PlainSerializer",
    },
}
CACHES: dict[str, dict[str, Any]] = {
    "default": _redis
    if REDIS_URL
    else {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"},
    # What all processes share of public pages; without Redis, nothing.
    "shared": _redis if REDIS_URL else {"BACKEND": "django.core.cache.backends.dummy.DummyCache"},
    # Each process's own cache of public pages (tournaments/core/page_cache.py) and of their events.
    "pages": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "LOCATION": "pages",
        "OPTIONS": {"MAX_ENTRIES": 1000},
    },
}

# --- the queue -------------------------------------------------------------------------------

# The Celery application, which takes a tenth of a second to load: only who orders a job does. It
# tells a worker that there is one.
JOBS = "config.celery.app"
CELERY_BROKER_URL = REDIS_URL or "filesystem://localhost"
if not REDIS_URL:
    _queue = DATA_DIR / "queue"
    for _part in ("messages", "control"):
        (_queue / _part).mkdir(parents=True, exist_ok=True)
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "data_folder_in": str(_queue / "messages"),
        "data_folder_out": str(_queue / "messages"),
        "control_folder": str(_queue / "control"),
        # Seconds between two looks; a second, as by itself, is longer than most jobs take.
        "polling_interval": 0.2,
    }
CELERY_TASK_IGNORE_RESULT = True
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
# Without this, printed mail would be logged, and the terminal could not be told from a file.
CELERY_WORKER_REDIRECT_STDOUTS = False

# --- notifications on phones -------------------------------------------------------------------

#: Whom push services can ask: mailto:somebody@example.org, or an https address. Without it no
#: device is told anything.
PUSH_CONTACT = env.str("PUSH_CONTACT", default="")
#: Who is responsible for what is kept of people, and how they are reached; on the privacy page.
PRIVACY_CONTACT = env.str("PRIVACY_CONTACT", default="")
#: Only for tests: the beginning of the only endpoints that need not be https and public.
PUSH_TEST_SERVICE = env.str("PUSH_TEST_SERVICE", default="")

# --- what other programs are told --------------------------------------------------------------

#: Whether webhooks may be sent to private addresses and over plain http.
PRIVATE_WEBHOOKS = env.bool("PRIVATE_WEBHOOKS", default=False)

# --- language and time -----------------------------------------------------------------------

LANGUAGE_CODE = "en"
LANGUAGES = [(code, texts_in(code).name) for code in languages()]
# One catalogue for each part of the program.
LOCALE_PATHS = sorted(path for path in (BASE_DIR / "locale").iterdir() if path.is_dir())
FORMAT_MODULE_PATH = ["engine.messages"]
LANGUAGE_COOKIE_SAMESITE = "Lax"
USE_I18N = True
USE_TZ = True
TIME_ZONE = env.str("TIME_ZONE", default="Europe/Stockholm")

# --- static files ----------------------------------------------------------------------------

STATIC_URL = "/static/"
STATIC_ROOT = DATA_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    if DEBUG or env.bool("PLAIN_STATIC", default=False)
    else {"BACKEND": "config.storage.StaticStorage"},
}
# Bootstrap's source maps refer to files that its package leaves out.
WHITENOISE_KEEP_ONLY_HASHED_FILES = False
# Nobody else loads them, and the header is sent with each.
WHITENOISE_ALLOW_ALL_ORIGINS = False
# Only a developer's tools load source maps; to compress them would take as long as all the rest.
WHITENOISE_SKIP_COMPRESS_EXTENSIONS = (*Compressor.SKIP_COMPRESS_EXTENSIONS, "map")

# --- the guides ------------------------------------------------------------------------------

#: Where `make docs` builds their site.
GUIDES_DIR = BASE_DIR / "build" / "site"

# --- accounts --------------------------------------------------------------------------------

AUTHENTICATION_BACKENDS = [
    "rules.permissions.ObjectPermissionBackend",
    # The only one that checks passwords, so that each is hashed once.
    "allauth.account.auth_backends.AuthenticationBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "/"
ACCOUNT_ADAPTER = "tournaments.core.accounts.AccountAdapter"
ACCOUNT_FORMS = {
    "login": "tournaments.core.forms.SignInForm",
    "change_password": "tournaments.core.forms.PasswordForm",
    "reauthenticate": "tournaments.core.forms.PasswordAgainForm",
}
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_LOGOUT_ON_GET = False
# The adapter limits passwords and codes in the database, per account and address, because a whole
# hall shares one address.
ACCOUNT_RATE_LIMITS = {"login": "", "login_failed": ""}
ACCOUNT_SESSION_REMEMBER = True
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
MFA_TOTP_ISSUER = "Chicago"
# A phone's clock may differ by one step; the forms see to it that a code is used once.
MFA_TOTP_TOLERANCE = 1
MFA_FORMS = {
    "activate_totp": "tournaments.core.forms.FirstCodeForm",
    "authenticate": "tournaments.core.forms.CodeForm",
    "reauthenticate": "tournaments.core.forms.CodeAgainForm",
}

# --- mail ------------------------------------------------------------------------------------

#: Recipients of the daily line that vouches for all sheets; without EMAIL_URL it is logged.
ANCHOR_MAIL = env.list("ANCHOR_MAIL", default=[])
_mail = env.email_url("EMAIL_URL", default="consolemail://")
#: Whether e-mails are printed because no mail server is set.
PRINTS_EMAIL = _mail["EMAIL_BACKEND"] == "django.core.mail.backends.console.EmailBackend"
if PRINTS_EMAIL:
    _mail["EMAIL_BACKEND"] = "config.logs.PrintedMail"
vars().update(_mail)
EMAIL_TIMEOUT = 30
MAIL_PER_MINUTE = env.int("MAIL_PER_MINUTE", default=0)
DEFAULT_FROM_EMAIL = env.str("MAIL_FROM", default="chicago@localhost")

# --- safety ----------------------------------------------------------------------------------

SERVED_OVER_TLS = bool(TLS_CERTIFICATE) or PUBLIC_URL.startswith("https://")
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = SERVED_OVER_TLS
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
# Only for a PUBLIC_URL: browsers would refuse plain http to a trial address for a year.
SECURE_HSTS_SECONDS = 31_536_000 if PUBLIC_URL.startswith("https://") else 0
SECURE_CONTENT_TYPE_NOSNIFF = True
# PolicyMiddleware sends both with pages; static files have no use for them.
SECURE_CROSS_ORIGIN_OPENER_POLICY = None
SECURE_REFERRER_POLICY = None
X_FRAME_OPTIONS = "DENY"
if TRUST_PROXY:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    USE_X_FORWARDED_HOST = True
SILENCED_SYSTEM_CHECKS = [
    # Other names of its domain, and the browsers' list, are the owner's business.
    "security.W005",
    "security.W021",
    # The proxy, or nobody where the program speaks https itself, listens for plain http.
    "security.W008",
    # PolicyMiddleware sends it.
    "security.W022",
]
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "connect-src": [SELF],
        "object-src": [NONE],
        "base-uri": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}
if "://" in LIVE_URL:
    # config/policy.py adds the stream's port on the same host, because it knows the host.
    _live = urlsplit(LIVE_URL)
    CONTENT_SECURITY_POLICY["DIRECTIVES"]["connect-src"] += [f"{_live.scheme}://{_live.netloc}"]
# In bytes; nobody sends anything larger than a spreadsheet.
MAX_REQUEST = 32 * 1024 * 1024
DATA_UPLOAD_MAX_MEMORY_SIZE = 2_621_440
# A list of 1,000 players has a question for each of them, and some fields of its own.
DATA_UPLOAD_MAX_NUMBER_FIELDS = 2000

# --- the interface for other programs ----------------------------------------------------------

REST_FRAMEWORK = {
    "DEFAULT_SCHEMA_CLASS": "tournaments.api.schema.Schema",
    "EXCEPTION_HANDLER": "tournaments.api.problems.handle",
    # Only JSON, whatever an address ends with.
    "URL_FORMAT_OVERRIDE": None,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Chicago",
    "DESCRIPTION": "Events in the card game Chicago: draws, heats, games, standings, results.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "COMPONENT_SPLIT_REQUEST": True,
    "APPEND_COMPONENTS": {"securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}},
    # A new field with the same choices must not rename what programs already know.
    "ENUM_NAME_OVERRIDES": {
        "EventStatus": "tournaments.models.enums.EventStatus.choices",
        "HeatStatus": "tournaments.models.enums.HeatStatus.choices",
        "DrawStatus": "tournaments.models.enums.DrawStatus.choices",
        "SeatStatus": "tournaments.models.enums.SeatStatus.choices",
        "StageKind": "tournaments.models.enums.StageKind.choices",
        "SessionKind": "tournaments.api.shapes.events.DAY_KINDS",
        "GameStatus": "scoring.enums.SheetStatus.choices",
        "Phase": "tournaments.api.shapes.events.PHASES",
        "Section": "tournaments.api.shapes.results.SECTIONS",
        "SeatMark": "tournaments.api.shapes.results.MARKS",
        "Visibility": "tournaments.models.enums.Visibility.choices",
        "RegistrationStatus": "tournaments.models.enums.RegistrationStatus.choices",
        "PaymentMethod": "tournaments.models.enums.PaymentMethod.choices",
    },
}

# --- parts -----------------------------------------------------------------------------------

CRISPY_ALLOWED_TEMPLATE_PACKS = "bootstrap5"
CRISPY_TEMPLATE_PACK = "bootstrap5"
DJANGO_TABLES2_TEMPLATE = "site/_table.html"

LOG_FORMAT = env.str("LOG_FORMAT", default="")
METRICS_TOKEN = env.str("METRICS_TOKEN", default="")
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {
            "()": "config.logs.formatter",
        }
    },
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    # The development server has its own handler.
    "loggers": {"django.server": {"handlers": ["console"], "propagate": False}},
    "root": {"handlers": ["console"], "level": env.str("LOG_LEVEL", default="INFO")},
}
