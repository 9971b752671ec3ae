"""Bots: players of three strengths that see only what their seat sees (play by rulebook §2).

A :class:`Bot` gets a :class:`~engine.table.view.View` and a seeded generator and returns an action.
It never sees the table's state, so it cannot look at other hands; equal views and equal
generators give equal actions.

* ``novice`` keeps pairs, plays cards almost at random and declares on impulse.
* ``regular`` keeps draws, ducks early and takes the last tricks, and knows that 52 without a
  Chicago is nothing.
* ``expert`` also weighs a Chicago and every card against random hands of the others, resets and
  declares by the score.

>>> sorted(BOTS)
['expert', 'novice', 'regular']
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from random import Random
from typing import Final, Protocol

from ..cards.cards import DECK, Card
from ..cards.categories import Category
from ..cards.hands import strength
from ..errors import ChicagoError
from ..rules.ruleset import Ending, Need
from ..table.actions import (
    Action,
    Bid,
    Blind,
    Correct,
    Discard,
    Outrank,
    Play,
    Quads,
    Redeal,
    Show,
    Take,
)
from ..table.errors import ActionError, ActionProblem
from ..table.hands import category_of
from ..table.state import HAND_SIZE, Cards, Stage, remaining
from ..table.view import View
from .cards import (
    chicago_chance,
    follow,
    high_card_estimate,
    keep_for_points,
    keep_for_tricks,
    play_out,
    sensible,
    unseen_by,
)


@dataclass(frozen=True, slots=True)
class Bot:
    """A strength of play.

    ``samples`` is how many random deals a decision is weighed against (0: none); ``slip`` is the
    chance, per card played, of failing to follow suit where that is possible; ``impulse`` the
    chance of declaring a Chicago on any hand; ``plans`` whether the score is thought of.
    """

    name: str
    samples: int = 0
    slip: float = 0.0
    impulse: float = 0.0
    plans: bool = True

    def act(self, view: View, rng: Random) -> Action:
        """What the seat of ``view`` does.

        Raises :class:`~engine.table.errors.ActionError` when it is not that seat's turn.
        """
        if view.seat != view.turn:
            raise _not_now(view)
        decide = _DECIDE.get(view.stage)
        if decide is None or (view.stage in _MAYBE_FORCED and len(view.legal) == 1):
            return view.legal[0]
        return decide(self, view, rng)


BOTS: Final[dict[str, Bot]] = {
    bot.name: bot
    for bot in (
        Bot("novice", slip=0.002, impulse=0.03, plans=False),
        Bot("regular"),
        Bot("expert", samples=24),
    )
}
"""The strengths, weakest first."""


class Player(Protocol):
    """Whoever can play: a function from a view to an action is enough."""

    def __call__(self, view: View, /) -> Action:
        """What the seat of ``view`` does."""
        ...


def bot(player: str | Bot | Player) -> Bot | Player:
    """A player as given, or the one of that name.

    A name is a strength of :data:`BOTS`, or ``module:Name`` for a bot, a function from a view to
    an action, or a class whose instances can be called so. Raises
    :class:`~engine.errors.ChicagoError` (``bad_value``) for anything else.

    >>> bot("engine.bots.players:BOTS")
    Traceback (most recent call last):
    engine.errors.ChicagoError: bad_value (field='bots', value='engine.bots.players:BOTS')
    """
    found: object = player
    if isinstance(player, str):
        found = BOTS.get(player)
        module, colon, name = player.partition(":")
        if colon:
            with suppress(ImportError, AttributeError, ValueError):
                found = getattr(import_module(module), name)
        if isinstance(found, type):
            found = found()
    if isinstance(found, Bot) or (callable(found) and not isinstance(found, type)):
        return found
    raise ChicagoError("bad_value", field="bots", value=str(player)[:40])


def _not_now(view: View) -> ActionError:
    if view.stage is Stage.FINISHED:
        return ActionError(ActionProblem("game_finished"))
    if view.turn is None:
        awaited = {"awaited": view.stage.value, "do": "act"}
        return ActionError(ActionProblem("unexpected_action", params=awaited))
    seats = {"seat": view.seat, "turn": view.turn}
    return ActionError(ActionProblem("not_your_turn", params=seats))


# --- what the score asks for --------------------------------------------------------------------


def _needs_chicago(view: View) -> bool:
    """True if the seat could not win at the target for want of a Chicago."""
    need = view.rules.need_for(view.sheet.seats)
    if need is Need.EXECUTED:
        return not view.sheet.executed[view.seat]
    return need is Need.WON and not view.sheet.asterisks[view.seat]


def _own(view: View) -> int:
    return view.sheet.scores[view.seat]


def _best_other(view: View) -> int:
    return max((view.sheet.scores[seat] for seat in view.order if seat != view.seat), default=0)


def _seen(view: View) -> list[Card]:
    """Cards that lay face up in this deal, or that the seat laid aside itself."""
    seen = [*view.laid, *view.aside]
    for fact in view.facts:
        seen += fact.cards
    return seen


# --- exchanges ------------------------------------------------------------------------------------


def _discard(bot: Bot, view: View, rng: Random) -> Action:
    hand, seat = view.hand, view.seat
    if len(hand) > HAND_SIZE:  # dealt six: lay aside the one that is missed least
        return Discard(seat, (max(hand, key=lambda card: _without(hand, card)),))
    if view.sheet.discardless[seat]:
        return _stand_or_offend(bot, view)
    if not bot.plans:
        kept = keep_for_points(hand) if category_of(hand) else tuple(sorted(hand)[-2:])
    elif view.final:
        kept = keep_for_tricks(hand)
    else:
        kept = keep_for_points(hand)
    gone = tuple(sorted(remaining(hand, kept)))
    sizes = view.exchange_sizes
    while len(gone) not in sizes:  # more than may be exchanged, or than there are cards for
        gone = gone[:-1]
    return Discard(seat, gone)


def _without(hand: Cards, card: Card) -> tuple[int, int]:
    return strength(remaining(hand, (card,))), -int(card)


def _stand_or_offend(bot: Bot, view: View) -> Action:
    """Stand; an expert without a Chicago may rather fall to zero than pass the target."""
    rules, hand = view.rules, view.hand
    if bot.samples and rules.offences and not view.final and _needs_chicago(view):
        category = category_of(hand)
        points = rules.points_for(category)
        goes_out = rules.ending is Ending.AT_ONCE and _own(view) + points >= rules.target
        if goes_out and Category.TWO_PAIR <= category < Category.STRAIGHT_FLUSH:
            return Discard(view.seat, tuple(sorted(hand)[:1]), offence=True)
    return Discard(view.seat)


def _take(bot: Bot, view: View, rng: Random) -> Action:
    assert view.offered is not None
    four, card = view.hand, view.offered
    if not bot.plans:
        return Take(view.seat, rng.random() < 0.5)
    now = category_of((*four, card))
    before = max(_usual(four), Category.NOTHING)
    better = now > before
    high = view.final and now >= before and card.rank >= 12
    return Take(view.seat, better or high)


def _usual(four: Cards) -> Category:
    """The category that four cards have whatever the fifth is (or nearly so)."""
    fifth = next(card for card in DECK if card.rank not in {own.rank for own in four})
    category = category_of((*four, fifth))
    return category if category <= Category.THREE_OF_A_KIND else Category.NOTHING


def _redeal(bot: Bot, view: View, rng: Random) -> Action:
    low = category_of(view.hand[:HAND_SIZE]) is Category.NOTHING
    return Redeal(view.seat, low and Redeal(view.seat, True) in view.legal)


# --- declarations ---------------------------------------------------------------------------------


def _blind(bot: Bot, view: View, rng: Random) -> Action:
    behind = _best_other(view) - _own(view)
    if bot.plans:
        desperate = behind >= 30 and _best_other(view) >= view.rules.target - 6
        call = desperate and rng.random() < 0.25
    else:
        call = rng.random() < bot.impulse / 4
    return Blind(view.seat, call and Blind(view.seat, True) in view.legal)


def _quads(bot: Bot, view: View, rng: Random) -> Action:
    points = view.rules.points_for(Category.FOUR_OF_A_KIND)
    lead = _best_other(view)
    if not bot.plans:
        return Quads(view.seat, rng.random() < 0.3)
    wins = _own(view) + points >= view.rules.target and not _needs_chicago(view)
    losses = sum(view.sheet.scores[seat] for seat in view.order if seat != view.seat)
    return Quads(view.seat, not wins and (lead > _own(view) or losses > 4 * points))


def _show(bot: Bot, view: View, rng: Random) -> Action:
    claims = [action.claim for action in view.legal if isinstance(action, Show)]
    if "reset" in claims:
        wanted = _quads(bot, view, rng)
        if isinstance(wanted, Quads) and wanted.reset:
            return Show(view.seat, "reset")
    return Show(view.seat, None if None in claims else "hand")


def _outrank(bot: Bot, view: View, rng: Random) -> Action:
    return Outrank(view.seat, Outrank(view.seat, True) in view.legal)


def _bid(bot: Bot, view: View, rng: Random) -> Action:
    """Declare if the hand is good enough, or if there is no other way to win in time."""
    seat, rules = view.seat, view.rules
    if rng.random() < bot.impulse:
        return Bid(seat, True)
    if not bot.plans:
        urgent = _needs_chicago(view) and _own(view) >= rules.target - 12
        return Bid(seat, urgent or high_card_estimate(view.hand) > 0.75)
    others = len(view.order) - 1
    if bot.samples:
        unseen = unseen_by(view.hand, _seen(view))
        chance = chicago_chance(view.hand, others, unseen, rng, bot.samples)
    else:
        chance = high_card_estimate(view.hand) * (1.15 - 0.15 * others)
    return Bid(seat, chance >= _wanted_chance(view))


def _wanted_chance(view: View) -> float:
    """How sure a Chicago must be: less so the closer the target and the more it is needed."""
    own, target = _own(view), view.rules.target
    if own + view.rules.chicago_won >= target:
        return 0.45  # it would win the game
    if _needs_chicago(view):
        # Won or lost, it must be played before points come unasked and the score is lost; a
        # lost one costs least early and is worth much.
        missing = target - own
        if missing <= 22:
            return 0.0
        return 0.05 if missing <= 30 else 0.3
    return 0.6


# --- tricks ---------------------------------------------------------------------------------------


def _play(bot: Bot, view: View, rng: Random) -> Action:
    seat, hand = view.seat, view.hand
    led = view.trick[0][1] & 3 if view.trick else None
    options = follow(hand, led)
    wrong = [card for card in hand if card not in options]
    if bot.slip and wrong and view.rules.offences and rng.random() < bot.slip:
        return Play(seat, rng.choice(wrong), offence=True)
    if len(options) == 1:
        return Play(seat, options[0])
    best = max((int(card) for _, card in view.trick if card & 3 == led), default=-1)
    if view.declarer is not None:
        return Play(seat, _in_chicago(view, options, led, best))
    if not bot.plans:
        return Play(seat, rng.choice(options))
    left = len(hand) - 1
    if bot.samples and left <= 3:
        return Play(seat, _weighed(bot, view, options, rng))
    return Play(seat, sensible(options, led, best, left))


def _in_chicago(view: View, options: list[Card], led: int | None, best: int) -> Card:
    """The declarer plays from the top; the others beat the declarer or keep their high cards."""
    if view.seat == view.declarer:
        if led is not None:
            winning = [card for card in options if card & 3 == led and card > best]
            return min(winning) if winning else max(options)
        suits = [sum(other & 3 == card & 3 for other in view.hand) for card in options]
        return max(zip(options, suits, strict=True), key=lambda pair: (pair[0].rank, pair[1]))[0]
    winning = [card for card in options if card & 3 == led and card > best]
    return min(winning) if winning else min(options)


def _weighed(bot: Bot, view: View, options: list[Card], rng: Random) -> Card:
    """The card that takes the last trick most often against random hands of the others."""
    seat = view.seat
    live = [other for other in view.order if other not in view.dead]
    others = [other for other in live if other != seat and view.hand_sizes[other]]
    unseen = unseen_by(view.hand, _seen(view))
    start = live.index(view.leader) if view.leader in live else 0
    order = live[start:] + live[:start]
    done = [other for other, _ in view.trick]
    need = sum(view.hand_sizes[other] for other in others)
    if need > len(unseen):
        return min(options)
    pay = view.rules.last_trick
    gains = dict.fromkeys(options, 0)
    for _ in range(bot.samples // 2):
        dealt = rng.sample(unseen, need)
        hands: list[list[Card]] = [[] for _ in range(view.sheet.seats)]
        for other in others:
            size = view.hand_sizes[other]
            hands[other], dealt = dealt[:size], dealt[size:]
        for card in options:
            trial = [list(cards) for cards in hands]
            trial[seat] = [own for own in view.hand if own != card]
            trick = [*view.trick, (seat, card)]
            waiting = [other for other in order if other not in done and other != seat]
            winner, deuce = play_out(trial, waiting, live, trick)
            if winner == seat:
                gains[card] += view.rules.last_trick_deuce if deuce else pay
            elif deuce:
                gains[card] -= 1
    return max(options, key=lambda card: (gains[card], -int(card)))


def _correct(bot: Bot, view: View, rng: Random) -> Action:
    """Notice the revoke in time, as often as not."""
    fixes = [action for action in view.legal if isinstance(action, Correct)]
    return rng.choice(fixes)


_MAYBE_FORCED: Final = frozenset(Stage) - {Stage.DISCARD, Stage.PLAY}

_DECIDE: Final[dict[Stage, Callable[[Bot, View, Random], Action]]] = {
    Stage.BLIND: _blind,
    Stage.REDEAL: _redeal,
    Stage.DISCARD: _discard,
    Stage.TAKE: _take,
    Stage.QUADS: _quads,
    Stage.SHOW: _show,
    Stage.OUTRANK: _outrank,
    Stage.BID: _bid,
    Stage.PLAY: _play,
    Stage.CORRECT: _correct,
}
