"""Organisers, and the accounts that may create events for them."""

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _

from ...core.errors import Refused
from ...core.locks import lock_organiser
from ...core.log import By, changed, record, snapshot
from ...models import Organiser, OrganiserMember
from ...models.enums import LogAction


@transaction.atomic
def create_organiser(*, name: str, by: By) -> Organiser:
    """Create another organiser; owners are named afterwards."""
    name = " ".join(name.split())
    first = slugify(name)[:50] or "organiser"
    slug, number = first, 1
    while Organiser.objects.filter(slug=slug).exists():
        number += 1
        slug = f"{first}-{number}"
    organiser = Organiser(slug=slug, name=name)
    organiser.full_clean()
    organiser.save()
    record(LogAction.ORGANISER_CREATED, organiser, by, after={"name": name})
    return organiser


@transaction.atomic
def change_organiser(*, organiser: Organiser, name: str, by: By) -> Organiser:
    organiser = lock_organiser(organiser)
    before = snapshot(organiser)
    organiser.name = " ".join(name.split())
    organiser.full_clean()
    old, new = changed(before, snapshot(organiser))
    if new:
        organiser.save()
        record(LogAction.ORGANISER_CHANGED, organiser, by, before=old, after=new)
    return organiser


@transaction.atomic
def set_member(*, organiser: Organiser, user: User, is_owner: bool, by: By) -> OrganiserMember:
    """Let an account create events, as an owner or not; an organiser keeps at least one owner."""
    organiser = lock_organiser(organiser)
    current = organiser.members.filter(user=user).first()
    if current is not None and not is_owner:
        _keep_an_owner(organiser, current)
    before = {"is_owner": current.is_owner} if current else None
    member, _made = organiser.members.update_or_create(user=user, defaults={"is_owner": is_owner})
    record(
        LogAction.MEMBER_SET,
        organiser,
        by,
        label=user.get_username(),
        before=before,
        after={"is_owner": is_owner},
    )
    return member


@transaction.atomic
def remove_member(*, organiser: Organiser, user: User, by: By) -> None:
    """Stop an account from creating events; it keeps its role at existing ones."""
    organiser = lock_organiser(organiser)
    current = organiser.members.filter(user=user).first()
    if current is None:
        return
    _keep_an_owner(organiser, current)
    record(
        LogAction.MEMBER_REMOVED,
        organiser,
        by,
        label=user.get_username(),
        before={"is_owner": current.is_owner},
    )
    current.delete()


def _keep_an_owner(organiser: Organiser, leaving: OrganiserMember) -> None:
    owners = organiser.members.filter(is_owner=True).exclude(pk=leaving.pk)
    if leaving.is_owner and not owners.exists():
        raise Refused("last_owner", _("An organiser needs an owner. Name another one first."))
