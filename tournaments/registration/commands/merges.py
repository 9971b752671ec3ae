"""Merge two persons who are the same, and undo it."""

from collections.abc import Sequence

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from ...core.erased_names import all_names_of
from ...core.errors import Refused
from ...core.locks import lock_events_of
from ...core.log import By, record
from ...core.permissions import DIRECT, needs
from ...models import Event, LogEntry, Person, PersonMerge, Registration
from ...models.enums import EventStatus, LogAction
from ..queries.erasing import refuse_erased
from .people import hide_here
from .pins import show_tables_again
from .registered_twice import Carried, join_registrations, part_registrations
from .waiting_list import promote_from_waiting_list


def _lock_persons(*keys: int) -> dict[int, Person]:
    """Lock the persons in the order of their keys, so that two merges cannot deadlock."""
    return {
        row.pk: row for row in Person.objects.select_for_update().filter(pk__in=keys).order_by("pk")
    }


@transaction.atomic
@needs(DIRECT)
def merge_persons(
    *,
    kept: Person,
    merged: Person,
    event: Event,
    by: By,
    reason: str = "",
    instead: Sequence[str] | None = None,
) -> PersonMerge:
    """Merge two persons: ``kept`` takes over all registrations of ``merged``.

    The names and visibility of ``kept`` hold, but no event shows more of a name than before.
    Contacts stay with their registrations. Who has asked to be erased still asks. At an event where
    both are registered, the registrations are joined or the merge is refused
    (:func:`join_registrations`); ``instead`` says who advances at this event if both have
    qualified. Refused with ``through_elsewhere`` if both have qualified at another one whose
    play-offs are to come, ``no_person`` if the event's organiser does not know both,
    ``same_person``, ``erased`` if either has been erased, and ``merged`` if either has been merged
    already.
    """
    lock_events_of(kept, merged, also=event)
    if {kept.organiser_id, merged.organiser_id} != {event.organiser_id}:
        raise Refused("no_person", _("There is no such person."))
    if kept.pk == merged.pk:
        raise Refused("same_person", _("They are already the same person."))
    rows = _lock_persons(kept.pk, merged.pk)
    kept, merged = rows[kept.pk], rows[merged.pk]
    for person in (kept, merged):
        refuse_erased(person)
        if person.merged_into_id is not None:
            raise Refused(
                "merged",
                _("%(name)s has been merged with another person. Choose that one."),
                name=person,
            )
    moving = list(
        Registration.objects.select_for_update(of=("self",))
        .filter(person=merged)
        .select_related("event", "person")
        .order_by("pk")
    )
    own = {row.event_id: row for row in kept.registrations.select_related("event", "person")}
    twice = [(own[row.event_id], row) for row in moving if row.event_id in own]
    moving = [row for row in moving if row.event_id not in own]
    carried = [_join(one, other, by=by, here=event, instead=instead) for one, other in twice]
    merge = PersonMerge.objects.create(
        kept=kept,
        merged=merged,
        registrations=[row.pk for row in moving],
        carried=carried,
        made_by=by,
    )
    for row in moving:
        row.person = kept
        row.save(update_fields=["person"])
    hide_here(registrations=moving, visibility=merged.visibility, by=by, reason=reason)
    merged.merged_into = kept
    merged.save(update_fields=["merged_into"])
    # Texts of their events keep the names: should the player be hidden, these go, too.
    kept.erased_names += [{**each, "of": merged.pk} for each in all_names_of(merged)]
    kept.save(update_fields=["erased_names"])
    if kept.erase_asked_at is None and merged.erase_asked_at is not None:
        kept.erase_asked_at = merged.erase_asked_at
        kept.save(update_fields=["erase_asked_at"])
    changed = [*moving, *(one for one, _other in twice)]
    show_tables_again(registrations=changed)
    _log(LogAction.PERSONS_MERGED, merge, event, {row.event for row in changed}, by, reason)
    for one, _other in twice:
        promote_from_waiting_list(event=one.event, by=by)
    return merge


def _join(
    kept: Registration,
    merged: Registration,
    *,
    by: By,
    here: Event,
    instead: Sequence[str] | None,
) -> Carried:
    """Join two registrations; only the page of their own event asks who advances instead."""
    if kept.event_id == here.pk:
        return join_registrations(kept=kept, merged=merged, by=by, instead=instead)
    asks = kept.event.status == EventStatus.OPEN
    try:
        return join_registrations(kept=kept, merged=merged, by=by, instead=None if asks else ())
    except Refused as refused:
        if refused.code != "through_already":
            raise
        raise Refused(
            "through_elsewhere",
            _(
                "Both have qualified at %(event)s, too. Merge them from their page there, which "
                "asks who advances instead. If both have qualified here as well, prepare the "
                "play-offs of one of the events first."
            ),
            event=kept.event,
        ) from refused


@transaction.atomic
@needs(DIRECT)
def undo_merge(*, merge: PersonMerge, event: Event, by: By, reason: str = "") -> PersonMerge:
    """Separate them again, each with their own registrations.

    Refused with ``merge_undone``, and with ``merged_further`` if ``kept`` has since been merged
    into a third person; undo that first.
    """
    lock_events_of(merge.kept, also=event)
    merge = PersonMerge.objects.select_for_update().get(pk=merge.pk)
    if merge.undone_at is not None:
        raise Refused("merge_undone", _("They have already been separated again."))
    rows = _lock_persons(merge.kept_id, merge.merged_id)
    kept, merged = rows[merge.kept_id], rows[merge.merged_id]
    if kept.merged_into_id is not None:
        raise Refused(
            "merged_further",
            _("%(name)s has since been merged with another person. Undo that first."),
            name=kept,
        )
    moving = list(
        Registration.objects.select_for_update(of=("self",))
        .filter(pk__in=merge.registrations, person=kept)
        .select_related("event")
    )
    for row in moving:
        row.person = merged
        if row.visibility == merged.visibility:
            row.visibility = ""
        row.save(update_fields=["person", "visibility"])
    merged.merged_into = None
    merged.save(update_fields=["merged_into"])
    kept.erased_names = [each for each in kept.erased_names if each.get("of") != merged.pk]
    kept.save(update_fields=["erased_names"])
    asked = merged.erase_asked_at
    if asked is not None and kept.erase_asked_at == asked and kept.erased_at is None:
        # Only the other has asked to be erased.
        kept.erase_asked_at = None
        kept.save(update_fields=["erase_asked_at"])
    for each in merge.carried:
        part_registrations(carried=each, by=by)
    if _chosen_since(merge):
        # Either of the two may have hidden the name since.
        theirs = merged.registrations.select_related("event", "person")
        hide_here(registrations=theirs, visibility=kept.visibility, by=by, reason=reason)
    merge.undone_at = timezone.now()
    merge.save(update_fields=["undone_at"])
    carried = [key for each in merge.carried for key in (each["kept"], each["merged"])]
    show_tables_again(registrations=[*moving, *Registration.objects.filter(pk__in=carried)])
    parted = Event.objects.filter(registrations__in=[each["kept"] for each in merge.carried])
    _log(
        LogAction.MERGE_UNDONE, merge, event, {*parted, *(row.event for row in moving)}, by, reason
    )
    return merge


def _chosen_since(merge: PersonMerge) -> bool:
    """Return whether the visibility of who was kept was changed after the merge."""
    return LogEntry.objects.filter(
        action=LogAction.PERSON_CHANGED,
        object_type="person",
        object_id=str(merge.kept_id),
        at__gte=merge.made_at,
        after__has_key="visibility",
    ).exists()


def _log(
    action: LogAction, merge: PersonMerge, event: Event, others: set[Event], by: By, reason: str
) -> None:
    """Log it at this event and at every event that changed."""
    for each in sorted({event, *others}, key=lambda row: row.pk):
        record(
            action,
            merge,
            by,
            event=each,
            after=_numbers(merge, each),
            reason=reason,
        )


def _numbers(merge: PersonMerge, event: Event) -> dict[str, list[int]]:
    """Return the numbers at an event of who was kept and of who was merged."""
    moved = {*merge.registrations, *(each["merged"] for each in merge.carried)}
    rows = event.registrations.filter(person__in=[merge.kept_id, merge.merged_id])
    found: dict[str, list[int]] = {"kept": [], "merged": []}
    for pk, number in rows.order_by("number").values_list("pk", "number"):
        found["merged" if pk in moved else "kept"].append(number)
    return found
