"""Penalties in force, what they took, and the step that follows."""

from collections.abc import Iterable

from django.utils.translation import gettext as _

from scoring.reading.records import points_given

from ...models import Event, Heat, Penalty
from ...models.enums import Offence, PenaltyLevel
from ...models.ladder import Step, step_after


def active_penalties(event: Event, player_ids: Iterable[str] | None = None) -> list[Penalty]:
    """Return the penalties that have not been taken back, oldest first (one query)."""
    rows = (
        event.penalties.in_force()
        .select_related("registration__person", "game__heat", "given_by")
        .order_by("pk")
    )
    if player_ids is not None:
        rows = rows.filter(registration__number__in=[int(player_id) for player_id in player_ids])
    return list(rows)


def set_points_taken(penalties: Iterable[Penalty]) -> None:
    """Set on penalties in points what they really took (two queries, or none)."""
    rows = {
        row.client_id: row
        for row in penalties
        if row.level == PenaltyLevel.POINTS and not row.taken_back_at
    }
    if rows:
        for client_id, points in points_given(rows).items():
            rows[client_id].taken = -points


#: Whatever the ladder says, these are always a disqualification.
LAST_AT_ONCE = (Offence.CHEATING, Offence.COLLUSION)


def next_step(event: Event, given: Iterable[Penalty], offence: str) -> Step:
    """Return the step that follows a player's penalties in force, given oldest first."""
    if offence in LAST_AT_ONCE:
        return Step(PenaltyLevel.DISQUALIFIED)
    return step_after(
        event.ladder,
        [row.step for row in given if not event.penalties_per_offence or row.offence == offence],
    )


def with_lost_points(text: str, heats: Iterable[Heat]) -> str:
    """Add to the sentence whose penalties in game points no longer count, as these heats do not.

    Such penalties are taken off a heat's sum (rulebook §9); the next heat begins without them.
    """
    rows = Penalty.objects.in_force().filter(level=PenaltyLevel.GAME_POINTS, game__heat__in=heats)
    names = [str(row.registration.person) for row in rows.select_related("registration__person")]
    if not names:
        return text
    more = _(
        "Game points taken off %(names)s went with it. If they are to count, take that penalty "
        "back and give it again in the next heat."
    )
    return f"{text} {more % {'names': ', '.join(dict.fromkeys(names))}}"


def last_penalty(event: Event) -> int:
    """Return the key of the event's last penalty, 0 if there is none."""
    return event.penalties.order_by("-pk").values_list("pk", flat=True).first() or 0
