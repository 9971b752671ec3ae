"""URLs of events, included by ``tournaments/urls.py``."""

from django.urls import URLPattern, path

from .views import checklist, home, invitations, organisers, picture, public, robots, settings

#: Of the whole site.
site_patterns: list[URLPattern] = [
    path("", home.home, name="home"),
    path("robots.txt", robots.robots, name="robots"),
    path("sitemap.xml", robots.sitemap, name="sitemap"),
    path("app.webmanifest", robots.site_manifest, name="site_manifest"),
    path("events/new/", settings.event_create, name="event_create"),
    path("rules/check/", checklist.rules_check, name="rules_check"),
    path("rules/open/", checklist.rules_open, name="rules_open"),
    path("invitation/<str:token>/", invitations.invitation, name="invitation"),
    path("organisers/", organisers.organisers, name="organisers"),
    path("organisers/<slug:organiser>/", organisers.organiser, name="organiser"),
    path("organisers/<slug:organiser>/member/", organisers.member_set, name="member_set"),
    path("organisers/<slug:organiser>/remove/", organisers.member_remove, name="member_remove"),
    path("organisers/<slug:organiser>/invite/", organisers.member_invite, name="member_invite"),
    path(
        "organisers/<slug:organiser>/invite/revoke/",
        organisers.member_invite_revoke,
        name="member_invite_revoke",
    ),
]

#: Under /e/<event>/.
event_patterns: list[URLPattern] = [
    path("", public.event, name="event"),
    path("now/", public.event_now, name="event_now"),
    path("find/", public.event_find, name="event_find"),
    path("picture.jpg", picture.event_picture, name="event_picture"),
]

#: Under /e/<event>/desk/.
desk_patterns: list[URLPattern] = [
    path("settings/", settings.event_settings, name="event_settings"),
    path("picture/", picture.picture_set, name="picture_set"),
    path("picture/remove/", picture.event_picture_remove, name="event_picture_remove"),
    path("timetable/", settings.timetable, name="timetable"),
    path("status/", settings.event_status, name="event_status"),
    path("staff/", settings.event_staff, name="event_staff"),
    path("staff/remove/", settings.event_staff_remove, name="event_staff_remove"),
    path("staff/two-factor/", settings.event_two_factor, name="event_two_factor"),
    path("seating/room/", settings.seating_room, name="seating_room"),
    path("checklist/", checklist.event_checklist, name="checklist"),
    path("staff/invite/", invitations.staff_invite, name="staff_invite"),
    path("staff/invite/revoke/", invitations.staff_invite_revoke, name="staff_invite_revoke"),
]
