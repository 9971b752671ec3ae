"""The floor page, and the floor's actions at one table."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import etag, require_safe

from scoring.models import Sheet, SheetEntry

from ...core.access import Request, heat_of, registration_of, staff_view
from ...core.answers import form_errors, line_in, number_in, staff_action
from ...core.errors import Refused
from ...core.forms import TimesForm
from ...core.permissions import DIRECT, JUDGE, RUN_FLOOR, VIEW_DESK
from ...core.seen import check_seen
from ...core.versions import event_etag
from ...draws.views.drafts import draw_of
from ...heats.queries.cards import HeatCard, heat_cards
from ...models import Draw, Event, Heat
from ...models.enums import Offence
from ...registration.queries.queue import queue_of
from ...results.queries.phase import phase_of
from ...results.queries.standings import qualified_of
from ..commands import floor as domain
from ..commands.players import change_players, take_draw_back
from ..commands.review import review_warning
from ..forms import MinutesForm, MissingForm, SwapForm
from ..queries.open_tables import FloorCard, called_slow, floor_of
from ..queries.penalties import next_step, with_lost_points
from ..queries.players import other_players
from .heat import heat_action, results_shown
from .heat_parts import players_by_name, players_form, seats_form, shown_sheet


@require_safe
@never_cache
@staff_view(VIEW_DESK)
def floor(request: Request, event: Event) -> HttpResponse:
    """Show all open tables, those that need somebody first."""
    return render(
        request,
        "tournaments/floor/floor.html",
        {**_floor(event), "mark": event_etag(event)},
    )


@require_safe
@staff_view(VIEW_DESK)
@etag(lambda request, event: event_etag(event))
def floor_now(request: Request, event: Event) -> HttpResponse:
    """Return the page's live part, or 304."""
    return render(request, "tournaments/floor/_floor_now.html", _floor(event))


def _floor(event: Event) -> dict[str, Any]:
    shown = floor_of(event)
    queue = queue_of(event, staff=True)
    phase = phase_of(event)
    return {
        "event": event,
        "floor": shown,
        "slow": {card.heat.pk: step for card in shown.cards if (step := _slow_step(card))},
        "queue": queue,
        "shows_queue": bool(queue.waiting) or (queue.stage and not event.ends_with_heats),
        "phase": phase,
        "qualified_count": qualified_of(event).count() if phase.shows_qualified else 0,
    }


def _slow_step(card: FloorCard) -> str:
    """Return the step that a table's shot clock calls for, with the player's name."""
    called = called_slow(card.heat)
    if called is None:
        return ""
    player_id, _reason = called
    given = card.penalties_by_ref.get(player_id, [])
    return (
        f"{card.card.names.get(player_id, '')}: {next_step(card.heat.event, given, Offence.SLOW)}"
    )


@staff_action(RUN_FLOOR, of=heat_of, back="floor")
def warning_seen(request: Request, heat: Heat) -> str:
    """Tick off an unusual line."""
    game, sequence = number_in(request, "game"), number_in(request, "entry")
    review_warning(heat=heat, game=game, sequence=sequence, by=request.user)
    return _("Reviewed.")


# --- one table --------------------------------------------------------------------------------


def _card(heat: Heat) -> HeatCard:
    return heat_cards([heat], staff=True)[0]


def _extra_minutes(heat: Heat) -> int:
    return Heat.objects.values_list("extra_minutes", flat=True).get(pk=heat.pk)


@heat_action(JUDGE)
def heat_minutes(request: Request, heat: Heat) -> str:
    """Give the heat extra time."""
    form = MinutesForm(request.POST)
    with form_errors(
        minutes_form=form, now=lambda: {"seen": _extra_minutes(heat)}, gone={"no_clock"}
    ) as data:
        done = domain.grant_extra_time(heat=heat, by=request.user, **data)
    return ngettext(
        "%(heat)s has %(count)s extra minute.",
        "%(heat)s has %(count)s extra minutes.",
        done.extra_minutes,
    ) % {"heat": heat, "count": done.extra_minutes}


@heat_action(DIRECT)
def heat_times(request: Request, heat: Heat) -> str:
    """Say when the heat is to be played."""
    with form_errors(times_form=TimesForm(request.POST, prefix="times")) as data:
        domain.set_heat_times(heat=heat, planned=data, by=request.user)
    return _("The times are saved.")


@heat_action(RUN_FLOOR)
def heat_missing(request: Request, heat: Heat) -> str:
    """Mark a player as gone, away or back."""
    form = MissingForm(request.POST, players=players_by_name(_card(heat)))
    with form_errors(missing_form=form) as data:
        player = registration_of(heat.event, int(data["player"]))
        what = data["what"]
        common: dict[str, Any] = {"registration": player, "by": request.user}
        common["reason"] = data["reason"]
        # Only a player who was gone has to wait for the next game.
        absent = heat.table is not None and player.player_id in heat.table.absent
        domain.set_missing(heat=heat, missing=what == "missing", **common)
        domain.set_away(heat=heat, away=what == "away", **common)
    name = {"name": player.person}
    if what == "missing":
        return _("%(name)s sits out this game and all later ones.") % name
    if what == "away":
        return _("%(name)s folds each deal until marked as back.") % name
    if absent:
        return _("%(name)s plays again from the next game on.") % name
    return _("%(name)s plays again.") % name


@heat_action(DIRECT)
def heat_players(request: Request, heat: Heat) -> str:
    """Change the players before the first entry."""
    with form_errors(players_form=players_form(heat, _card(heat), request.POST)) as data:
        out, into = (
            registration_of(heat.event, data[name]) if data[name] else None
            for name in ("out", "into")
        )
        change_players(
            heat=heat,
            out=out,
            into=into,
            here=data["here"],
            by=request.user,
            reason=data["reason"],
        )
    if out is None or into is None:
        return _("The players of %(heat)s are changed; the seats are new.") % {"heat": heat}
    return _("%(into)s plays in the place of %(out)s.") % {
        "into": into.person,
        "out": out.person,
    }


@staff_action(DIRECT, of=draw_of, back="desk")
def draw_take_back(request: Request, draw: Draw) -> str:
    """Take back a whole draw before anything is entered."""
    take_draw_back(draw=draw, by=request.user, reason=line_in(request, "reason"))
    text = _("%(draw)s is taken back. Everybody waits again in the old place.") % {"draw": draw}
    return with_lost_points(text, draw.heats.all())


@heat_action(DIRECT)
def heat_swap(request: Request, heat: Heat) -> str:
    """Swap two players who sat down at each other's tables."""
    event = heat.event
    form = SwapForm(
        request.POST, players=players_by_name(_card(heat)), others=other_players(event, heat)
    )
    with form_errors(swap_form=form) as data:
        here, other_heat, there = form.chosen()
        one = domain.SeatedPlayer(heat, registration_of(event, here))
        other = domain.SeatedPlayer(heat_of(event, other_heat), registration_of(event, there))
        domain.swap_seated_players(one=one, other=other, by=request.user, reason=data["reason"])
    return _("%(one)s now plays in %(there)s, %(other)s in %(here)s.") % {
        "one": one.registration.person,
        "there": other.heat,
        "other": other.registration.person,
        "here": heat,
    }


@heat_action(DIRECT)
def heat_seats(request: Request, heat: Heat) -> str:
    """Change a game's seats to where the players really sit."""
    game = number_in(request, "seats-game")
    sheet = Sheet.objects.filter(table=heat.table_id, number=game).first() or shown_sheet(heat)
    if sheet is None:
        raise Refused("no_game", _("No game of %(heat)s is running.") % {"heat": heat})
    form = seats_form(_card(heat), sheet, request.POST)
    done = _("The seats are now correct.")
    if not form.is_valid():
        # A second click: the first has done it.
        known = form.cleaned_data.get("client_id")
        if known and SheetEntry.objects.filter(client_id=known, sheet=sheet).exists():
            return done
    with form_errors(
        seats_form=form, now=lambda: {"version": Sheet.objects.get(pk=sheet.pk).version}
    ) as data:
        domain.reseat(
            heat=heat,
            sheet=sheet,
            seats=form.order(),
            follow=data["follow"],
            by=request.user,
            client_id=data["client_id"],
            seen_version=data["version"],
            reason=data["reason"],
        )
    return done


@heat_action(DIRECT)
def heat_review(request: Request, heat: Heat) -> str:
    """Note that a director has checked the closed heat's results."""
    check_seen(request, results_shown(heat))
    domain.review_heat(heat=heat, by=request.user)
    return _("The results of %(heat)s have been reviewed.") % {"heat": heat}
