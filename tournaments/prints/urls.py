"""URLs of prints, included by ``tournaments/urls.py``."""

from django.urls import URLPattern, path

from .views import cash, jobs, protocols, series

#: Of the whole site.
site_patterns: list[URLPattern] = [
    path("series/<slug:series>/standing.pdf", series.series_pdf, name="series_pdf"),
]

#: Under /e/<event>/.
event_patterns: list[URLPattern] = [
    path("heats/<int:number>/protocol.pdf", protocols.protocol_pdf, name="protocol_pdf"),
    path("heats/<int:number>/empty-protocol.pdf", protocols.empty_protocol_pdf, name="empty_pdf"),
]

#: Under /e/<event>/desk/.
desk_patterns: list[URLPattern] = [
    path("prints/", jobs.jobs, name="jobs"),
    path("prints/make/", jobs.job_create, name="job_create"),
    path("prints/blank.pdf", jobs.blank_pdf, name="blank_pdf"),
    path("prints/cancel/", jobs.job_cancel, name="job_cancel"),
    path("cash/players/<int:number>/receipt.pdf", cash.receipt_pdf, name="receipt_pdf"),
    path("cash/receipts.pdf", cash.receipts_pdf, name="receipts_pdf"),
    path("cash/closing.pdf", cash.closing_pdf, name="closing_pdf"),
    path("prints/<int:number>.pdf", jobs.job_file, name="job_file"),
]
