"""URLs of mail, included by ``tournaments/urls.py``."""

from django.urls import URLPattern, path

from . import views

#: Under /e/<event>/desk/.
desk_patterns: list[URLPattern] = [
    path("mail/", views.mail, name="mail"),
    path("mail/set/", views.mail_set, name="mail_set"),
    path("mail/all/", views.mail_all, name="mail_all"),
    path("mail/again/", views.mail_again, name="mail_again"),
]
