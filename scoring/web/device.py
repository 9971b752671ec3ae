"""What an Auditor's device keeps to go on without network, and to open the page without it."""

from __future__ import annotations

import json

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse

from scoring.enums import LinkRole
from scoring.models import Link
from scoring.reading.device import device_questions, device_texts
from scoring.reading.pages import table_page
from scoring.reading.rules import rules_of
from scoring.web.access import link_view


def _token(request: HttpRequest) -> str:
    return str(request.resolver_match.kwargs["token"]) if request.resolver_match else ""


@link_view(method="GET", role=LinkRole.AUDITOR)
def table_device(request: HttpRequest, link: Link) -> HttpResponse:
    """What a picture without network is made of: rules, words, questions."""
    page = table_page(link, device=request.device)  # type: ignore[attr-defined]
    context = {
        "page": page,
        "at": _token(request),
        "rules": rules_of(link.table).as_json(),
        "texts": device_texts(page),
        "stages": device_questions(page),
    }
    return render(request, "scoring/device.html", context)


@link_view(method="GET", role=LinkRole.AUDITOR)
def table_worker(request: HttpRequest, link: Link) -> HttpResponse:
    """The page's service worker: it must come from below the page's own address."""
    script = f"importScripts({json.dumps(static('scoring/worker.js'))});\n"
    return HttpResponse(script, content_type="text/javascript")


@link_view(method="GET", role=LinkRole.AUDITOR)
def table_manifest(request: HttpRequest, link: Link) -> HttpResponse:
    """What a phone needs to put the page among its apps."""
    page = reverse("scoring:table_detail", args=[_token(request)])
    manifest = {
        "name": f"Chicago · {link.table.title}",
        "short_name": "Chicago",
        "id": page,
        "start_url": page,
        "scope": page,
        "display": "standalone",
        "background_color": "#f7f4ec",
        "theme_color": "#f7f4ec",
        "icons": [{"src": static("site/icon.svg"), "sizes": "any", "type": "image/svg+xml"}],
    }
    return JsonResponse(manifest, content_type="application/manifest+json")
