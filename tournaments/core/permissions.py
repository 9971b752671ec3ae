"""Rights at an event and for an organiser, registered with django-rules at start-up.

Ask with the event as object: ``user.has_perm("tournaments.direct", event)``. Which role has which
right is listed with the roles (``models.enums``). An organiser's owner owns its events. The
administrator of the installation (superuser) may do everything.
"""

from typing import Any

from django.contrib.auth.models import AnonymousUser, User
from django.db import models
from django.db.models import Q, QuerySet, Value
from rules.permissions import add_perm
from rules.predicates import predicate

from ..models import Event, EventRole, Organiser, OrganiserMember
from ..models.enums import Role
from .organisers import where_member, where_owner

ADD_EVENT = "tournaments.create_event"
VIEW_DESK = "tournaments.view_desk"
REGISTER = "tournaments.register_players"
EDIT_PERSON = "tournaments.edit_persons"
RUN_FLOOR = "tournaments.run_floor"
DIRECT = "tournaments.direct"
VIEW_LOG = "tournaments.view_log"
CHANGE_EVENT = "tournaments.set_up_event"
MANAGE_ROLES = "tournaments.manage_roles"
BOOK = "tournaments.book_money"
#: Checked on the organiser: name its event creators, make names more visible.
OWN_ORGANISER = "tournaments.own_organiser"


def role_of(user: User | AnonymousUser, event: Event) -> Role | None:
    """Return the account's role at the event; queried once per event object."""
    if not user.is_authenticated:
        return None
    if user.is_superuser:
        return Role.OWNER
    cache: dict[int, Role | None] = event.__dict__.setdefault("_roles_by_user", {})
    if user.pk not in cache:
        owns = OrganiserMember.objects.filter(
            organiser=event.organiser_id, user=user, is_owner=True
        ).values_list(Value(Role.OWNER.value, models.CharField()))
        at_event = event.roles.filter(user=user).values_list("role").order_by()
        found = {role for (role,) in at_event.union(owns)} & set(Role.values)
        cache[user.pk] = next((role for role in Role if role in found), None)
    return cache[user.pk]


def events_where(user: User | AnonymousUser, permission: str = "") -> QuerySet[Event]:
    """Return the events at which the account has a role, or one with this right."""
    if user.is_superuser:
        return Event.objects.all()
    right = permission.rpartition(".")[2]
    roles = [role for role in Role if not right or right in role.rights]
    at_event = EventRole.objects.filter(user=user.pk, role__in=roles)
    return Event.objects.filter(
        Q(pk__in=at_event.values("event")) | Q(organiser__in=where_owner(user))
    )


def _may(right: str) -> Any:
    @predicate(right)
    def may(user: User, event: Event | None = None) -> bool:
        role = role_of(user, event) if event is not None else None
        return role is not None and right in role.rights

    return may


@predicate
def _may_make_events(user: User, organiser: Organiser | None = None) -> bool:
    if not user.is_authenticated:
        return False
    own = where_member(user)
    return user.is_superuser or (own.filter(pk=organiser.pk) if organiser else own).exists()


@predicate
def _owns(user: User, organiser: Organiser | None = None) -> bool:
    own = where_owner(user)
    return user.is_authenticated and (own.filter(pk=organiser.pk) if organiser else own).exists()


add_perm(ADD_EVENT, _may_make_events)
add_perm(OWN_ORGANISER, _owns)
for right in sorted({right for role in Role for right in role.rights}):
    add_perm(f"tournaments.{right}", _may(right))
