"""Inviting staff by link, and what the link opens."""

from django.contrib.auth import login
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from ...core.access import Request, staff_view
from ...core.addresses import public_address
from ...core.answers import REFUSALS, said, sentence
from ...core.limits import too_often
from ...core.permissions import MANAGE_ROLES
from ...models import Event, Invitation
from ...models.enums import Role
from ...registration.views.player_page import code_of
from ..commands import invitations
from ..forms.staff import InviteForm, NewAccountForm


@never_cache
@require_http_methods(["GET", "POST"])
@staff_view(MANAGE_ROLES)
def staff_invite(request: Request, event: Event) -> HttpResponse:
    """Show the invitations with their links; make one."""
    form = InviteForm(request.POST or None)
    status = 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            try:
                made = invitations.invite(
                    event=event,
                    role=Role(form.cleaned_data["role"]),
                    note=form.cleaned_data["note"],
                    by=request.user,
                )
            except REFUSALS as error:
                form.add_error(None, sentence(error))
                status = 409
            else:
                said(request, _("The invitation is made. Pass its link on."), "/")
                address = reverse("tournaments:staff_invite", args=[event.slug])
                return redirect(f"{address}#invitation-{made.pk}")
    rows = []
    for row in Invitation.objects.filter(event=event).select_related("used_by", "made_by"):
        row.event = event
        refused = invitations.why_not_usable(row)
        address = public_address(
            request, reverse("tournaments:invitation", args=[invitations.token_of(row)])
        )
        rows.append((row, refused, address if refused is None else "", ""))
    # One code at a time is enough to be scanned, and what makes pages heavy: the newest's.
    rows = [
        (row, refused, address, code_of(address) if address and index == 0 else "")
        for index, (row, refused, address, _code) in enumerate(rows)
    ]
    return render(
        request,
        "tournaments/events/staff_invite.html",
        {"event": event, "form": form, "rows": rows, "days": invitations.DAYS},
        status=status,
    )


@require_POST
@staff_view(MANAGE_ROLES)
def staff_invite_revoke(request: Request, event: Event) -> HttpResponse:
    """Take an invitation back."""
    back = reverse("tournaments:staff_invite", args=[event.slug])
    key = request.POST.get("invitation", "")
    row = Invitation.objects.filter(event=event, pk=int(key)).first() if _is_key(key) else None
    if row is None:
        return said(request, _("There is no such invitation."), back, error=True)
    try:
        invitations.revoke_invitation(invitation=row, by=request.user)
    except REFUSALS as error:
        return said(request, sentence(error), back, error=True)
    return said(request, _("The invitation no longer works."), back)


def _is_key(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 18


@never_cache
@sensitive_post_parameters()
@require_http_methods(["GET", "POST"])
def invitation(request: Request, token: str) -> HttpResponse:
    """Show what one is invited to; accept it, with the account signed in or a new one."""
    found = invitations.invitation_by_token(token)
    if found is None:
        raise Http404(_("There is no such invitation."))
    refused = invitations.why_not_usable(found)
    if refused is not None:
        return _page(request, found, token, None, 410, refused)
    if request.user.is_authenticated:
        if request.method == "POST":
            return _accept(request, found, token)
        return _page(request, found, token, None, 200)
    form = NewAccountForm(request.POST or None)
    if request.method != "POST":
        return _page(request, found, token, form, 200)
    if too_often("invitation", found.nonce, most=30, seconds=600):
        form.add_error(None, _("That was often. Try again in ten minutes."))
        return _page(request, found, token, form, 429)
    if not form.is_valid():
        return _page(request, found, token, form, 422)
    try:
        user = invitations.accept_with_new_account(
            invitation=found,
            username=form.cleaned_data["username"],
            password=form.cleaned_data["password1"],
        )
    except ValidationError as problem:
        form.add_error(None, problem)
        return _page(request, found, token, form, 422)
    except REFUSALS as error:
        form.add_error(None, sentence(error))
        return _page(request, found, token, form, 409)
    login(request, user, backend="django.contrib.auth.backends.ModelBackend")
    return _welcome(request, found)


def _accept(request: Request, found: Invitation, token: str) -> HttpResponse:
    try:
        invitations.accept(invitation=found, user=request.user)
    except REFUSALS as error:
        return _page(request, found, token, None, 409, error)
    return _welcome(request, found)


def _welcome(request: Request, found: Invitation) -> HttpResponse:
    text = _("Welcome. Your role at %(event)s: %(role)s.") % {
        "event": found.event,
        "role": found.get_role_display(),
    }
    said(request, text, "/")
    return redirect("tournaments:desk", found.event.slug)


def _page(
    request: Request,
    found: Invitation,
    token: str,
    form: NewAccountForm | None,
    status: int,
    refused: Exception | None = None,
) -> HttpResponse:
    path = reverse("tournaments:invitation", args=[token])
    return render(
        request,
        "tournaments/events/invitation.html",
        {
            "invitation": found,
            "event": found.event,
            "form": form,
            "refused": refused,
            "sign_in": redirect_to_login(path)["Location"],
        },
        status=status,
    )
