"""Pages for an organiser's owner: who may create events."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from ...core.access import Request, View
from ...core.answers import SHOWN, Back, action, form_errors, reply
from ...core.errors import Refused
from ...core.organisers import where_member, where_owner
from ...models import LogEntry, Organiser
from ...models.enums import Role
from ..commands import invitations
from ..commands import organisers as domain
from ..forms.staff import MemberForm, MemberInviteForm, NewOrganiserForm, OrganiserForm
from .invitations import revoke, rows_of

#: Log rows on the page.
MAX_LOGGED = 50


def _path(organiser: Organiser) -> str:
    return reverse("tournaments:organiser", args=[organiser.slug])


def owner_action(
    *, methods: tuple[str, ...] = ("POST",), page: View | None = None, back: Back = _path
) -> Callable[[Callable[..., Any]], View]:
    """Wrap an action of an organiser's owner; it receives the organiser instead of the slug.

    As with events, somebody else's organiser is a 404, a missing right a 403.
    """

    def decorate(view: Callable[..., Any]) -> View:
        answered = action(back=back, page=page)(view)

        @never_cache
        @require_http_methods(methods)
        @login_required
        @wraps(view)
        def wrapper(request: Request, organiser: str) -> HttpResponseBase:
            found = where_owner(request.user).filter(slug=organiser).first()
            if found is None:
                if where_member(request.user).filter(slug=organiser).exists():
                    raise PermissionDenied
                raise Http404(_("There is no such organiser."))
            return answered(request, found)

        return wrapper

    return decorate


def _list_page(
    request: Request, user: User, *, form: NewOrganiserForm | None = None, status: int = 200
) -> HttpResponse:
    own = list(where_owner(user))
    if len(own) == 1 and not user.is_superuser:
        return redirect(_path(own[0]))
    context = {"organisers": own, "form": form or NewOrganiserForm()}
    return render(request, "tournaments/events/organisers.html", context, status=status)


@never_cache
@require_http_methods(SHOWN)
@login_required
def organisers(request: Request) -> HttpResponseBase:
    """List the account's organisers; the administrator can add more."""
    if not where_owner(request.user).exists() and not request.user.is_superuser:
        raise PermissionDenied
    if request.method == "POST" and not request.user.is_superuser:
        raise PermissionDenied
    return _organisers(request, request.user)


@action(back=lambda user: reverse("tournaments:organisers"), page=_list_page)
def _organisers(request: Request, user: User) -> HttpResponse:
    with form_errors(form=NewOrganiserForm(request.POST)) as data:
        made = domain.create_organiser(name=data["name"], by=user)
    return reply(
        request, _("%(name)s has been created. Name its owner.") % {"name": made}, _path(made)
    )


def _page(
    request: Request,
    organiser: Organiser,
    *,
    name_form: OrganiserForm | None = None,
    member_form: MemberForm | None = None,
    invite_form: MemberInviteForm | None = None,
    status: int = 200,
) -> HttpResponse:
    # The form has already changed the instance; the heading must show what is stored.
    organiser = Organiser.objects.get(pk=organiser.pk)
    log = LogEntry.objects.filter(object_type="organiser", object_id=str(organiser.pk))
    context = {
        "organiser": organiser,
        "members": organiser.members.select_related("user").order_by("user__username"),
        "name_form": name_form or OrganiserForm(instance=organiser),
        "member_form": member_form or MemberForm(),
        "invite_form": invite_form or MemberInviteForm(),
        "rows": rows_of(request, organiser),
        "revoke": reverse("tournaments:member_invite_revoke", args=[organiser.slug]),
        "days": invitations.DAYS,
        "log": log[:MAX_LOGGED],
    }
    return render(request, "tournaments/events/organiser.html", context, status=status)


@owner_action(methods=SHOWN, page=_page)
def organiser(request: Request, organiser: Organiser) -> str:
    """Show who may create events; change the organiser's name."""
    with form_errors(name_form=OrganiserForm(request.POST, instance=organiser)) as data:
        domain.change_organiser(organiser=organiser, name=data["name"], by=request.user)
    return _("The name is saved.")


@owner_action(page=_page)
def member_set(request: Request, organiser: Organiser) -> str:
    """Let an existing account create events."""
    form = MemberForm(request.POST)
    with form_errors(member_form=form) as data:
        assert form.user is not None
        owns = data["position"] == Role.OWNER
        domain.set_member(organiser=organiser, user=form.user, is_owner=owns, by=request.user)
    return _("%(user)s may create events.") % {"user": form.user}


@owner_action()
def member_remove(request: Request, organiser: Organiser) -> str:
    """Stop an account from creating events."""
    name = request.POST.get("username", "").replace("\0", "")[:150]
    user = User.objects.filter(username=name, organiser_members__organiser=organiser).first()
    if user is None:
        raise Refused("no_member", _("This account may not create events here."))
    domain.remove_member(organiser=organiser, user=user, by=request.user)
    return _("%(user)s may no longer create events.") % {"user": user}


@owner_action(page=_page)
def member_invite(request: Request, organiser: Organiser) -> str:
    with form_errors(invite_form=MemberInviteForm(request.POST)) as data:
        role = Role.OWNER if data["role"] else None
        invitations.invite(to=organiser, role=role, note=data["note"], by=request.user)
    return _("The invitation is ready. Pass its link on.")


@owner_action()
def member_invite_revoke(request: Request, organiser: Organiser) -> str:
    return revoke(request, organiser)
