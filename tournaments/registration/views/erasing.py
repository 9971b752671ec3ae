"""Erase a player: asked for on the player's own page, done there or at the desk."""

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from ...core.access import Request, registration_of
from ...core.answers import SHOWN, action, reply, staff_action
from ...core.errors import Refused
from ...core.names import registration_name
from ...core.permissions import DIRECT
from ...models import Registration
from ..commands import erasing as domain
from ..queries.erasing import erasing_of
from ..queries.player_links import token_of
from .player_page import by_link, path_of_player


def _own_page(request: Request, registration: Registration, *, status: int = 200) -> HttpResponse:
    context = {
        "event": registration.event,
        "registration": registration,
        "token": token_of(registration),
        "erasing": erasing_of(registration),
    }
    return render(request, "tournaments/registration/own_erase.html", context, status=status)


def _own_path(registration: Registration) -> str:
    return reverse("tournaments:player_page_erase", args=[token_of(registration)])


def _check_sure(request: Request) -> None:
    if not request.POST.get("sure"):
        raise Refused("not_sure", _("Tick that you know that it cannot be undone."))


@require_http_methods(SHOWN)
@never_cache
@by_link
@action(back=_own_path, page=_own_page)
def player_page_erase(request: Request, registration: Registration) -> HttpResponse:
    """Say what is erased and what stays; erase the player, or ask the desk to."""
    _check_sure(request)
    if domain.ask_to_be_erased(registration=registration):
        text = _("You are erased. This was the last time that your link worked.")
        return reply(request, text, reverse("tournaments:event", args=[registration.event.slug]))
    text = _("The desk has been asked. Until it is done, your page stays as it is.")
    return reply(request, text, _own_path(registration))


@require_POST
@by_link
@action(back=path_of_player)
def player_page_erase_back(request: Request, registration: Registration) -> str:
    """Take back what was asked of the desk."""
    domain.ask_no_longer(registration=registration)
    return _("You stay as you are.")


def _page(request: Request, player: Registration, *, status: int = 200) -> HttpResponse:
    context = {
        "event": player.event,
        "player": player,
        "shown_as": registration_name(player),
        "erasing": erasing_of(player),
    }
    return render(request, "tournaments/registration/player_erase.html", context, status=status)


def _path(player: Registration) -> str:
    return reverse("tournaments:player_erase", args=[player.event.slug, player.number])


@staff_action(DIRECT, of=registration_of, back=_path, page=_page, methods=SHOWN)
def player_erase(request: Request, player: Registration) -> str:
    """Say what is erased and what stays; erase the player."""
    _check_sure(request)
    domain.erase_player(registration=player, by=request.user)
    return _("Player %(number)s is erased.") % {"number": player.number}
