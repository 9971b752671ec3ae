"""URLs of the framed pieces, included by ``tournaments/urls.py``."""

from django.urls import URLPattern, path

from . import views

#: Of the whole site.
site_patterns: list[URLPattern] = [
    path("embed/<slug:slug>/standings/", views.embed_standings, name="embed_standings"),
    path("embed/<slug:slug>/play-offs/", views.embed_playoffs, name="embed_playoffs"),
    path("embed/<slug:slug>/heats/<int:number>/", views.embed_heat, name="embed_heat"),
    path("embed/<slug:slug>/timetable/", views.embed_timetable, name="embed_timetable"),
]
