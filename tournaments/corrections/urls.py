"""URLs of corrections, included by ``tournaments/urls.py``."""

from django.urls import URLPattern, path

from .views import exchange
from .views import sheets as views

#: Under /e/<event>/desk/heats/<number>/.
heat_patterns: list[URLPattern] = [
    path("closed-penalty/", views.closed_penalty, name="closed_penalty"),
    path("exchange/", exchange.exchange_page, name="exchange"),
    path("exchange/do/", exchange.exchange_do, name="exchange_do"),
    path("games/<int:game>/", views.sheet, name="correct_sheet"),
    path(
        "games/<int:game>/deals/<int:deal>/forgotten/",
        views.forgotten_deal_page,
        name="deal_forgotten",
    ),
    path(
        "games/<int:game>/deals/<int:deal>/forgotten/preview/",
        views.preview_deal,
        name="deal_preview",
    ),
    path("games/<int:game>/deals/<int:deal>/forgotten/do/", views.put_deal_in, name="deal_put_in"),
    path("games/<int:game>/<int:entry>/", views.entry, name="correct_entry"),
    path("games/<int:game>/<int:entry>/preview/", views.preview, name="correct_preview"),
    path("games/<int:game>/<int:entry>/do/", views.apply_correction, name="correct_apply"),
]
