"""URLs of draws, included by ``tournaments/urls.py``."""

from django.urls import URLPattern, path

from .views import drafts, published, seating_constraints

#: Under /e/<event>/.
event_patterns: list[URLPattern] = [
    path("draws/", published.draws, name="draws"),
    path("draws/<int:number>/", published.draw, name="draw"),
    path("draws/<int:number>/repeat.py", published.draw_script, name="draw_script"),
]

#: Under /e/<event>/desk/.
desk_patterns: list[URLPattern] = [
    path("draws/<int:number>/", drafts.draft, name="draft"),
    path("draws/<int:number>/state/", drafts.draft_state, name="draft_state"),
    path("draws/<int:number>/change/", drafts.draft_change, name="draft_change"),
    path("draws/<int:number>/times/", drafts.draft_times, name="draft_times"),
    path("draws/<int:number>/publish/", drafts.draft_publish, name="draft_publish"),
    path("draws/<int:number>/discard/", drafts.draft_discard, name="draft_discard"),
    path("draws/<int:number>/again/", drafts.draft_again, name="draft_again"),
    path("seating/", seating_constraints.seating_constraints, name="seating_constraints"),
    path("seating/apart/", seating_constraints.seating_apart, name="seating_apart"),
    path("seating/group/", seating_constraints.seating_group, name="seating_group"),
    path("seating/together/", seating_constraints.seating_together, name="seating_together"),
    path("seating/table/", seating_constraints.seating_table, name="seating_table"),
]
