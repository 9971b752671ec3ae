"""What each player of a table needs, after each game."""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.messages.outlook import sentences
from engine.ranking.heat import DISQUALIFIED
from engine.ranking.outlook import HeatSoFar, PlayerOutlook, outlook

from ..enums import SheetStatus
from ..host import Clock
from ..words import lang
from .protocol import ProtocolData
from .rules import rules_of
from .words import short_names

#: Tables with more players have no game points.
_MAX_PLAYERS = 4


@dataclass(frozen=True, slots=True)
class Need:
    """A player's situation, in sentences; ``tag`` shows it as a colour.

    ``when``: shown only while the clock runs (``until-time-up``), or once it is over
    (``when-time-up``), which the page itself notices.
    """

    player_id: str
    name: str
    sentences: tuple[str, ...]
    tag: str = ""
    #: How many games are finished.
    after: int = 0
    #: Whether it is about winning, because nobody advances from here.
    is_final: bool = False
    when: str = ""

    @property
    def text(self) -> str:
        """The sentences, with the name before any that does not begin with it."""
        text = " ".join(self.sentences)
        return text if text.startswith(self.name) else f"{self.name}: {text}"


def needs_of(
    protocol: ProtocolData, *, is_final: bool = False, clock: Clock | None = None
) -> tuple[Need, ...]:
    """Return what each player needs, best first.

    Empty before the first game is finished, and if all are played without a tie.

    ``is_final``: what is needed to win, because nobody advances from here. Games that have not
    begun when the ``clock`` is over are not played; while it runs, both needs are given.

    It is exact for what game points decide; the running game counts as completely open. A player
    who is disqualified, in the running game too, needs nothing any more.
    """
    found = _needs(protocol, is_final=is_final, over=clock is not None and clock.state == "over")
    if clock is None or clock.state != "running":
        return found
    then = _needs(protocol, is_final=is_final, over=True)
    if not then or then == found:
        return found
    return (
        *(replace(need, when="until-time-up") for need in found),
        *(replace(need, when="when-time-up") for need in then),
    )


def _needs(protocol: ProtocolData, *, is_final: bool, over: bool) -> tuple[Need, ...]:
    done = sum(game.status == SheetStatus.FINISHED for game in protocol.games)
    to_play = {SheetStatus.RUNNING, SheetStatus.WAITING}
    if over:
        to_play.remove(SheetStatus.WAITING)
    left = sum(game.status in to_play for game in protocol.games)
    places = rules_of(protocol.table).place_points(len(protocol.ranking))
    if not 2 <= len(protocol.ranking) <= _MAX_PLAYERS or not places:
        return ()
    if not done or (done == len(protocol.games) and not protocol.needs_flip_flop):
        return ()
    struck = frozenset(
        seat.player_id
        for game in protocol.games
        for seat in game.seats
        if seat.status == DISQUALIFIED
    )
    found = outlook(
        HeatSoFar(
            {row.player_id: row.game_points for row in protocol.ranking},
            left,
            1 if is_final else max(1, protocol.table.advance),
            places,
            struck,
        )
    )
    names = {row.player_id: row.name for row in protocol.ranking}
    # Of the others first names are enough, as on the board.
    others = dict(zip(names, short_names(list(names.values())), strict=True))
    level = frozenset(player for group in protocol.needs_flip_flop for player in group)
    return tuple(
        Need(
            each.player,
            names[each.player],
            tuple(
                sentences(
                    each,
                    lang(),
                    (others | {each.player: names[each.player]}).__getitem__,
                    final=is_final,
                    flip_flop=each.player in level,
                )
            ),
            _tag(each),
            done,
            is_final,
        )
        for each in found
        if each.player not in struck
    )


def _tag(found: PlayerOutlook) -> str:
    if found.clinched:
        return "through"
    return "gone" if found.eliminated else ""
