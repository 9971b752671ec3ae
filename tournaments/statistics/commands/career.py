"""A player's public page over all events: only the player agrees to it, and ends it."""

from django.db import transaction

from ...core.log import record
from ...models import Career, Person, Registration
from ...models.enums import LogAction
from ...registration.queries.player_links import actor_of


@transaction.atomic
def show_career(*, registration: Registration, shown: bool) -> None:
    """Make or end the page of the person who is registered; again it changes nothing."""
    person = Person.objects.select_for_update(no_key=True).get(pk=registration.person_id)
    if Career.objects.filter(person=person).exists() == shown:
        return
    if shown:
        Career.objects.create(person=person)
    else:
        Career.objects.filter(person=person).delete()
    record(
        LogAction.CAREER_SHOWN if shown else LogAction.CAREER_ENDED,
        registration,
        None,
        actor=actor_of(registration),
    )
