"""Where the tournament's pages live: the public ones under /e/<event>/, the staff's under desk/."""

from django.urls import URLPattern, include, path

from . import urls_floor, urls_play, urls_setup
from .views import (
    desk,
    event_admin,
    heat_actions,
    heats,
    home,
    jobs,
    log,
    players,
    prints,
    public,
    standings,
)

app_name = "tournaments"

_players: list[URLPattern] = [
    path("check-in/", players.player_check_in, name="player_check_in"),
    path("undo-check-in/", players.player_undo_check_in, name="player_undo_check_in"),
    path("enter/", players.player_enter, name="player_enter"),
    path("leave/", players.player_leave, name="player_leave"),
    path("withdraw/", players.player_withdraw, name="player_withdraw"),
    path("reinstate/", players.player_reinstate, name="player_reinstate"),
    *urls_setup.player_patterns,
    path("", players.player_edit, name="player_edit"),
]

_desk_heat: list[URLPattern] = [
    path("auditor/", heat_actions.heat_auditor, name="heat_auditor"),
    path("table/", heat_actions.heat_table, name="heat_table"),
    path("link/", heat_actions.heat_link, name="heat_link"),
    path("link/revoke/", heat_actions.heat_link_revoke, name="heat_link_revoke"),
    path("qr.svg", heats.heat_qr, name="heat_qr"),
    path("ruling/", heat_actions.heat_ruling, name="heat_ruling"),
    path("call/clear/", heat_actions.heat_call_clear, name="heat_call_clear"),
    path("flip-flop/", heat_actions.heat_flip_flop, name="heat_flip_flop"),
    path("close/", heat_actions.heat_close, name="heat_close"),
    path("void/", heat_actions.heat_void, name="heat_void"),
    path("live/", heats.heat_desk_live, name="heat_desk_live"),
    *urls_floor.heat_patterns,
    path("", heats.heat_desk, name="heat_desk"),
]

_desk: list[URLPattern] = [
    path("", desk.desk, name="desk"),
    path("now/", desk.desk_now, name="desk_now"),
    path("players/", desk.desk_players, name="desk_players"),
    path("register/", players.player_register, name="player_register"),
    path("draw/", desk.desk_draw, name="desk_draw"),
    path("log/", log.event_log, name="log"),
    path("settings/", event_admin.event_settings, name="event_settings"),
    path("status/", event_admin.event_status, name="event_status"),
    path("staff/", event_admin.event_staff, name="event_staff"),
    path("staff/remove/", event_admin.event_staff_remove, name="event_staff_remove"),
    *urls_play.desk_patterns,
    *urls_floor.desk_patterns,
    *urls_setup.desk_patterns,
    path("prints/", jobs.jobs, name="jobs"),
    path("prints/make/", jobs.job_create, name="job_create"),
    path("prints/<int:number>.pdf", jobs.job_file, name="job_file"),
]

_event: list[URLPattern] = [
    path("", public.event, name="event"),
    path("now/", public.event_now, name="event_now"),
    path("find/", public.event_find, name="event_find"),
    path("standings/", standings.standings, name="standings"),
    path("standings.<str:fmt>", standings.standings_export, name="standings_export"),
    path("qualified/", standings.qualified, name="qualified"),
    path("qualified.<str:fmt>", standings.qualified_export, name="qualified_export"),
    path("heats/<int:number>/", public.heat, name="heat"),
    path("heats/<int:number>/live/", public.heat_live, name="heat_live"),
    *urls_play.event_patterns,
    *urls_floor.event_patterns,
    *urls_setup.event_patterns,
    path("heats/<int:number>/protocol.pdf", prints.protocol_pdf, name="protocol_pdf"),
    path("heats/<int:number>/empty-protocol.pdf", prints.empty_protocol_pdf, name="empty_pdf"),
]

urlpatterns = [
    path("", home.home, name="home"),
    path("events/new/", event_admin.event_create, name="event_create"),
    *urls_setup.site_patterns,
    path("e/<slug:slug>/desk/heats/<int:number>/", include(_desk_heat)),
    path("e/<slug:slug>/desk/players/<int:number>/", include(_players)),
    path("e/<slug:slug>/desk/", include(_desk)),
    path("e/<slug:slug>/", include(_event)),
]
