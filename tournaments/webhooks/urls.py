"""URLs of webhooks, included by ``tournaments/urls.py``."""

from django.urls import URLPattern, path

from . import views

#: Under /e/<event>/desk/.
desk_patterns: list[URLPattern] = [
    path("webhooks/", views.webhooks, name="webhooks"),
    path("webhooks/end/", views.webhook_end, name="webhook_end"),
    path("webhooks/again/", views.webhook_again, name="webhook_again"),
]
