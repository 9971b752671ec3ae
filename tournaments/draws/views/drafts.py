"""Staff pages of a draft: make, change, publish or discard it."""

import hashlib
from functools import partial
from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.cache import get_conditional_response
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from ...core.access import Request, staff_view
from ...core.answers import form_errors, reply, staff_action
from ...core.errors import Refused
from ...core.forms import TimesForm
from ...core.permissions import DIRECT, VIEW_DESK
from ...core.times import times
from ...models import Draw, Event
from ...models.enums import DrawStatus, StageKind
from ..commands import drafts as domain
from ..commands.drafts import draw_again
from ..forms import OUT, SWAP, DraftChangeForm, VersionForm
from ..queries.drafts import DraftView, draft_view
from ..queries.reasons import cost_text


def draw_of(event: Event, number: int) -> Draw:
    """Return the event's draw with this number, or raise 404."""
    draw = get_object_or_404(Draw.objects.select_related("stage"), event=event, number=number)
    draw.event = draw.stage.event = event
    return draw


def draft_path(draw: Draw) -> str:
    """Return the path of a draft's page."""
    return reverse("tournaments:draft", args=[draw.event.slug, draw.number])


def home_of(draw: Draw) -> str:
    """Return the path of the page where the draft was made: the desk or the play-offs."""
    name = "desk" if draw.stage.kind == StageKind.QUALIFYING else "rounds"
    return reverse(f"tournaments:{name}", args=[draw.event.slug])


@require_safe
@never_cache
@staff_view(VIEW_DESK)
def draft(request: Request, event: Event, number: int) -> HttpResponse:
    """Show a draft; redirect to the public page if it is no longer one."""
    draw = draw_of(event, number)
    if draw.status != DrawStatus.DRAFT:
        return redirect("tournaments:draw", event.slug, number)
    return render(request, "tournaments/draws/draft.html", _context(draft_view(draw)))


def _context(view: DraftView, **more: Any) -> dict[str, Any]:
    return {
        "event": view.draw.event,
        "draw": view.draw,
        "view": view,
        "home": home_of(view.draw),
        "cost": cost_text(view.cost),
        "cost_as_drawn": cost_text(view.cost_as_drawn),
        "mark": _mark(view),
        "is_round": view.draw.stage.kind != StageKind.QUALIFYING,
        "times_form": TimesForm(initial=times(view.draw), prefix="times"),
        **more,
    }


def _mark(view: DraftView) -> str:
    """Return a text that changes when the page should be reloaded."""
    parts = (view.draw.version, *view.came, "-", *view.left, view.reordered, view.refusal)
    digest = hashlib.sha256(repr(parts).encode("utf-8", "surrogatepass")).hexdigest()
    return f'"draft-{view.draw.pk}-{digest[:20]}"'


@require_safe
@never_cache
@staff_view(VIEW_DESK)
def draft_state(request: Request, event: Event, number: int) -> HttpResponse:
    """Return the draft's state, which its page polls to see whether it is out of date."""
    draw = draw_of(event, number)
    if draw.status != DrawStatus.DRAFT:
        return render(
            request, "tournaments/draws/_draft_state.html", {"event": event, "draw": draw}
        )
    view = draft_view(draw)
    mark = _mark(view)
    unchanged = get_conditional_response(request, etag=mark)
    if unchanged is not None:
        return unchanged
    seen = request.GET.get("seen", "")
    context = _context(view, others=seen not in ("", str(draw.version)))
    response = render(request, "tournaments/draws/_draft_state.html", context)
    response["ETag"] = mark
    return response


def _draft_body(
    request: Request,
    draw: Draw,
    text: Any = "",
    *,
    status: int = 200,
    form: Any = None,
    times_form: Any = None,
) -> HttpResponse:
    """Answer a change: HTMX gets the draft as it is now, other requests are redirected to it."""
    errors = form.non_field_errors().get_json_data() if form else []
    if times_form is not None:
        errors = [error for row in times_form.errors.get_json_data().values() for error in row]
    text = text or " ".join(error["message"] for error in errors)
    code = errors[0]["code"] or "invalid" if errors else ""
    fresh = draw_of(draw.event, draw.number)
    if not request.htmx or fresh.status != DrawStatus.DRAFT:
        response = reply(request, text, draft_path(draw), code=code)
        if request.htmx:
            # The draft is gone, so the page has to be left.
            response["HX-Redirect"] = home_of(fresh)
        return response
    level = "error" if code else "success"
    context = _context(draft_view(fresh), reply=text, level=level, code=code)
    if times_form is not None:
        context["times_form"] = times_form
    return render(request, "tournaments/draws/_draft_body.html", context, status=status)


_action = partial(staff_action, DIRECT, of=draw_of, back=draft_path, page=_draft_body)


@_action()
def draft_change(request: Request, draw: Draw) -> HttpResponse:
    """Swap two players, or move one."""
    with form_errors(form=DraftChangeForm(request.POST, player_ids=draw.queue)) as data:
        chosen: list[str] = data["player"]
        shared: dict[str, Any] = {
            "draw": draw,
            "by": request.user,
            "seen_version": data["version"],
            "reason": data["reason"],
        }
        if data["to"] == OUT:
            domain.take_out(player=chosen[0], **shared)
        elif data["to"] == SWAP:
            domain.swap_players(one=chosen[0], other=chosen[1], **shared)
        else:
            domain.move_player(player=chosen[0], table=int(data["to"]), **shared)
    return _draft_body(request, draw, _("The draft is changed."))


@_action()
def draft_times(request: Request, draw: Draw) -> HttpResponse:
    """Say when the draft's heats are to be played."""
    seen = _seen(request)["version"]
    with form_errors(times_form=TimesForm(request.POST, prefix="times")) as data:
        domain.set_draft_times(draw=draw, planned=data, by=request.user, seen_version=seen)
    return _draft_body(request, draw, _("The times are saved."))


def _seen(request: Request) -> dict[str, Any]:
    """Return the draft's version that the user saw, and the reason given."""
    form = VersionForm(request.POST)
    if not form.is_valid():
        raise Refused("malformed", _("Look at the draft again."))
    return form.cleaned_data


@_action()
def draft_publish(request: Request, draw: Draw) -> HttpResponse:
    """Open a heat for each table of the draft."""
    drawn = domain.publish(
        draw=draw,
        by=request.user,
        seen_version=_seen(request)["version"],
        accept_changes=bool(request.POST.get("accept")),
    )
    return reply(request, drawn_text(drawn), home_of(draw))


def drawn_text(drawn: domain.Drawn) -> str:
    """Return a sentence about the heats that a draw opened."""
    if drawn.heats[0].title:
        return _("Drawn: %(names)s.") % {"names": " · ".join(str(heat) for heat in drawn.heats)}
    text = ngettext("Drawn: heat %(numbers)s.", "Drawn: heats %(numbers)s.", len(drawn.heats))
    return text % {"numbers": ", ".join(str(heat.number) for heat in drawn.heats)}


@_action()
def draft_discard(request: Request, draw: Draw) -> HttpResponse:
    seen = _seen(request)
    domain.discard(draw=draw, by=request.user, seen_version=seen["version"], reason=seen["reason"])
    return reply(request, _("%(draw)s is thrown away.") % {"draw": draw}, home_of(draw))


@_action()
def draft_again(request: Request, draw: Draw) -> HttpResponse:
    """Discard the draft and draw again among those who can be drawn now."""
    fresh = draw_again(
        draw=draw,
        by=request.user,
        seen_version=_seen(request)["version"],
        seed=request.POST.get("seed") or None,
    )
    text = _("%(draw)s is a new draft with a new seed.") % {"draw": fresh}
    return reply(request, text, draft_path(fresh))
