"""URLs of the play-offs, included by ``tournaments/urls.py``."""

from django.urls import URLPattern, path

from .views import bracket, desk

#: Under /e/<event>/.
event_patterns: list[URLPattern] = [
    path("play-offs/", bracket.playoffs, name="playoffs"),
    path("play-offs/now/", bracket.playoffs_now, name="playoffs_now"),
    path("play-offs/<int:number>/", bracket.playoffs_round, name="playoffs_round"),
    path("play-offs.svg", bracket.playoffs_svg, name="playoffs_svg"),
    path("play-offs.pdf", bracket.playoffs_pdf, name="playoffs_pdf"),
]

#: Under /e/<event>/desk/.
desk_patterns: list[URLPattern] = [
    path("play-offs/", desk.rounds, name="rounds"),
    path("play-offs/prepare/", desk.round_prepare, name="round_prepare"),
    path("play-offs/absent/", desk.round_absent, name="round_absent"),
    path("play-offs/present/", desk.round_present, name="round_present"),
    path("play-offs/take-in/", desk.round_take_in, name="round_take_in"),
    path("play-offs/draft/", desk.round_draft, name="round_draft"),
    path("play-offs/discard/", desk.round_discard, name="round_discard"),
]
