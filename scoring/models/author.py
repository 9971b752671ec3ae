"""The author of a row: a link, an account, or the program itself."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.db import models
from django.utils.translation import gettext_lazy as _

from .append_only import AppendOnly
from .link import Link

#: Authors without an account or a link are named by a word, such as "program".
Author = Link | AbstractBaseUser | str

#: The author of what nobody with an account or a link did.
PROGRAM = "program"


def author_text(author: Author) -> str:
    """Return the author as stored and hashed."""
    if isinstance(author, Link):
        return f"link {author.pk}"
    return (author if isinstance(author, str) else author.get_username())[:80]


def is_link(text: str) -> bool:
    """Return whether an author as stored is a link; no user's name has a space."""
    return text.startswith("link ")


def is_account(text: str) -> bool:
    """Return whether an author as stored is an account."""
    return bool(text) and text != PROGRAM and not is_link(text)


def author_fields(author: Author) -> dict[str, Any]:
    """Return the values of :class:`Authored`'s fields."""
    return {
        "author": author_text(author),
        "author_link_id": author.pk if isinstance(author, Link) else None,
        "author_user_id": author.pk if isinstance(author, AbstractBaseUser) else None,
    }


class Authored(AppendOnly):
    """Base of rows with an author; ``author`` is the hashed text, the other two are for reading."""

    author = models.CharField(_("by"), max_length=80)
    author_link = models.ForeignKey(
        Link,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        editable=False,
        verbose_name=_("by link"),
    )
    author_user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        editable=False,
        verbose_name=_("by account"),
    )

    class Meta:
        abstract = True

    @property
    def at_table(self) -> bool:
        """Whether the row was written at the table itself, through its link."""
        return self.author_link_id is not None
