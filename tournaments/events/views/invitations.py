"""Inviting staff by link, and the page that the link opens."""

from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from ...core.access import Request
from ...core.addresses import code_of, public_address
from ...core.answers import SHOWN, action, form_errors, number_in, path_of, reply, staff_action
from ...core.errors import Refused
from ...core.limits import counted
from ...core.permissions import MANAGE_ROLES
from ...core.sign_ins import sign_in
from ...models import Event, Invitation, Organiser
from ...models.enums import Role
from ..commands import invitations
from ..forms.staff import InviteForm, NewAccountForm
from ..queries.accounts import invitation_by_token, token_of, why_not_usable


def _path(found: Invitation) -> str:
    return reverse("tournaments:invitation", args=[token_of(found)])


def _invite_page(
    request: Request, event: Event, *, form: InviteForm | None = None, status: int = 200
) -> HttpResponse:
    context = {
        "event": event,
        "form": form or InviteForm(),
        "rows": rows_of(request, event),
        "days": invitations.DAYS,
        "revoke": reverse("tournaments:staff_invite_revoke", args=[event.slug]),
    }
    return render(request, "tournaments/events/staff_invite.html", context, status=status)


@dataclass(frozen=True)
class InvitationRow:
    """An invitation in the list: its state, or its address and QR code."""

    invitation: Invitation
    state: str
    address: str = ""
    code: str = ""


def rows_of(request: Request, to: Event | Organiser) -> list[InvitationRow]:
    """Return the invitations to an event or organiser, newest first."""
    rows: list[InvitationRow] = []
    for row in to.invitations.select_related("used_by", "made_by"):
        state = _state(row)
        if why_not_usable(row) is not None:
            rows.append(InvitationRow(row, state))
            continue
        address = public_address(request, _path(row))
        # One code at a time is enough to scan, and they make pages heavy: only the newest gets one.
        rows.append(InvitationRow(row, state, address, "" if rows else code_of(address)))
    return rows


def _state(row: Invitation) -> str:
    if row.used_by is not None:
        words = {"name": row.used_by.get_username(), "time": _time(row.used_at)}
        return _("used by %(name)s, %(time)s") % words
    refused = why_not_usable(row)
    return str(refused or _("good until %(time)s") % {"time": _time(row.expires_at)})


def _time(moment: datetime | None) -> str:
    return date_format(timezone.localtime(moment), "j N H:i")


def revoke(request: Request, to: Event | Organiser) -> str:
    """Revoke the invitation named in the form."""
    row = to.invitations.filter(pk=number_in(request, "invitation")).first()
    if row is None:
        raise Refused("no_invitation", _("There is no such invitation."))
    invitations.revoke_invitation(invitation=row, by=request.user)
    return _("The invitation no longer works.")


@never_cache
@staff_action(MANAGE_ROLES, back="staff_invite", page=_invite_page, methods=SHOWN)
def staff_invite(request: Request, event: Event) -> HttpResponse:
    """List the invitations with their links; create one."""
    with form_errors(form=InviteForm(request.POST)) as data:
        made = invitations.invite(
            to=event, role=Role(data["role"]), note=data["note"], by=request.user
        )
    path = f"{path_of('staff_invite', event)}#invitation-{made.pk}"
    return reply(request, _("The invitation is ready. Pass its link on."), path)


@staff_action(MANAGE_ROLES, back="staff_invite")
def staff_invite_revoke(request: Request, event: Event) -> str:
    return revoke(request, event)


def _asked(found: Invitation) -> str:
    """Return what the invitation is to."""
    if found.event is not None:
        words = {"role": found.role_name}
        return _("You are invited to the staff, as: %(role)s.") % words
    if found.role:
        return _("You are invited as an owner: to create events and to say who else may.")
    return _("You are invited to create events.")


def _page(
    request: Request,
    found: Invitation,
    *,
    form: NewAccountForm | None = None,
    status: int = 200,
    refused: Exception | None = None,
) -> HttpResponse:
    if form is None and not request.user.is_authenticated and refused is None:
        form = NewAccountForm()
    return render(
        request,
        "tournaments/events/invitation.html",
        {
            "invitation": found,
            "asked": _asked(found),
            "form": form,
            "refused": refused,
            "sign_in": redirect_to_login(request.path)["Location"],
        },
        status=status,
    )


@never_cache
@sensitive_post_parameters()
@require_http_methods(SHOWN)
def invitation(request: Request, token: str) -> HttpResponseBase:
    """Show an invitation; accept it with the current account or a new one."""
    found = invitation_by_token(token)
    if found is None:
        raise Http404(_("There is no such invitation."))
    refused = why_not_usable(found)
    if refused is not None:
        return _page(request, found, status=410, refused=refused)
    is_new = request.method == "POST" and not request.user.is_authenticated
    # Counted here, because a refusal rolls back what is written while the form is processed.
    if is_new and counted("invitation", found.nonce, most=30, seconds=600) is None:
        form = NewAccountForm(request.POST)
        text = _("Too many attempts. Try again in ten minutes.")
        form.add_error(None, ValidationError(text, "too_often"))
        return _page(request, found, form=form, status=429)
    return _accept(request, found)


@action(back=_path, page=_page)
def _accept(request: Request, found: Invitation) -> HttpResponse:
    if request.user.is_authenticated:
        invitations.accept(invitation=found, user=request.user)
        return _welcome(request, found)
    form = NewAccountForm(request.POST)
    with form_errors(form=form) as data:
        user = invitations.accept_with_new_account(
            invitation=found, username=data["username"], password=data["password1"]
        )
    sign_in(request, user)
    return _welcome(request, found)


def _welcome(request: Request, found: Invitation) -> HttpResponse:
    if found.event is None:
        return reply(request, _("Welcome. You can create events now."), reverse("tournaments:home"))
    text = _("Welcome. Your role at %(event)s: %(role)s.") % {
        "event": found.event,
        "role": found.role_name,
    }
    return reply(request, text, path_of("desk", found))
