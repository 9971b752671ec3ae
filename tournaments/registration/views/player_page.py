"""The player's private page, opened by link."""

import uuid
from collections.abc import Callable
from datetime import date
from functools import cached_property, wraps

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import etag, require_POST, require_safe

from scoring.enums import AcceptedBy
from scoring.errors import ScoringError
from scoring.web.access import (
    device_of,
    remember_device,
    remember_rulings,
    seen_rulings_of,
    with_seen,
)
from scoring.web.forms import read_seen
from scoring.writing import accept_games, object_to_deal, withdraw_objection

from ...cash.queries.ledger import Balance, balances_of
from ...core.access import Request, may, registration_of, staff_view
from ...core.accounts import remember_phone
from ...core.addresses import code_of, public_address
from ...core.answers import action, form_errors, line_in, number_in, staff_action, uuid_in
from ...core.contacts import CONTACTS, contacts_until
from ...core.errors import Refused
from ...core.permissions import REGISTER
from ...core.seen import check_seen
from ...core.versions import event_etag
from ...heats.commands import keep_score_as_player
from ...heats.queries.links import heat_of_player
from ...models import Event, Registration
from ...models.enums import EventStatus, RegistrationStatus, Visibility
from ...results.queries.players import next_start
from ..commands import player_links
from ..commands.check_in import enter_heat
from ..commands.pins import choose_pin
from ..commands.waiting_list import choose_part
from ..forms import OwnNameForm, PartForm
from ..queries.door import DoorRow, door_rows
from ..queries.player_links import (
    actor_of,
    mended,
    registration_by_token,
    token_of,
    why_not_withdraw,
)
from ..queries.player_page import own_page
from ..queries.queue import why_not_enter
from ..queries.to_pay import signed_up

#: Who can still choose a part.
_CHOOSES = (RegistrationStatus.REGISTERED, RegistrationStatus.WAIT_LISTED)

View = Callable[..., HttpResponseBase]

#: Why a player who is here cannot enter a heat, said to the player.
_NOT_ENTER = {
    "no_open_stage": gettext_lazy("It is no longer possible to enter a heat."),
    "no_entries_left": gettext_lazy("You have used all your entries."),
}


def by_link(view: View) -> View:
    """Wrap a view of a player's page; it receives the registration instead of the token."""

    @wraps(view)
    def wrapper(request: Request, token: str) -> HttpResponseBase:
        whole = mended(token)
        if whole != token and whole and request.method == "GET":
            return redirect("tournaments:player_page", whole)
        registration = registration_by_token(token)
        if registration is None or registration.event.status == EventStatus.DRAFT:
            # As every page of a draft, it does not exist yet; whoever has a link may know that.
            context = {"is_early": registration is not None, "is_cut": not whole}
            template = "tournaments/registration/player_link.html"
            return render(request, template, context, status=404)
        response = view(request, registration)
        remember_phone(request, response, registration.event_id)
        return response

    return wrapper


@require_safe
@never_cache
def player_link_cut(request: Request, token: str, rest: str) -> HttpResponseBase:
    """Read a link with something behind it, such as the bracket of the sentence it stood in."""
    return player_page(request, mended(token) or token)


class Own:
    """What a player's page is made of; the balance is read when it is needed, once."""

    def __init__(self, request: Request, registration: Registration) -> None:
        self.page = own_page(registration, seen_rulings_of(request))

    @cached_property
    def balance(self) -> Balance:
        """The player's balance."""
        player = self.page.player
        return balances_of(player.event, [player])[0]

    @property
    def enter(self) -> str:
        """The button for a heat."""
        player = self.page.player
        if not player.entries_used:
            return _("Enter for a heat")
        return next_start(player, ahead=self.balance.ahead)


def _context(request: Request, registration: Registration, found: Own) -> dict[str, object]:
    refused = why_not_withdraw(registration)
    own = found.page
    not_enter = why_not_enter(own.player)
    return {
        "event": registration.event,
        "registration": registration,
        "token": token_of(registration),
        "own": own,
        "may_enter": not_enter is None,
        "enter": found.enter if not_enter is None else "",
        "not_enter": _NOT_ENTER.get(not_enter.code) if not_enter else None,
        "objection_id": uuid.uuid4(),
        "mark": _mark(request, registration),
        "is_over": registration.event.status == EventStatus.FINISHED,
        "may_withdraw": refused is None,
        "not_withdraw": refused,
    }


def _mark(request: Request, registration: Registration) -> str:
    seen = ".".join(seen_rulings_of(request))
    return event_etag(registration.event).replace('"event-', f'"own-{registration.pk}-{seen}-', 1)


def path_of_player(registration: Registration) -> str:
    return reverse("tournaments:player_page", args=[token_of(registration)])


def _page(
    request: Request,
    registration: Registration,
    *,
    form: OwnNameForm | None = None,
    status: int = 200,
) -> HttpResponse:
    shown = {
        "visibility": registration.shown_as,
        "display_name": registration.person.display_name,
    }
    form = form or OwnNameForm(initial=shown)
    own = Own(request, registration)
    context = _context(request, registration, own) | {
        "form": form,
        "parts": PartForm(event=registration.event, initial={"part": registration.part_id})
        if registration.status in _CHOOSES
        else None,
        "door": _at_the_door(request, own),
        "signed_up": signed_up(registration),
        "contacts_until": _contacts_until(registration),
        "address": public_address(request, path_of_player(registration)),
    }
    return render(request, "tournaments/registration/player_page.html", context, status=status)


def _contacts_until(registration: Registration) -> date | None:
    """Return when the player's contacts are deleted; None if there are none or they are kept."""
    if not any(getattr(registration, name) for name in CONTACTS):
        return None
    return contacts_until(registration.event)


def _at_the_door(request: Request, own: Own) -> DoorRow | None:
    """Return the door's buttons for a helper who has scanned the player's code with a camera."""
    event = own.page.player.event
    if event.status != EventStatus.OPEN or not may(request, REGISTER, event):
        return None
    [row] = door_rows(event, [own.balance])
    return row


@never_cache
@require_safe
@by_link
def player_page(request: Request, registration: Registration) -> HttpResponse:
    """Show where the player sits, what they need, their heats, and how their name is shown."""
    return _page(request, registration)


@require_safe
@by_link
@etag(lambda request, registration: _mark(request, registration))
def player_page_now(request: Request, registration: Registration) -> HttpResponse:
    """Return the live part, or 304."""
    context = _context(request, registration, Own(request, registration))
    return render(request, "tournaments/registration/_player_now.html", context)


@require_POST
@by_link
@action(back=path_of_player, page=_page)
def player_page_name(request: Request, registration: Registration) -> str:
    """Change how the name is shown."""
    with form_errors(form=OwnNameForm(request.POST)) as data:
        player_links.choose_visibility(
            registration=registration,
            visibility=Visibility(data["visibility"]),
            display_name=data["display_name"],
        )
    return _("Your name is shown as you chose.")


@require_POST
@by_link
@action(back=path_of_player)
def player_page_pictures(request: Request, registration: Registration) -> str:
    """Say whether pictures of the player may be published."""
    may_be = request.POST.get("may") == "1"
    player_links.choose_pictures(registration=registration, may=may_be)
    if may_be:
        return _("Pictures of you may be published.")
    return _("No pictures of you are published. The desk sees it.")


@require_POST
@by_link
@action(back=path_of_player)
def player_page_score(request: Request, registration: Registration) -> HttpResponse:
    """Open the table's page to keep the score of the player's heat."""
    device = device_of(request)
    response = redirect(keep_score_as_player(registration=registration, device=device))
    remember_device(request, response, device)
    return response


def _own_table(registration: Registration) -> int:
    """Return the table of the player's open heat."""
    heat = heat_of_player(registration)
    if heat.table_id is None:
        raise Refused("not_at_table", _("You do not sit at a table now."))
    return heat.table_id


@require_POST
@by_link
@action(back=path_of_player)
def player_page_accept(request: Request, registration: Registration) -> str:
    """Confirm places and totals of the finished games, as they were shown."""
    accept_games(
        table_id=_own_table(registration),
        player_id=registration.player_id,
        seen=read_seen(request.POST.get("seen", "")),
        by=f"player {registration.number}",
        means=AcceptedBy.OWN_PAGE,
    )
    return _("You have accepted. Thank you.")


@require_POST
@by_link
@action(back=path_of_player)
def player_page_rulings(request: Request, registration: Registration) -> HttpResponse:
    """Note that this device has shown the rulings."""
    response = redirect(path_of_player(registration))
    remember_rulings(request, response, with_seen(request, request.POST.get("rulings", "")))
    return response


@require_POST
@by_link
@action(back=path_of_player)
def player_page_object(request: Request, registration: Registration) -> str:
    """Object to a deal; play goes on."""
    client_id = uuid_in(request, "id")
    if client_id is None:
        raise ScoringError("malformed")
    object_to_deal(
        table_id=_own_table(registration),
        game=number_in(request, "game"),
        deal=number_in(request, "deal"),
        player_id=registration.player_id,
        text=line_in(request, "text"),
        client_id=client_id,
        by=f"player {registration.number}",
    )
    return _("It is marked at the table and at the desk. Play goes on.")


@require_POST
@by_link
@action(back=path_of_player)
def player_page_object_back(request: Request, registration: Registration) -> str:
    """Withdraw the player's own objection."""
    withdraw_objection(
        table_id=_own_table(registration),
        objection_id=number_in(request, "objection"),
        player_id=registration.player_id,
        by=f"player {registration.number}",
    )
    return _("Your objection is taken back.")


@require_POST
@by_link
@action(back=path_of_player)
def player_page_pin(request: Request, registration: Registration) -> str:
    """Choose the PIN for confirming results on somebody else's phone."""
    choose_pin(registration=registration, pin=request.POST.get("pin", ""))
    return _("Your PIN is kept. With it you accept results on the Auditor's phone.")


@require_POST
@by_link
@action(back=path_of_player)
def player_page_enter(request: Request, registration: Registration) -> str:
    """Enter another heat."""
    enter_heat(registration=registration, by=None, actor=actor_of(registration))
    return _("You are waiting for a heat")


@require_POST
@by_link
@action(back=path_of_player)
def player_page_part(request: Request, registration: Registration) -> str:
    """Choose the part of a day in which to play."""
    form = PartForm(request.POST, event=registration.event)
    if "part" not in form.fields or not form.is_valid():
        raise Refused("no_part", _("This part does not exist."))
    player = choose_part(
        registration=registration,
        part=form.cleaned_data["part"],
        by=None,
        actor=actor_of(registration),
    )
    if player.status == RegistrationStatus.WAIT_LISTED:
        return _("You are on the waiting list of this part.")
    return _("Your part is changed.")


@require_POST
@by_link
@action(back=path_of_player)
def player_page_withdraw(request: Request, registration: Registration) -> str:
    """Withdraw, before the first day."""
    reason = line_in(request, "reason")
    player_links.withdraw_oneself(registration=registration, reason=reason)
    return _("You are withdrawn. The next one on the waiting list moves up.")


def _slip(player: Registration) -> str:
    return reverse("tournaments:player_slip", args=[player.event.slug, player.number])


@staff_action(REGISTER, of=registration_of, back=_slip)
def player_link_renew(request: Request, player: Registration) -> str:
    """Give the player a new link; the old one stops working."""
    check_seen(request, player.link_nonce)
    player_links.renew_link(registration=player, by=request.user)
    return _("The old link of %(name)s no longer works.") % {"name": player.person}


@require_safe
@never_cache
@staff_view(REGISTER)
def player_slip(request: Request, event: Event, number: int) -> HttpResponse:
    """Show a slip with the player's link, to print or to scan from the screen."""
    player = registration_of(event, number)
    if player.person.is_erased:
        return redirect("tournaments:player_edit", event.slug, number)
    address = public_address(request, path_of_player(player))
    return render(
        request,
        "tournaments/registration/player_slip.html",
        {"event": event, "player": player, "address": address, "code": code_of(address)},
    )
