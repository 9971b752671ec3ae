"""The log's URLs, included by ``tournaments/urls.py``."""

from django.urls import URLPattern, path

from . import views

#: Under /e/<event>/desk/.
desk_patterns: list[URLPattern] = [
    path("log/", views.event_log, name="log"),
]
