"""URLs of the hall's screens, included by ``tournaments/urls.py``."""

from django.urls import URLPattern, path

from .views import desk, device, parts

#: Outside all events.
site_patterns: list[URLPattern] = [
    path("screen/", device.screen, name="screen"),
    path("screen/now/", device.screen_now, name="screen_now"),
    path("screen/worker.js", device.screen_worker, name="screen_worker"),
    path("screen/adopt/<str:letters>/", desk.adopt, name="adopt"),
]

#: Under /e/<event>/.
event_patterns: list[URLPattern] = [
    path("screens/qr.svg", parts.screen_qr, name="screen_qr"),
    path("screens/pictures/<int:number>/", parts.screen_picture, name="screen_picture"),
    path("screens/<str:language>/<str:part>/", parts.screen_part, name="screen_part"),
    path("overlay/<str:language>/<str:kind>/", parts.overlay, name="overlay"),
    path("overlay/<str:language>/<str:kind>/now/", parts.overlay_now, name="overlay_now"),
]

#: Under /e/<event>/desk/.
desk_patterns: list[URLPattern] = [
    path("screens/", desk.screens, name="screens"),
    path("screens/now/", desk.screens_now, name="screens_now"),
    path("screens/steer/", desk.screens_steer, name="screens_steer"),
    path("screens/sponsors/", desk.sponsors, name="sponsors"),
    path("screens/sponsors/remove/", desk.sponsor_remove, name="sponsor_remove"),
    path("screens/<int:number>/", desk.screen_set, name="screen_set"),
    path("screens/<int:number>/end/", desk.screen_end, name="screen_end"),
    path("screens/<int:number>/view/", desk.screen_view, name="screen_view"),
    path("screens/<int:number>/state/", desk.screen_state, name="screen_state"),
    path("screens/<int:number>/card/", desk.screen_card, name="screen_card"),
]
