"""The desk, the director's main page: players, queue and tables."""

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext, ngettext
from django.views.decorators.http import etag, require_safe

from ...cash.queries.ledger import owed_by
from ...core.access import Request, staff_view
from ...core.answers import SHOWN, form_errors, number_in, staff_action
from ...core.errors import Refused
from ...core.permissions import DIRECT, REGISTER, VIEW_DESK
from ...core.seen import check_seen
from ...core.versions import event_etag
from ...draws.commands.drafts import draft_heats, draw_heats
from ...draws.forms import DrawForm
from ...draws.views.drafts import draft_path, drawn_text
from ...heats.queries.cards import Need, open_heats
from ...models import Event
from ...models.enums import EventStatus, RegistrationStatus
from ...results.queries.phase import phase_of
from ...results.queries.players import DeskPlayer, players_of, playoff_ends, search, with_state
from ...results.queries.standings import first_qualified, qualified_of
from ..commands.check_in import begin_part, empty_queue
from ..forms import PlayerSearchForm, RegisterForm
from ..queries.door import door_of
from ..queries.erasing import asking
from ..queries.queue import queue_of
from ..queries.similar_names import namesakes_of

PAGE = 30


@require_safe
@staff_view(VIEW_DESK)
def desk(request: Request, event: Event) -> HttpResponse:
    """Show the whole desk."""
    return _desk(request, event)


def _desk(
    request: Request, event: Event, *, status: int = 200, draw_form: DrawForm | None = None
) -> HttpResponse:
    for errors in draw_form.errors.get_json_data().values() if draw_form else ():
        for error in errors:
            messages.error(request, error["message"], extra_tags=error["code"] or "invalid")
    now = _now(event, request.GET.get("part", ""))
    return render(
        request,
        "tournaments/registration/desk.html",
        {
            **now,
            **_players(request, event),
            "mark": event_etag(event),
            "register_form": RegisterForm(event=event, parts=now["queue"].parts),
            "draw_form": draw_form,
        },
        status=status,
    )


@require_safe
@staff_view(VIEW_DESK)
@etag(lambda request, event: event_etag(event))
def desk_now(request: Request, event: Event) -> HttpResponse:
    """Return the queue, open heats and qualified players, or 304."""
    return render(
        request, "tournaments/registration/_desk_now.html", _now(event, request.GET.get("part", ""))
    )


@require_safe
@staff_view(VIEW_DESK)
def desk_players(request: Request, event: Event) -> HttpResponse:
    """Return the table of players for this search and page."""
    template = (
        "tournaments/registration/_desk_players.html"
        if request.htmx
        else "tournaments/registration/desk_players.html"
    )
    return render(request, template, _players(request, event))


@require_safe
@staff_view(REGISTER)
def check_in(request: Request, event: Event) -> HttpResponse:
    """Show the door page: who is not here yet, or the players searched for."""
    text = request.GET.get("q", "").replace("\0", "")[:100]
    part = request.GET.get("part", "")
    return render(
        request,
        "tournaments/registration/check_in.html",
        {"event": event, "q": text, "door": door_of(event, text, part)},
    )


def _now(event: Event, part: str) -> dict[str, Any]:
    queue = queue_of(event, staff=True, key=part)
    cards = open_heats(event, by_need=True, staff=True)
    without_auditor = [card for card in cards if card.need[0] == Need.AUDITOR]
    phase = phase_of(event)
    qualified, qualified_count = (
        first_qualified(qualified_of(event)) if phase.shows_qualified else ([], 0)
    )
    # A club evening with one table needs no queue once it plays.
    plays = event.ends_with_heats and event.heats.exists()
    draws = queue.stage is not None and event.status != EventStatus.FINISHED
    return {
        "event": event,
        "queue": queue,
        "shows_queue": bool(queue.waiting) or phase.is_over or not plays,
        "shows_waiting": bool(queue.waiting) or draws,
        "draws": draws,
        "phase": phase,
        "cards": cards,
        "needs": [card for card in cards if card.needs_somebody and card.need[0] != Need.AUDITOR],
        "without_auditor": without_auditor,
        "asking": asking(event),
        **_to_come(event, queue.stage is not None),
        "qualified": qualified,
        "qualified_count": qualified_count,
    }


def _to_come(event: Event, plays: bool) -> dict[str, Any]:
    """Return how many owe, and how many are not here yet while heats are drawn from the queue."""
    if event.status != EventStatus.OPEN or not plays:
        return {}
    owed = owed_by(event).values() if event.price else ()
    missing = event.registrations.filter(status=RegistrationStatus.REGISTERED)
    return {"owing": sum(amount > 0 for amount in owed), "missing": missing.count()}


def _players(request: Request, event: Event) -> dict[str, Any]:
    rounds = list(event.stages.playoffs().order_by("number"))
    form = PlayerSearchForm(request.GET, event=event, in_playoffs=bool(rounds))
    text, state = form.values()
    rows = with_state(search(players_of(event), text, staff=True), state)
    directs = request.user.has_perm(DIRECT, event)
    twins = namesakes_of(event) if directs else {}
    ends = playoff_ends(event, rounds)
    page: Any = Paginator(rows, PAGE).get_page(request.GET.get("page"))
    # Only this page's players get their states; the first query sorts all.
    shown = players_of(event).filter(pk__in=page.object_list)
    return {
        "event": event,
        "search_form": form,
        "q": text,
        "state": state,
        "page": page,
        "rows": [
            (DeskPlayer(row, directs, ends.get(row.player_id)), twins.get(row.number))
            for row in shown
        ],
        "here": request.get_full_path(),
    }


@staff_action(REGISTER, back="check_in")
def part_begin(request: Request, event: Event) -> str:
    """Begin the check-in of a day or part, with nobody here."""
    part = event.timetable.filter(pk=number_in(request, "part")).first()
    if part is None:
        raise Refused("no_part", gettext("This part does not exist."))
    gone = begin_part(event=event, part=part, by=request.user)
    text = ngettext(
        "%(part)s begins: %(count)s player is to be checked in again.",
        "%(part)s begins: %(count)s players are to be checked in again.",
        gone,
    )
    return text % {"part": part, "count": gone}


@staff_action(DIRECT, back="desk")
def queue_empty(request: Request, event: Event) -> str:
    """Take everybody out of the queue, when no further heat is played."""
    check_seen(request, len(queue_of(event, staff=True).waiting))
    count = empty_queue(event=event, by=request.user)
    text = ngettext(
        "%(count)s player has left the queue.", "%(count)s players have left the queue.", count
    )
    return text % {"count": count}


@staff_action(DIRECT, back="desk", page=_desk, methods=SHOWN)
def draft_make(request: Request, event: Event) -> HttpResponse:
    """Make a draft from the queue."""
    with form_errors(draw_form=DrawForm(request.POST)) as data:
        draw = draft_heats(event=event, by=request.user, **data)
    return redirect(draft_path(draw))


@staff_action(DIRECT, back="desk", page=_desk, methods=SHOWN)
def desk_draw(request: Request, event: Event) -> str:
    """Draw heats from the queue and open them at once."""
    check_seen(request, queue_of(event, staff=True, key=request.POST.get("part", "")).sizes)
    with form_errors(draw_form=DrawForm(request.POST)) as data:
        drawn = draw_heats(event=event, by=request.user, **data)
    text = drawn_text(drawn)
    if drawn.left:
        waits_on = ngettext(
            "%(name)s keeps waiting.", "%(count)s keep waiting, %(name)s first.", len(drawn.left)
        )
        name = drawn.left[0].registration.person
        text += " " + waits_on % {"name": name, "count": len(drawn.left)}
    return text
