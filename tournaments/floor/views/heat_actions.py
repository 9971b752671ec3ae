"""Buttons and forms on the director's page of a heat."""

from typing import Any

from django.utils.translation import gettext as _

from scoring.enums import SheetStatus
from scoring.models import Sheet
from scoring.reading.protocol import ProtocolData

from ...core.access import Request, registration_of
from ...core.answers import FormRejected, form_errors, line_in, number_in, valid
from ...core.errors import Refused
from ...core.permissions import DIRECT, JUDGE, RUN_FLOOR
from ...core.seen import check_seen
from ...events.commands.events import end_with_heats
from ...heats import commands as domain
from ...heats.forms import AuditorForm, ProtestForm, ReasonForm, RulingForm, TableForm
from ...heats.queries.cards import HeatCard, heat_cards, protocol_for
from ...heats.queries.links import current_link
from ...models import Heat, Person
from ...models.enums import StageKind
from ...results.queries.final import winners_of
from ..queries.penalties import with_lost_points
from .heat import flip_flop_forms, heat_action, results_shown, stand_in_form
from .heat_parts import players_by_name


def _card(heat: Heat) -> HeatCard:
    return heat_cards([heat], staff=True)[0]


def _protocol(heat: Heat) -> ProtocolData | None:
    return protocol_for(heat, _card(heat).names)


@heat_action(RUN_FLOOR)
def heat_auditor(request: Request, heat: Heat) -> str:
    form = AuditorForm(request.POST, players=players_by_name(_card(heat)))
    player_id = valid(auditor_form=form)["auditor"]
    player = registration_of(heat.event, int(player_id)) if player_id else None
    domain.set_auditor(heat=heat, by=request.user, registration=player)
    if player is None:
        return _("Nobody is named as Auditor of %(heat)s.") % {"heat": heat}
    return _("%(name)s keeps the score of %(heat)s.") % {"name": player.person, "heat": heat}


@heat_action(RUN_FLOOR)
def heat_table(request: Request, heat: Heat) -> str:
    """Move the heat to another table."""
    table = valid(table_form=TableForm(request.POST))["table_number"]
    domain.set_table_number(heat=heat, by=request.user, table_number=table)
    return _("%(heat)s is at table %(table)s.") % {"heat": heat, "table": table}


def check_link(request: Request, heat: Heat) -> None:
    """Refuse if the page showed another scoring link."""
    link = current_link(heat)
    check_seen(request, link.pk if link else "")


@heat_action(RUN_FLOOR)
def heat_link(request: Request, heat: Heat) -> str:
    """Make the scoring link, or replace it."""
    if request.POST.get("new"):
        check_link(request, heat)
        domain.replace_link(heat=heat, by=request.user)
        return _("There is a new scoring link; the old one no longer works.")
    domain.make_link(heat=heat, by=request.user)
    return _("Here is the scoring link.")


@heat_action(RUN_FLOOR)
def heat_link_revoke(request: Request, heat: Heat) -> str:
    """Revoke the scoring link."""
    check_link(request, heat)
    domain.revoke_link(heat=heat, by=request.user)
    return _("The scoring link no longer works.")


@heat_action(RUN_FLOOR)
def heat_let_in(request: Request, heat: Heat) -> str:
    """Let phones at the table try its code, however often strangers have tried."""
    domain.let_phones_in(heat=heat, by=request.user)
    return _("For ten minutes each phone at the table can try the code.")


@heat_action(RUN_FLOOR)
def heat_call_clear(request: Request, heat: Heat) -> str:
    """Note that somebody has been at the table."""
    domain.clear_call(heat=heat, by=request.user, seen=request.POST.get("call", ""))
    return _("The call is answered.")


@heat_action(JUDGE)
def heat_ruling(request: Request, heat: Heat) -> str:
    """Enter a ruling on the running game."""
    protocol = _protocol(heat)
    running = next(
        (g for g in (protocol.games if protocol else ()) if g.status == SheetStatus.RUNNING), None
    )
    if running is None:
        raise Refused("no_game", _("No game of %(heat)s is running.") % {"heat": heat})
    form = RulingForm(request.POST, seats=[(seat.seat, seat.name) for seat in running.seats])

    def now() -> dict[str, Any]:
        data = {"game": running.number, "version": heat_version(heat)}
        # The players sit elsewhere in another game.
        return data if form["game"].value() == str(running.number) else {**data, "seat": ""}

    with form_errors(ruling_form=form, now=now) as data:
        domain.enter_ruling(
            heat=heat,
            game=data["game"],
            ruling=form.ruling(),
            by=request.user,
            client_id=data["client_id"],
            seen_version=data["version"],
        )
    return _("The ruling is on the sheet.")


def heat_version(heat: Heat) -> int:
    """Return the running sheet's version, or 0 if no game is running."""
    sheet = Sheet.objects.filter(table=heat.table_id, status=SheetStatus.RUNNING).first()
    return sheet.version if sheet else 0


@heat_action(DIRECT)
def heat_flip_flop(request: Request, heat: Heat) -> str:
    """Record the outcome of a Flip Flop."""
    check_seen(request, results_shown(heat))
    forms = flip_flop_forms(_card(heat).names, _protocol(heat), request.POST)
    if not forms:
        raise Refused("no_tie", _("No tie of %(heat)s needs a Flip Flop.") % {"heat": heat})
    if "lots" in request.POST:
        for form in forms:
            domain.record_flip_flop(heat=heat, order=form.group, by=request.user, lots=True)
        return _("The lots are drawn.")
    if not all(form.is_valid() for form in forms):
        raise FormRejected(422, flip_flop_forms=forms)
    for form in forms:
        domain.record_flip_flop(heat=heat, order=form.order(), by=request.user)
    return _("The Flip Flop is recorded.")


@heat_action(RUN_FLOOR)
def heat_objection(request: Request, heat: Heat) -> str:
    """Answer an objection."""
    domain.answer_objection(
        heat=heat,
        objection_id=number_in(request, "objection"),
        reason=line_in(request, "reason"),
        by=request.user,
    )
    return _("The objection is answered.")


@heat_action(DIRECT)
def heat_close(request: Request, heat: Heat) -> str:
    """Close the heat; those who advance are qualified."""
    check_seen(request, results_shown(heat))
    protocol = _protocol(heat)
    form = stand_in_form(heat, _card(heat).names, protocol, request.POST)
    protest = valid(protest_form=ProtestForm(request.POST))["protest"]
    if form is None:
        qualified = domain.close_heat(heat=heat, by=request.user, protest=protest)
    else:
        with form_errors(stand_in_form=form) as data:
            qualified = domain.close_heat(
                heat=heat,
                by=request.user,
                instead=form.chosen(),
                reason=data["reason"],
                protest=protest,
            )
    if end_with_heats(event=heat.event, by=request.user):
        heat.event.refresh_from_db()
        names = ", ".join(winners_of(heat.event))
        return _("The event is over. It was won by %(names)s.") % {"names": names or "—"}
    text = _("%(heat)s is closed. Qualified: %(names)s.")
    if heat.nobody_goes_on:
        text = _("%(heat)s is closed. It was won by %(names)s.")
        people = _people(heat, place=1, disqualified=False)
    elif heat.stage.kind == StageKind.QUALIFYING:
        people = [row.registration.person for row in qualified]
    else:
        people = _people(heat, advances=True)
    return text % {"heat": heat, "names": ", ".join(map(str, people)) or "—"}


def _people(heat: Heat, **which: bool | int) -> list[Person]:
    rows = heat.results.filter(**which).select_related("entry__registration__person")
    return [row.entry.registration.person for row in rows.order_by("order")]


@heat_action(DIRECT)
def heat_void(request: Request, heat: Heat) -> str:
    """Void the heat; its players wait again, or begin a new one in the play-offs."""
    data = valid(void_form=ReasonForm(request.POST, prefix="void"))
    domain.void_heat(heat=heat, by=request.user, reason=data["reason"])
    text = _("%(heat)s is void; its players begin a new one with new seats.")
    if heat.stage.kind == StageKind.QUALIFYING:
        text = _("%(heat)s is void; its players wait again.")
    return with_lost_points(text % {"heat": heat}, [heat])
