"""Make, adopt, steer and end screens; their sponsors' pictures."""

import secrets
from collections.abc import Sequence
from datetime import timedelta

from django.core.files.base import File
from django.db import IntegrityError, transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from ..core.errors import Refused
from ..core.locks import lock_event
from ..core.log import By, changed, record, snapshot
from ..core.permissions import RUN_FLOOR, needs
from ..core.pictures import drawn_anew
from ..models import Event, Screen, ScreenContact, ScreenPicture
from ..models.enums import LogAction, ScreenPart
from .queries.screens import digest_of, parts_for, read_letters

#: A screen that nobody adopts is forgotten after this long.
UNADOPTED_FOR = timedelta(days=1)
MAX_SCREENS, MAX_PICTURES = 99, 20
_SET_UP = ("name", "language", "dark", "programme", "takes_over")
#: Letters are random: another try finds others.
_TRIES = 5


def make_screen() -> tuple[Screen, str]:
    """Make a screen that nobody has adopted; return it with its secret."""
    for attempt in range(_TRIES):
        secret = secrets.token_urlsafe(24)
        try:
            with transaction.atomic():
                return Screen.objects.create(digest=digest_of(secret)), secret
        except IntegrityError:
            if attempt == _TRIES - 1:
                raise
    raise AssertionError


@transaction.atomic
def hear(*, screen: Screen, shows: str) -> None:
    """Note that a screen has been heard, and what it shows."""
    shows = shows if shows in ScreenPart.values else ""
    ScreenContact.objects.update_or_create(
        screen=screen, defaults={"heard_at": timezone.now(), "shows": shows}
    )


@transaction.atomic
@needs(RUN_FLOOR)
def adopt(
    *, event: Event, letters: str, name: str, by: By, instead: Screen | None = None
) -> Screen:
    """Make the screen with these letters one of the event's.

    ``instead`` of another of its screens, whose name and programme it gets, and which is ended.
    Refused with ``no_screen`` if no free screen has these letters, and with ``many_screens``.
    """
    event = lock_event(event)
    free = Screen.objects.select_for_update().filter(event__isnull=True)
    screen = free.filter(letters=read_letters(letters)).first()
    if screen is None:
        raise Refused(
            "no_screen", _("No screen shows these letters. Look at the screen once more.")
        )
    if instead is not None:
        former = event.screens.select_for_update().get(pk=instead.pk)
        for field in (*_SET_UP, "number", "shows"):
            setattr(screen, field, getattr(former, field))
        former.delete()
    else:
        if event.screens.count() >= MAX_SCREENS:
            raise Refused("many_screens", _("An event has at most 99 screens."))
        last = event.screens.aggregate(last=Max("number"))["last"] or 0
        screen.number, screen.name = last + 1, name
        allowed = {part for part, _label in parts_for(event)}
        screen.programme = [each for each in screen.programme if each[0] in allowed]
    screen.event = event
    screen.save()
    record(LogAction.SCREEN_SET, screen, by, after=snapshot(screen, _SET_UP))
    return screen


@transaction.atomic
@needs(RUN_FLOOR)
def set_up(
    *,
    screen: Screen,
    name: str,
    language: str,
    dark: bool,
    programme: Sequence[tuple[ScreenPart, int]],
    takes_over: Sequence[str],
    by: By,
) -> Screen:
    """Change a screen's name, language, ground, programme and what may interrupt it."""
    screen = _locked(screen)
    before = snapshot(screen, _SET_UP)
    screen.name, screen.language, screen.dark = name, language, dark
    screen.programme = [[part.value, seconds] for part, seconds in programme]
    screen.takes_over = list(takes_over)
    old, new = changed(before, snapshot(screen, _SET_UP))
    if new:
        screen.save(update_fields=_SET_UP)
        record(LogAction.SCREEN_SET, screen, by, before=old, after=new)
    return screen


@transaction.atomic
@needs(RUN_FLOOR)
def steer(*, event: Event, screens: Sequence[Screen], shows: str, by: By) -> int:
    """Put a part on screens until something else is, or return to their programmes (""); count."""
    lock_event(event)
    if shows and shows not in {part for part, _label in parts_for(event)}:
        raise Refused("no_part", _("Choose what the screen is to show."))
    count = 0
    for screen in event.screens.select_for_update().filter(pk__in=[each.pk for each in screens]):
        if screen.shows == shows:
            continue
        before = {"shows": screen.shows}
        screen.shows = shows
        screen.save(update_fields=["shows"])
        record(LogAction.SCREEN_SHOWS, screen, by, before=before, after={"shows": shows})
        count += 1
    return count


@transaction.atomic
@needs(RUN_FLOOR)
def end_screen(*, screen: Screen, by: By) -> None:
    """End a screen: it shows letters again, new ones."""
    screen = _locked(screen)
    record(LogAction.SCREEN_ENDED, screen, by, before={"name": screen.name})
    screen.delete()


def _locked(screen: Screen) -> Screen:
    """Return the screen, locked after its event."""
    assert screen.event is not None
    event = lock_event(screen.event)
    locked = event.screens.select_for_update().filter(pk=screen.pk).first()
    if locked is None:
        raise Refused("no_screen", _("This screen has been ended."))
    locked.event = event
    return locked


@transaction.atomic
def forget_unadopted() -> int:
    """Delete screens that nobody has adopted for long; return how many."""
    old = Screen.objects.filter(event__isnull=True, made_at__lt=timezone.now() - UNADOPTED_FOR)
    return old.delete()[0]


@needs(RUN_FLOOR)
def add_picture(*, event: Event, name: str, file: File, by: By) -> ScreenPicture:
    """Add a sponsor's picture; the same one again only changes its name.

    Refused as an event's picture is, and with ``many_pictures``.
    """
    content, (width, height), digest = drawn_anew(file)
    with transaction.atomic():
        event = lock_event(event)
        there = event.screen_pictures.exclude(digest=digest).count()
        if there >= MAX_PICTURES:
            raise Refused("many_pictures", _("An event has at most 20 sponsors' pictures."))
        picture, _made = ScreenPicture.objects.update_or_create(
            event=event,
            digest=digest,
            defaults={"name": name, "content": content, "width": width, "height": height},
        )
        record(LogAction.SCREEN_SET, picture, by, after={"picture": name})
    return picture


@transaction.atomic
@needs(RUN_FLOOR)
def remove_picture(*, event: Event, number: int, by: By) -> None:
    """Remove a sponsor's picture; nothing happens if it is gone."""
    event = lock_event(event)
    picture = event.screen_pictures.filter(pk=number).first()
    if picture is not None:
        record(LogAction.SCREEN_SET, picture, by, before={"picture": picture.name})
        picture.delete()
