"""URLs of announcements and of being told, included by ``tournaments/urls.py``."""

from django.urls import URLPattern, path

from .views import desk, player

#: Outside all events: a player's own page.
site_patterns: list[URLPattern] = [
    path("p/<str:token>/push/", player.player_page_push, name="player_page_push"),
    path("p/<str:token>/push/try/", player.player_page_push_try, name="player_page_push_try"),
    path("p/<str:token>/push/end/", player.player_page_push_end, name="player_page_push_end"),
    path("p/<str:token>/worker.js", player.player_page_worker, name="player_page_worker"),
    path("p/<str:token>/app.webmanifest", player.player_page_manifest, name="player_page_manifest"),
]

#: Under /e/<event>/desk/.
desk_patterns: list[URLPattern] = [
    path("mail/write/", desk.letter, name="letter"),
    path("announcements/", desk.announcements, name="announcements"),
    path("announcements/break/", desk.announce_break, name="announce_break"),
    path("announcements/take-back/", desk.announcement_take_back, name="announcement_take_back"),
]
