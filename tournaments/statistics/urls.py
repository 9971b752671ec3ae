"""URLs of statistics, included by ``tournaments/urls.py``."""

from django.urls import URLPattern, path

from . import views

#: Of the whole site.
site_patterns: list[URLPattern] = [
    path("organisers/<slug:organiser>/ratings/", views.ratings, name="ratings"),
]
