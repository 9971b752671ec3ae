"""Addresses of the floor, penalties and corrections; tournaments/urls.py takes them in."""

from django.urls import URLPattern, path

from .views import corrections, day_one, floor, penalties

#: Under /e/<event>/desk/heats/<number>/.
heat_patterns: list[URLPattern] = [
    path("minutes/", floor.heat_minutes, name="heat_minutes"),
    path("missing/", floor.heat_missing, name="heat_missing"),
    path("exchange/", floor.heat_exchange, name="heat_exchange"),
    path("seats/", floor.heat_seats, name="heat_seats"),
    path("review/", floor.heat_review, name="heat_review"),
    path("penalty/", penalties.heat_penalty, name="heat_penalty"),
    path("seen/", floor.warning_seen, name="warning_seen"),
    path("games/<int:game>/", corrections.sheet, name="correct_sheet"),
    path("games/<int:game>/<int:entry>/", corrections.entry, name="correct_entry"),
    path("games/<int:game>/<int:entry>/preview/", corrections.preview, name="correct_preview"),
    path("games/<int:game>/<int:entry>/do/", corrections.do, name="correct_do"),
]

#: Under /e/<event>/desk/.
desk_patterns: list[URLPattern] = [
    path("floor/", floor.floor, name="floor"),
    path("floor/now/", floor.floor_now, name="floor_now"),
    path("penalties/", penalties.penalties, name="penalties"),
    path("penalties/<int:pk>/take-back/", penalties.penalty_take_back, name="penalty_take_back"),
]

#: Under /e/<event>/.
event_patterns: list[URLPattern] = [
    path("players/", day_one.players, name="day_one"),
    path("players.<str:fmt>", day_one.players_export, name="day_one_export"),
]
