"""URLs of prints, included by ``tournaments/urls.py``."""

from django.urls import URLPattern, path

from . import jobs_views, money_views, views

#: Under /e/<event>/.
event_patterns: list[URLPattern] = [
    path("heats/<int:number>/protocol.pdf", views.protocol_pdf, name="protocol_pdf"),
    path("heats/<int:number>/empty-protocol.pdf", views.empty_protocol_pdf, name="empty_pdf"),
]

#: Under /e/<event>/desk/.
desk_patterns: list[URLPattern] = [
    path("prints/", jobs_views.jobs, name="jobs"),
    path("prints/make/", jobs_views.job_create, name="job_create"),
    path("prints/blank.pdf", jobs_views.blank_pdf, name="blank_pdf"),
    path("prints/cancel/", jobs_views.job_cancel, name="job_cancel"),
    path("cash/players/<int:number>/receipt.pdf", money_views.receipt_pdf, name="receipt_pdf"),
    path("cash/receipts.pdf", money_views.receipts_pdf, name="receipts_pdf"),
    path("cash/closing.pdf", money_views.closing_pdf, name="closing_pdf"),
    path("prints/<int:number>.pdf", jobs_views.job_file, name="job_file"),
]
