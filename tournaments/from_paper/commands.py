"""The staff's actions on a sheet kept on paper; entering totals is a correction."""

import uuid

from django.db import transaction

from scoring import writing as scoring
from scoring.models import Sheet

from ..core.log import By, author, record
from ..heats.commands import being_played, make_link, scoring_path
from ..models import Heat
from ..models.enums import LogAction


@transaction.atomic
def begin_deals(
    *, heat: Heat, sheet: Sheet, by: By, client_id: uuid.UUID, seen_version: int, device: str
) -> str:
    """Let ``device`` enter a paper sheet deal by deal; return the path for doing so.

    Existing entries stay. Raises what :func:`scoring.writing.write_from_paper` raises.
    """
    heat = being_played(heat)
    done = scoring.write_from_paper(
        sheet_id=sheet.pk, client_id=client_id, seen_version=seen_version, author=author(by)
    )
    make_link(heat=heat, by=by)
    scoring.take_lease(sheet_id=sheet.pk, device=device, author=author(by))
    if not done.repeated:
        record(LogAction.PAPER_ENTERED, heat, by, after={"game": sheet.number, "totals": False})
    return scoring_path(heat)


@transaction.atomic
def compare(
    *, heat: Heat, sheet: Sheet, by: By, client_id: uuid.UUID, seen_version: int, player_id: str
) -> None:
    """Note that a second person, a player or ``by``, has compared a game with its paper.

    Raises what :func:`scoring.writing.compare_with_paper` raises.
    """
    done = scoring.compare_with_paper(
        sheet_id=sheet.pk,
        client_id=client_id,
        seen_version=seen_version,
        author=author(by),
        player=player_id,
    )
    if not done.repeated:
        after = {"game": sheet.number, "player": player_id}
        record(LogAction.PAPER_COMPARED, heat, by, after=after)
