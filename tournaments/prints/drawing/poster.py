"""A poster for the wall: the event's address and, if set, the hall's Wi-Fi."""

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.paper.fonts import BOLD
from scoring.paper.paper import BOTTOM, PAGE_WIDTH, QUIET, WIDTH, Paper

from ...core.days import days_of, times_of
from ...models import Event
from ._lists import BEFORE, Order, page_number, paper_of

LABEL = gettext_lazy("Poster with the address")
WHEN = BEFORE

#: In millimetres.
CODE, MIDDLE = 86.0, PAGE_WIDTH / 2
#: Space above and below a code, and between the lines of days, in millimetres: less where there are
#: many days, which may take ``DAYS`` together.
AROUND, LINE, DAYS = 30.0, 6.5, 70.0
_SPECIAL = str.maketrans({sign: f"\\{sign}" for sign in '\\;,:"'})


def can_print(event: Event) -> bool:
    return True


def wifi_code(name: str, password: str) -> str:
    r"""Return the text of a Wi-Fi QR code.

    >>> wifi_code("Hall; 2", "käse"), wifi_code("open", "")
    ('WIFI:T:WPA;S:Hall\\; 2;P:käse;;', 'WIFI:T:nopass;S:open;;')
    """
    name, password = name.translate(_SPECIAL), password.translate(_SPECIAL)
    return f"WIFI:T:WPA;S:{name};P:{password};;" if password else f"WIFI:T:nopass;S:{name};;"


def pdf(order: Order) -> bytes:
    event = order.event
    paper = paper_of(order, LABEL)
    address = order.site + reverse("tournaments:event", args=[event.slug])
    with paper.tags.group("Document"):
        with paper.tags.content("H1"):
            paper.text(
                MIDDLE, 32, event.name, face=BOLD, size=34, align="centre", room=WIDTH, smallest=14
            )
        with paper.tags.content("P"):
            line = " · ".join(filter(None, (days_of(event), event.venue)))
            paper.text(MIDDLE, 42, line, size=14, align="centre", room=WIDTH)
        top, days = 42.0, list(event.timetable.all())
        step = min(LINE, DAYS / max(1, len(days)))
        for day in days:
            top += step
            with paper.tags.content("P"):
                line = f"{day.title}: {times_of(day)}"
                size = 11 * step / LINE
                paper.text(MIDDLE, top, line, size=size, align="centre", room=WIDTH)
        top += 14
        size = min(CODE, (BOTTOM - top) / (2 if event.wifi_name else 1) - AROUND)
        _code(paper, top, _("Where do I sit, how do I stand?"), address, address, size)
        if event.wifi_name:
            caption = event.wifi_name
            if event.wifi_password:
                caption += "  ·  " + _("password: %(word)s") % {"word": event.wifi_password}
            code = wifi_code(event.wifi_name, event.wifi_password)
            _code(paper, top + size + AROUND, _("Wi-Fi in the hall"), code, caption, size)
        page_number(paper, 1, 1, size=6)
        paper.end_page()
    return paper.finish()


def _code(paper: Paper, top: float, title: str, content: str, caption: str, size: float) -> None:
    with paper.tags.content("H2"):
        paper.text(MIDDLE, top + 6, title, face=BOLD, size=20, align="centre", room=WIDTH)
    paper.qr(MIDDLE - size / 2, top + 11, size, content, title)
    with paper.tags.content("P"):
        paper.text(
            MIDDLE, top + size + 19, caption, size=14, align="centre", room=WIDTH, grey=QUIET
        )
