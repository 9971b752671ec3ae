"""Which organisers an account belongs to, and the one that there always is."""

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import QuerySet

from ..models import Organiser


def the_organiser() -> Organiser:
    """Return the first organiser, made where there is none yet: small installations have one."""
    found = Organiser.objects.order_by("pk").first()
    return found or Organiser.objects.get_or_create(slug="organiser")[0]


def where_owner(user: User | AnonymousUser) -> QuerySet[Organiser]:
    """Return the organisers that are the account's own; the administrator's are all."""
    if user.is_superuser:
        return Organiser.objects.all()
    return Organiser.objects.filter(members__user=user.pk, members__is_owner=True)


def where_member(user: User | AnonymousUser) -> QuerySet[Organiser]:
    """Return the organisers for which the account may make events."""
    if user.is_superuser:
        return Organiser.objects.all()
    return Organiser.objects.filter(members__user=user.pk)
