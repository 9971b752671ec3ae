"""Columns of a list that say more than who somebody is: they are taken only if the user says so."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ...models import Event
from ...models.enums import PaymentMethod
from ...models.search import plain
from .sheets.book import Cell

#: What a list may offer besides: the names of the ticks.
PAID, TABLE, NUMBER, SEED = "paid", "table", "number", "seed"
OFFERS = (PAID, NUMBER, TABLE, SEED)
#: A start is paid, but the list does not say by which means.
PAID_SOMEHOW = "yes"
_MEANS = {
    PaymentMethod.SWISH: {"swish", "swisch", "swishat", "swishad"},
    PaymentMethod.CARD: {"card", "kort", "kortbetalning", "credit card", "debit card", "stripe"},
    PaymentMethod.CASH: {"cash", "kontant", "kontanter", "kontantbetalning", "bar"},
    PaymentMethod.INVOICE: {"invoice", "faktura", "bankgiro", "bank transfer", "banktransfer"},
}
_PAID = frozenset({"paid", "betalt", "betald", "erlagt", "completed", "klar", "ok"})
_UNPAID = frozenset({"unpaid", "obetalt", "obetald", "ej betalt", "not paid", "pending", ""})


def means_of(text: str) -> str:
    """Return the means of payment that a word names, or nothing.

    >>> means_of("Swish"), means_of("kontant"), means_of("via mormor")
    ('swish', 'cash', '')
    """
    word = plain(text).strip(" .")
    return next((means.value for means, words in _MEANS.items() if word in words), "")


def paid_of(cell: Cell, said: bool | None, text: str, means: str) -> str | None:
    """Return by which means somebody has paid (:data:`PAID_SOMEHOW` if it is not said), nothing for
    not paid, None if it cannot be told.

    ``said`` is the cell as yes or no, ``text`` the cell as text, ``means`` that of another column.
    """
    if isinstance(cell, date) and not isinstance(cell, bool):
        return means or PAID_SOMEHOW
    if own := means_of(text):
        return own
    word = plain(text)
    if said is False or word in _UNPAID:
        return ""
    if said or word in _PAID:
        return means or PAID_SOMEHOW
    return None


@dataclass(frozen=True)
class Offer:
    """Something that the list says of some rows: its tick, and in words what would be done.

    ``asks_means``: some are paid without saying how.
    """

    name: str
    label: str
    ticked: bool
    asks_means: bool = False


def offers_of(
    event: Event, rows: Iterable[Mapping[str, object]], *, may: Iterable[str], taken: Iterable[str]
) -> list[Offer]:
    """Return what the rows that will be registered say besides.

    ``rows`` have the offers' names as keys; ``may``: what the user may take, ``taken``: is ticked.
    """
    found = list(rows)
    allowed, ticked = set(may), set(taken)
    offers = []
    for name in OFFERS:
        having = [row[name] for row in found if row[name]]
        if not having or name not in allowed or (name == PAID and not event.price):
            continue
        label = _labels(name, len(having), [str(each) for each in having])
        offers.append(Offer(name, label, name in ticked, name == PAID and PAID_SOMEHOW in having))
    return offers


def _labels(name: str, count: int, values: list[str]) -> str:
    if name == PAID:
        told = Counter(each for each in values if each != PAID_SOMEHOW)
        means = ", ".join(f"{PaymentMethod(each).label} {told[each]}" for each in sorted(told))
        text = ngettext(
            "Book a start as paid for %(count)s player",
            "Book a start as paid for %(count)s players",
            count,
        ) % {"count": count}
        return f"{text} ({means})" if means else text
    texts = {
        NUMBER: _("Give the numbers of the list where they are free: %(count)s"),
        TABLE: _("Always at the table of the list: %(count)s"),
        SEED: _("Keep the seed as a note for the staff: %(count)s"),
    }
    return texts[name] % {"count": count}
