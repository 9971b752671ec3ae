"""The pages that a table's link opens: the Auditor's shell, and what only reads."""

from __future__ import annotations

import zlib

import segno
from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.views.decorators.csrf import csrf_exempt

from ..enums import LinkRole
from ..models import Link
from ..paper import Labels, protocol_pdf
from ..reading.links import show_token
from ..reading.names import title_of_table
from ..reading.pages import etag_of, table_page
from ..words import lang
from ..writing import reader_link
from .access import LinkRequest, link_view
from .forms import check_origin
from .shell import shell_answer

#: The latest live parts by link and etag, shared by readers of the same link; packed, as a hall has
#: hundreds of 25 kB.
_MADE: dict[tuple[str, str], bytes] = {}
_MAX_MADE = 500


@link_view(method="GET")
def table_detail(request: LinkRequest, link: Link) -> HttpResponse:
    """Show the page behind a link: the Auditor's shell, or the sheet for everybody else."""
    return shell_answer() if link.role == LinkRole.AUDITOR else _reading(request, link)


@link_view(method="GET")
def table_read(request: LinkRequest, link: Link) -> HttpResponse:
    """Show the sheet as readers see it: the Auditor's page without scripts leads here."""
    return _reading(request, link)


def _reading(request: LinkRequest, link: Link) -> HttpResponse:
    page = table_page(link, device=request.device, seen_rulings=request.seen_rulings)
    context = {"page": page, "link": link, "game": page.game, "etag": _etag(request, link)}
    return render(request, "scoring/table_detail.html", context)


@link_view(method="GET")
def table_live(request: LinkRequest, link: Link) -> HttpResponse:
    """Return the live part of a reader's page; 304 if the reader already has it (one query)."""
    etag = _etag(request, link)
    if request.headers.get("If-None-Match", "").removeprefix("W/") == etag:
        response = HttpResponse(status=304)
    else:
        response = HttpResponse(_live_html(request, link, etag))
    response.headers["ETag"] = etag
    return response


def _live_html(request: LinkRequest, link: Link, etag: str) -> bytes:
    packed = _MADE.get((link.digest, etag))
    if packed is not None:
        return zlib.decompress(packed)
    page = table_page(link, device=request.device, seen_rulings=request.seen_rulings)
    context = {"page": page, "link": link, "game": page.game, "etag": etag}
    html = render_to_string("scoring/_live.html", context, request).encode()
    _MADE[link.digest, etag] = zlib.compress(html, 1)
    # The oldest, which are of entries before, go first.
    for made in list(_MADE)[:-_MAX_MADE]:
        _MADE.pop(made, None)
    return html


def _etag(request: LinkRequest, link: Link) -> str:
    return etag_of(link, request.device, request.seen_rulings)


@csrf_exempt
@link_view(method="POST", role=LinkRole.AUDITOR)
def table_share(request: LinkRequest, link: Link) -> HttpResponse:
    """Show the reading address as a QR code for the others at the table."""
    check_origin(request)
    reading = reader_link(table_id=link.table_id, by=link)
    path = reverse("scoring:table_detail", args=[show_token(link=reading)])
    address = f"{settings.PUBLIC_URL}{path}" if settings.PUBLIC_URL else ""
    address = address or request.build_absolute_uri(path)
    code = segno.make(address, error="m").svg_data_uri(scale=6, border=4, light="#ffffff")
    title = title_of_table(link.table)
    context = {"link": link, "title": title, "address": address, "code": code}
    return render(request, "scoring/table_share.html", context)


@link_view(method="GET")
def table_protocol(request: LinkRequest, link: Link) -> HttpResponse:
    """Return the protocol as PDF, with every deal."""
    table = link.table
    day = date_format(timezone.localtime(table.created_at), "DATE_FORMAT")
    content = protocol_pdf(table.pk, Labels(day=day), language=lang(), with_deals=True)
    response = HttpResponse(content, content_type="application/pdf")
    response.headers["Content-Disposition"] = 'inline; filename="chicago.pdf"'
    return response
