"""The pages that a table's link opens: the Auditor's and the readers'."""

from __future__ import annotations

import segno
from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format

from ..enums import LinkRole
from ..models import Link
from ..paper import Labels, protocol_pdf
from ..reading.links import show_token
from ..reading.names import title_of_table
from ..words import lang
from ..writing import reader_link
from .access import LinkRequest, link_view
from .fragment import by_line, fragment_etag, live_context, script_html


@link_view(method="GET")
def table_detail(request: LinkRequest, link: Link) -> HttpResponse:
    """Show the page behind a link: scoring for the Auditor, reading for everybody else."""
    context = live_context(request, link)
    return HttpResponse(by_line(render_to_string("scoring/table_detail.html", context, request)))


@link_view(method="POST", role=LinkRole.AUDITOR)
def table_share(request: LinkRequest, link: Link) -> HttpResponse:
    """Show the reading address as a QR code for the others at the table."""
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


@link_view(method="GET")
def table_live(request: LinkRequest, link: Link) -> HttpResponse:
    """Return the live part alone; 304 if the reader already has it (one query)."""
    etag = fragment_etag(request, link)
    if request.headers.get("If-None-Match", "").removeprefix("W/") == etag:
        response = HttpResponse(status=304)
    else:
        response = HttpResponse(script_html(request, link))
    response.headers["ETag"] = etag
    return response
