"""Erase a player: name, contacts and notes, at every event of the organiser.

Results stay, under the player's number. What can never change, such as a reason in the log or on a
sheet, is shown without the name from then on (``core.erased_names``).
"""

from collections.abc import Callable
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone, translation
from django.utils.translation import gettext_lazy as _

from scoring import writing as scoring

from ...core.erased_names import with_names_of
from ...core.errors import Refused
from ...core.locks import lock_events_of
from ...core.log import By, record
from ...core.names import shown_text_of
from ...core.permissions import DIRECT, needs
from ...core.queue import begin_again
from ...models import (
    Announcement,
    Career,
    Draw,
    Event,
    HeatEntry,
    Job,
    JobFile,
    KeepApart,
    Penalty,
    Person,
    PersonMerge,
    PushSubscription,
    Registration,
    SamePlayer,
    SeriesPicture,
    SharedPicture,
    StagePlayer,
)
from ...models.enums import EventStatus, LogAction, RegistrationStatus, Visibility
from ...models.people import NO_NAME, new_nonce
from ..queries.erasing import (
    is_expected,
    registrations_of,
    whole_person,
    why_not_at_once,
    without_contacts,
)
from ..queries.import_preview import SPREADSHEET
from ..queries.player_links import actor_of
from ..queries.queue import still_seated
from .people import leave_event
from .pins import show_tables_again
from .waiting_list import promote_from_waiting_list

#: Players who have not come yet: without a name nobody could tell whose place it is.
_EXPECTED = (RegistrationStatus.REGISTERED, RegistrationStatus.WAIT_LISTED)

#: The keys of JSON under which somebody's words stand.
_TYPED = frozenset({"reason", "note", "by_hand"})


@transaction.atomic
def ask_to_be_erased(*, registration: Registration) -> bool:
    """Erase the player who asks by their own link, or have the desk asked to; return which.

    The desk does it as long as one of the player's events is not over, or a payment is open. To ask
    again changes nothing.
    """
    persons, rows = _locked(registration)
    person = persons[0]
    if person.erased_at is not None:
        return True
    if not why_not_at_once(row for row in rows if row.merged_into_id is None):
        _erase(persons, rows, by=None, actor=actor_of(registration))
        return True
    if person.erase_asked_at is None:
        person.erase_asked_at = timezone.now()
        person.save(update_fields=["erase_asked_at"])
        record(LogAction.ERASE_ASKED, registration, None, actor=actor_of(registration))
    return False


@transaction.atomic
def ask_no_longer(*, registration: Registration) -> None:
    """Take back what the player asked for; refused with ``erased`` once it is done."""
    persons, _rows = _locked(registration)
    if persons[0].erased_at is not None:
        raise Refused("erased", _("It is done already."))
    asked = [person for person in persons if person.erase_asked_at is not None]
    for person in asked:
        person.erase_asked_at = None
        person.save(update_fields=["erase_asked_at"])
    if asked:
        record(LogAction.ERASE_NOT_ASKED, registration, None, actor=actor_of(registration))


@transaction.atomic
@needs(DIRECT)
def erase_player(*, registration: Registration, by: By) -> Person:
    """Erase a player at all events of the organiser; again it changes nothing.

    Places at events that the player has not come to yet become free. Refused with ``in_open_heat``
    while the player has a seat, and with ``erase_elsewhere`` if the player is expected at another
    event that the account does not direct.
    """
    persons, rows = _locked(registration)
    if persons[0].erased_at is not None:
        return persons[0]
    for row in rows:
        if by is not None and is_expected(row) and not by.has_perm(DIRECT, row.event):
            raise Refused(
                "erase_elsewhere",
                _(
                    "The player is also expected at %(event)s. A director of that event erases "
                    "the player, or you do when it is over."
                ),
                event=row.event,
            )
    _erase(persons, rows, by=by)
    return persons[0]


def _locked(registration: Registration) -> tuple[list[Person], list[Registration]]:
    """Return the whole person, the kept one first, and all registrations, locked."""
    lock_events_of(*whole_person(registration.person), also=registration.event)
    # Read again, as the person may have been merged while this waited.
    person = Registration.objects.select_related("person").get(pk=registration.pk).person
    lock_events_of(*whole_person(person), also=registration.event)
    keys = [each.pk for each in whole_person(person)]
    locked = Person.objects.select_for_update().in_bulk(sorted(keys))
    persons = [locked[key] for key in keys]
    return persons, registrations_of(persons)


def _erase(persons: list[Person], rows: list[Registration], *, by: By, actor: str = "") -> None:
    seated = HeatEntry.objects.seated().filter(registration__in=rows)
    for entry in seated.select_related("registration__person")[:1]:
        raise still_seated(entry.registration)
    expected = [row for row in rows if row.status in _EXPECTED]
    freed = [row for row in expected if row.event.status != EventStatus.FINISHED]
    for row in freed:
        leave_event(row, by=by, actor=actor)
    for row in rows:
        _forget_player(row)
    # Of all of them: events of one may have texts about the other.
    known = [with_names_of(person) for person in persons]
    for person in persons:
        _forget_name(person, known)
    _forget_elsewhere(persons, rows)
    events = list({row.event_id: row.event for row in rows}.values())
    for event in events:
        _retell(event)
    show_tables_again(registrations=rows)
    for row in rows:
        if row.merged_into_id is None:
            record(LogAction.ERASED, row, by, actor=actor)
    for row in freed:
        promote_from_waiting_list(event=row.event, by=by)


def _forget_player(row: Registration) -> None:
    row.email = row.phone = row.note = row.signed_up_from = row.pin = row.visibility = ""
    row.fixed_table = row.pictures = None
    # The player's own page ends with it.
    row.link_nonce = new_nonce()
    row.save()


def _forget_name(person: Person, known: list[dict[str, Any]]) -> None:
    person.erased_names = known
    person.given_name = person.family_name = person.display_name = person.club = ""
    person.legal_name, person.visibility = NO_NAME, Visibility.HIDDEN
    person.erased_at = timezone.now()
    person.save()


def _forget_elsewhere(persons: list[Person], rows: list[Registration]) -> None:
    """Delete what else knows the player: devices, mails, lists, prints, agreements, merges."""
    PushSubscription.objects.filter(registration__in=rows).delete()
    Career.objects.filter(person__in=persons).delete()
    SamePlayer.objects.filter(Q(one__in=persons) | Q(other__in=persons)).delete()
    Job.objects.filter(registration__in=rows).delete()
    here = Job.objects.filter(event__in=[row.event_id for row in rows])
    here.filter(kind=SPREADSHEET).delete()
    # Before their files are deleted, so that none is stored in between.
    begin_again(here.filter(registration=None))
    JobFile.objects.filter(job__in=here).delete()
    SharedPicture.objects.filter(event__in=[row.event_id for row in rows]).delete()
    SeriesPicture.objects.filter(
        Q(series__joined__event__in=[row.event_id for row in rows])
        | Q(series__joined__results__person__in=persons)
    ).delete()
    # Those that were undone, too: they still hold what they had carried.
    merges = PersonMerge.objects.filter(Q(kept__in=persons) | Q(merged__in=persons))
    for merge in merges.select_for_update():
        merge.carried = without_contacts(merge.carried)
        merge.save(update_fields=["carried"])


def _retell(event: Event) -> None:
    """Write the texts that staff has typed at an event without the names that are erased."""
    text = shown_text_of(event, staff=True)
    for model, field in ((Penalty, "reason"), (KeepApart, "reason"), (Registration, "note")):
        for row in model._default_manager.filter(event=event).exclude(**{field: ""}):
            _rewrite(row, field, text)
    for row in Announcement.objects.filter(event=event):
        _store(row, "texts", _in_each_language(event, row.texts))
    for row in Draw.objects.filter(event=event).exclude(adjustments=[]):
        _store(row, "adjustments", _told(row.adjustments, text))
    for row in StagePlayer.objects.filter(stage__event=event, basis__has_key="by_hand"):
        _store(row, "basis", _told(row.basis, text))
    own = {row.pk for row in event.registrations.all()}
    for row in PersonMerge.objects.filter(kept__organiser=event.organiser_id).exclude(carried=[]):
        carried = [_told(each, text) if each["kept"] in own else each for each in row.carried]
        _store(row, "carried", carried)
    tables = event.heats.exclude(table=None).values_list("table", flat=True)
    scoring.retell_tables(table_ids=list(tables), text=text)


def _rewrite(row: Any, field: str, text: Callable[[str], str]) -> None:
    most = row._meta.get_field(field).max_length
    _store(row, field, text(getattr(row, field))[:most])


def _store(row: Any, field: str, after: Any) -> None:
    if after != getattr(row, field):
        setattr(row, field, after)
        row.save(update_fields=[field])


def _in_each_language(event: Event, texts: dict[str, str]) -> dict[str, str]:
    told = {}
    for code, typed in texts.items():
        with translation.override(code):
            told[code] = shown_text_of(event, staff=True)(typed)
    return told


def _told(value: Any, text: Callable[[str], str]) -> Any:
    """Return JSON with what was typed into it rewritten, and references and codes as they are."""
    if isinstance(value, list):
        return [_told(each, text) for each in value]
    if isinstance(value, dict):
        return {
            key: text(each) if key in _TYPED and isinstance(each, str) else _told(each, text)
            for key, each in value.items()
        }
    return value
