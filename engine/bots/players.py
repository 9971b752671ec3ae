"""Bots of three strengths, which see only what their seat sees (rulebook §2).

A :class:`Bot` gets a :class:`~engine.table.view.View` and a seeded generator and returns an action.
It never sees the table's state, so it cannot look at other hands. Equal views and equal generators
give equal actions.

* ``novice`` keeps pairs, plays cards almost at random and declares on impulse.
* ``regular`` keeps draws, ducks early, goes for the last tricks, and knows that 52 without a
  Chicago is worth nothing.
* ``expert`` also samples the hidden cards, given what it remembers, heard and saw
  (:mod:`engine.bots.knowledge`), and weighs against the samples its cards from the second trick on,
  and a Chicago that its hand does not rule out. It keeps cards for a Chicago when it needs one, and
  takes the last trick with a deuce where that pays.

>>> sorted(BOTS)
['expert', 'novice', 'regular']
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from random import Random
from typing import Final, Protocol

from ..cards.cards import DECK, Card
from ..cards.categories import Category
from ..cards.hands import strength
from ..errors import ChicagoError
from ..rules.ruleset import Ending, QuadsReset
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
    made,
)
from ..table.errors import ActionError, ActionProblem
from ..table.hands import category_of
from ..table.state import HAND_SIZE, Cards, Stage, remaining
from ..table.view import View
from .cards import (
    follow,
    high_card_estimate,
    keep_for_chicago,
    keep_for_points,
    keep_for_tricks,
    sensible,
)
from .imagined import ALL, BITS, bits, clockwise, holes, play_out, takes_all
from .knowledge import Knowledge, chicago_chance


@dataclass(frozen=True, slots=True)
class Bot:
    """A strength of play.

    ``samples`` is the number of random deals that each decision is weighed against (0: none).
    ``slip`` is the chance, per card, of a revoke where one is possible; ``impulse`` is the chance
    of declaring a Chicago on any hand. ``plans`` is whether the bot takes the score into account.
    """

    name: str
    samples: int = 0
    slip: float = 0.0
    impulse: float = 0.0
    plans: bool = True

    def act(self, view: View, rng: Random) -> Action:
        """Return the action of the view's seat.

        Raises :class:`~engine.table.errors.ActionError` when it is not that seat's turn.
        """
        if view.seat != view.turn:
            raise _not_now(view)
        stage = view.stage
        decide = _DECIDE.get(stage)
        if decide is None or (stage in _MAYBE_FORCED and len(view.legal) == 1):
            return view.legal[0]
        return decide(self, view, rng)


#: The score from which an expert who needs a Chicago keeps the cards for one.
CHICAGO_FROM = 20
#: What each other player takes off the chance of a Chicago for each card that might beat it, at the
#: least: hands whose chance is too small even then need no samples.
HOLE = 0.1
#: How many tricks may be left after one whose card an expert weighs: earlier, it is chance.
WEIGHED = 3
#: What an opponent's last trick counts, relative to one's own.
OTHERS_GAIN = 0.25
#: How sure an expert wants to be of a Chicago that it needs, by the least number of points missing:
#: far from the target it can wait for a better hand.
EXPERT_WANTS = ((22, 0.35), (16, 0.28), (11, 0.2), (7, 0.12), (4, 0.05))

BOTS: Final[dict[str, Bot]] = {
    bot.name: bot
    for bot in (
        Bot("novice", slip=0.002, impulse=0.03, plans=False),
        Bot("regular"),
        Bot("expert", samples=10),
    )
}
"""The strengths, weakest first."""


class Player(Protocol):
    """A player: any function from a view to an action."""

    def __call__(self, view: View, /) -> Action:
        """Return the action of the view's seat."""
        ...


def bot(player: str | Bot | Player) -> Bot | Player:
    """Return the player itself, or the player of that name.

    A name is a strength of :data:`BOTS`, or ``module:Name`` for a bot, a function from a view to an
    action, or a class whose instances are such functions. Raises
    :class:`~engine.errors.ChicagoError` (``bad_value``) for anything else.

    >>> bot("engine.bots.players:BOTS")
    Traceback (most recent call last):
    engine.errors.ChicagoError: bad_value (field='bots', value='engine.bots.players:BOTS')
    """
    found: object = player
    if isinstance(player, str):
        found = BOTS.get(player)
        module, colon, name = player.partition(":")
        try:
            if colon:
                found = getattr(import_module(module), name)
            if isinstance(found, type):
                found = found()
        except (Exception, SystemExit) as error:  # whatever a module or class of one's own raises
            raise ChicagoError("bad_value", field="bots", value=player[:40]) from error
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
    """True if the seat lacks the Chicago it needs to win at the target."""
    sheet, seat = view.sheet, view.seat
    return view.rules.need_for(sheet.seats).lacks(sheet.executed[seat], sheet.asterisks[seat])


def _own(view: View) -> int:
    return view.sheet.scores[view.seat]


def _best_other(view: View) -> int:
    return max((view.sheet.scores[seat] for seat in view.order if seat != view.seat), default=0)


# --- exchanges ------------------------------------------------------------------------------------


def _discard(bot: Bot, view: View, rng: Random) -> Action:
    hand, seat = view.hand, view.seat
    if len(hand) > HAND_SIZE:  # dealt six: discard the least useful
        return Discard(seat, (max(hand, key=lambda card: _without(hand, card)),))
    if view.sheet.discardless[seat]:
        return _stand_or_offend(bot, view)
    if not bot.plans:
        kept = keep_for_points(hand) if category_of(hand) else tuple(sorted(hand)[-2:])
    elif bot.samples and _builds_chicago(view):
        kept = keep_for_chicago(hand)
    elif view.final:
        kept = keep_for_tricks(hand)
    else:
        kept = keep_for_points(hand)
    if len(kept) == HAND_SIZE:
        return Discard(seat)
    gone = tuple(sorted(remaining(hand, kept)))
    sizes = view.exchange_sizes
    while len(gone) not in sizes:  # more than may be exchanged, or than can be dealt
        gone = gone[:-1]
    return Discard(seat, gone)


def _builds_chicago(view: View) -> bool:
    """True if the bot should keep cards for a Chicago: it needs one, and it is within reach."""
    least = view.rules.chicago_minimum or 0
    if not _needs_chicago(view) or _own(view) < max(least, CHICAGO_FROM):
        return False
    return category_of(view.hand) < Category.STRAIGHT


def _without(hand: Cards, card: Card) -> tuple[int, int]:
    return strength(remaining(hand, (card,))), -int(card)


def _stand_or_offend(bot: Bot, view: View) -> Action:
    """Stand; an expert without a Chicago may exchange illegally rather than pass the target."""
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
    """Return the category that four cards have (nearly) whatever the fifth is."""
    ranks = [card.rank for card in four]
    fifth = next(card for card in DECK if card.rank not in ranks)
    category = category_of((*four, fifth))
    return category if category <= Category.THREE_OF_A_KIND else Category.NOTHING


def _redeal(bot: Bot, view: View, rng: Random) -> Action:
    low = category_of(view.hand[:HAND_SIZE]) is Category.NOTHING
    return Redeal(view.seat, low and Redeal(view.seat, True) in view.legal)


# --- declarations ---------------------------------------------------------------------------------


def _blind(bot: Bot, view: View, rng: Random) -> Action:
    behind = _best_other(view) - _own(view)
    if bot.samples:
        call = False  # it loses far more than it wins
    elif bot.plans:
        desperate = behind >= 30 and _best_other(view) >= view.rules.target - 6
        call = desperate and rng.random() < 0.25
    else:
        call = rng.random() < bot.impulse / 4
    return Blind(view.seat, call and Blind(view.seat, True) in view.legal)


def _quads(bot: Bot, view: View, rng: Random) -> Action:
    points = view.rules.points_for(Category.FOUR_OF_A_KIND)
    lead = _best_other(view)
    one = view.rules.quads_reset is QuadsReset.ONE
    if not bot.plans:
        reset = rng.random() < 0.3
    else:
        wins = _own(view) + points >= view.rules.target and not _needs_chicago(view)
        losses = sum(view.sheet.scores[seat] for seat in view.order if seat != view.seat)
        reset = not wins and (lead > _own(view) or (lead if one else losses) > 4 * points)
    if not (reset and one):
        return Quads(view.seat, reset)
    others = [action.reset_seat for action in view.legal if isinstance(action, Quads)]
    scores = view.sheet.scores
    leader = max((seat for seat in others if seat is not None), key=lambda seat: scores[seat])
    return Quads(view.seat, True, leader)


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
    if bot.samples:
        return Bid(seat, _worth_a_chicago(bot, view, rng))
    others = len(view.order) - 1
    chance = high_card_estimate(view.hand) * (1.15 - 0.15 * others)
    return Bid(seat, chance >= _wanted_chance(view))


def _worth_a_chicago(bot: Bot, view: View, rng: Random) -> bool:
    """True if an expert wants to play a Chicago with its hand."""
    wanted = _wanted_by_expert(view)
    hand = bits(view.hand)
    hidden = ALL & ~hand & ~bits(view.known_muck)
    if (1 - HOLE * (len(view.order) - 1)) ** holes(hand, hidden) < wanted:
        return False
    return chicago_chance(Knowledge(view), rng, 2 * bot.samples, wanted) >= wanted


def _wanted_by_expert(view: View) -> float:
    """Like :func:`_wanted_chance`, but wait longer for a hand that exchanges may improve."""
    own, target = _own(view), view.rules.target
    if not _needs_chicago(view):
        return 0.5 if own + view.rules.chicago_won >= target else 0.62
    missing = target - own
    for least, wanted in EXPERT_WANTS:
        if missing >= least:
            return wanted
    return 0.0


def _wanted_chance(view: View) -> float:
    """Return how sure a Chicago must be: less so near the target and when one is needed."""
    own, target = _own(view), view.rules.target
    if own + view.rules.chicago_won >= target:
        return 0.45  # it would win the game
    if _needs_chicago(view):
        # It must be played, won or lost, before points come unasked and cost the whole score. A
        # lost one costs least early and still fills the need.
        missing = target - own
        if missing <= 22:
            return 0.0
        return 0.05 if missing <= 30 else 0.3
    return 0.6


# --- tricks ---------------------------------------------------------------------------------------


def _play(bot: Bot, view: View, rng: Random) -> Action:
    seat, hand = view.seat, view.hand
    trick, declarer = view.trick, view.declarer
    led = trick[0][1] & 3 if trick else None
    options = follow(hand, led)
    if bot.slip and len(options) < len(hand) and view.rules.offences and rng.random() < bot.slip:
        wrong = [card for card in hand if card not in options]
        return Play(seat, rng.choice(wrong), offence=True)
    if len(options) == 1:
        return made(Play, seat, options[0])
    best = max([int(card) for _, card in trick if card & 3 == led], default=-1)
    left = len(hand) - 1
    if declarer == seat and bot.samples:
        card = _surest(bot, view, options, rng)
    elif declarer is not None:
        card = _in_chicago(view, options, led, best)
    elif not bot.plans:
        card = rng.choice(options)
    elif bot.samples and 0 < left <= WEIGHED:
        card = _weighed(bot, view, options, rng)
    else:
        card = sensible(options, led, best, left)
    return made(Play, seat, card)


def _in_chicago(view: View, options: list[Card], led: int | None, best: int) -> Card:
    """As declarer play from the top; as an opponent beat the declarer or keep high cards."""
    if view.seat == view.declarer:
        if led is not None:
            winning = [card for card in options if card & 3 == led and card > best]
            return min(winning) if winning else max(options)
        suits = [sum(other & 3 == card & 3 for other in view.hand) for card in options]
        return max(zip(options, suits, strict=True), key=lambda pair: (pair[0].rank, pair[1]))[0]
    winning = [card for card in options if card & 3 == led and card > best]
    return min(winning) if winning else min(options)


def _surest(bot: Bot, view: View, options: list[Card], rng: Random) -> Card:
    """Return the declarer's card that wins the Chicago most often over sampled hands."""
    seat, trick = view.seat, view.trick
    knowledge = Knowledge(view)
    others = clockwise([other for other in view.order if other not in view.dead])
    done = {other for other, _ in trick}
    waiting = [other for other in others[seat] if other not in done]
    best = max([card for _, card in trick if card & 3 == trick[0][1] & 3], default=None)
    won = dict.fromkeys(options, 0)
    for _ in range(bot.samples):
        hands = knowledge.deal(rng)
        for card in options:
            if best is None or (card & 3 == best & 3 and card > best):
                won[card] += takes_all(hands.copy(), seat, BITS[card], waiting, others)
    return max(options, key=lambda card: (won[card], int(card)))


def _weighed(bot: Bot, view: View, options: list[Card], rng: Random) -> Card:
    """Return the card that earns most with the last trick over sampled hands."""
    seat = view.seat
    knowledge = Knowledge(view)
    others = clockwise([other for other in view.order if other not in view.dead])
    done = {other for other, _ in view.trick}
    waiting = [other for other in others[seat] if other not in done]
    pay, pay_deuce = view.rules.last_trick, view.rules.last_trick_deuce
    late = len(view.hand) <= 2
    after = [(BITS[card], *_taking((*view.trick, (seat, card)))) for card in options]
    gains = [0.0] * len(options)
    for _ in range(bot.samples):
        hands = knowledge.deal(rng)
        own = hands[seat]
        for choice, (card, best, taker) in enumerate(after):
            hands[seat] = own ^ card
            winner, deuce = play_out(hands.copy(), waiting, others, best, taker, late)
            gain = pay_deuce if deuce else pay
            gains[choice] += gain if winner == seat else -gain * OTHERS_GAIN
    return max(zip(gains, options, strict=True), key=lambda pair: (pair[0], -pair[1]))[1]


def _taking(trick: Sequence[tuple[int, Card]]) -> tuple[int, int]:
    """Return the best card of a trick so far, as a bit, and who played it."""
    led = trick[0][1] & 3
    card, seat = max([(card, seat) for seat, card in trick if card & 3 == led])
    return BITS[card], seat


def _correct(bot: Bot, view: View, rng: Random) -> Action:
    """Correct a revoke about half the time."""
    fixes = [action for action in view.legal if isinstance(action, Correct)]
    return rng.choice(fixes)


_MAYBE_FORCED: Final = frozenset(Stage) - {Stage.DISCARD, Stage.TAKE, Stage.PLAY}

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
