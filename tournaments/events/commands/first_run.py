"""The first account of a new installation.

Nobody can invite the first director, so whoever can read the console of the machine proves it with
a setup code. The code lies in the data folder, readable by its owner only, and is worth nothing
once there is an account.
"""

import secrets
from pathlib import Path

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.models import User
from django.contrib.contenttypes.models import ContentType
from django.db import transaction
from django.urls import reverse

from ...core.organisers import the_organiser
from ...models import Organiser
from .organisers import lock_organiser, set_member

# Without letters and digits that are taken for one another when read aloud.
ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"


class NotAvailable(Exception):
    """There already is an account, so there is no first one to make."""


class WrongCode(Exception):
    """The setup code is not the one on the console."""


def path() -> str:
    """Return the address of the first-run page on this site."""
    return reverse("first_run")


def is_needed() -> bool:
    """Tell whether nobody has an account yet."""
    return not get_user_model().objects.exists()


def _code_file() -> Path:
    return Path(settings.DATA_DIR) / "setup_code"


def setup_code() -> str:
    """Return the setup code, made on the first call (three groups of four characters)."""
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
    """Create an account that may make events; an organiser's first one owns it.

    Raises ValidationError if the name is taken or cannot be one. The password is the caller's to
    judge. Without an organiser it is the one that there always is.
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


@transaction.atomic
def create_first_director(*, code: str, username: str, password: str) -> User:
    """Create the first account of all. Raises NotAvailable, WrongCode or ValidationError."""
    # Any row that is always there serves as the lock: of two people at once, one is told.
    list(ContentType.objects.select_for_update().filter(app_label="auth", model="user"))
    if not is_needed():
        raise NotAvailable
    given, wanted = ("".join(filter(str.isalnum, each.lower())) for each in (code, setup_code()))
    if not secrets.compare_digest(given.encode(), wanted.encode()):
        raise WrongCode
    user = create_director(username=username, password=password)
    transaction.on_commit(lambda: _code_file().unlink(missing_ok=True))
    return user
