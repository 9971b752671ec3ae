"""URLs of heats, included by ``tournaments/urls.py``."""

from django.urls import URLPattern, path

from . import views

#: Under /e/<event>/.
event_patterns: list[URLPattern] = [
    path("table/<int:number>/", views.room_table, name="room_table"),
    path("heats/<int:number>/", views.heat, name="heat"),
    path("heats/<int:number>/live/", views.heat_live, name="heat_live"),
    path("heats/<int:number>/games/<int:game>/", views.game, name="heat_game"),
    path("heats/<int:number>/games/<int:game>/deals/", views.game_deals, name="heat_deals"),
]
