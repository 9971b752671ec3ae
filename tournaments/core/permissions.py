"""Who may do what at an event; registered with django-rules when the app is ready.

Permissions are asked with the event as object: ``user.has_perm("tournaments.direct", event)``.
The administrator of the installation (superuser) may do everything.
"""

from typing import Any

from django.contrib.auth.models import AnonymousUser, User
from rules.permissions import add_perm
from rules.predicates import is_staff, predicate

from ..models import Event
from ..models.enums import Role

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


def role_of(user: User | AnonymousUser, event: Event) -> Role | None:
    """Return the account's role at the event, asked of the database once per event object."""
    if not user.is_authenticated:
        return None
    if user.is_superuser:
        return Role.OWNER
    cache: dict[int, Role | None] = event.__dict__.setdefault("_roles_by_user", {})
    if user.pk not in cache:
        found = event.roles.filter(user=user).values_list("role", flat=True).first()
        cache[user.pk] = Role(found) if found else None
    return cache[user.pk]


def _any_of(name: str, *roles: Role) -> Any:
    @predicate(name)
    def has_role(user: User, event: Event | None = None) -> bool:
        return event is not None and role_of(user, event) in roles

    return has_role


is_staff_of = _any_of("is_staff_of", *Role)
is_desk = _any_of("is_desk", Role.OWNER, Role.DIRECTOR, Role.CASHIER)
is_floor = _any_of("is_floor", Role.OWNER, Role.DIRECTOR, Role.FLOOR)
is_director = _any_of("is_director", Role.OWNER, Role.DIRECTOR)
is_owner = _any_of("is_owner", Role.OWNER)
is_cashier = _any_of("is_cashier", Role.OWNER, Role.CASHIER)

add_perm(ADD_EVENT, is_staff)
add_perm(VIEW_DESK, is_staff_of)
add_perm(REGISTER, is_staff_of)
add_perm(EDIT_PERSON, is_desk)
add_perm(RUN_FLOOR, is_floor)
add_perm(DIRECT, is_director)
add_perm(VIEW_LOG, is_director)
add_perm(CHANGE_EVENT, is_director)
add_perm(MANAGE_ROLES, is_owner)
add_perm(BOOK, is_cashier)
