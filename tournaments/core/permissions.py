"""Rights at an event and for an organiser, registered with django-rules at start-up.

Ask with the event as object: ``user.has_perm("tournaments.direct", event)``. Which role has which
right is listed with the roles (``models.enums``). An organiser's owner owns its events. The
administrator of the installation (superuser) may do everything.
"""

from collections.abc import Callable
from contextvars import ContextVar
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from django.contrib.auth.models import AnonymousUser, User
from django.db import models
from django.db.models import Q, QuerySet, Value
from django.utils.translation import gettext_lazy as _
from rules.permissions import add_perm
from rules.predicates import predicate

from ..models import Event, EventRole, Organiser, OrganiserMember
from ..models.enums import Role
from .errors import Refused
from .log import By
from .organisers import where_member, where_owner

ADD_EVENT = "tournaments.create_event"
VIEW_DESK = "tournaments.view_desk"
REGISTER = "tournaments.register_players"
EDIT_PERSON = "tournaments.edit_persons"
RUN_FLOOR = "tournaments.run_floor"
JUDGE = "tournaments.judge"
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


def require(right: str, event: Event, by: By) -> None:
    """Refuse with ``not_allowed`` unless the account has this right at the event.

    Without an account the program itself acts: an import, a rehearsal, the worker, a table.
    """
    if by is not None and not by.has_perm(right, event):
        raise Refused("not_allowed", _("Your role at %(event)s may not do this."), event=event.name)


P = ParamSpec("P")
R = TypeVar("R")
#: Whether a command has asked: those that it calls are parts of it.
_asked: ContextVar[bool] = ContextVar("asked", default=False)
#: How to come from what a command is given to the event.
_TO_EVENT = ("event", "registration", "stage", "heat")


def needs(right: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Wrap a command that an account (``by``) may call only with this right at the event.

    The event is an argument, or belongs to one of them. Refuses as :func:`require` does.
    """

    def decorate(command: Callable[P, R]) -> Callable[P, R]:
        @wraps(command)
        def wrapper(*args: P.args, **kwargs: P.kwargs) -> R:
            by: Any = kwargs.get("by")
            if by is None or _asked.get():
                return command(*args, **kwargs)
            event = next(filter(None, map(_event_of, kwargs.values())))
            require(right, event, by)
            token = _asked.set(True)
            try:
                return command(*args, **kwargs)
            finally:
                _asked.reset(token)

        wrapper.__dict__["right"] = right
        return wrapper

    return decorate


def _event_of(thing: object) -> Event | None:
    while thing is not None and not isinstance(thing, Event):
        names = (name for name in _TO_EVENT if isinstance(thing, models.Model) or name == "heat")
        thing = next((getattr(thing, name, None) for name in names if hasattr(thing, name)), None)
    return thing


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
