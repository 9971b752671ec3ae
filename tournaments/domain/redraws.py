"""Drawing again in the place of a draft."""

from django.db import transaction

from ..enums import Grouping, StageKind
from ..models import Draw
from .draws import discard, draft_heats
from .log import By
from .playoffs import SNAKE_METHOD, draft_round


@transaction.atomic
def draw_again(
    *, draw: Draw, by: By, seen_version: int | None = None, seed: str | None = None
) -> Draw:
    """Throw a draft away and make another one of those who can be drawn now, with a new seed.

    Nothing is thrown away where no new draft can be made; a round keeps its way of grouping.
    """
    draw = discard(draw=draw, by=by, seen_version=seen_version)
    if draw.stage.kind == StageKind.QUALIFYING:
        return draft_heats(event=draw.event, by=by, seed=seed)
    grouping = Grouping.SNAKE if draw.method == SNAKE_METHOD else Grouping.DRAW
    return draft_round(stage=draw.stage, by=by, seed=seed, grouping=grouping)
