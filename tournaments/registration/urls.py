"""URLs of registration, included by ``tournaments/urls.py``."""

from django.urls import URLPattern, path, re_path

from .views import (
    desk,
    erasing,
    imports,
    lost_link,
    my_data,
    persons,
    player_page,
    players,
    sign_up,
)

#: Of the whole site.
site_patterns: list[URLPattern] = [
    path("p/<str:token>/", player_page.player_page, name="player_page"),
    re_path(
        r"^p/(?P<token>[^/]+)/(?P<rest>[^\w/-]+)/?$",
        player_page.player_link_cut,
        name="player_link_cut",
    ),
    path("p/<str:token>/now/", player_page.player_page_now, name="player_page_now"),
    path("p/<str:token>/name/", player_page.player_page_name, name="player_page_name"),
    path("p/<str:token>/pictures/", player_page.player_page_pictures, name="player_page_pictures"),
    path("p/<str:token>/score/", player_page.player_page_score, name="player_page_score"),
    path("p/<str:token>/accept/", player_page.player_page_accept, name="player_page_accept"),
    path("p/<str:token>/rulings/", player_page.player_page_rulings, name="player_page_rulings"),
    path("p/<str:token>/object/", player_page.player_page_object, name="player_page_object"),
    path(
        "p/<str:token>/object/take-back/",
        player_page.player_page_object_back,
        name="player_page_object_back",
    ),
    path("p/<str:token>/pin/", player_page.player_page_pin, name="player_page_pin"),
    path("p/<str:token>/enter/", player_page.player_page_enter, name="player_page_enter"),
    path("p/<str:token>/part/", player_page.player_page_part, name="player_page_part"),
    path("p/<str:token>/my-data.json", my_data.player_page_data, name="player_page_data"),
    path("p/<str:token>/erase/", erasing.player_page_erase, name="player_page_erase"),
    path(
        "p/<str:token>/erase/take-back/",
        erasing.player_page_erase_back,
        name="player_page_erase_back",
    ),
    path("p/<str:token>/withdraw/", player_page.player_page_withdraw, name="player_page_withdraw"),
]

#: Under /e/<event>/.
event_patterns: list[URLPattern] = [
    path("sign-up/", sign_up.sign_up, name="sign_up"),
    path("sign-up/link/", lost_link.lost_link, name="lost_link"),
]

#: Under /e/<event>/desk/.
desk_patterns: list[URLPattern] = [
    path("", desk.desk, name="desk"),
    path("now/", desk.desk_now, name="desk_now"),
    path("players/", desk.desk_players, name="desk_players"),
    path("check-in/", desk.check_in, name="check_in"),
    path("check-in/begin/", desk.part_begin, name="part_begin"),
    path("register/", players.player_register, name="player_register"),
    path("draw/", desk.desk_draw, name="desk_draw"),
    path("draws/make/", desk.draft_make, name="draft_make"),
    path("queue/empty/", desk.queue_empty, name="queue_empty"),
    path("register/alike/", persons.register_alike, name="register_alike"),
    path("register/known/", persons.register_known, name="register_known"),
    path("import/", imports.import_players, name="import_players"),
    path("import/do/", imports.import_do, name="import_do"),
    path("import/<int:number>/", imports.import_spreadsheet, name="import_spreadsheet"),
    path("registrations.<str:fmt>", imports.registrations_export, name="registrations_export"),
    path("sign-ups/", sign_up.sign_up_sources, name="sign_up_sources"),
    path("sign-ups/undo/", sign_up.sign_ups_undo, name="sign_ups_undo"),
    path("merges/", persons.merges, name="merges"),
    path("merges/undo/", persons.merge_undo, name="merge_undo"),
]

#: Under /e/<event>/desk/players/<number>/.
player_patterns: list[URLPattern] = [
    path("check-in/", players.player_check_in, name="player_check_in"),
    path("undo-check-in/", players.player_undo_check_in, name="player_undo_check_in"),
    path("enter/", players.player_enter, name="player_enter"),
    path("leave/", players.player_leave, name="player_leave"),
    path("reinstate/", players.player_reinstate, name="player_reinstate"),
    path("", players.player_edit, name="player_edit"),
    path("admit/", players.player_admit, name="player_admit"),
    path("erase/", erasing.player_erase, name="player_erase"),
    path("merge/", persons.player_merge, name="player_merge"),
    path("slip/", player_page.player_slip, name="player_slip"),
    path("link/", player_page.player_link_renew, name="player_link_renew"),
]
