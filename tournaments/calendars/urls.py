"""URLs of calendars and feeds, included by ``tournaments/urls.py``."""

from django.urls import URLPattern, path

from . import views

#: Of the whole site.
site_patterns: list[URLPattern] = [
    path(
        "organisers/<slug:organiser>/calendar.ics",
        views.organiser_calendar,
        name="organiser_calendar",
    ),
    path("organisers/<slug:organiser>/feed.atom", views.organiser_feed, name="organiser_feed"),
    path("p/<str:token>/calendar.ics", views.player_calendar, name="player_calendar"),
]

#: Under /e/<event>/.
event_patterns: list[URLPattern] = [
    path("calendar.ics", views.event_calendar, name="event_calendar"),
    path("feed.atom", views.event_feed, name="event_feed"),
]
