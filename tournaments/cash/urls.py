"""Addresses; tournaments/urls.py takes them in."""

from django.urls import URLPattern, path

from . import views

#: Under /e/<event>/desk/.
desk_patterns: list[URLPattern] = [
    path("cash/", views.cash, name="cash"),
    path("cash/pay/", views.cash_pay, name="cash_pay"),
    path("cash/void/", views.cash_void, name="cash_void"),
    path("cash.<str:fmt>", views.cash_export, name="cash_export"),
]
