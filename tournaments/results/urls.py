"""URLs of results, included by ``tournaments/urls.py``."""

from django.urls import URLPattern, path

from .views import final, player, player_standings, share, standings

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
    path("games.<str:fmt>", final.games_export, name="games_export"),
    path("deals.<str:fmt>", final.deals_export, name="deals_export"),
    path("hands/", final.hands, name="hands"),
    path("players/<int:number>/", player.player, name="player"),
    path("champion/", final.champion, name="champion"),
    path(
        "share/<slug:kind>-<int:number>.<slug:language>.png",
        share.shared_picture,
        name="shared_picture",
    ),
]
