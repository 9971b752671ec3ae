"""Addresses of draws, drafts, play-offs and the final result; tournaments/urls.py takes them in."""

from django.urls import URLPattern, path

from .views import drafts, draws, playoffs, results, rounds, wishes

#: Under /e/<event>/desk/.
desk_patterns: list[URLPattern] = [
    path("draws/make/", drafts.draft_make, name="draft_make"),
    path("draws/<int:number>/", drafts.draft, name="draft"),
    path("draws/<int:number>/state/", drafts.draft_state, name="draft_state"),
    path("draws/<int:number>/change/", drafts.draft_change, name="draft_change"),
    path("draws/<int:number>/publish/", drafts.draft_publish, name="draft_publish"),
    path("draws/<int:number>/discard/", drafts.draft_discard, name="draft_discard"),
    path("draws/<int:number>/again/", drafts.draft_again, name="draft_again"),
    path("play-offs/", rounds.rounds, name="rounds"),
    path("play-offs/prepare/", rounds.round_prepare, name="round_prepare"),
    path("play-offs/absent/", rounds.round_absent, name="round_absent"),
    path("play-offs/present/", rounds.round_present, name="round_present"),
    path("play-offs/take-in/", rounds.round_take_in, name="round_take_in"),
    path("play-offs/draft/", rounds.round_draft, name="round_draft"),
    path("play-offs/discard/", rounds.round_discard, name="round_discard"),
    path("wishes/", wishes.wishes, name="wishes"),
    path("wishes/apart/", wishes.wish_apart, name="wish_apart"),
    path("wishes/together/", wishes.wish_together, name="wish_together"),
    path("wishes/table/", wishes.wish_table, name="wish_table"),
    path("wishes/room/", wishes.wish_room, name="wish_room"),
]

#: Under /e/<event>/.
event_patterns: list[URLPattern] = [
    path("draws/", draws.draws, name="draws"),
    path("draws/<int:number>/", draws.draw, name="draw"),
    path("draws/<int:number>/repeat.py", draws.draw_script, name="draw_script"),
    path("play-offs/", playoffs.playoffs, name="playoffs"),
    path("play-offs/now/", playoffs.playoffs_now, name="playoffs_now"),
    path("play-offs.svg", playoffs.playoffs_svg, name="playoffs_svg"),
    path("play-offs.pdf", playoffs.playoffs_pdf, name="playoffs_pdf"),
    path("result/", results.result, name="result"),
    path("result.<str:fmt>", results.result_export, name="result_export"),
    path("champion/", results.champion, name="champion"),
]
