"""The desk's screens: adopt, set up, steer, look at and end them."""

from typing import Any

from csp.constants import SELF
from csp.decorators import csp_replace
from django.http import Http404, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.clickjacking import xframe_options_sameorigin
from django.views.decorators.http import require_safe

from ...core.access import Request, staff_view
from ...core.addresses import code_of, opens_here_only, public_address
from ...core.answers import SHOWN, form_errors, number_in, staff_action
from ...core.permissions import RUN_FLOOR, events_where
from ...models import Event, Screen
from ...models.enums import ScreenPart
from .. import commands as domain
from ..forms import AdoptForm, ScreenForm, SponsorForm, wanted_of
from ..queries.overlays import OVERLAYS
from ..queries.screens import at_desk, parts_for, read_letters
from .device import state_of


def _screen_of(event: Event, number: int) -> Screen:
    screen = get_object_or_404(Screen.objects.select_related("contact"), event=event, number=number)
    screen.event = event
    return screen


def _screens(
    request: Request, event: Event, *, form: AdoptForm | None = None, status: int = 200
) -> HttpResponse:
    letters = read_letters(request.GET.get("letters", ""))
    address = public_address(request, reverse("tournaments:screen"))
    context = {
        "event": event,
        "screens": at_desk(event),
        "parts": parts_for(event),
        "form": form or AdoptForm(event=event, initial={"letters": letters}),
        "address": address,
        "here_only": opens_here_only(address),
        "overlays": _overlays(request, event),
    }
    return render(request, "tournaments/screens/screens.html", context, status=status)


def _overlays(request: Request, event: Event) -> list[tuple[str, str]]:
    """Return the addresses of the overlays, in the reader's language."""
    labels = {
        "tiles": _("The final's four tiles"),
        "lower": _("Names and scores below the picture"),
        "bracket": _("The bracket"),
    }
    if event.ends_with_heats:
        return []
    return [
        (
            labels[kind],
            public_address(
                request,
                reverse("tournaments:overlay", args=[event.slug, request.LANGUAGE_CODE, kind]),
            ),
        )
        for kind in OVERLAYS
    ]


@staff_action(RUN_FLOOR, back="screens", page=_screens, methods=SHOWN)
def screens(request: Request, event: Event) -> HttpResponseRedirect:
    """List the screens, and adopt one by its letters."""
    with form_errors(field="letters", form=AdoptForm(request.POST, event=event)) as data:
        screen = domain.adopt(
            event=event,
            letters=data["letters"],
            name=data["name"],
            instead=data["instead"],
            by=request.user,
        )
    return HttpResponseRedirect(_path(screen), status=303)


def _path(screen: Screen) -> str:
    assert screen.event is not None
    return reverse("tournaments:screen_set", args=[screen.event.slug, screen.number])


@require_safe
@staff_view(RUN_FLOOR)
def screens_now(request: Request, event: Event) -> HttpResponse:
    """Return when each screen was last heard."""
    context = {"event": event, "screens": at_desk(event)}
    return render(request, "tournaments/screens/_heard.html", context)


@staff_action(RUN_FLOOR, back="screens")
def screens_steer(request: Request, event: Event) -> str:
    """Put a part on one screen, or on all of them; or return to the programme."""
    shows = request.POST.get("shows", "")
    chosen = event.screens.all()
    if request.POST.get("screen") != "all":
        chosen = chosen.filter(number=number_in(request, "screen"))
    steered = list(chosen)
    domain.steer(event=event, screens=steered, shows=shows, by=request.user)
    what = ScreenPart(shows).label if shows else _("the programme")
    return ngettext("%(count)s screen: %(what)s", "%(count)s screens: %(what)s", len(steered)) % {
        "count": len(steered),
        "what": what,
    }


def _set_up_page(
    request: Request, screen: Screen, *, form: ScreenForm | None = None, status: int = 200
) -> HttpResponse:
    assert screen.event is not None
    context = {
        "event": screen.event,
        "screen": screen,
        "form": form or ScreenForm(screen=screen),
        "parts": parts_for(screen.event),
    }
    return render(request, "tournaments/screens/screen_set.html", context, status=status)


@staff_action(RUN_FLOOR, of=_screen_of, back=_path, page=_set_up_page, methods=SHOWN)
def screen_set(request: Request, screen: Screen) -> str:
    """Set up a screen."""
    with form_errors(form=ScreenForm(request.POST, screen=screen)) as data:
        domain.set_up(screen=screen, by=request.user, **wanted_of(data))
    return _("The screen is set up.")


def _to_list(screen: Screen) -> str:
    assert screen.event is not None
    return reverse("tournaments:screens", args=[screen.event.slug])


@staff_action(RUN_FLOOR, of=_screen_of, back=_to_list)
def screen_end(request: Request, screen: Screen) -> str:
    """End a screen."""
    domain.end_screen(screen=screen, by=request.user)
    return _("%(name)s is no longer a screen of this event.") % {"name": screen.name}


@require_safe
@xframe_options_sameorigin
@csp_replace({"frame-ancestors": [SELF]})
@staff_view(RUN_FLOOR)
def screen_view(request: Request, event: Event, number: int) -> HttpResponse:
    """Show what a screen shows, for the desk's frame; ``?part=…`` one part as it would look."""
    screen = _screen_of(event, number)
    now = reverse("tournaments:screen_state", args=[event.slug, screen.number])
    asked = request.GET.get("part", "")
    only = asked if asked in ScreenPart.values else ""
    context = {"now": now, "screen": screen, "is_view": True, "only": only}
    return render(request, "tournaments/screens/screen.html", context)


@require_safe
@staff_view(RUN_FLOOR)
def screen_state(request: Request, event: Event, number: int) -> HttpResponse:
    """Return what a screen is told, without noting that it was heard."""
    return JsonResponse(state_of(request, _screen_of(event, number)))


@require_safe
@staff_view(RUN_FLOOR)
def screen_card(request: Request, event: Event, number: int) -> HttpResponse:
    """Show a card to print and put on the screen: its name, its letters, what to do."""
    screen = _screen_of(event, number)
    address = public_address(request, reverse("tournaments:screen"))
    context = {
        "event": event,
        "screen": screen,
        "address": address,
        "code": code_of(public_address(request, _path(screen))),
    }
    return render(request, "tournaments/screens/screen_card.html", context)


def _sponsors(
    request: Request, event: Event, *, form: SponsorForm | None = None, status: int = 200
) -> HttpResponse:
    context = {
        "event": event,
        "pictures": event.screen_pictures.defer("content"),
        "form": form or SponsorForm(),
    }
    return render(request, "tournaments/screens/sponsors.html", context, status=status)


@staff_action(RUN_FLOOR, back="sponsors", page=_sponsors, methods=SHOWN, idempotent=True)
def sponsors(request: Request, event: Event) -> str:
    """List and add sponsors' pictures."""
    with form_errors(field="picture", form=SponsorForm(request.POST, request.FILES)) as data:
        domain.add_picture(event=event, name=data["name"], file=data["picture"], by=request.user)
    return _("The picture is saved.")


@staff_action(RUN_FLOOR, back="sponsors")
def sponsor_remove(request: Request, event: Event) -> str:
    """Remove a sponsor's picture."""
    number = number_in(request, "picture")
    domain.remove_picture(event=event, number=number, by=request.user)
    return _("The picture is removed.")


@require_safe
def adopt(request: Request, letters: str) -> HttpResponse:
    """Lead to the event whose screen this becomes; the code on a screen opens this."""
    if not request.user.is_authenticated:
        from django.contrib.auth.views import redirect_to_login

        return redirect_to_login(request.get_full_path())
    events = events_where(request.user, RUN_FLOOR)
    found: list[tuple[Event, str]] = [
        (
            event,
            f"{reverse('tournaments:screens', args=[event.slug])}?letters={read_letters(letters)}",
        )
        for event in events
    ]
    if not found:
        raise Http404(_("You run no event that could have a screen."))
    if len(found) == 1:
        return HttpResponseRedirect(found[0][1])
    context: dict[str, Any] = {"found": found, "letters": letters}
    return render(request, "tournaments/screens/adopt.html", context)
