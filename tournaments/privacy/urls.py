"""URLs of privacy, included by ``tournaments/urls.py``."""

from django.urls import URLPattern, path

from . import views

#: Of the whole site.
site_patterns: list[URLPattern] = [
    path("privacy/", views.privacy, name="privacy"),
    path("organisers/<slug:organiser>/contacts/", views.contacts, name="organiser_contacts"),
]
