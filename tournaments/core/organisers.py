"""The organisers that an account belongs to, and the default one."""

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import QuerySet

from ..models import Organiser


def the_organiser() -> Organiser:
    """Return the first organiser, creating one if there is none; small installations have one."""
    found = Organiser.objects.order_by("pk").first()
    return found or Organiser.objects.get_or_create(slug="organiser")[0]


def where_owner(user: User | AnonymousUser) -> QuerySet[Organiser]:
    """Return the organisers that the account owns; an administrator owns all."""
    if user.is_superuser:
        return Organiser.objects.all()
    return Organiser.objects.filter(members__user=user.pk, members__is_owner=True)


def where_member(user: User | AnonymousUser) -> QuerySet[Organiser]:
    """Return the organisers for which the account may create events."""
    if user.is_superuser:
        return Organiser.objects.all()
    return Organiser.objects.filter(members__user=user.pk)
