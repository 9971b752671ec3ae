"""Standings: a row for every player of every heat, and the qualified."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from django.db.models import (
    Case,
    Count,
    Exists,
    F,
    FloatField,
    OuterRef,
    QuerySet,
    Subquery,
    When,
)
from django.db.models.expressions import CombinedExpression
from django.db.models.functions import Cast

from engine.messages import rank_text
from scoring.words import lang

from ...core.names import registration_name, shown_columns
from ...models import (
    Event,
    GameResult,
    HeatEntry,
    HeatResult,
    Qualification,
    Registration,
    StagePlayer,
)
from ...models.enums import HeatStatus, StageKind
from ...models.fields import DENOMINATOR

_SHARED = Exists(
    HeatResult.objects.filter(heat=OuterRef("heat"), place=OuterRef("place")).exclude(
        pk=OuterRef("pk")
    )
)


#: All columns of a result, and those of other tables that its row shows.
_SHOWN = (
    *(field.name for field in HeatResult._meta.concrete_fields),
    "heat__event",
    "heat__number",
    "heat__title",
    "heat__status",
    "heat__stage__kind",
    "entry__number",
    *shown_columns("entry__registration__"),
    *shown_columns("ahead_of__"),
)


def standings_of(event: Event) -> QuerySet[HeatResult]:
    """Return all heat results of an event with everything their rows show.

    Adds ``share``, ``engine.ranking.overall.Result.share`` as a number that the database sorts by.
    Only this compares players of different tables, because tables of three and of four have
    different totals. Also adds ``again``: the player has entered again since, and ``shared`` as
    :func:`history_of` does.
    """
    later = HeatEntry.objects.filter(
        registration=OuterRef("entry__registration"), pk__gt=OuterRef("entry")
    )
    seats = (
        HeatEntry.objects.filter(heat=OuterRef("heat"))
        .values("heat")
        .annotate(players=Count("pk"))
        .values("players")
    )
    return (
        HeatResult.objects.filter(heat__event=event)
        .exclude(heat__status=HeatStatus.VOID)
        .select_related("heat__stage", "entry__registration__person", "ahead_of__person")
        .only(*_SHOWN)
        .alias(players=Subquery(seats))
        .annotate(
            share=Case(
                *(
                    When(players=int(players), games__gt=0, then=_share(int(players), points))
                    for players, points in event.game_points.items()
                    if any(points)
                ),
                default=0.0,
                output_field=FloatField(),
            ),
            again=Exists(later),
            shared=_SHARED,
        )
        .order_by("-heat__number", "order")
    )


def _share(players: int, points: Sequence[int]) -> CombinedExpression:
    # One division of whole numbers: equal shares of different tables are equal floats.
    given = DENOMINATOR * sum(points)
    return Cast(F("game_points"), FloatField()) * players / (F("games") * given)


def qualified_of(event: Event) -> QuerySet[Qualification]:
    """Return the qualified players in order, with what lists show of them and their heats.

    Adds ``no_show``: whether the player was missing in a round.
    """
    missed = StagePlayer.objects.filter(registration=OuterRef("registration"), absent=True)
    return (
        event.qualifications.valid()
        .annotate(no_show=Exists(missed))
        .select_related("registration__person", "heat")
        .only(
            "event",
            "order",
            "qualified_at",
            "heat__number",
            "heat__title",
            *shown_columns("registration__"),
        )
        .order_by("order")
    )


#: What first pages show of a long list.
MAX_QUALIFIED = 60


def first_qualified(rows: QuerySet[Qualification]) -> tuple[list[Qualification], int]:
    """Return the first of these, and how many there are (two queries if they are many)."""
    found = list(rows[: MAX_QUALIFIED + 1])
    count = len(found) if len(found) <= MAX_QUALIFIED else rows.count()
    return found[:MAX_QUALIFIED], count


def reason(result: Any) -> str:
    """Return in words why this player is above the next one; empty for the last.

    ``result`` is a :class:`HeatResult` with ``ahead_of`` and its person loaded.
    """
    if not result.decided_by or result.ahead_of is None:
        return ""
    return reason_text(
        result.decided_by,
        name=registration_name(result.ahead_of),
        own=result.own_value,
        other=result.next_value,
    )


def reason_text(step: str, *, name: str, own: str = "", other: str = "") -> str:
    """Return the sentence for a deciding step; the numbers are exact fractions as text."""
    return rank_text(step, name, Fraction(own or 0), Fraction(other or 0), lang())


def outcome(result: Any, event: Event) -> str:
    """Return the outcome for a player of a heat of the event.

    ``playing``, ``qualified``, ``won`` (where nobody advances, see ``Heat.nobody_goes_on``),
    ``disqualified``, ``finalist`` (of those who did not win the final) or ``out``.
    """
    if result.heat.status == HeatStatus.OPEN:
        return "playing"
    final = result.heat.stage.kind == StageKind.FINAL
    if result.advances:
        return "won" if final or event.ends_with_heats else "qualified"
    if result.disqualified:
        return "disqualified"
    return "finalist" if final else "out"


class PlayedGame(NamedTuple):
    """A player's game in a list of heats: plain values, as a page shows hundreds."""

    number: int
    place: int
    game_points: Fraction
    score: int
    executed: bool
    asterisks: int
    status: str


def games_of_results(results: Iterable[HeatResult]) -> dict[int, list[PlayedGame]]:
    """Return ``{entry id: [game, …]}`` for these rows, in the order of the games."""
    found: dict[int, list[PlayedGame]] = {}
    rows = GameResult.objects.filter(entry__in=[result.entry_id for result in results])
    own = (f"game__{name}" if name == "number" else name for name in PlayedGame._fields)
    for entry, *game in rows.order_by("game__number").values_list("entry", *own):
        found.setdefault(entry, []).append(PlayedGame._make(game))
    return found


def history_of(registration: Registration) -> QuerySet[HeatResult]:
    """Return the player's heat results, newest first.

    Adds ``shared``: somebody else has the same place.
    """
    return (
        HeatResult.objects.filter(entry__registration=registration)
        .exclude(heat__status=HeatStatus.VOID)
        .annotate(shared=_SHARED)
        .select_related("heat", "entry__registration__person", "ahead_of__person")
        .order_by("-heat__number")
    )
