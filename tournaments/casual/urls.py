"""URLs of casual tables, included by ``tournaments/urls.py``."""

from django.urls import URLPattern, path

from . import views

#: Outside all events.
site_patterns: list[URLPattern] = [
    path("play/", views.casual, name="casual"),
    path("play/practice/", views.practice, name="casual_practice"),
    path("play/begin/", views.begin, name="casual_begin"),
    path("play/blank/<str:rules>/", views.blank, name="casual_blank"),
    path("play/shell/", views.shell, name="casual_shell"),
    path("play/<uuid:begun>/", views.begun, name="casual_begun"),
    path("play/worker.js", views.worker, name="casual_worker"),
    path("play/app.webmanifest", views.manifest, name="casual_manifest"),
]
