"""The parts that screens show, and overlays for streams: public pages, made once for all."""

import json

from django.conf import settings
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation
from django.views.decorators.http import require_safe

from ...core.access import Request, public_view
from ...core.addresses import public_address, qr_svg
from ...core.page_cache import cached_page
from ...models import Event
from ...models.enums import ScreenPart
from ...notices.queries.announcements import Shown, to_all
from ...registration.queries.sign_up import sign_up_state
from ..queries.overlays import OVERLAYS, overlay_of
from ..queries.pages import PAGE_SECONDS
from ..queries.parts import part_of
from ..queries.screens import interruptions, orders_of


def _spoken(language: str) -> str:
    if language not in {code for code, _name in settings.LANGUAGES}:
        raise Http404
    return language


@require_safe
@public_view
@cached_page()
def screen_part(request: Request, event: Event, language: str, part: str) -> HttpResponse:
    """Return one part in a language, or 304."""
    if part not in ScreenPart.values:
        raise Http404
    code = ScreenPart(part)
    with translation.override(_spoken(language)):
        band: list[Shown] = []
        if code not in {ScreenPart.NOTICES, ScreenPart.BLACK}:
            band = to_all(event)
        found = part_of(event, code, beside=bool(band))
        context = {
            "event": event,
            "code": code,
            "part": found,
            "band": band,
            "language": language,
            "orders": orders_of(event),
            "interruptions": json.dumps([each.as_json() for each in interruptions(event)]),
            "seconds": PAGE_SECONDS,
            "template": f"tournaments/screens/parts/{part}.html",
        }
        return HttpResponse(render_to_string("tournaments/screens/part.html", context, request))


@require_safe
@public_view
def screen_qr(request: Request, event: Event) -> HttpResponse:
    """Return the code of the event's address, or of its sign-up, as other devices open it."""
    name = "sign_up" if sign_up_state(event) == "open" else "event"
    address = public_address(request, reverse(f"tournaments:{name}", args=[event.slug]))
    return HttpResponse(qr_svg(address), content_type="image/svg+xml")


@require_safe
@public_view
def screen_picture(request: Request, event: Event, number: int) -> HttpResponse:
    """Return a sponsor's picture; its address changes with it, so it may be cached."""
    picture = event.screen_pictures.filter(pk=number).first()
    if picture is None:
        raise Http404
    response = HttpResponse(bytes(picture.content), content_type="image/jpeg")
    named = picture.digest == request.META.get("QUERY_STRING", "")
    response["Cache-Control"] = "private, max-age=31536000, immutable" if named else "no-cache"
    return response


@require_safe
@public_view
@cached_page()
def overlay(request: Request, event: Event, language: str, kind: str) -> HttpResponse:
    """Show an overlay for a stream, on a transparent ground."""
    if kind not in OVERLAYS:
        raise Http404
    with translation.override(_spoken(language)):
        return render(
            request,
            "tournaments/screens/overlay.html",
            {
                "event": event,
                "kind": kind,
                "language": language,
                "path": _overlay(event, language, kind),
            },
        )


@require_safe
@public_view
@cached_page()
def overlay_now(request: Request, event: Event, language: str, kind: str) -> HttpResponse:
    """Return what an overlay shows, or 304."""
    if kind not in OVERLAYS:
        raise Http404
    with translation.override(_spoken(language)):
        context = {"event": event, "part": overlay_of(event, kind), "language": language}
        return HttpResponse(
            render_to_string(f"tournaments/screens/overlays/{kind}.html", context, request)
        )


def _overlay(event: Event, language: str, kind: str) -> str:
    return reverse("tournaments:overlay_now", args=[event.slug, language, kind])
