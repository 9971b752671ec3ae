"""Views for the clocks."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ...core.access import Request
from ...core.answers import staff_action
from ...core.clock import clock_of
from ...core.errors import Refused
from ...core.permissions import JUDGE
from ...core.seen import changed_since
from ...models import Event, Heat
from ..commands import clocks as domain
from ..forms import AllMinutesForm
from ..queries.open_tables import END, MORE, STEP, not_ended
from .heat import heat_action

#: Clocks in which state the buttons set.
STATES = {**domain.FROM, END: "over"}


def _wanted(request: Request) -> str:
    what = request.POST.get("what", "")
    if what not in domain.WHAT:
        raise Refused("bad_choice", _("Choose whether the clock starts, stops or continues."))
    return what


def _check_clocks(request: Request, event: Event) -> None:
    """Refuse if the button would set a clock that the page showed in another state, or not."""
    sent = request.POST.get("clocks")
    wanted = STATES.get(request.POST.get("what", ""))
    for heat in event.heats.open():
        clock = clock_of(heat, event)
        if clock is None or clock.state != wanted or sent is None:
            continue
        if f"{heat.number}:{wanted}" not in sent.split():
            raise changed_since()


@staff_action(JUDGE, back="floor")
def clocks(request: Request, event: Event) -> str:
    """Start, pause or extend the clocks of all open heats, or end those whose time is up."""
    _check_clocks(request, event)
    if request.POST.get("what") == END:
        count, skipped = domain.end_all_by_time(event=event, by=request.user)
        text = ngettext("%(count)s heat has ended.", "%(count)s heats have ended.", count)
        text %= {"count": count}
        return f"{text} {not_ended(skipped)}" if skipped else text
    if request.POST.get("what") == MORE:
        form = AllMinutesForm(request.POST)
        if not form.is_valid():
            raise Refused("malformed", _("Look at the floor again."))
        seen = form.cleaned_data["seen"]
        count = domain.extend_clocks(event=event, minutes=STEP, by=request.user, seen=seen)
    else:
        count = domain.set_clocks(event=event, what=_wanted(request), by=request.user)
    return ngettext("%(count)s clock set.", "%(count)s clocks set.", count) % {"count": count}


@heat_action(JUDGE)
def heat_clock(request: Request, heat: Heat) -> str:
    """Start, pause or resume one heat's clock."""
    domain.set_clock(heat=heat, what=_wanted(request), by=request.user)
    return _("The clock of %(heat)s is set.") % {"heat": heat}


@heat_action(JUDGE)
def heat_time_up(request: Request, heat: Heat) -> str:
    """End a heat whose time is up."""
    domain.end_by_time(heat=heat, by=request.user)
    return _("%(heat)s has ended; it is ranked by what was played.") % {"heat": heat}
