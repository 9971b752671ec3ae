"""Where every page lives."""

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.urls import include, path

from config.health import healthz, readyz
from tournaments.events.views.first_run import first_run_create

# One door for everything: with the second step, and with the limits.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]

urlpatterns = [
    path("healthz", healthz),
    path("readyz", readyz),
    path("i18n/", include("django.conf.urls.i18n")),
    path("first-run/", first_run_create, name="first_run"),
    path("accounts/", include("allauth.urls")),
    path("admin/", admin.site.urls),
    path("s/", include("scoring.web.urls")),
    path("", include("tournaments.urls")),
]
