"""Ratings, made again from the first game that is not as it was."""

from collections.abc import Sequence
from itertools import groupby

from django.db import transaction
from django.db.models import Count, Max, Sum

from ..core.locks import lock_organiser
from ..models import EventVersion, GameRating, Organiser, PlayerRating, RatingState
from .queries import MU, SIGMA, Played, Skill, games_of, rate_game

#: Rows written at once.
BATCH = 2000


@transaction.atomic
def rate_players(*, organiser: Organiser) -> int:
    """Rate what is new, and all that came after a game that has changed; return how many games."""
    organiser = lock_organiser(organiser)
    version = EventVersion.objects.filter(event__organiser=organiser).aggregate(
        sum=Sum("directed")
    )["sum"]
    games = list(games_of(organiser))
    kept = _kept(organiser, games)
    GameRating.objects.filter(organiser=organiser, order__gte=kept).delete()
    skills = _skills(organiser)
    made: list[GameRating] = []
    for order in range(kept, len(games)):
        made += _rated(organiser, order, games[order], skills)
    GameRating.objects.bulk_create(made, BATCH)
    _write_players(organiser, skills)
    RatingState.objects.update_or_create(organiser=organiser, defaults={"version": version or 0})
    return len(games) - kept


def _kept(organiser: Organiser, games: Sequence[tuple[Played, ...]]) -> int:
    """Return how many games, from the first on, are stored as they are."""
    rows = (
        GameRating.objects.filter(organiser=organiser)
        .order_by("order", "place", "registration")
        .values_list("order", "game", "registration", "person", "place")
    )
    kept = 0
    for order, stored in groupby(rows.iterator(), key=lambda row: row[0]):
        players = tuple(Played._make(row[1:]) for row in stored)
        if order != kept or order >= len(games) or players != games[order]:
            break
        kept += 1
    return kept


def _skills(organiser: Organiser) -> dict[int, Skill]:
    """Return each person's rating after the stored games."""
    last = (
        GameRating.objects.filter(organiser=organiser)
        .values("person")
        .annotate(last=Max("order"))
        .values_list("person", "last")
        .order_by()
    )
    wanted = dict(last)
    rows = GameRating.objects.filter(organiser=organiser, order__in=set(wanted.values()))
    return {
        person: (mu, sigma)
        for person, order, mu, sigma in rows.values_list("person", "order", "mu", "sigma")
        if wanted[person] == order
    }


def _rated(
    organiser: Organiser, order: int, players: Sequence[Played], skills: dict[int, Skill]
) -> list[GameRating]:
    if len({player.person for player in players}) < 2:
        # Whoever sat at a table twice, under two registrations, plays against nobody.
        return []
    before = [skills.get(player.person, (MU, SIGMA)) for player in players]
    after = rate_game(before, [player.place for player in players])
    skills |= {player.person: skill for player, skill in zip(players, after, strict=True)}
    return [
        GameRating(
            organiser=organiser,
            order=order,
            game_id=player.game,
            registration_id=player.registration,
            person_id=player.person,
            place=player.place,
            mu_before=old[0],
            sigma_before=old[1],
            mu=new[0],
            sigma=new[1],
        )
        for player, old, new in zip(players, before, after, strict=True)
    ]


def _write_players(organiser: Organiser, skills: dict[int, Skill]) -> None:
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
            for person, (mu, sigma) in skills.items()
        ),
        BATCH,
    )
