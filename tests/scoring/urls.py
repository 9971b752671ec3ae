"""The URLs that scoring needs on its own."""

from django.urls import include, path

urlpatterns = [
    path("i18n/", include("django.conf.urls.i18n")),
    path("accounts/", include("allauth.urls")),
    path("s/", include("scoring.web.urls")),
]
