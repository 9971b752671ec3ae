"""A player's own page: being told."""

import json

from django.http import HttpResponse
from django.templatetags.static import static
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from scoring.web.shell import manifest_answer

from ...core.access import Request
from ...core.answers import action
from ...models import Registration
from ...registration.views.player_page import by_link, path_of_player
from ..commands import push as domain


@require_POST
@by_link
@action(back=path_of_player)
def player_page_push(request: Request, registration: Registration) -> str:
    """Let a device be told."""
    domain.subscribe(
        registration=registration,
        endpoint=request.POST.get("endpoint", ""),
        p256dh=request.POST.get("p256dh", ""),
        auth=request.POST.get("auth", ""),
        kinds=request.POST.getlist("kinds"),
    )
    return _("This phone will be told.")


@require_POST
@by_link
@action(back=path_of_player)
def player_page_push_try(request: Request, registration: Registration) -> str:
    """Send a trial."""
    domain.ask_for_trial(registration=registration)
    return _("A trial is on its way. It should arrive within a few seconds.")


@require_POST
@by_link
@action(back=path_of_player)
def player_page_push_end(request: Request, registration: Registration) -> str:
    """Tell the player's devices nothing more."""
    domain.unsubscribe(registration=registration)
    return _("None of your phones is told anything any more.")


@require_safe
@by_link
def player_page_worker(request: Request, registration: Registration) -> HttpResponse:
    """Return the service worker, which must be served from below the page's own address."""
    script = f"importScripts({json.dumps(static('tournaments/push-worker.js'))});\n"
    return HttpResponse(script, content_type="text/javascript")


@require_safe
@by_link
def player_page_manifest(request: Request, registration: Registration) -> HttpResponse:
    """Return the manifest with which the page is put on a home screen."""
    page = path_of_player(registration)
    return manifest_answer(f"Chicago · {registration.event.name}", page=page, scope=page)
