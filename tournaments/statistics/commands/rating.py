"""Ratings, written from the first game on that is not stored as it was played."""

from django.db import transaction
from django.db.models import Count

from ...core.locks import lock_organiser
from ...models import GameRating, Organiser, PlayerRating, RatingState
from ..queries.rating import Rerated

#: Rows written at once.
BATCH = 2000


@transaction.atomic
def store_ratings(*, organiser: Organiser, rerated: Rerated) -> int:
    """Write what was worked out, unless others have written since; return how many games it is."""
    organiser = lock_organiser(organiser)
    state, _made = RatingState.objects.get_or_create(organiser=organiser)
    if state.version != rerated.was:
        return 0
    GameRating.objects.filter(organiser=organiser, order__gte=rerated.kept).delete()
    GameRating.objects.bulk_create(rerated.rows, BATCH)
    _write_players(organiser, rerated)
    state.version = rerated.version
    state.save()
    return rerated.games - rerated.kept


def _write_players(organiser: Organiser, rerated: Rerated) -> None:
    games = dict(
        GameRating.objects.filter(organiser=organiser)
        .values("person")
        .annotate(games=Count("pk"))
        .values_list("person", "games")
        .order_by()
    )
    PlayerRating.objects.filter(organiser=organiser).delete()
    PlayerRating.objects.bulk_create(
        (
            PlayerRating(
                organiser=organiser,
                person_id=person,
                games=games[person],
                mu=mu,
                sigma=sigma,
                figure=mu - 3 * sigma,
            )
            for person, (mu, sigma) in rerated.skills.items()
        ),
        BATCH,
    )
