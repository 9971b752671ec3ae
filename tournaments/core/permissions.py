"""Who may do what at an event; registered with django-rules when the app is ready.

Permissions are asked with the event as object: ``user.has_perm("tournaments.direct", event)``.
Which role has which right stands beside the roles (``models.enums``). The administrator of the
installation (superuser) may do everything.
"""

from typing import Any

from django.contrib.auth.models import AnonymousUser, User
from rules.permissions import add_perm
from rules.predicates import is_staff, predicate

from ..models import Event
from ..models.enums import Role

ADD_EVENT = "tournaments.create_event"
VIEW_FLOOR = "tournaments.view_floor"
VIEW_DESK = "tournaments.view_desk"
REGISTER = "tournaments.register_players"
EDIT_PERSON = "tournaments.edit_persons"
RUN_FLOOR = "tournaments.run_floor"
DIRECT = "tournaments.direct"
VIEW_LOG = "tournaments.view_log"
CHANGE_EVENT = "tournaments.set_up_event"
MANAGE_ROLES = "tournaments.manage_roles"
BOOK = "tournaments.book_money"


def role_of(user: User | AnonymousUser, event: Event) -> Role | None:
    """Return the account's role at the event, asked of the database once per event object."""
    if not user.is_authenticated:
        return None
    if user.is_superuser:
        return Role.OWNER
    cache: dict[int, Role | None] = event.__dict__.setdefault("_roles_by_user", {})
    if user.pk not in cache:
        found = event.roles.filter(user=user).values_list("role", flat=True).first()
        cache[user.pk] = Role(found) if found in Role.values else None
    return cache[user.pk]


def _may(right: str) -> Any:
    @predicate(right)
    def may(user: User, event: Event | None = None) -> bool:
        role = role_of(user, event) if event is not None else None
        return role is not None and right in role.rights

    return may


add_perm(ADD_EVENT, is_staff)
for right in sorted({right for role in Role for right in role.rights}):
    add_perm(f"tournaments.{right}", _may(right))
