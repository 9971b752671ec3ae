"""The tabs of an event's pages, and who sees which."""

from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser, User
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from ..models import Event
from . import permissions


@dataclass(frozen=True)
class Tab:
    """A tab, its page, and the right that the page requires."""

    code: str
    label: str | Promise
    page: str
    right: str = ""
    #: Only for events with play-offs.
    of_playoffs: bool = False
    #: What must exist so that the page is not empty (see ``EventQuerySet.with_menu``).
    needs: str = ""


TABS = (
    Tab("event", _("Now"), "event"),
    Tab("standings", _("Standings"), "player_standings", needs="has_players"),
    Tab("qualified", _("Qualified"), "qualified", needs="has_qualified", of_playoffs=True),
    Tab("playoffs", _("Play-offs"), "playoffs", needs="has_playoffs", of_playoffs=True),
    Tab("result", _("Result"), "result", needs="has_result"),
    Tab("desk", _("Desk"), "desk", permissions.VIEW_DESK),
    Tab("check_in", _("Check-in"), "check_in", permissions.REGISTER),
    Tab("floor", _("Floor"), "floor", permissions.VIEW_DESK),
    Tab("hall", _("Screens"), "screens", permissions.RUN_FLOOR),
    Tab("prints", _("Prints"), "jobs", permissions.RUN_FLOOR),
    Tab("cash", _("Cash"), "cash", permissions.BOOK, needs="has_money"),
    Tab("log", _("Log"), "log", permissions.VIEW_LOG),
    Tab("settings", _("Settings"), "event_settings", permissions.CHANGE_EVENT),
    Tab("staff", _("Staff"), "event_staff", permissions.MANAGE_ROLES),
)


@dataclass(frozen=True)
class ShownTab:
    """A tab as shown; ``starts_staff`` marks the first staff tab."""

    label: str
    address: str
    is_here: bool
    starts_staff: bool


def tabs_for(user: User | AnonymousUser, event: Event, here: str) -> list[ShownTab]:
    """Return the tabs that the account may open and that are not empty.

    The role is queried once per event object; an event without the menu's annotations is read
    again.
    """
    if not hasattr(event, "has_players"):
        there = Event.objects.with_menu().get(pk=event.pk)
    else:
        there = event
    shown = [
        tab
        for tab in TABS
        if not (tab.of_playoffs and event.ends_with_heats)
        and (not tab.right or user.has_perm(tab.right, event))
        and (not tab.needs or tab.code == here or getattr(there, tab.needs))
    ]
    first = next((tab for tab in shown if tab.right), None)
    return [
        ShownTab(
            str(tab.label),
            reverse(f"tournaments:{tab.page}", args=[event.slug]),
            tab.code == here,
            tab is first,
        )
        for tab in shown
    ]
