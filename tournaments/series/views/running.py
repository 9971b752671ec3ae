"""Pages for the owners of an organiser: its series, their rules and their events."""

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _

from ...core.access import Request
from ...core.answers import SHOWN, form_errors, number_in, reply
from ...events.views.organisers import owner_action
from ...models import Organiser, Series, SeriesEvent
from ..commands import series as domain
from ..forms import AddEventForm, OutsideForm, SeriesForm
from ..queries.standing import joined_events
from .access import series_action


def _of_organiser(organiser: Organiser) -> str:
    return reverse("tournaments:organiser_series", args=[organiser.slug])


def _events_path(series: Series) -> str:
    return reverse("tournaments:series_events", args=[series.slug])


def _organiser_page(
    request: Request, organiser: Organiser, *, form: SeriesForm | None = None, status: int = 200
) -> HttpResponse:
    theirs = SeriesEvent.objects.filter(event__organiser=organiser).exclude(
        series__organiser=organiser
    )
    context = {
        "organiser": organiser,
        "own": organiser.series.all(),
        "form": form or SeriesForm(),
        "elsewhere": theirs.select_related("series__organiser", "event"),
    }
    return render(request, "tournaments/series/organiser_series.html", context, status=status)


@owner_action(methods=SHOWN, page=_organiser_page, back=_of_organiser)
def organiser_series(request: Request, organiser: Organiser) -> HttpResponse:
    """List an organiser's series, and where its events are to count; create one."""
    with form_errors(form=SeriesForm(request.POST)) as data:
        made = domain.create_series(organiser=organiser, by=request.user, **data)
    return reply(request, _("%(name)s has been created.") % {"name": made}, _events_path(made))


@owner_action(back=_of_organiser)
def series_agree(request: Request, organiser: Organiser) -> str:
    """Let an event of one's own be part of somebody else's series."""
    row = _of_event(request, organiser)
    domain.agree(row=row, by=request.user)
    return _("%(event)s is now part of %(series)s.") % {"event": row.event, "series": row.series}


@owner_action(back=_of_organiser)
def series_leave(request: Request, organiser: Organiser) -> str:
    """Refuse that, or take the event out again."""
    row = _of_event(request, organiser)
    domain.remove_event(row=row, by=request.user)
    return _("%(event)s is not part of %(series)s.") % {"event": row.event, "series": row.series}


def _of_event(request: Request, organiser: Organiser) -> SeriesEvent:
    rows = SeriesEvent.objects.select_related("series", "event")
    return get_object_or_404(rows, event__organiser=organiser, pk=number_in(request, "row"))


def _settings_page(
    request: Request, series: Series, *, form: SeriesForm | None = None, status: int = 200
) -> HttpResponse:
    context = {"series": series, "form": form or SeriesForm(instance=series)}
    return render(request, "tournaments/series/series_settings.html", context, status=status)


@series_action(methods=SHOWN, page=_settings_page, back=Series.get_absolute_url)
def series_settings(request: Request, series: Series) -> str:
    """Change a series and its rules."""
    with form_errors(form=SeriesForm(request.POST, instance=series)) as data:
        domain.change_series(series=series, by=request.user, **data)
    return _("The series is saved.")


def _events_page(
    request: Request,
    series: Series,
    *,
    add_form: AddEventForm | None = None,
    outside_form: OutsideForm | None = None,
    status: int = 200,
) -> HttpResponse:
    context = {
        "series": series,
        "columns": joined_events(series),
        "asked": series.joined.filter(agreed_at__isnull=True).select_related("event__organiser"),
        "add_form": add_form or AddEventForm(series=series),
        "outside_form": outside_form or OutsideForm(),
    }
    return render(request, "tournaments/series/series_events.html", context, status=status)


@series_action(methods=SHOWN, page=_events_page, back=_events_path)
def series_events(request: Request, series: Series) -> str:
    """List the events of a series; add one."""
    with form_errors(add_form=AddEventForm(request.POST, series=series)) as data:
        row = domain.add_event(series=series, event=data["event"], by=request.user)
    if row.agreed_at is None:
        return _("The organiser of %(event)s is asked.") % {"event": row.event}
    return _("%(event)s is now part of %(series)s.") % {"event": row.event, "series": series}


@series_action(page=_events_page, back=_events_path)
def series_outside(request: Request, series: Series) -> str:
    """Add results that were never played here."""
    with form_errors(outside_form=OutsideForm(request.POST)) as data:
        domain.add_outside(
            series=series,
            name=data["name"],
            played_on=data["played_on"],
            rows=data["results"],
            named=data["named"],
            by=request.user,
        )
    return _("The results of %(event)s are in the series.") % {"event": data["name"]}


@series_action(back=_events_path)
def series_remove(request: Request, series: Series) -> str:
    """Take an event or results from elsewhere out of a series."""
    row = get_object_or_404(series.joined.select_related("series"), pk=number_in(request, "row"))
    name = str(row)
    domain.remove_event(row=row, by=request.user)
    return _("%(event)s is not part of %(series)s.") % {"event": name, "series": series}
