"""The page of an event's mail: on or off, what was sent, and how it went."""

from django.conf import settings
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from ..core.access import Request, staff_view
from ..core.addresses import opens_here_only, public_address
from ..core.answers import number_in, staff_action
from ..core.contacts import note_look
from ..core.errors import Refused
from ..core.permissions import CHANGE_EVENT
from ..models import Event
from ..models.enums import MAILS_TO_ALL, ContactsWhere, MailKind
from . import commands as domain
from .queries import counts_of, mails_of, mails_to_all, players_of, row_of, waits_for_server

PAGE = 50


def _site(request: Request) -> str:
    return public_address(request, "/").rstrip("/")


@require_safe
@staff_view(CHANGE_EVENT)
def mail(request: Request, event: Event) -> HttpResponse:
    """Show the event's mail."""
    note_look(event=event, by=request.user, where=ContactsWhere.MAILS)
    page = Paginator(mails_of(event), PAGE).get_page(request.GET.get("page"))
    return render(
        request,
        "tournaments/mail.html",
        {
            "event": event,
            "configured": not settings.PRINTS_EMAIL,
            "here_only": opens_here_only(event.mail_site or _site(request)),
            "site": event.mail_site or _site(request),
            "counts": counts_of(event),
            "to_all": [(kind, players_of(event, kind).count()) for kind in mails_to_all(event)],
            "server": waits_for_server(event),
            "page": page,
            "rows": [row_of(each) for each in page],
        },
    )


@staff_action(CHANGE_EVENT, back="mail")
def mail_set(request: Request, event: Event) -> str:
    """Turn mail on or off."""
    on = request.POST.get("on") == "1"
    domain.set_mail(event=event, on=on, site=_site(request), by=request.user)
    return _("Players get mail now.") if on else _("Players no longer get mail.")


@staff_action(CHANGE_EVENT, back="mail")
def mail_all(request: Request, event: Event) -> str:
    """Queue a mail to all players."""
    kind = request.POST.get("kind", "")
    if kind not in MAILS_TO_ALL:
        raise Refused("no_kind", _("Choose what to write."))
    count = domain.write_to_all(event=event, kind=MailKind(kind), by=request.user)
    return ngettext(
        "%(count)s e-mail is on its way.", "%(count)s e-mails are on their way.", count
    ) % {"count": count}


@staff_action(CHANGE_EVENT, back="mail")
def mail_again(request: Request, event: Event) -> str:
    """Try a failed mail again."""
    row = domain.try_again(event=event, number=number_in(request, "mail"), by=request.user)
    return _("Trying again: %(address)s.") % {"address": row.parameters["address"]}
