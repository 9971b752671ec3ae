"""What robots ask for first: which pages they may open, and which there are; and the site's app."""

from xml.sax.saxutils import escape

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from scoring.web.shell import manifest_answer

from ...core.address_language import PARAMETER
from ...core.addresses import public_address
from ...models import Event, Series
from ...models.enums import EventStatus

_HIDDEN = ("/s/", "/p/", "/i/", "/accounts/", "/screen/", "/embed/", "/e/*/desk/", "/api/v1/")
#: Pages of an event that are worth finding.
_PAGES = ("event", "player_standings", "result", "draws")
#: A sitemap has at most so many addresses.
_MOST = 5000


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    """Say which addresses robots should leave alone, and where the list of pages is."""
    lines = ["User-agent: *", *(f"Disallow: {path}" for path in _HIDDEN)]
    lines.append(f"Sitemap: {public_address(request, reverse('tournaments:sitemap'))}")
    return HttpResponse("\n".join([*lines, ""]), content_type="text/plain; charset=utf-8")


@require_safe
def sitemap(request: HttpRequest) -> HttpResponse:
    """List the public pages in each language."""
    events = Event.objects.exclude(status=EventStatus.DRAFT).order_by("-starts_on", "-pk")
    paths = ["/", reverse("tournaments:series_list")]
    for (slug,) in events.values_list("slug")[: _MOST // len(_PAGES)]:
        paths += [reverse(f"tournaments:{name}", args=[slug]) for name in _PAGES]
    for series in Series.objects.filter(is_public=True).only("slug")[:_MOST]:
        paths.append(series.get_absolute_url())
    rows = "".join(_row(public_address(request, path)) for path in paths[:_MOST])
    head = (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" '
        'xmlns:xhtml="http://www.w3.org/1999/xhtml">\n'
    )
    return HttpResponse(f"{head}{rows}</urlset>\n", content_type="application/xml; charset=utf-8")


def _row(address: str) -> str:
    there = escape(address)
    codes = [code for code, _name in settings.LANGUAGES]
    links = "".join(
        f'<xhtml:link rel="alternate" hreflang="{code}" href="{there}?{PARAMETER}={code}"/>'
        for code in codes
    )
    return "".join(f"<url><loc>{there}?{PARAMETER}={code}</loc>{links}</url>\n" for code in codes)


@require_safe
def site_manifest(request: HttpRequest) -> HttpResponse:
    """Return the manifest with which the list of events is put on a home screen."""
    return manifest_answer("Chicago", page="/", scope="/")
