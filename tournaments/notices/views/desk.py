"""Announcements at the desk."""

from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import render
from django.utils import translation
from django.utils.formats import time_format
from django.utils.timezone import localtime
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from ...core.access import Request
from ...core.answers import SHOWN, form_errors, number_in, staff_action
from ...core.permissions import CHANGE_EVENT, DIRECT
from ...models import Event
from ...models.enums import Audience
from ..commands import announcements as domain
from ..commands.letters import write_letter
from ..forms import AnnounceForm, BreakForm, LetterForm
from ..queries.announcements import announcements_of
from ..queries.letters import preview, recipients


def _page(
    request: Request,
    event: Event,
    *,
    form: AnnounceForm | None = None,
    break_form: BreakForm | None = None,
    status: int = 200,
) -> HttpResponse:
    context = {
        "event": event,
        "form": form or AnnounceForm(),
        "break_form": break_form or BreakForm(),
        "shown": announcements_of(event),
    }
    return render(request, "tournaments/notices/announcements.html", context, status=status)


@staff_action(DIRECT, back="announcements", page=_page, methods=SHOWN, idempotent=True)
def announcements(request: Request, event: Event) -> str:
    """List what has been announced, and announce one line."""
    form = AnnounceForm(request.POST)
    with form_errors(form=form) as data:
        domain.announce(
            event=event,
            texts=form.texts,
            audience=Audience(data["audience"]),
            table=data["table"],
            ends_at=data["ends_at"],
            by=request.user,
        )
    return _("It is announced.")


@staff_action(DIRECT, back="announcements", page=_page, idempotent=True)
def announce_break(request: Request, event: Event) -> str:
    """Stop the clocks for a break, and announce it."""
    with form_errors(break_form=BreakForm(request.POST)) as data:
        ends_at = data["break_ends_at"]
        texts = {}
        for code, _name in settings.LANGUAGES:
            with translation.override(code):
                time = time_format(localtime(ends_at), "H:i")
                texts[code] = _("Break until %(time)s") % {"time": time}
        domain.announce_break(event=event, ends_at=ends_at, texts=texts, by=request.user)
    return _("It is announced; the clocks stand still until then.")


@staff_action(DIRECT, back="announcements")
def announcement_take_back(request: Request, event: Event) -> str:
    """Take an announcement back."""
    number = number_in(request, "announcement")
    domain.take_back(event=event, number=number, by=request.user)
    return _("The announcement is taken back.")


def _letter(
    request: Request, event: Event, *, form: LetterForm | None = None, status: int = 200
) -> HttpResponse:
    form = form or LetterForm(event=event)
    context: dict[str, object] = {"event": event, "form": form}
    if form.is_bound and form.is_valid():
        data = form.cleaned_data
        meant = recipients(event, Audience(data["audience"]), data.get("part"))
        first = meant.first()
        context["count"] = meant.count()
        if first is not None:
            language = get_language() or "en"
            context["preview"] = preview(first, data["subject"], data["text"], language)
    return render(request, "tournaments/notices/letter.html", context, status=status)


@staff_action(CHANGE_EVENT, back="mail", page=_letter, methods=SHOWN, idempotent=True)
def letter(request: Request, event: Event) -> str | HttpResponse:
    """Write a letter to players: first its preview, then send it."""
    form = LetterForm(request.POST, event=event)
    with form_errors(form=form) as data:
        if "send" not in request.POST:
            return _letter(request, event, form=form)
        count = write_letter(
            event=event,
            audience=Audience(data["audience"]),
            part=data.get("part"),
            subject=data["subject"],
            text=data["text"],
            by=request.user,
        )
    return ngettext(
        "%(count)s e-mail is on its way.", "%(count)s e-mails are on their way.", count
    ) % {"count": count}
