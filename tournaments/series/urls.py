"""URLs of series, included by ``tournaments/urls.py``."""

from django.urls import URLPattern, path

from .views import running, same, standing

#: Of the whole site.
site_patterns: list[URLPattern] = [
    path("series/", standing.series_list, name="series_list"),
    path("series/<slug:series>/", standing.series, name="series"),
    path("series/<slug:series>/standing.<slug:fmt>", standing.series_export, name="series_export"),
    path("series/<slug:series>/series.json", standing.series_document, name="series_document"),
    path("series/<slug:series>/share.<slug:language>.png", standing.picture, name="series_picture"),
    path("series/<slug:series>/settings/", running.series_settings, name="series_settings"),
    path("series/<slug:series>/events/", running.series_events, name="series_events"),
    path("series/<slug:series>/events/remove/", running.series_remove, name="series_remove"),
    path("series/<slug:series>/elsewhere/", running.series_outside, name="series_outside"),
    path("organisers/<slug:organiser>/series/", running.organiser_series, name="organiser_series"),
    path("organisers/<slug:organiser>/series/agree/", running.series_agree, name="series_agree"),
    path("organisers/<slug:organiser>/series/leave/", running.series_leave, name="series_leave"),
    path("p/<str:token>/series/", same.player_page_series, name="player_page_series"),
    path("p/<str:token>/series/apart/", same.player_page_apart, name="player_page_apart"),
]
