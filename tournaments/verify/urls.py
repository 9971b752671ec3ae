"""URLs of verification, included by ``tournaments/urls.py``."""

from django.urls import URLPattern, path

from . import views

#: Of the whole site.
site_patterns: list[URLPattern] = [
    path("heads.txt", views.heads, name="heads"),
]

#: Under /e/<event>/desk/.
desk_patterns: list[URLPattern] = [
    path("verification/", views.verification, name="verification"),
    path("verification/banner/", views.verification_banner, name="verification_banner"),
]
