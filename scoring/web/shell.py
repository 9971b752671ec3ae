"""The Auditor's page as a shell: the same for every table, without data and without a token.

It holds the words and templates of the reader's language, and the scripts. A phone stores it, and
fetches another one when its mark has changed.
"""

from __future__ import annotations

import hashlib
import json

from django.http import HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import reverse

from ..enums import LinkRole
from ..models import Link
from ..reading.names import title_of_table
from ..reading.vocabulary import page_words
from ..words import lang
from .access import MARK, LinkRequest, link_view

#: The shells by language, with their marks.
_MADE: dict[str, tuple[str, str]] = {}
_UNMARKED = "-shell-"


def shell_of() -> tuple[str, str]:
    """Return the shell in the reader's language, and its mark."""
    found = _MADE.get(lang())
    if found is None:
        context = {"words": page_words(), "mark": _UNMARKED}
        made = render_to_string("scoring/shell.html", context)
        html = "\n".join(filter(None, (line.strip() for line in made.split("\n"))))
        mark = hashlib.sha256(html.encode()).hexdigest()[:12]
        found = _MADE[lang()] = (html.replace(_UNMARKED, mark), mark)
    return found


def shell_answer() -> HttpResponse:
    """Return the shell, for a phone to store."""
    html, mark = shell_of()
    response = HttpResponse(html)
    response.headers["ETag"] = f'"{mark}"'
    response.headers["Cache-Control"] = "no-cache, private"
    # By this the service worker knows the page from a portal's.
    response.headers[MARK] = "1"
    return response


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
