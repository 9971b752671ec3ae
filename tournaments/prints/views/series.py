"""The standing of a series on paper."""

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from ...core.listing import file_name
from ...models import Event, Series
from ...series.queries.standing import standing_of
from ...series.views.access import series_view
from ...series.views.standing import after_in
from ..drawing._series import series_pdf as drawn

#: Where none of its events says.
A4 = "a4"


@require_safe
@series_view
def series_pdf(request: HttpRequest, series: Series) -> HttpResponse:
    """Return the standing as PDF, on the paper of its latest event."""
    latest = Event.objects.filter(in_series__series=series, in_series__agreed_at__isnull=False)
    size = latest.order_by("-ends_on").values_list("paper_size", flat=True).first()
    content = drawn(series, standing_of(series, after_in(request)), size or A4)
    response = HttpResponse(content, content_type="application/pdf")
    name = file_name(series, _("Standing"), "pdf")
    response["Content-Disposition"] = f'inline; filename="{name}"'
    return response
