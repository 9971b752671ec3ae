"""The staff's actions on a sheet kept on paper; entering totals is a correction."""

import uuid

from django.db import transaction

from scoring import writing as scoring
from scoring.errors import ScoringError
from scoring.models import Sheet

from ..core.locks import lock_open_heat
from ..core.log import By, author, record
from ..core.permissions import RUN_FLOOR, needs
from ..heats.commands import make_link
from ..heats.queries.links import heat_of_player, scoring_path
from ..models import Heat, Registration
from ..models.enums import LogAction
from ..registration.commands.pins import check_pin
from ..registration.queries.player_links import actor_of


@transaction.atomic
@needs(RUN_FLOOR)
def begin_deals(
    *, heat: Heat, sheet: Sheet, by: By, client_id: uuid.UUID, seen_version: int, device: str
) -> str:
    """Let ``device`` enter a paper sheet deal by deal; return the path for doing so.

    Existing entries stay. Raises what :func:`scoring.writing.write_from_paper` raises.
    """
    heat = lock_open_heat(heat)
    done = scoring.write_from_paper(
        sheet_id=sheet.pk, client_id=client_id, seen_version=seen_version, author=author(by)
    )
    make_link(heat=heat, by=by)
    scoring.take_lease(sheet_id=sheet.pk, device=device, author=author(by))
    if not done.repeated:
        record(LogAction.PAPER_ENTERED, heat, by, after={"game": sheet.number, "totals": False})
    return scoring_path(heat)


@needs(RUN_FLOOR)
def compare_on_device(
    *,
    heat: Heat,
    sheet: Sheet,
    by: By,
    client_id: uuid.UUID,
    seen_version: int,
    player: Registration | None = None,
    pin: str = "",
) -> None:
    """Note that ``by``, or a ``player`` with the PIN, has compared a game with its paper.

    Raises the errors about the PIN, and what :func:`scoring.writing.compare_with_paper` raises.
    """
    if player is not None:
        # Before the transaction: a wrong PIN counts even if the request is refused.
        check_pin(registration=player, pin=pin)
    with transaction.atomic():
        done = scoring.compare_with_paper(
            sheet_id=sheet.pk,
            client_id=client_id,
            seen_version=seen_version,
            author=author(by),
            player=player.player_id if player else "",
        )
        if not done.repeated:
            _log(heat, sheet, player, by=by)


@transaction.atomic
def compare_as_player(
    *, player: Registration, game: int, client_id: uuid.UUID, seen_version: int
) -> None:
    """Note that a player has compared a game of their own heat with its paper, on their own page.

    Refused with ``not_at_table``; raises what :func:`scoring.writing.compare_with_paper` raises.
    """
    heat = lock_open_heat(heat_of_player(player))
    sheet = Sheet.objects.filter(table=heat.table, number=game).first()
    if sheet is None:
        raise ScoringError("not_from_paper")
    done = scoring.compare_with_paper(
        sheet_id=sheet.pk,
        client_id=client_id,
        seen_version=seen_version,
        author=f"player {player.number}",
        player=player.player_id,
    )
    if not done.repeated:
        _log(heat, sheet, player, actor=actor_of(player))


def _log(
    heat: Heat, sheet: Sheet, player: Registration | None, *, by: By = None, actor: str = ""
) -> None:
    after = {"game": sheet.number, "player": player.player_id if player else ""}
    record(LogAction.PAPER_COMPARED, heat, by, after=after, actor=actor)
