"""Addresses of setting up, registering, staff and money; tournaments/urls.py takes them in."""

from django.urls import URLPattern, path

from .views import cash, imports, invitations, persons, player_page, setup, sign_up

#: Under /e/<event>/desk/players/<number>/.
player_patterns: list[URLPattern] = [
    path("let-in/", persons.player_let_in, name="player_let_in"),
    path("merge/", persons.player_merge, name="player_merge"),
    path("slip/", player_page.player_slip, name="player_slip"),
    path("link/", player_page.player_link_renew, name="player_link_renew"),
]

#: Under /e/<event>/desk/.
desk_patterns: list[URLPattern] = [
    path("checklist/", setup.event_checklist, name="checklist"),
    path("register/alike/", persons.register_alike, name="register_alike"),
    path("register/known/", persons.register_known, name="register_known"),
    path("import/", imports.import_players, name="import_players"),
    path("import/do/", imports.import_do, name="import_do"),
    path("registrations.<str:fmt>", imports.registrations_export, name="registrations_export"),
    path("slips/", player_page.player_slips, name="player_slips"),
    path("merges/", persons.merges, name="merges"),
    path("merges/undo/", persons.merge_undo, name="merge_undo"),
    path("cash/", cash.cash, name="cash"),
    path("cash/pay/", cash.cash_pay, name="cash_pay"),
    path("cash/void/", cash.cash_void, name="cash_void"),
    path("cash.<str:fmt>", cash.cash_export, name="cash_export"),
    path("staff/invite/", invitations.staff_invite, name="staff_invite"),
    path("staff/invite/revoke/", invitations.staff_invite_revoke, name="staff_invite_revoke"),
]

#: Under /e/<event>/.
event_patterns: list[URLPattern] = [
    path("sign-up/", sign_up.sign_up, name="sign_up"),
]

#: Of the whole site; whoever has the token may.
site_patterns: list[URLPattern] = [
    path("rules/check/", setup.rules_check, name="rules_check"),
    path("invitation/<str:token>/", invitations.invitation, name="invitation"),
    path("p/<str:token>/", player_page.player_page, name="player_page"),
    path("p/<str:token>/now/", player_page.player_page_now, name="player_page_now"),
    path("p/<str:token>/name/", player_page.player_page_name, name="player_page_name"),
    path("p/<str:token>/withdraw/", player_page.player_page_withdraw, name="player_page_withdraw"),
]
