"""Known persons at the desk: suggest, merge, and separate them again."""

from collections.abc import Mapping
from typing import Any

from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from ...core.access import Request, registration_of, staff_view
from ...core.answers import SHOWN, form_errors, line_in, number_in, staff_action, uuid_in
from ...core.errors import Refused
from ...core.permissions import DIRECT, REGISTER
from ...models import Event, Heat, HeatEntry, Person, PersonMerge, Registration
from ...models.enums import EventStatus, RegistrationStatus
from ..commands import check_in as queue
from ..commands import merges as domain
from ..commands import people
from ..forms import MergeForm, RegisterForm
from ..queries.second_qualification import freed_qualification, merge_rows
from ..queries.similar_names import suggestions

MAX_MERGES = 200


@require_safe
@staff_view(REGISTER)
def register_alike(request: Request, event: Event) -> HttpResponse:
    """Return known persons whose name resembles the one typed."""
    context = alike(event, request.GET)
    return render(request, "tournaments/registration/_register_alike.html", context)


def alike(event: Event, typed: Mapping[str, Any]) -> dict[str, Any]:
    """Return the context of the known persons whose name resembles the one typed in the form."""
    found = suggestions(event, typed.get("legal_name", "").replace("\0", "")[:120])
    return {
        "event": event,
        "suggestions": found,
        "same_name": any(each.is_namesake for each in found),
        "register_form": RegisterForm(event=event),
        "here": bool(typed.get("here")),
        # The door's page leads here, and wants its helper back.
        "next": typed.get("next", ""),
    }


@staff_action(REGISTER, back="desk")
def register_known(request: Request, event: Event) -> str:
    """Register a known person; check them in if asked to."""
    named = uuid_in(request, "person")
    persons = Person.objects.filter(organiser=event.organiser_id)
    person = persons.filter(public_id=named).first() if named else None
    if person is None:
        raise Refused("no_person", _("There is no such person."))
    player = people.register_person(event=event, by=request.user, person=person)
    waits = player.status == RegistrationStatus.WAIT_LISTED
    if request.POST.get("here") and not waits and event.status == EventStatus.OPEN:
        player = queue.check_in(registration=player, by=request.user)
    return registered_text(player)


def registered_text(player: Registration) -> str:
    """Return a sentence about a new registration."""
    if player.status == RegistrationStatus.WAIT_LISTED:
        text = _("The event is full: %(name)s is on the waiting list, as number %(number)s.")
    elif player.status == RegistrationStatus.CHECKED_IN:
        text = _("%(name)s is registered as number %(number)s and checked in.")
    else:
        text = _("%(name)s is registered as number %(number)s.")
    return text % {"name": player.person, "number": player.number}


def _merge_page(
    request: Request, player: Registration, *, form: MergeForm | None = None, status: int = 200
) -> HttpResponse:
    event = player.event
    typed = request.GET.get("q", player.person.legal_name).replace("\0", "")[:120]
    found = suggestions(event, typed, leave_out=player.person_id)
    qualified = set(event.qualifications.valid().values_list("registration", flat=True))
    return render(
        request,
        "tournaments/registration/player_merge.html",
        {
            "event": event,
            "player": player,
            "form": form or MergeForm(event=event),
            "q": typed,
            "suggestions": [
                (
                    each,
                    freed_qualification(player, each.registration)
                    if each.registration and {player.pk, each.registration.pk} <= qualified
                    else None,
                )
                for each in found
            ],
        },
        status=status,
    )


@staff_action(DIRECT, of=registration_of, back="merges", page=_merge_page, methods=SHOWN)
def player_merge(request: Request, player: Registration) -> str:
    """Search for the player's other person, and merge the two."""
    with form_errors(form=MergeForm(request.POST, event=player.event)) as data:
        kept, merged = player.person, data["person"]
        if request.POST.get("keep") == "other":
            kept, merged = merged, kept
        instead = request.POST.get("instead")
        domain.merge_persons(
            kept=kept,
            merged=merged,
            event=player.event,
            by=request.user,
            reason=data["reason"],
            instead=None if instead is None else [instead] if instead else [],
        )
    text = _("They are one person now: %(name)s.") % {"name": kept}
    if instead:
        other = player.event.registrations.select_related("person").get(number=instead)
        text += " " + _("Qualified instead: %(name)s.") % {"name": other.person}
    seats = seats_of(kept, player.event)
    if len(seats) < 2:
        return text
    more = _("Two seats now: %(heats)s. Take the player out where the seat is really empty.")
    return f"{text} {more % {'heats': ', '.join(map(str, seats))}}"


def seats_of(person: Person, event: Event) -> list[Heat]:
    """Return the open heats in which somebody sits, two after a merge during play."""
    entries = HeatEntry.objects.seated().filter(registration__person=person)
    return list(Heat.objects.filter(event=event, entries__in=entries).order_by("number"))


@require_safe
@staff_view(DIRECT)
def merges(request: Request, event: Event) -> HttpResponse:
    """List the merges of persons at this event."""
    context = {"event": event, "merges": merge_rows(event, _merges_of(event)[:MAX_MERGES])}
    return render(request, "tournaments/registration/merges.html", context)


def _merges_of(event: Event) -> QuerySet[PersonMerge]:
    here = event.registrations.values_list("person", flat=True)
    return PersonMerge.objects.filter(kept__in=here).select_related("kept", "merged", "made_by")


@staff_action(DIRECT, back="merges")
def merge_undo(request: Request, event: Event) -> str:
    """Separate two merged persons."""
    merge = _merges_of(event).filter(pk=number_in(request, "merge")).first()
    if merge is None:
        raise Refused("no_merge", _("There is no such merge here."))
    reason = line_in(request, "reason")
    domain.undo_merge(merge=merge, event=event, by=request.user, reason=reason)
    return _("They are two people again.")
