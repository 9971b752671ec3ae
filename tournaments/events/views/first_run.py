"""The page that creates the first director's account; it disappears once there is one."""

from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from ...core.answers import put_errors
from ...core.sign_ins import sign_in
from ..commands import first_run
from ..forms.staff import FirstRunForm
from ..queries.accounts import first_run_needed


@never_cache
@sensitive_post_parameters()
@require_http_methods(["GET", "POST"])
def first_run_create(request: HttpRequest) -> HttpResponse:
    """Show and process the form; 404 once there is an account."""
    if not first_run_needed():
        raise Http404
    form = FirstRunForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            user = first_run.create_first_director(
                code=form.cleaned_data["code"],
                username=form.cleaned_data["username"],
                password=form.cleaned_data["password1"],
            )
        except ValidationError as problem:
            put_errors(form, problem)
        else:
            sign_in(request, user)
            return redirect("/")
    status = 422 if form.errors else 200
    return render(
        request, "tournaments/events/first_run_create.html", {"form": form}, status=status
    )
