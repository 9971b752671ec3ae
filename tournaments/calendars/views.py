"""Calendars to subscribe to, and Atom feeds; both are asked again and again, so ETags answer."""

from collections.abc import Sequence

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import escape
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from ..core.access import public_view
from ..core.addresses import public_address
from ..core.page_cache import answer_if_changed, cached_page
from ..models import Event, Organiser, Registration
from ..registration.views.player_page import by_link
from .queries import (
    News,
    entries_of_event,
    entries_of_organiser,
    entries_of_player,
    news_of_event,
    news_of_organiser,
)
from .texts import Entry, calendar_file


def _calendar(request: HttpRequest, entries: Sequence[Entry], name: str) -> HttpResponse:
    content = calendar_file(entries, name=name)
    response = HttpResponse(content, content_type="text/calendar; charset=utf-8")
    response["Content-Disposition"] = 'inline; filename="chicago.ics"'
    return answer_if_changed(request, response)


def _for_scripts(response: HttpResponse) -> HttpResponse:
    """Let scripts of any site read what everybody may, such as a club's own calendar."""
    response["Access-Control-Allow-Origin"] = "*"
    return response


@require_safe
def organiser_calendar(request: HttpRequest, organiser: str) -> HttpResponse:
    """Return the calendar of all events of an organiser; 404 if none was ever public."""
    found = get_object_or_404(Organiser, slug=organiser)
    entries = entries_of_organiser(found, _site(request))
    if not entries:
        raise Http404(_("There is no such organiser."))
    return _for_scripts(_calendar(request, entries, str(found)))


@require_safe
@public_view
@cached_page()
def event_calendar(request: HttpRequest, event: Event) -> HttpResponse:
    """Return an event's calendar."""
    return _for_scripts(_calendar(request, entries_of_event(event, _site(request)), event.name))


@require_safe
@by_link
def player_calendar(request: HttpRequest, registration: Registration) -> HttpResponse:
    """Return the days that concern a player; the address is as private as the player's page."""
    entries = entries_of_player(registration, _site(request))
    return _calendar(request, entries, registration.event.name)


def _site(request: HttpRequest) -> str:
    return public_address(request, "/").rstrip("/")


@require_safe
def organiser_feed(request: HttpRequest, organiser: str) -> HttpResponse:
    """Return an organiser's events as news; 404 if none is public."""
    found = get_object_or_404(Organiser, slug=organiser)
    news = news_of_organiser(found)
    if not news:
        raise Http404(_("There is no such organiser."))
    return _feed(request, str(found), "/", news)


@require_safe
@public_view
@cached_page()
def event_feed(request: HttpRequest, event: Event) -> HttpResponse:
    """Return what has happened at an event: draws and closed heats."""
    page = reverse("tournaments:event", args=[event.slug])
    return _feed(request, event.name, page, news_of_event(event))


def _feed(request: HttpRequest, title: str, page: str, news: Sequence[News]) -> HttpResponse:
    feed = Atom1Feed(
        title=title,
        link=public_address(request, page),
        description="",
        language=get_language() or "en",
        feed_url=public_address(request, request.path),
        feed_guid=public_address(request, request.path),
    )
    for each in news:
        address = public_address(request, each.path)
        feed.add_item(
            title=each.title,
            link=address,
            # Atom1Feed says that it is HTML.
            description=escape(each.text),
            unique_id=f"{address}#{each.key}",
            pubdate=each.at,
            updateddate=each.at,
        )
    response = HttpResponse(
        feed.writeString("utf-8"), content_type="application/atom+xml; charset=utf-8"
    )
    return _for_scripts(answer_if_changed(request, response))
