"""URLs of the cashier, included by ``tournaments/urls.py``."""

from django.urls import URLPattern, path

from . import views

#: Under /e/<event>/desk/.
desk_patterns: list[URLPattern] = [
    path("cash/", views.cash, name="cash"),
    path("cash/pay/", views.cash_pay, name="cash_pay"),
    path("cash/refund/", views.cash_refund, name="cash_refund"),
    path("cash/count/", views.cash_count, name="cash_count"),
    path("cash/prizes/", views.cash_prizes, name="cash_prizes"),
    path("cash/prizes/pay/", views.cash_prize_pay, name="cash_prize_pay"),
    path("cash/players/<int:number>/", views.cash_player, name="cash_player"),
    path("cash/prizes/returned/", views.cash_prize_return, name="cash_prize_return"),
    path("cash/players/<int:number>/free/", views.cash_free, name="cash_free"),
    path("cash/void/", views.cash_void, name="cash_void"),
    path("cash/closing.xlsx", views.closing_xlsx, name="closing_xlsx"),
    path("cash.<str:fmt>", views.cash_export, name="cash_export"),
]
