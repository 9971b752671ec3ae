"""The tournament's URLs: public pages under /e/<event>/, staff pages under /e/<event>/desk/."""

from itertools import chain

from django.urls import URLPattern, include, path

from .api import urls as api
from .calendars import urls as calendars
from .cash import urls as cash
from .casual import urls as casual
from .core import urls as core
from .corrections import urls as corrections
from .draws import urls as draws
from .embed import urls as embed
from .events import urls as events
from .floor import urls as floor
from .from_paper import urls as from_paper
from .heats import urls as heats
from .mail import urls as mail
from .notices import urls as notices
from .playoffs import urls as playoffs
from .prints import urls as prints
from .privacy import urls as privacy
from .registration import urls as registration
from .results import urls as results
from .screens import urls as screens
from .series import urls as series
from .statistics import urls as statistics
from .verify import urls as verify
from .webhooks import urls as webhooks

app_name = "tournaments"

_SUBJECTS = (
    api,
    calendars,
    cash,
    casual,
    core,
    corrections,
    draws,
    embed,
    events,
    floor,
    heats,
    mail,
    from_paper,
    notices,
    playoffs,
    prints,
    privacy,
    registration,
    results,
    screens,
    series,
    statistics,
    verify,
    webhooks,
)


def _all(kind: str) -> list[URLPattern]:
    return list(
        chain.from_iterable(getattr(subject, f"{kind}_patterns", ()) for subject in _SUBJECTS)
    )


urlpatterns = [
    *_all("site"),
    path("e/<slug:slug>/desk/heats/<int:number>/", include(_all("heat"))),
    path("e/<slug:slug>/desk/players/<int:number>/", include(_all("player"))),
    path("e/<slug:slug>/desk/", include(_all("desk"))),
    path("e/<slug:slug>/", include(_all("event"))),
]
