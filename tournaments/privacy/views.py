"""What is kept of people: the public page, and the owner's page about contacts."""

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from ..core.access import Request
from ..core.answers import SHOWN, form_errors
from ..core.contacts import NOTICE
from ..events.views.organisers import owner_action
from ..models import Organiser
from . import commands as domain
from .forms import ContactsForm
from .queries import due_of, kept, looks_of

PAGE = 50


@require_safe
def privacy(request: HttpRequest) -> HttpResponse:
    """Say what this installation keeps of whom, why and how long."""
    return render(request, "tournaments/privacy/privacy.html", {"kept": kept()})


def _path(organiser: Organiser) -> str:
    return reverse("tournaments:organiser_contacts", args=[organiser.slug])


def _page(
    request: Request, organiser: Organiser, *, form: ContactsForm | None = None, status: int = 200
) -> HttpResponse:
    # The form has already changed the instance.
    organiser = Organiser.objects.get(pk=organiser.pk)
    looks = Paginator(looks_of(organiser), PAGE).get_page(request.GET.get("page"))
    context = {
        "organiser": organiser,
        "form": form or ContactsForm(instance=organiser),
        "due": due_of(organiser),
        "notice_days": NOTICE.days,
        "page": looks,
    }
    return render(request, "tournaments/privacy/contacts.html", context, status=status)


@owner_action(methods=SHOWN, page=_page, back=_path)
def contacts(request: Request, organiser: Organiser) -> str:
    """Show who has looked at contacts and when they are deleted; set how long they are kept."""
    with form_errors(form=ContactsForm(request.POST, instance=organiser)) as data:
        domain.keep_contacts_for(
            organiser=organiser, months=data["contacts_months"], by=request.user
        )
    return _("That is how long contacts are kept now.")
