"""Creating and revoking a table's links."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from ..enums import LinkRole
from ..live import wake
from ..models import Author, Link, author_text
from ..reading.links import digest_of, new_nonce, token_of
from .locks import locked_table


@transaction.atomic
def create_link(*, table_id: int, role: LinkRole | str, by: Author) -> Link:
    """Create a link for a table; :func:`show_token` returns the token for its address."""
    nonce = new_nonce()
    return Link.objects.create(
        table_id=table_id,
        role=LinkRole(role),
        nonce=nonce,
        digest=digest_of(token_of(nonce)),
        created_at=timezone.now(),
        created_by=author_text(by),
    )


@transaction.atomic
def reader_link(*, table_id: int, by: Author) -> Link:
    """Return a valid reading link that can be shown, creating one if necessary."""
    locked_table(table_id)
    links = Link.objects.filter(table=table_id, role=LinkRole.READER, revoked_at=None)
    for link in links:
        if link.digest == digest_of(token_of(link.nonce)):
            return link
    return create_link(table_id=table_id, role=LinkRole.READER, by=by)


@transaction.atomic
def revoke_link(*, link_id: int, by: Author) -> Link:
    """Revoke a link for good; revoking it again changes nothing."""
    link = Link.objects.select_for_update().get(pk=link_id)
    if link.revoked_at is None:
        link.revoked_at = timezone.now()
        link.revoked_by = author_text(by)
        link.save(update_fields=["revoked_at", "revoked_by"])
        transaction.on_commit(wake)
    return link
