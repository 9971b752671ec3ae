"""A table's code: how many wrong ones a phone may try, and where no more are taken."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext_lazy as _

from ...core.errors import Refused
from ...core.limits import over_limit, too_often
from ...models import Heat

#: Wrong codes (most, within seconds) from one phone or address at one heat, from one phone or
#: address at the whole event, and at one heat from all strangers: phones that the event does not
#: know, at addresses where no code of the event was right within a day. Each try hits one code in
#: 10,000: 20 an hour take 500 hours of play, three weeks of days and nights, until one hit is to be
#: expected. A phone that the event knows has tries of its own, whatever its address.
WRONG_CODES = (5, 600)
WRONG_CODES_AT_EVENT = (20, 3600)
WRONG_CODES_OF_STRANGERS = (60, 3600)
#: While the desk lets phones in, strangers' phones have tries of their own too, and all of them
#: together have so many.
LET_IN, LET_IN_SECONDS = "table_code_let_in", 600
WRONG_CODES_LET_IN = (60, LET_IN_SECONDS)


@dataclass(frozen=True)
class Phone:
    """A phone that tries a table's code.

    ``known`` is its mark if the event knows it (see ``remember_phone``), ``device`` its cookie,
    which anybody may make anew.
    """

    address: str
    device: str
    known: str = ""


def heats_with_blocked_codes(heats: Sequence[Heat]) -> set[int]:
    """Return the keys of the heats where strangers' phones may try no more codes (two queries)."""
    most, seconds = WRONG_CODES_OF_STRANGERS
    keys = [str(heat.pk) for heat in heats]
    blocked = over_limit("table_code_heat", keys, most=most, seconds=seconds)
    let_in = over_limit(LET_IN, blocked, most=1, seconds=LET_IN_SECONDS)
    return {int(key) for key in blocked - let_in}


def _is_let_in(heat: Heat) -> bool:
    """Return whether the desk lets phones in at the moment."""
    return too_often(LET_IN, str(heat.pk), most=1, seconds=LET_IN_SECONDS)


def code_limits(heat: Heat, phone: Phone) -> list[tuple[str, str, tuple[int, int]]]:
    """Return what is counted of a wrong code: what, whose, and how many within how many seconds."""
    let_in = not phone.known and _is_let_in(heat)
    who = phone.known or (phone.device if let_in else phone.address)
    limits = [
        ("table_code", f"{heat.pk} {who}", WRONG_CODES),
        ("table_code_event", f"{heat.event_id} {who}", WRONG_CODES_AT_EVENT),
    ]
    if let_in:
        limits.append(("table_code_heat_let_in", str(heat.pk), WRONG_CODES_LET_IN))
    elif not phone.known:
        limits.append(("table_code_heat", str(heat.pk), WRONG_CODES_OF_STRANGERS))
    return limits


def refuse_more_codes(heat: Heat, phone: Phone) -> None:
    """Raise ``Refused``, ``too_many_codes``, if this phone may try no code now."""
    right = f"{heat.event_id} {phone.address}"
    proven = too_often("table_code_right", right, most=1, seconds=24 * 3600)
    for what, whom, (most, seconds) in code_limits(heat, phone):
        if proven and what == "table_code_heat":
            continue
        if too_often(what, whom, most=most, seconds=seconds):
            raise Refused(
                "too_many_codes",
                _(
                    "Too many wrong codes. Keep the score from a player’s own page, or ask the "
                    "director to come to the table."
                ),
            )
