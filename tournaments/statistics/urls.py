"""URLs of statistics, included by ``tournaments/urls.py``."""

from django.urls import URLPattern, path

from .views import career, rating, sums

#: Of the whole site.
site_patterns: list[URLPattern] = [
    path("organisers/<slug:organiser>/players/<uuid:person>/", career.career, name="career"),
    path("p/<str:token>/career/", career.player_page_career, name="player_page_career"),
    path("organisers/<slug:organiser>/ratings/", rating.ratings, name="ratings"),
    path("series/<slug:series>/statistics/", sums.series_statistics, name="series_statistics"),
    path(
        "organisers/<slug:organiser>/statistics/",
        sums.organiser_statistics,
        name="organiser_statistics",
    ),
]
