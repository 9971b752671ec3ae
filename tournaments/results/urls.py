"""URLs of results, included by ``tournaments/urls.py``."""

from django.urls import URLPattern, path

from .views import final, player, player_standings, standings

#: Under /e/<event>/.
event_patterns: list[URLPattern] = [
    path("standings/", player_standings.players, name="player_standings"),
    path("standings.<str:fmt>", player_standings.players_export, name="player_standings_export"),
    path("standings/heats/", standings.standings, name="standings"),
    path("standings/heats.<str:fmt>", standings.standings_export, name="standings_export"),
    path("qualified/", standings.qualified, name="qualified"),
    path("qualified.<str:fmt>", standings.qualified_export, name="qualified_export"),
    path("result/", final.result, name="result"),
    path("result.<str:fmt>", final.result_export, name="result_export"),
    path("hands/", final.hands, name="hands"),
    path("players/<int:number>/", player.player, name="player"),
    path("champion/", final.champion, name="champion"),
]
