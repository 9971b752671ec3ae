"""What players want to know about an event before they sign up, line by line."""

from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.models import AskedOften, Blank

from ...core.days import days_of, next_day, times_of
from ...models import Event, EventPicture
from ...models.money import show_amount


@dataclass(frozen=True)
class Detail:
    """A label and its text."""

    label: str
    text: str


@dataclass(frozen=True)
class Picture:
    """The address and size of the event's picture."""

    address: str
    width: int
    height: int


_PICTURE = AskedOften(
    lambda: EventPicture.objects.filter(event=Blank()).values_list("digest", "width", "height")
)


def picture_of(event: Event) -> Picture | None:
    """Return the event's picture, or None (one query)."""
    for digest, width, height in _PICTURE.rows(event.pk):
        address = reverse("tournaments:event_picture", args=[event.slug])
        return Picture(f"{address}?{digest}", width, height)
    return None


def when_text(event: Event) -> str:
    """Return when play begins: the timetable's next day, otherwise the event's days."""
    day = next_day(list(event.timetable.all()))
    return f"{day.title}: {times_of(day)}" if day else days_of(event)


def when_and_where(event: Event) -> list[Detail]:
    """Return time and place; a timetable has a line for each day."""
    days = list(event.timetable.all())
    lines = [
        *((day.title, times_of(day)) for day in days),
        (_("When"), "" if days else days_of(event)),
        (_("Where"), event.venue),
    ]
    return [Detail(label, text) for label, text in lines if text]


def details_of(event: Event) -> list[Detail]:
    """Return what a player asks first but time and place: format, price, prizes, contact."""
    lines = [
        (_("Format"), format_text(event)),
        (_("To pay"), _price(event)),
        (_("Prizes"), _prizes(event)),
        (_("Places"), str(event.capacity or "")),
        (_("Contact"), event.contact),
    ]
    return [Detail(label, text) for label, text in lines if text]


def format_text(event: Event) -> str:
    """Return the format in words: heats, who advances, how often one may enter."""
    games, best, limit = event.games_per_heat, event.advance_per_heat, event.reentry_limit
    sentences = [
        ngettext(
            "Heats of %(count)s game at tables of four and three.",
            "Heats of %(count)s games at tables of four and three.",
            games,
        )
        % {"count": games},
        _("There are no play-offs: the best result wins.")
        if event.ends_with_heats
        else ngettext(
            "The best player of a heat advances.",
            "The best %(count)s players of a heat advance.",
            best,
        )
        % {"count": best},
    ]
    if limit is None and event.ends_with_heats:
        sentences.append(_("Everybody may enter again, as often as time allows."))
    elif limit is None:
        sentences.append(_("Players who do not advance may enter again, as often as time allows."))
    elif limit > 1:
        sentences.append(
            ngettext("Up to %(count)s entry each.", "Up to %(count)s entries each.", limit)
            % {"count": limit}
        )
    return " ".join(sentences)


def _price(event: Event) -> str:
    if not event.price:
        return ""
    price = show_amount(event.price, event.currency)
    if not event.fee:
        return _("%(amount)s per entry") % {"amount": price}
    return _("%(amount)s per entry, including a fee of %(fee)s") % {
        "amount": price,
        "fee": show_amount(event.fee, event.currency),
    }


def _prizes(event: Event) -> str:
    """Return the prizes by place: amounts, or shares of the pool."""
    if "amounts" in event.prizes:
        amounts = (show_amount(each) for each in event.prizes["amounts"])
        return " · ".join(amounts) + f" {event.currency}"
    if not event.prizes.get("shares"):
        return ""
    shares = " · ".join(f"{show_amount(each)} %" for each in event.prizes["shares"])
    if not event.prize_added:
        return _("%(shares)s of all buy-ins") % {"shares": shares}
    return _("%(shares)s of all buy-ins and %(added)s") % {
        "shares": shares,
        "added": show_amount(event.prize_added, event.currency),
    }
