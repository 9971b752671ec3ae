"""A few lines at the foot of the empty protocol: what is worth what, in this rule set."""

from fractions import Fraction

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from engine.cards.categories import Category
from engine.messages import category_text
from engine.rules.ruleset import FlushEffect, Need, QuadsReset, RuleSet
from engine.sheet.entries import Chicago, Hand, LastTrick
from engine.sheet.sheet import start, tricks_of, worth
from scoring.reading.words import lang, points_text


def lines(rules: RuleSet, seats: int) -> list[tuple[str, str]]:
    """Return (label, text) for the hands, the tricks, and how a game is won."""
    return [
        (pgettext("reminder", "Hands"), _hands(rules, seats)),
        (pgettext("reminder", "Tricks"), _tricks(rules, seats)),
        (pgettext("reminder", "Game"), _game(rules, seats)),
    ]


def checksum(rules: RuleSet, seats: int, games: int) -> str:
    """Return what the game points must add up to, for checking the sheet with a pencil."""
    each = sum(rules.table(seats), Fraction(0))
    facts = {"each": points_text(each), "all": points_text(each * games)}
    if games == 1:
        return _("Checksum: the game points add up to %(each)s.") % facts
    text = _("Checksum: the game points of each game add up to %(each)s, of all games to %(all)s.")
    return text % facts


def _hands(rules: RuleSet, seats: int) -> str:
    first = start(rules, seats)
    parts = []
    for category in Category:
        if category is Category.NOTHING:
            continue
        gains = worth(first, Hand(1, 0, category, suit="H"))
        value = str(gains.get("hand", rules.target))  # where it lifts to the target
        if category is Category.STRAIGHT_FLUSH:
            value = _flush(rules.straight_flush, value)
        elif category is Category.ROYAL_FLUSH:
            value = _flush(rules.royal_flush, value)
            if rules.royal_resets:
                value = _("%(value)s, others to 0") % {"value": value}
        elif category is Category.FOUR_OF_A_KIND:
            if rules.quads_reset is QuadsReset.CHOICE:
                value = _("%(value)s or others to 0") % {"value": value}
            elif rules.quads_reset is QuadsReset.BOTH:
                value = _("%(value)s, others to 0") % {"value": value}
        parts.append(f"{category_text(category.key, lang())} {value}")
    return " \u00b7 ".join(parts)


def _flush(effect: FlushEffect, value: str) -> str:
    if effect in (FlushEffect.POINTS, FlushEffect.LIFT):
        return value
    return pgettext("hand", "wins")


def _tricks(rules: RuleSet, seats: int) -> str:
    first, tricks = start(rules, seats), tricks_of(rules, seats)
    plain = worth(tricks, LastTrick(0))["last_trick"]
    deuce = worth(tricks, LastTrick(0, deuce=True))["last_trick"]
    won = worth(tricks, Chicago(0, won=True))["chicago_won"]
    broken = worth(tricks, Chicago(0, won=False, breaker=1))
    trick = _("last trick %(points)d") % {"points": plain}
    if deuce != plain:
        trick += _(", with a deuce %(points)d") % {"points": deuce}
    chicago = _("Chicago won +%(won)d, broken −%(lost)d") % {
        "won": won,
        "lost": -broken["chicago_lost"],
    }
    parts = [trick, chicago]
    if "breaker" in broken:
        parts.append(_("first to break it +%(points)d") % {"points": broken["breaker"]})
    if rules.chicago_minimum is not None:
        parts.append(_("Chicago from %(points)d") % {"points": rules.chicago_minimum})
    if rules.blind_chicago:
        parts.append(
            _("Blind Chicago +%(won)d, with a deuce +%(deuce)d, lost −%(lost)d")
            % {
                "won": worth(first, Chicago(0, won=True, blind=True))["chicago_won"],
                "deuce": worth(first, Chicago(0, True, blind=True, deuce=True))["chicago_won"],
                "lost": -worth(first, Chicago(0, won=False, blind=True))["chicago_lost"],
            }
        )
    return " \u00b7 ".join(parts)


def _game(rules: RuleSet, seats: int) -> str:
    need = rules.need_for(seats)
    goal = _("to %(target)d") % {"target": rules.target}
    if need is Need.EXECUTED:
        goal = _("to %(target)d with a Chicago played") % {"target": rules.target}
    elif need is Need.WON:
        goal = _("to %(target)d with a Chicago won") % {"target": rules.target}
    parts = [goal]
    if rules.discardless is not None:
        parts.append(_("no exchange from %(limit)d") % {"limit": rules.discardless})
    table = "/".join(points_text(value) for value in rules.table(seats))
    parts.append(_("game points %(table)s") % {"table": table})
    parts.append(_("circle the name of who has played a Chicago, * for each one won"))
    return " \u00b7 ".join(parts)
