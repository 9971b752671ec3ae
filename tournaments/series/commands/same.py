"""A player of two organisers as one in a series: only the player says so, holding both links."""

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _

from ...core.errors import Refused
from ...core.log import record
from ...models import Person, Registration, SamePlayer, Series
from ...models.enums import LogAction
from ...registration.queries.erasing import whole_person
from ...registration.queries.player_links import actor_of


@transaction.atomic
def join_players(*, series: Series, own: Registration, other: Registration) -> SamePlayer:
    """Count the persons of two registrations as one player in this series."""
    series = Series.objects.select_for_update(no_key=True).get(pk=series.pk)
    one, two = sorted((own.person, other.person), key=lambda person: person.pk)
    if one.pk == two.pk:
        raise Refused("same_person", _("They are already the same person."))
    for registration in (own, other):
        if not series.joined.filter(event=registration.event_id, agreed_at__isnull=False).exists():
            raise Refused(
                "not_in_series",
                _("%(event)s is not part of %(series)s."),
                event=registration.event,
                series=series,
            )
    if one.organiser_id == two.organiser_id:
        raise Refused(
            "one_organiser", _("Both are with the same organiser. The desk can merge them.")
        )
    found = _pairs(series, one, two).first()
    if found is None:
        # Logged first: the events' versions are locked before the series'.
        for registration in (own, other):
            record(
                LogAction.SAME_PLAYER,
                registration,
                None,
                after={"series": str(series)},
                actor=actor_of(registration),
            )
        found = SamePlayer.objects.create(series=series, one=one, other=two)
    return found


@transaction.atomic
def part_players(*, same: SamePlayer, own: Registration) -> None:
    """Count them as two again."""
    Series.objects.select_for_update(no_key=True).get(pk=same.series_id)
    record(
        LogAction.SAME_PLAYER_ENDED,
        own,
        None,
        after={"series": str(same.series)},
        actor=actor_of(own),
    )
    _pairs(same.series, same.one, same.other).delete()


def _pairs(series: Series, one: Person, other: Person) -> QuerySet[SamePlayer]:
    """Return what says that these two are one, by whatever persons they have been merged from."""
    first, second = whole_person(one), whole_person(other)
    either = Q(one__in=first, other__in=second) | Q(one__in=second, other__in=first)
    return SamePlayer.objects.filter(either, series=series)
