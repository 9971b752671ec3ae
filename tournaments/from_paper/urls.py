"""URLs of paper sheets, included by ``tournaments/urls.py``."""

from django.urls import URLPattern, path

from . import views

#: Under /e/<event>/desk/heats/<number>/.
heat_patterns: list[URLPattern] = [
    path("games/<int:game>/paper/", views.sheet, name="paper_sheet"),
    path("games/<int:game>/paper/preview/", views.preview, name="paper_preview"),
    path("games/<int:game>/paper/enter/", views.enter, name="paper_enter"),
    path("games/<int:game>/paper/back/preview/", views.back_preview, name="paper_back_preview"),
    path("games/<int:game>/paper/back/", views.take_back, name="paper_take_back"),
    path("games/<int:game>/paper/deals/", views.deals, name="paper_deals"),
    path("games/<int:game>/paper/compared/", views.compared, name="paper_compared"),
]

#: Of the whole site.
site_patterns: list[URLPattern] = [
    path("p/<str:token>/compared/", views.player_page_compared, name="player_page_compared"),
]
