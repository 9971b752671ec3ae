"""URLs of corrections, included by ``tournaments/urls.py``."""

from django.urls import URLPattern, path

from .views import closed_penalty, decisions, exchange, forgotten, sheets, take_back

#: Under /e/<event>/desk/.
desk_patterns: list[URLPattern] = [
    path("penalties/disqualify/", decisions.disqualify, name="disqualify"),
    path("penalties/<int:pk>/take-back/", decisions.penalty_take_back, name="penalty_take_back"),
]

#: Under /e/<event>/desk/players/<number>/.
player_patterns: list[URLPattern] = [
    path("withdraw/", decisions.player_withdraw, name="player_withdraw"),
]

#: Under /e/<event>/desk/heats/<number>/.
heat_patterns: list[URLPattern] = [
    path("closed-penalty/", closed_penalty.closed_penalty, name="closed_penalty"),
    path("penalty/", decisions.heat_penalty, name="heat_penalty"),
    path("exchange/", exchange.exchange_page, name="exchange"),
    path("exchange/do/", exchange.exchange_do, name="exchange_do"),
    path("games/<int:game>/", sheets.sheet, name="correct_sheet"),
    path(
        "games/<int:game>/deals/<int:deal>/forgotten/",
        forgotten.forgotten_deal_page,
        name="deal_forgotten",
    ),
    path(
        "games/<int:game>/deals/<int:deal>/forgotten/preview/",
        forgotten.preview_deal,
        name="deal_preview",
    ),
    path(
        "games/<int:game>/deals/<int:deal>/forgotten/do/", forgotten.put_deal_in, name="deal_put_in"
    ),
    path(
        "games/<int:game>/corrections/<int:row>/",
        take_back.take_back_page,
        name="correction_back",
    ),
    path(
        "games/<int:game>/corrections/<int:row>/preview/",
        take_back.preview_take_back,
        name="correction_back_preview",
    ),
    path(
        "games/<int:game>/corrections/<int:row>/do/",
        take_back.take_back,
        name="correction_back_do",
    ),
    path("games/<int:game>/<int:entry>/", sheets.entry, name="correct_entry"),
    path("games/<int:game>/<int:entry>/preview/", sheets.preview, name="correct_preview"),
    path("games/<int:game>/<int:entry>/do/", sheets.apply_correction, name="correct_apply"),
]
