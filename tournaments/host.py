"""The answers that scoring needs from tournaments (see ``scoring.host``)."""

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any
from uuid import UUID

from django.urls import reverse
from django.utils.translation import gettext as _

from scoring.errors import ScoringError
from scoring.host import AtTable, Host, Warned
from scoring.reasons import coded, with_words

from .core.clock import clock_of
from .core.errors import Refused
from .core.locks import lock_heat
from .core.names import names_for_tables, text_for_table
from .floor.commands.shot_clock import too_slow
from .heats.queries.auditor import is_auditors
from .heats.queries.closing import advancing
from .models import Event, Heat, HeatEntry, HeatResult, LogEntry, Penalty, Registration
from .models.enums import GONE, HeatStatus, LogAction, PenaltyLevel
from .notices.queries.announcements import something_said, to_table
from .registration.commands.pins import check_pin, choose_pin


class TournamentHost(Host):
    """Answer for tables of heats; other tables get the defaults."""

    def names(self, table_ids: Iterable[int]) -> Mapping[int, Mapping[str, str]]:
        """Return display names by table id and player reference."""
        return names_for_tables(table_ids)

    def text(self, table_id: int) -> Callable[[str], str]:
        """Return a function that hides the names of hidden players in a text."""
        return text_for_table(table_id)

    def page(self, table_id: int) -> str:
        """Return the path of the heat's public page, empty without a heat."""
        heat = Heat.objects.filter(table=table_id).select_related("event").first()
        return reverse("tournaments:heat", args=[heat.event.slug, heat.number]) if heat else ""

    def begin(self) -> str:
        """Return the path of the kitchen table's start page."""
        return reverse("tournaments:casual")

    def at_table(self, table_id: int) -> AtTable:
        """Return the heat's clocks and state, and its name if it is a play-off heat."""
        heats: Any = Heat.objects.filter(table=table_id).select_related("event", "stage")
        heat = heats.annotate(is_told=something_said()).first()
        if heat is None:
            return AtTable()
        said = to_table(heat.event, heat.table_number) if heat.is_told else []
        return AtTable(
            said=tuple(each.text for each in said),
            heat=str(heat) if heat.title else "",
            clock=clock_of(heat, heat.event),
            shot_seconds=heat.event.shot_clock_seconds,
            is_final=heat.nobody_goes_on,
            is_closed=heat.status != HeatStatus.OPEN,
            time_rule=_(
                "%(rule)s. Games that have not begun are not played; the heat is ranked by those "
                "that were."
            )
            % {"rule": heat.event.get_time_rule_display()},
        )

    def warned(self, table_id: int) -> tuple[Warned, ...]:
        """Return the warnings in force that players got at a table, oldest first."""
        return _warned_at(table_id)

    def goes_on(self, table_id: int) -> Collection[str] | None:
        """Return who advances from a closed heat, including those who do so instead of others."""
        closed = {"heat__table": table_id, "heat__status": HeatStatus.FINISHED}
        return advancing(HeatResult.objects.filter(**closed))

    def acceptance(self, table_id: int) -> str:
        """Return who confirms results: the event's choice, or the default outside events."""
        found = Event.objects.filter(heats__table=table_id).values_list("acceptance", flat=True)
        return found.first() or super().acceptance(table_id)

    def gone(self, table_id: int) -> Collection[str]:
        """Return the players who have withdrawn from the event or been disqualified."""
        rows = HeatEntry.objects.filter(heat__table=table_id, registration__status__in=GONE)
        return {str(number) for number in rows.values_list("registration__number", flat=True)}

    def is_auditors(self, table_id: int, device: str) -> bool:
        """Return whether the heat's Auditor taps on this device."""
        heat = Heat.objects.filter(table=table_id).select_related("table").first()
        return super().is_auditors(table_id, device) if heat is None else is_auditors(heat, device)

    def with_pin(self, table_id: int) -> Collection[str]:
        """Return the players who have chosen a PIN."""
        rows = HeatEntry.objects.filter(heat__table=table_id).exclude(registration__pin="")
        return {str(number) for number in rows.values_list("registration__number", flat=True)}

    def check_pin(self, table_id: int, player_id: str, pin: str) -> None:
        """Raise on a wrong PIN, and on any PIN after too many wrong ones."""
        check_pin(registration=_player(table_id, player_id), pin=pin)

    def is_late_pin(self, table_id: int, player_id: str) -> bool:
        """Return whether the player's PIN was chosen at a table after its first deal."""
        player = _player(table_id, player_id)
        rows = LogEntry.objects.filter(
            event=player.event_id,
            action=LogAction.PIN_CHOSEN,
            object_type="registration",
            object_id=str(player.pk),
        )
        last = rows.order_by("pk").last()
        return bool(last and (last.after or {}).get("late"))

    def choose_pin(self, table_id: int, player_id: str, pin: str, *, late: bool) -> None:
        """Store the player's first PIN, which holds for the whole event."""
        choose_pin(registration=_player(table_id, player_id), pin=pin, at_table=True, late=late)

    def too_slow(self, table_id: int, player_id: str, client_id: UUID) -> str:
        """Give the next penalty if it costs nothing, else return the reason for calling the floor.

        Raise ``ScoringError`` if the event has no shot clock or the call is refused.
        """
        heat = Heat.objects.filter(table=table_id).select_related("event").first()
        if heat is None or heat.event.shot_clock_seconds is None:
            raise ScoringError("malformed")
        try:
            return too_slow(heat=heat, player_id=player_id, client_id=client_id)
        except Refused as refused:
            raise ScoringError("malformed") from refused

    def lock(self, table_id: int) -> None:
        """Lock event and heat: signing off closes the heat and may qualify its winner."""
        heat = Heat.objects.filter(table=table_id).first()
        if heat is not None:
            lock_heat(heat)


def _player(table_id: int, player_id: str) -> Registration:
    entry = (
        HeatEntry.objects.filter(heat__table=table_id, registration__number=_number(player_id))
        .select_related("registration__event", "registration__person")
        .first()
    )
    if entry is None:
        raise ScoringError("unknown_player")
    return entry.registration


def _number(player_id: str) -> int:
    """Return the player's number, or 0 (which nobody has) if the reference is malformed."""
    return (
        int(player_id) if player_id.isascii() and player_id.isdigit() and len(player_id) < 10 else 0
    )


def _warned_at(table_id: int) -> tuple[Warned, ...]:
    """Return a table's warnings that have not been taken back, oldest first (one query)."""
    given = Penalty.objects.in_force().filter(level=PenaltyLevel.WARNING)
    rows = given.filter(game__heat__table=table_id)
    return tuple(
        Warned(
            game=row.game.number,
            player_id=row.registration.player_id,
            reason=with_words(coded(f"offence.{row.offence}"), row.reason),
            at=row.given_at,
            client_id=row.client_id,
        )
        for row in rows.select_related("game", "registration").order_by("pk")
        if row.game
    )
