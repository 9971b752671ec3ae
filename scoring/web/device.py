"""What an Auditor's device stores so that the page works and opens without network."""

from __future__ import annotations

import json

from django.http import HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import reverse

from ..enums import LinkRole
from ..models import Link
from ..reading.device import device_questions, device_texts
from ..reading.names import title_of_table
from ..reading.pages import table_page
from ..reading.rules import rules_of
from .access import LinkRequest, link_view
from .fragment import TOKEN, by_line


@link_view(method="GET", role=LinkRole.AUDITOR)
def table_device(request: LinkRequest, link: Link) -> HttpResponse:
    """Return the rules, words and questions from which a device draws the page without network."""
    page = table_page(link, device=request.device)
    context = {
        "page": page,
        "at": request.token,
        # The script puts its own in.
        "csrf_token": TOKEN,
        "rules": rules_of(link.table).as_json(),
        "texts": device_texts(page),
        "stages": device_questions(page),
    }
    return HttpResponse(by_line(render_to_string("scoring/device.html", context, request)))


@link_view(method="GET", role=LinkRole.AUDITOR)
def table_worker(request: LinkRequest, link: Link) -> HttpResponse:
    """Return the page's service worker, which must be served from below the page's own address."""
    return worker_answer()


def worker_answer() -> HttpResponse:
    """Return the service worker of the page below whose address this is served."""
    script = f"importScripts({json.dumps(static('scoring/worker.js'))});\n"
    return HttpResponse(script, content_type="text/javascript")


@link_view(method="GET", role=LinkRole.AUDITOR)
def table_manifest(request: LinkRequest, link: Link) -> HttpResponse:
    """Return the manifest for installing the page as an app."""
    page = reverse("scoring:table_detail", args=[request.token])
    return manifest_answer(f"Chicago · {title_of_table(link.table)}", page=page, scope=page)


def manifest_answer(name: str, *, page: str, scope: str) -> HttpResponse:
    """Return the manifest of an app that begins with ``page`` and shows what is below ``scope``."""
    manifest = {
        "name": name,
        "short_name": "Chicago",
        "id": page,
        "start_url": page,
        "scope": scope,
        "display": "standalone",
        "background_color": "#f7f4ec",
        "theme_color": "#f7f4ec",
        "icons": [{"src": static("site/icon.svg"), "sizes": "any", "type": "image/svg+xml"}],
    }
    return JsonResponse(manifest, content_type="application/manifest+json")
