"""The first account of a new installation.

Nobody can invite the first director, who instead needs a setup code from the machine's console. The
code is kept in the data folder, readable only by its owner, and is worthless once there is an
account.
"""

import secrets
from pathlib import Path

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.models import User
from django.contrib.contenttypes.models import ContentType
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from ...core.locks import lock_organiser
from ...core.organisers import the_organiser
from ...models import Organiser
from ..queries.accounts import first_run_needed
from .organisers import set_member

# Without characters that are easily confused.
ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"


def _code_file() -> Path:
    return Path(settings.DATA_DIR) / "setup_code"


def setup_code() -> str:
    """Return the setup code (three groups of four characters), creating it on the first call."""
    file = _code_file()
    code = "-".join("".join(secrets.choice(ALPHABET) for _ in range(4)) for _ in range(3))
    try:
        with file.open("x", encoding="ascii") as handle:
            file.chmod(0o600)
            handle.write(code)
    except FileExistsError:
        pass
    return file.read_text(encoding="ascii").strip()


@transaction.atomic
def create_director(*, username: str, password: str, organiser: Organiser | None = None) -> User:
    """Create an account that may create events; an organiser's first account owns it.

    Raises ``ValidationError`` for an invalid or existing name. The caller checks the password.
    Without ``organiser``, the default one is used.
    """
    users = get_user_model()
    user = users(username=users.normalize_username(username))
    user.set_password(password)
    user.full_clean()
    user.save()
    organiser = lock_organiser(organiser or the_organiser())
    owned = organiser.members.filter(is_owner=True).exists()
    set_member(organiser=organiser, user=user, is_owner=not owned, by=None)
    return user


def _is_setup_code(given: str) -> bool:
    one, other = ("".join(filter(str.isalnum, each.lower())) for each in (given, setup_code()))
    return secrets.compare_digest(one.encode(), other.encode())


@transaction.atomic
def create_first_director(*, code: str, username: str, password: str) -> User:
    """Create the first account, with the setup code; nobody has one once there is an account.

    Raises ``ValidationError``.
    """
    # A row that always exists serves as a lock, so that only one of two people at once succeeds.
    list(ContentType.objects.select_for_update().filter(app_label="auth", model="user"))
    if not (first_run_needed() and _is_setup_code(code)):
        raise ValidationError({"code": _("This is not the setup code.")})
    user = create_director(username=username, password=password)
    transaction.on_commit(lambda: _code_file().unlink(missing_ok=True))
    return user
