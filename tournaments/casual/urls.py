"""Addresses; tournaments/urls.py takes them in."""

from django.urls import URLPattern, path

from . import views

#: Above all events.
site_patterns: list[URLPattern] = [
    path("play/", views.casual, name="casual"),
    path("play/practice/", views.practice, name="casual_practice"),
]
