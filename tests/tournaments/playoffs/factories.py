"""Events that have reached the play-offs, made with the program's commands."""

from __future__ import annotations

from typing import Any

from scoring.reading.ranking import heat_ranking
from tests.tournaments.factories import make_event, make_heats, play_heat
from tests.tournaments.played_once import played_once
from tournaments.draws.commands.drafts import draft_round, publish
from tournaments.heats.commands import close_heat, record_flip_flop
from tournaments.models import Draw, Event, Heat, Stage
from tournaments.playoffs.commands import prepare_round


def close(heat: Heat) -> None:
    """Play a heat to its end and close it, with a Flip Flop if needed."""
    heat = play_heat(heat)
    assert heat.table is not None
    sheets = [game.sheet for game in heat.games.select_related("sheet")]
    for group in heat_ranking(table=heat.table, sheets=sheets).needs_flip_flop:
        record_flip_flop(heat=heat, order=list(group), by=None)
    close_heat(heat=heat, by=None)


@played_once
def qualified_event(heats: int, **fields: Any) -> Event:
    """Return an event with this many heats of four played and closed, one game each."""
    fields = {"games_per_heat": 1, "playoff_games": 1} | fields
    event = make_event(**fields)
    qualify(event, heats)
    return event


def qualify(event: Event, heats: int) -> None:
    """Play this many heats of four."""
    for heat in make_heats(event, 4 * heats).heats:
        close(heat)


def prepared(event: Event) -> Stage:
    """Return the next round, prepared."""
    return prepare_round(event=event, by=None)


def drafted(event: Event, **how: Any) -> Draw:
    """Return the draft of the next round."""
    return draft_round(stage=prepared(event), by=None, **how)


def played_round(event: Event, seed: str = "round", *, finish: bool = True) -> Stage:
    """Return the next round, drawn and, unless ``finish`` is false, played."""
    draw = drafted(event, seed=seed)
    for heat in publish(draw=draw, by=None).heats:
        if finish:
            close(heat)
    stage = draw.stage
    stage.refresh_from_db()
    return stage


def played_to_the_end(event: Event) -> Event:
    """Play round after round until there is a champion."""
    from tournaments.playoffs.queries.rounds import next_round

    while next_round(event) is not None:
        played_round(event)
    return event


@played_once
def finished_event(heats: int, **fields: Any) -> Event:
    """Return an event with this many heats, played to its champion."""
    return played_to_the_end(qualified_event(heats, **fields))
