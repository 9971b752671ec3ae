"""What events give to series, written anew when an event has changed.

A summary is a cache of the event's final ranking, made from ``EventVersion.directed``; triggers
raise that with every write, so that no change can be missed. It can be made again at any time.
"""

from collections import Counter
from collections.abc import Sequence

from django.db import transaction
from django.db.models import Count, Q, Sum

from ...models import (
    Event,
    EventPlace,
    EventSummary,
    EventVersion,
    HeatEntry,
    HeatResult,
    Series,
    SeriesPicture,
)
from ...models.enums import EntryStatus, HeatStatus, RegistrationStatus
from ...results.queries.final import is_over
from ...results.queries.ranking import (
    FinalPlace,
    FinishedRow,
    final_ranking,
    finished_rows,
    stages_of,
)
from ...results.queries.tally import tally_of


@transaction.atomic
def summarise(*, event: Event) -> EventSummary:
    """Write the places of everybody who played, or nothing while the event is not over."""
    # Read first: what is written meanwhile makes the summary an old one, not a wrong one.
    version = EventVersion.objects.values_list("directed", flat=True).get(event=event)
    EventSummary.objects.select_for_update().filter(event=event).first()
    event = Event.objects.get(pk=event.pk)
    stages = stages_of(event)
    over = is_over(event, stages)
    rows = finished_rows(event, stages) if over else []
    places = final_ranking(event, rows, stages) if over else []
    wanted = _places(event, rows, places)
    stored = EventPlace.objects.filter(event=event)
    if [_values(row) for row in stored.order_by("registration")] != [
        _values(row) for row in wanted
    ]:
        stored.delete()
        EventPlace.objects.bulk_create(wanted)
    entries = HeatEntry.objects.filter(registration__event=event, status=EntryStatus.DONE)
    summary, _made = EventSummary.objects.update_or_create(
        event=event,
        defaults={
            "version": version,
            "is_over": over,
            "players": len(places),
            "entries": entries.count(),
            "tally": tally_of(event).as_json() if over else {},
        },
    )
    return summary


@transaction.atomic
def store_picture(
    *, series: Series, language: str, version: str, digest: str, content: bytes | None
) -> None:
    """Store a picture to share in place of an older one; None: it looks as that one did."""
    new = {"version": version, "digest": digest} | ({"content": content} if content else {})
    SeriesPicture.objects.update_or_create(series=series, language=language, defaults=new)


def _places(
    event: Event, rows: Sequence[FinishedRow], places: Sequence[FinalPlace]
) -> list[EventPlace]:
    """Return the rows to store, by registration; who was disqualified from the event has none."""
    keys = {row.player_id: row.registration_id for row in rows}
    barred = {row.player_id for row in rows if row.status == RegistrationStatus.DISQUALIFIED}
    shared = Counter(each.place for each in places)
    totals = {
        each["entry__registration"]: (each["won"], each["chicagos"])
        for each in HeatResult.objects.filter(heat__event=event, heat__status=HeatStatus.FINISHED)
        .values("entry__registration")
        .annotate(won=Count("pk", filter=Q(place=1, disqualified=False)), chicagos=Sum("asterisks"))
        .order_by()
    }
    return sorted(
        (
            EventPlace(
                event=event,
                registration_id=keys[each.player_id],
                place=each.place,
                shared=shared[each.place],
                heats_won=totals[keys[each.player_id]][0],
                chicagos=totals[keys[each.player_id]][1],
            )
            for each in places
            if each.player_id not in barred
        ),
        key=lambda row: row.registration_id,
    )


def _values(row: EventPlace) -> tuple[int, ...]:
    return (row.registration_id, row.place, row.shared, row.heats_won, row.chicagos)
