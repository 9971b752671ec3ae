"""How long contacts are kept, and deleting them."""

from django.db import transaction
from django.utils import timezone

from ..core.contacts import has_contacts
from ..core.locks import lock_event, lock_organiser
from ..core.log import By, record
from ..core.mail import MAIL
from ..models import ContactsSeen, Event, Job, Organiser, PersonMerge, PushSubscription
from ..models.enums import LogAction
from ..registration.queries.erasing import without_contacts
from .queries import LOOKS_KEPT


@transaction.atomic
def keep_contacts_for(*, organiser: Organiser, months: int | None, by: By) -> Organiser:
    """Set how many months after an event contacts are kept; None keeps them.

    A shorter time is announced first: nothing is deleted within
    :data:`~tournaments.core.contacts.NOTICE`.
    """
    organiser = lock_organiser(organiser)
    before = organiser.contacts_months
    if months == before:
        return organiser
    if months is not None and (before is None or months < before):
        organiser.contacts_set_on = timezone.localdate()
    organiser.contacts_months = months
    organiser.full_clean()
    organiser.save(update_fields=["contacts_months", "contacts_set_on"])
    record(
        LogAction.ORGANISER_CHANGED,
        organiser,
        by,
        before={"contacts_months": before},
        after={"contacts_months": months},
    )
    return organiser


@transaction.atomic
def forget_contacts(*, event: Event) -> int:
    """Delete what the event keeps of its players besides names and results; return of how many.

    Mails and devices that are told go, too. Again it changes nothing.
    """
    event = lock_event(event)
    players = event.registrations.filter(has_contacts())
    mails = Job.objects.filter(kind=MAIL, event=event)
    devices = PushSubscription.objects.filter(registration__event=event)
    keys = {*players.values_list("pk", flat=True)}
    keys |= {
        key for rows in (mails, devices) for key in rows.values_list("registration", flat=True)
    }
    if not keys:
        return 0
    event.registrations.update(email="", phone="", note="", signed_up_from="")
    mails.delete()
    devices.delete()
    own = set(event.registrations.values_list("pk", flat=True))
    for merge in PersonMerge.objects.filter(kept__organiser=event.organiser_id):
        carried = [
            without_contacts(each) if each["kept"] in own else each for each in merge.carried
        ]
        if carried != merge.carried:
            merge.carried = carried
            merge.save(update_fields=["carried"])
    record(LogAction.CONTACTS_FORGOTTEN, event, None, after={"players": len(keys)})
    return len(keys)


@transaction.atomic
def forget_old_looks() -> None:
    """Delete notes of looks at contacts that are older than they are kept."""
    ContactsSeen.objects.filter(at__lt=timezone.now() - LOOKS_KEPT).delete()
