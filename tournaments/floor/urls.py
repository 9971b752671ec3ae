"""URLs of the floor, included by ``tournaments/urls.py``."""

from django.urls import URLPattern, path

from .views import clocks, floor, heat, heat_actions, penalties

#: Under /e/<event>/desk/.
desk_patterns: list[URLPattern] = [
    path("floor/", floor.floor, name="floor"),
    path("floor/now/", floor.floor_now, name="floor_now"),
    path("clocks/", clocks.clocks, name="clocks"),
    path("draws/<int:number>/take-back/", floor.draw_take_back, name="draw_take_back"),
    path("penalties/", penalties.penalties, name="penalties"),
]

#: Under /e/<event>/desk/heats/<number>/.
heat_patterns: list[URLPattern] = [
    path("auditor/", heat_actions.heat_auditor, name="heat_auditor"),
    path("table/", heat_actions.heat_table, name="heat_table"),
    path("link/", heat_actions.heat_link, name="heat_link"),
    path("link/revoke/", heat_actions.heat_link_revoke, name="heat_link_revoke"),
    path("let-in/", heat_actions.heat_let_in, name="heat_let_in"),
    path("qr.svg", heat.heat_qr, name="heat_qr"),
    path("ruling/", heat_actions.heat_ruling, name="heat_ruling"),
    path("call/clear/", heat_actions.heat_call_clear, name="heat_call_clear"),
    path("objection/", heat_actions.heat_objection, name="heat_objection"),
    path("flip-flop/", heat_actions.heat_flip_flop, name="heat_flip_flop"),
    path("close/", heat_actions.heat_close, name="heat_close"),
    path("void/", heat_actions.heat_void, name="heat_void"),
    path("live/", heat.heat_desk_live, name="heat_desk_live"),
    path("", heat.heat_desk, name="heat_desk"),
    path("clock/", clocks.heat_clock, name="heat_clock"),
    path("time-up/", clocks.heat_time_up, name="heat_time_up"),
    path("times/", floor.heat_times, name="heat_times"),
    path("minutes/", floor.heat_minutes, name="heat_minutes"),
    path("players/", floor.heat_players, name="heat_players"),
    path("missing/", floor.heat_missing, name="heat_missing"),
    path("swap/", floor.heat_swap, name="heat_swap"),
    path("seats/", floor.heat_seats, name="heat_seats"),
    path("review/", floor.heat_review, name="heat_review"),
    path("slow/", penalties.heat_slow, name="heat_slow"),
    path("seen/", floor.warning_seen, name="warning_seen"),
]
