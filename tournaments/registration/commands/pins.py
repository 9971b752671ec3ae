"""Players' PINs: four digits for confirming results on somebody else's device."""

from collections.abc import Iterable

from django.contrib.auth.hashers import check_password, make_password
from django.db import transaction

from scoring import writing as scoring
from scoring.errors import ScoringError
from scoring.reading.acceptance import check_shape

from ...core.limits import counted
from ...core.locks import lock_registration
from ...core.log import record
from ...core.names import registration_name
from ...models import HeatEntry, Registration
from ...models.enums import LogAction
from ..queries.player_links import actor_of

#: How many wrong PINs are allowed within how many seconds.
WRONG_PINS, WRONG_PINS_WITHIN = 5, 600


@transaction.atomic
def choose_pin(
    *, registration: Registration, pin: str, at_table: bool = False, late: bool = False
) -> None:
    """Store a player's PIN, hashed; at a table only the first one.

    ``late``: after the table's first deal, which the log says.

    Raises ``ScoringError``: ``bad_pin`` or ``pin_chosen``.
    """
    check_shape(pin)
    registration = lock_registration(registration)
    if at_table and registration.pin:
        raise ScoringError("pin_chosen")
    registration.pin = make_password(pin)
    registration.save(update_fields=["pin"])
    actor = "" if at_table else actor_of(registration)
    after = {"at_table": at_table, **({"late": True} if late else {})}
    record(LogAction.PIN_CHOSEN, registration, None, actor=actor, after=after)
    if not at_table:
        # The Auditor's page has a field for it now.
        show_tables_again(registrations=[registration])


def check_pin(*, registration: Registration, pin: str) -> None:
    """Raise on a wrong PIN, and on any PIN after too many wrong ones, counted across processes.

    Raises ``ScoringError``: ``no_pin``, ``too_many_pins`` or ``wrong_pin``.
    """
    if not registration.pin:
        raise ScoringError("no_pin")
    guess = counted("pin", str(registration.pk), most=WRONG_PINS, seconds=WRONG_PINS_WITHIN)
    if guess is None:
        raise ScoringError("too_many_pins")
    if not check_password(pin, registration.pin):
        raise ScoringError("wrong_pin", player=registration_name(registration))
    guess.delete()


@transaction.atomic
def show_tables_again(*, registrations: Iterable[Registration]) -> None:
    """Make the pages of all tables at which these players sit or sat refresh."""
    tables = HeatEntry.objects.filter(registration__in=registrations).exclude(heat__table=None)
    for table_id in sorted(set(tables.values_list("heat__table", flat=True))):
        scoring.show_again(table_id=table_id)
