"""Making an event, its settings and its staff."""

from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from ...core.access import Request, staff_view
from ...core.answers import REFUSALS, put_errors, said, sentence, taking
from ...core.permissions import ADD_EVENT, CHANGE_EVENT, MANAGE_ROLES
from ...draws.forms import RoomPlanForm
from ...draws.views.seating_constraints import _action
from ...models import Event
from ...models.enums import EventStatus, Role
from ..commands import events
from ..commands.events import change_event
from ..commands.formats import FORMATS, create_with_staff_of, fields_like
from ..forms.event import EventForm, RoleForm

#: Earlier events offered to be copied.
MOST_COPIED = 12


@require_http_methods(["GET", "POST"])
@login_required
def event_create(request: Request) -> HttpResponse:
    """Make an event: from a format (``?format=sm``) or like an earlier one (``?like=slug``)."""
    if not request.user.has_perm(ADD_EVENT):
        raise PermissionDenied
    asked = request.POST if request.method == "POST" else request.GET
    earlier = _own_event(request, asked.get("like", ""))
    chosen = FORMATS.get(asked.get("format", ""), FORMATS["festival"])
    initial = fields_like(earlier) if earlier else dict(chosen.fields)
    form = EventForm(request.POST or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        staff = earlier if request.POST.get("with_staff") else None
        try:
            event = create_with_staff_of(earlier=staff, by=request.user, **form.values())
        except REFUSALS as error:
            put_errors(form, error)
        else:
            said(request, _("%(event)s is made.") % {"event": event}, "/")
            return redirect("tournaments:desk", event.slug)
    status = 422 if form.errors else 200
    context = {
        "form": form,
        "formats": FORMATS.values(),
        "chosen": "" if earlier else chosen.key,
        "earlier": earlier,
        "own_events": _own_events(request)[:MOST_COPIED],
        "with_staff": bool(request.POST.get("with_staff")),
    }
    return render(request, "tournaments/events/event_create.html", context, status=status)


def _own_events(request: Request) -> QuerySet[Event]:
    """Return the events whose staff one is: only these can be copied."""
    events = Event.objects.order_by("-starts_on", "-pk")
    return events if request.user.is_superuser else events.filter(roles__user=request.user)


def _own_event(request: Request, slug: str) -> Event | None:
    return _own_events(request).filter(slug=slug.replace("\0", "")[:60]).first() if slug else None


@require_http_methods(["GET", "POST"])
@staff_view(CHANGE_EVENT)
def event_settings(request: Request, event: Event) -> HttpResponse:
    """Change the event's settings."""
    # The form writes into its instance; the head must go on showing what is stored.
    form = EventForm(
        request.POST or None,
        instance=Event.objects.get(pk=event.pk),
        fixed=events.fixed_fields(event),
    )
    status = 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            try:
                event = events.change_event(event=event, by=request.user, **form.values())
            except REFUSALS as error:
                put_errors(form, error)
                status = 409
            else:
                said(request, _("The settings are saved."), "/")
                return redirect("tournaments:event_settings", event.slug)
    return render(
        request,
        "tournaments/events/event_settings.html",
        {"event": event, "form": form, "EventStatus": EventStatus},
        status=status,
    )


@require_POST
@staff_view(CHANGE_EVENT)
def event_status(request: Request, event: Event) -> HttpResponse:
    """Open, finish or reopen the event."""
    back = reverse("tournaments:event_settings", args=[event.slug])
    to = request.POST.get("to", "")
    if to not in EventStatus.values:
        return said(request, _("There is no such status."), back, error=True)
    try:
        event = events.set_event_status(event=event, to=EventStatus(to), by=request.user)
    except REFUSALS as error:
        return said(request, sentence(error), back, error=True)
    text = _("%(event)s is now “%(status)s”.") % {
        "event": event,
        "status": EventStatus(event.status).label,
    }
    return said(request, text, back)


@require_http_methods(["GET", "POST"])
@staff_view(MANAGE_ROLES)
def event_staff(request: Request, event: Event) -> HttpResponse:
    """Show who has which role; give one."""
    form = RoleForm(request.POST or None)
    status = 200
    if request.method == "POST":
        status = 422
        if form.is_valid() and form.user is not None:
            try:
                events.set_role(
                    event=event,
                    user=form.user,
                    role=Role(form.cleaned_data["role"]),
                    by=request.user,
                )
            except REFUSALS as error:
                form.add_error(None, sentence(error))
                status = 409
            else:
                said(request, _("%(user)s has the role.") % {"user": form.user}, "/")
                return redirect("tournaments:event_staff", event.slug)
    roles = event.roles.select_related("user").order_by("user__username")
    return render(
        request,
        "tournaments/events/event_staff.html",
        {"event": event, "form": form, "roles": roles},
        status=status,
    )


@require_POST
@staff_view(MANAGE_ROLES)
def event_staff_remove(request: Request, event: Event) -> HttpResponse:
    """Take somebody's role."""
    name = request.POST.get("username", "").replace("\0", "")[:150]
    user = User.objects.filter(username=name, tournament_roles__event=event).first()
    back = reverse("tournaments:event_staff", args=[event.slug])
    if user is None:
        return said(request, _("This account has no role here."), back, error=True)
    try:
        events.remove_role(event=event, user=user, by=request.user)
    except REFUSALS as error:
        return said(request, sentence(error), back, error=True)
    return said(request, _("%(user)s has no role any more.") % {"user": user}, back)


@_action(CHANGE_EVENT)
def wish_room(request: Request, event: Event) -> str:
    """Say which tables the room has."""
    form = RoomPlanForm(request.POST, instance=Event.objects.get(pk=event.pk))
    with taking(room_form=form) as data:
        change_event(event=event, by=request.user, room_plan=data["room_plan"])
    return _("The room plan is saved.")
