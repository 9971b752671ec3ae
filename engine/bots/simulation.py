"""Whole games played by bots, card by card (rulebook §2–§6).

Everything follows from a seed: the same rules, names, seed and bots give the same records on any
machine. A game's chance comes from ``random.Random`` seeded with text; seats and heats are drawn as
in real events (:mod:`engine.draws.draw`).

>>> record = simulate_game("festival", ["Anna", "Bo", "Cia"], "doc")
>>> record["format"], record["rules"], record["seats"]
('chicago-game-record', 'festival', ['Anna', 'Bo', 'Cia'])
>>> record == simulate_game("festival", ["Anna", "Bo", "Cia"], "doc")
True

**Endless games.** Under some rule sets a game may never end (for example, where a Chicago must be
won and nobody wins one). After ``max_deals`` deals the game is ended as a tournament director would
end it: by the ruling ``end_game``, before the next deal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from traceback import extract_tb, format_exception_only
from typing import Final

from ..cards.cards import DECK, Card
from ..documents import GameRecordDocument
from ..rules.ruleset import RuleSet
from ..sheet.entries import Ruling
from ..table.actions import Action, Deck, Reshuffle, Rule
from ..table.errors import ActionError, ActionProblem
from ..table.state import Stage, TableState
from ..table.table import apply, carry_out, start_table
from ..table.view import View
from .players import Bot, Player, bot

MAX_DEALS: Final = 300
"""Deals after which a game of bots is ended by a ruling, by default."""

DEFAULT_BOT: Final = "regular"

# Looking up an enum's member costs more than the comparison, and this happens for every action.
_DECK, _RESHUFFLE, _FINISHED = Stage.DECK, Stage.RESHUFFLE, Stage.FINISHED

TIME_IS_UP: Final = Ruling("end_game", reason="time is up")


@dataclass(frozen=True, slots=True)
class Played:
    """A finished game: the table at the end, and every action, chance included."""

    names: tuple[str, ...]
    dealer: int
    table: TableState
    actions: tuple[Action, ...] = field(repr=False)

    def game_record(self) -> GameRecordDocument:
        """Return the score sheet as a game record (game-record.md)."""
        rules = self.table.rules
        return {
            "format": "chicago-game-record",
            "version": 1,
            "rules": rules.spec,
            "seats": list(self.names),
            "dealer": self.dealer,
            "entries": [entry.as_json() for entry in self.table.entries],
        }

    def card_record(self) -> GameRecordDocument:
        """Return the whole game as a card record (docs/formats/card-record.md)."""
        return {
            **self.game_record(),
            "format": "chicago-card-record",
            "actions": [action.as_json() for action in self.actions],
        }


class PlayerFailed(Exception):
    """A player of one's own raised something: what and where, as a text.

    Unlike what was raised it can always be sent to another process.
    """


def shuffled_pack(rng: Random, cards: Sequence[Card] = DECK) -> tuple[Card, ...]:
    """Return ``cards`` in random order.

    >>> sorted(shuffled_pack(Random("x"))) == list(DECK)
    True
    """
    pack = list(cards)
    bits = rng.getrandbits
    for last in range(len(pack) - 1, 0, -1):  # as ``rng.shuffle`` does, in half the time
        length = (last + 1).bit_length()
        place = bits(length)
        while place > last:
            place = bits(length)
        pack[last], pack[place] = pack[place], pack[last]
    return tuple(pack)


def next_action(table: TableState, bots: Sequence[str | Bot | Player], rng: Random) -> Action:
    """Return the next action: chance from ``rng``, or that of the player in turn.

    Raises :class:`~engine.table.errors.ActionError` (``game_finished``) when the game is over, and
    :class:`PlayerFailed` from whatever a player of one's own raises.
    """
    if table.stage is _DECK:
        return Deck(shuffled_pack(rng))
    if table.stage is _RESHUFFLE:
        return Reshuffle(shuffled_pack(rng, table.muck))
    seat = table.turn
    if seat is None:
        raise ActionError(ActionProblem("game_finished"))
    player, view = bots[seat], View(table, seat)
    if isinstance(player, str):
        player = bot(player)
    try:
        return player.act(view, rng) if isinstance(player, Bot) else player(view)
    except (Exception, SystemExit) as error:
        said = "".join(format_exception_only(error)).strip()
        where = extract_tb(error.__traceback__)[-1]
        raise PlayerFailed(f"{said} · {where.filename}, line {where.lineno}") from error


def play_game(
    rules: RuleSet | str,
    names: Sequence[str],
    seed: str | int,
    *,
    dealer: int = 0,
    bots: Sequence[str | Bot | Player] | None = None,
    max_deals: int = MAX_DEALS,
) -> Played:
    """Play one game to its end.

    ``bots`` holds a player per seat: a name, a :class:`~engine.bots.players.Bot`, or a function
    from a view to an action (default: all ``"regular"``). Raises
    :class:`~engine.errors.ChicagoError` for unknown rules, seats or bots, and
    :class:`PlayerFailed` from whatever a player of one's own raises.

    >>> played = play_game("svensk+N", ["Anna", "Bo"], 1, bots=["novice", "expert"], max_deals=2)
    >>> played.table.finished, played.actions[0].do
    (True, 'deck')
    """
    table = start_table(rules, len(names), dealer)
    players = [bot(name) for name in bots or [DEFAULT_BOT] * len(names)]
    if len(players) != len(names):
        players = [players[seat % len(players)] for seat in range(len(names))]
    # What these bots choose is possible; what a player of one's own chooses may be anything.
    follow = carry_out if all(type(player) is Bot for player in players) else apply
    rng = Random(f"{seed}")
    actions: list[Action] = []
    while table.stage is not _FINISHED:
        if table.stage is _DECK and table.sheet.deal >= max_deals:
            action: Action = Rule(TIME_IS_UP)
        else:
            action = next_action(table, players, rng)
        actions.append(action)
        table = follow(table, action)
    return Played(tuple(names), dealer, table, tuple(actions))


def simulate_game(
    rules: RuleSet | str,
    names: Sequence[str],
    seed: str | int,
    *,
    dealer: int = 0,
    bots: Sequence[str | Bot | Player] | None = None,
    max_deals: int = MAX_DEALS,
) -> GameRecordDocument:
    """Play one game and return its game record; see :func:`play_game`.

    >>> record = simulate_game("festival", ["Anna", "Bo", "Cia"], "friday", max_deals=2)
    >>> record["format"], record["seats"]
    ('chicago-game-record', ['Anna', 'Bo', 'Cia'])
    """
    played = play_game(rules, names, seed, dealer=dealer, bots=bots, max_deals=max_deals)
    return played.game_record()
