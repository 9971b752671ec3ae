"""Creating an event, its settings and its staff."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from ...core import two_factor
from ...core.access import Request, may
from ...core.answers import SHOWN, action, form_errors, path_of, reply, staff_action
from ...core.errors import Refused
from ...core.organisers import where_member
from ...core.permissions import ADD_EVENT, CHANGE_EVENT, MANAGE_ROLES, events_where
from ...draws.forms import RoomPlanForm
from ...draws.views.seating_constraints import _action
from ...models import Event, Organiser
from ...models.enums import EventStatus, Role
from ..commands import events
from ..commands.events import change_event, create_with_staff_of, set_timetable
from ..forms.event import EventForm, RoleForm, TwoFactorForm
from ..forms.timetable import timetable_forms
from ..queries.checklist import status_moves
from ..queries.formats import FORMATS, fields_like, fixed_fields

#: Earlier events offered for copying.
MAX_COPIED = 12


def _create_page(
    request: Request, chosen: Any, *, form: EventForm | None = None, status: int = 200
) -> HttpResponse:
    earlier = chosen if isinstance(chosen, Event) else None
    organisers = list(where_member(request.user))
    context = {
        # Nobody needs to choose from one organiser.
        "organisers": organisers if len(organisers) > 1 else [],
        "organiser": request.POST.get("organiser") or (earlier and earlier.organiser.slug),
        "form": form or EventForm(initial=_initial(chosen)),
        "formats": FORMATS.values(),
        "chosen": "" if earlier else chosen.key,
        "earlier": earlier,
        "own_events": _own_events(request)[:MAX_COPIED],
        "with_staff": bool(request.POST.get("with_staff")),
        "has_staff": earlier is not None and request.user.has_perm(MANAGE_ROLES, earlier),
    }
    return render(request, "tournaments/events/event_create.html", context, status=status)


def _initial(chosen: Any) -> dict[str, Any]:
    return fields_like(chosen) if isinstance(chosen, Event) else dict(chosen.fields)


@require_http_methods(SHOWN)
@login_required
def event_create(request: Request) -> HttpResponseBase:
    """Create an event: from a format (``?format=sm``) or like an earlier one (``?like=slug``)."""
    if not request.user.has_perm(ADD_EVENT):
        raise PermissionDenied
    asked = request.POST if request.method == "POST" else request.GET
    earlier = _own_event(request, asked.get("like", ""))
    if earlier and not may(request, CHANGE_EVENT, earlier):
        return redirect(two_factor.setup_url(request))
    return _create(request, earlier or FORMATS.get(asked.get("format", ""), FORMATS["festival"]))


@action(back=lambda chosen: reverse("tournaments:event_create"), page=_create_page)
def _create(request: Request, chosen: Any) -> HttpResponse:
    earlier = chosen if isinstance(chosen, Event) else None
    if earlier is not None and not request.user.has_perm(MANAGE_ROLES, earlier):
        earlier = None
    form = EventForm(request.POST, initial=_initial(chosen))
    with form_errors(form=form):
        event = create_with_staff_of(
            earlier=earlier if request.POST.get("with_staff") else None,
            by=request.user,
            organiser=_organiser(request),
            **form.values(),
        )
    return reply(
        request, _("%(event)s has been created.") % {"event": event}, path_of("desk", event)
    )


def _organiser(request: Request) -> Organiser | None:
    """Return the chosen organiser, or None if there is no choice."""
    slug = request.POST.get("organiser", "").replace("\0", "")[:60]
    if not slug:
        return None
    found = where_member(request.user).filter(slug=slug).first()
    if found is None:
        raise Refused("no_organiser", _("You may not create events for this organiser."))
    return found


def _own_events(request: Request) -> QuerySet[Event]:
    """Return the events whose settings the account may read; only these can be copied."""
    return events_where(request.user, CHANGE_EVENT).order_by("-starts_on", "-pk")


def _own_event(request: Request, slug: str) -> Event | None:
    return _own_events(request).filter(slug=slug.replace("\0", "")[:60]).first() if slug else None


def _settings_page(
    request: Request, event: Event, *, form: EventForm | None = None, status: int = 200
) -> HttpResponse:
    form = form or _settings_form(event)
    context = {"event": event, "form": form, "moves": status_moves(event)}
    return render(request, "tournaments/events/event_settings.html", context, status=status)


def _settings_form(event: Event, data: Any = None) -> EventForm:
    # The form changes its instance; the heading must show what is stored.
    stored = Event.objects.get(pk=event.pk)
    return EventForm(data, instance=stored, fixed=fixed_fields(event))


@staff_action(CHANGE_EVENT, back="event_settings", page=_settings_page, methods=SHOWN)
def event_settings(request: Request, event: Event) -> HttpResponse:
    form = _settings_form(event, request.POST)
    with form_errors(form=form):
        event = events.change_event(event=event, by=request.user, **form.values())
    return reply(request, _("The settings are saved."), path_of("event_settings", event))


@staff_action(CHANGE_EVENT, back="event_settings")
def event_status(request: Request, event: Event) -> str:
    to = request.POST.get("to", "")
    if to not in EventStatus.values:
        raise Refused("no_status", _("There is no such status."))
    event = events.set_event_status(
        event=event, to=EventStatus(to), by=request.user, despite="despite" in request.POST
    )
    return _("%(event)s is now “%(status)s”.") % {
        "event": event,
        "status": EventStatus(event.status).label,
    }


def _staff_page(
    request: Request, event: Event, *, form: RoleForm | None = None, status: int = 200
) -> HttpResponse:
    roles = event.roles.select_related("user").order_by("user__username")
    demanded = event.staff_two_factor
    lacking = two_factor.accounts_without([role.user_id for role in roles]) if demanded else set()
    owners = User.objects.filter(
        organiser_members__organiser=event.organiser_id, organiser_members__is_owner=True
    ).exclude(tournament_roles__event=event)
    context = {
        "event": event,
        "form": form or RoleForm(),
        "roles": roles,
        "lacking": lacking,
        "two_factor": TwoFactorForm(instance=Event.objects.get(pk=event.pk)),
        "owners": owners.order_by("username"),
    }
    return render(request, "tournaments/events/event_staff.html", context, status=status)


@staff_action(MANAGE_ROLES, back="event_staff", page=_staff_page, methods=SHOWN)
def event_staff(request: Request, event: Event) -> str:
    """List the event's roles; give one."""
    form = RoleForm(request.POST)
    with form_errors(form=form) as data:
        assert form.user is not None
        events.set_role(event=event, user=form.user, role=Role(data["role"]), by=request.user)
    return _("%(user)s has the role.") % {"user": form.user}


@staff_action(MANAGE_ROLES, back="event_staff")
def event_staff_remove(request: Request, event: Event) -> str:
    """Remove somebody's role."""
    name = request.POST.get("username", "").replace("\0", "")[:150]
    user = User.objects.filter(username=name, tournament_roles__event=event).first()
    if user is None:
        raise Refused("no_role", _("This account has no role at this event."))
    events.remove_role(event=event, user=user, by=request.user)
    return _("%(user)s no longer has a role.") % {"user": user}


@staff_action(MANAGE_ROLES, back="event_staff")
def event_two_factor(request: Request, event: Event) -> str:
    """Require two-factor authentication of the staff, or no longer."""
    demanded = "staff_two_factor" in request.POST
    events.change_event(event=event, by=request.user, staff_two_factor=demanded)
    if demanded:
        return _("Staff now need two-factor authentication.")
    return _("A password is enough for the staff.")


@_action(CHANGE_EVENT)
def seating_room(request: Request, event: Event) -> str:
    """Set the tables of the room."""
    form = RoomPlanForm(request.POST, instance=Event.objects.get(pk=event.pk))
    with form_errors(room_form=form) as data:
        change_event(event=event, by=request.user, room_plan=data["room_plan"])
    return _("The room plan is saved.")


def _timetable_page(
    request: Request, event: Event, *, status: int = 200, days: Any = None
) -> HttpResponse:
    context = {"event": event, "days": days or timetable_forms(event)}
    return render(request, "tournaments/events/timetable.html", context, status=status)


@staff_action(CHANGE_EVENT, back="timetable", page=_timetable_page, methods=SHOWN)
def timetable(request: Request, event: Event) -> str:
    """Set the event's days and their times."""
    days = timetable_forms(event, request.POST)
    with form_errors(days=days):
        set_timetable(event=event, days=days.days(), by=request.user)
    return _("The timetable is saved.")
