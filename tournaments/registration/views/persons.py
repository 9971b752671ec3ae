"""Known persons at the desk: suggested while a name is typed, merged, told apart again."""

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from ...core.access import Request, registration_of, staff_view
from ...core.answers import REFUSALS, said, sentence
from ...core.permissions import DIRECT, REGISTER
from ...models import Event, Person, PersonMerge, Registration
from ...models.enums import EventStatus, RegistrationStatus
from ..commands import check_in as queue
from ..commands import merges as domain
from ..commands import people
from ..commands import waiting_list as places
from ..forms import MergeForm
from ..queries.similar_names import suggestions

MOST_MERGES = 200


@require_safe
@staff_view(REGISTER)
def register_alike(request: Request, event: Event) -> HttpResponse:
    """Return known persons like the name being typed."""
    typed = request.GET.get("legal_name", "").replace("\0", "")[:120]
    return render(
        request,
        "tournaments/registration/_register_alike.html",
        {
            "event": event,
            "typed": typed,
            "suggestions": suggestions(event, typed),
            "here": bool(request.GET.get("here")),
        },
    )


@require_POST
@staff_view(REGISTER)
def register_known(request: Request, event: Event) -> HttpResponse:
    """Register a known person, and check in where asked for."""
    back = reverse("tournaments:desk", args=[event.slug])
    key = request.POST.get("person", "")
    known = key.isascii() and key.isdigit() and len(key) < 18
    person = Person.objects.filter(pk=int(key)).first() if known else None
    if person is None:
        return said(request, _("There is no such person."), back, error=True)
    try:
        player = people.register_person(event=event, by=request.user, person=person)
        waits = player.status == RegistrationStatus.WAIT_LISTED
        if request.POST.get("here") and not waits and event.status == EventStatus.OPEN:
            player = queue.check_in(registration=player, by=request.user)
    except REFUSALS as error:
        return said(request, sentence(error), back, error=True)
    return said(request, registered_text(player), back)


def registered_text(player: Registration) -> str:
    """Return the sentence about a new registration."""
    if player.status == RegistrationStatus.WAIT_LISTED:
        text = _("All places are taken: %(name)s is on the waiting list, as number %(number)s.")
    else:
        text = _("%(name)s is registered as number %(number)s.")
    return text % {"name": player.person, "number": player.number}


@require_POST
@staff_view(DIRECT)
def player_let_in(request: Request, event: Event, number: int) -> HttpResponse:
    """Let somebody from the waiting list in."""
    back = reverse("tournaments:desk", args=[event.slug])
    player = registration_of(event, number)
    try:
        places.let_in(registration=player, by=request.user)
    except REFUSALS as error:
        return said(request, sentence(error), back, error=True)
    return said(request, _("%(name)s has a place now.") % {"name": player.person}, back)


@require_http_methods(["GET", "POST"])
@staff_view(DIRECT)
def player_merge(request: Request, event: Event, number: int) -> HttpResponse:
    """Look for the person that this one really is, and make the two one."""
    player = registration_of(event, number)
    form = MergeForm(request.POST or None)
    status = 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            other: Person = form.cleaned_data["person"]
            kept, merged = player.person, other
            if request.POST.get("keep") == "other":
                kept, merged = other, player.person
            try:
                domain.merge_persons(
                    kept=kept,
                    merged=merged,
                    event=event,
                    by=request.user,
                    reason=form.cleaned_data["reason"],
                )
            except REFUSALS as error:
                form.add_error(None, sentence(error))
                status = 409
            else:
                said(request, _("They are one person now: %(name)s.") % {"name": kept}, "/")
                return redirect("tournaments:merges", event.slug)
    typed = request.GET.get("q", player.person.legal_name).replace("\0", "")[:120]
    return render(
        request,
        "tournaments/registration/player_merge.html",
        {
            "event": event,
            "player": player,
            "form": form,
            "q": typed,
            "suggestions": suggestions(event, typed, leave_out=player.person_id),
        },
        status=status,
    )


@require_safe
@staff_view(DIRECT)
def merges(request: Request, event: Event) -> HttpResponse:
    """Show which persons of this event were merged."""
    return render(
        request,
        "tournaments/registration/merges.html",
        {"event": event, "merges": _merges_of(event)},
    )


def _merges_of(event: Event) -> list[PersonMerge]:
    here = event.registrations.values_list("person", flat=True)
    return list(
        PersonMerge.objects.filter(kept__in=here).select_related("kept", "merged", "made_by")[
            :MOST_MERGES
        ]
    )


@require_POST
@staff_view(DIRECT)
def merge_undo(request: Request, event: Event) -> HttpResponse:
    """Tell two merged persons apart again."""
    back = reverse("tournaments:merges", args=[event.slug])
    key = request.POST.get("merge", "")
    found = [row for row in _merges_of(event) if str(row.pk) == key]
    if not found:
        return said(request, _("There is no such merge here."), back, error=True)
    try:
        domain.undo_merge(
            merge=found[0],
            event=event,
            by=request.user,
            reason=request.POST.get("reason", "")[:200],
        )
    except REFUSALS as error:
        return said(request, sentence(error), back, error=True)
    return said(request, _("They are two persons again."), back)
