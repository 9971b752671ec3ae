"""What the Auditor is asked next, and why buttons are grey.

A question is a list of panels, and a panel is a list of buttons. A button carries the entry it
writes: without a seat if the Auditor picks one on the board, or complete if one tap is enough.
Whether a button may be pressed for a seat is never decided here: the engine decides, and the reader
sees its sentence.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.utils.translation import gettext as _

from engine.cards.categories import SCORING, Category
from engine.errors import EntryError
from engine.messages import (
    SUITS,
    category_text,
    entry_text,
    loss_text,
    say,
    stage_text,
    worth_text,
)
from engine.rules.ruleset import QuadsReset, RuleSet
from engine.sheet.entries import Hand, entry_from_json
from engine.sheet.losses import losses
from engine.sheet.sheet import legal_entries, step, warnings, why_not, worth
from engine.sheet.state import CHICAGO_HAND, EXCHANGE, IN, TRICKS, State

from ..errors import ENDS_GAME
from ..reasons import FOLD, coded
from ..words import lang
from .words import category_label, short_names, softened


@dataclass(frozen=True, slots=True)
class Button:
    """One possible answer. ``who`` is true if a seat must be picked for it.

    ``reasons`` maps seats (as text) for which the button is illegal to the engine's sentences;
    ``reason`` is set if it is illegal for every seat. ``sure`` is a question to confirm before
    writing, where the engine has no warning. ``told`` is set if the question itself has named all
    that this answer costs.
    """

    label: str
    what: Mapping[str, Any]
    who: bool = True
    points: str = ""
    kind: str = ""
    reasons: Mapping[str, str] = field(default_factory=dict)
    reason: str = ""
    sure: str = ""
    told: bool = False

    @property
    def value(self) -> str:
        """The entry without its seat, as the form sends it."""
        return json.dumps(self.what, separators=(",", ":"))

    @property
    def long(self) -> bool:
        """Whether a likely answer with this name takes more than two lines."""
        return len(self.label) > 24

    @property
    def reasons_json(self) -> str:
        """The reasons as JSON for the page's script."""
        return json.dumps(self.reasons, ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class Panel:
    """Buttons that belong together; ``folded`` ones are rare and open on request."""

    key: str
    title: str
    buttons: tuple[Button, ...]
    folded: bool = False


@dataclass(frozen=True, slots=True)
class Question:
    """One question: its title and its panels; the first panel is the question itself.

    ``step`` is ``hand``, ``trick`` or ``chicago``. ``again`` are likely answers: the holder of the
    last best hand has it again. ``declare`` has a button per seat for declaring a Chicago, which
    writes no entry. ``exchanged`` is true if an exchange comes before the answer.
    """

    step: str
    title: str
    panels: tuple[Panel, ...]
    again: tuple[Button, ...] = ()
    declare: tuple[Button, ...] = ()
    nobody: Button | None = None
    exchanged: bool = False

    @property
    def main(self) -> Panel:
        """The buttons that answer the question."""
        return self.panels[0]

    @property
    def asked(self) -> tuple[Panel, ...]:
        """The panels that are open."""
        return tuple(panel for panel in self.panels if not panel.folded)

    @property
    def folded(self) -> tuple[Panel, ...]:
        """The rare, folded panels."""
        return tuple(panel for panel in self.panels if panel.folded)

    def off(self, seat: int) -> str:
        """Return why a seat is grey: the engine's reason, if no button is left for it."""
        buttons = [button for panel in self.asked for button in panel.buttons]
        reasons = [
            button.reasons.get(str(seat), "") if button.who else button.reason
            for button in buttons
            if button.who or button.what.get("seat") == seat
        ]
        return reasons[0] if reasons and all(reasons) else ""


def question_of(
    state: State,
    names: Sequence[str],
    *,
    directed: bool = True,
    shot_clock: bool = False,
    last: tuple[int, Category] | None = None,
    declared: int | None = None,
) -> Question | None:
    """Return what to ask in this state; ``None`` when the game is over.

    ``last`` is who last had the best hand in this deal, and which; ``declared`` is the seat that
    declared a Chicago. At a table without a director (``directed`` false) the Auditor may end the
    game.
    """
    if state.finished:
        return None
    asker = _Asker(state, names, directed, shot_clock)
    if state.stage == EXCHANGE:
        return asker.exchange(last)
    if state.stage == TRICKS:
        return asker.ask_trick() if declared is None else asker.ask_chicago((declared,))
    return asker.final_hand(last)


def title_of(state: State, names: Sequence[str], declared: int | None = None) -> str:
    """Return the question's title, for readers who only follow; empty when the game is over."""
    if state.finished:
        return ""
    if state.stage == EXCHANGE:
        return _("Best hand after the %(exchange)s") % {
            "exchange": stage_text(EXCHANGE, state.phase, lang())
        }
    if state.stage == TRICKS:
        if declared is None:
            return _("Who took the last trick?")
        return _("%(name)s plays Chicago: all five tricks?") % {"name": names[declared]}
    if state.stage == CHICAGO_HAND:
        return _("Best hand after the Chicago")
    return _("Best hand after the tricks")


def lost_title(loss: str) -> str:
    """Return the question for who broke a Chicago, with what that costs."""
    if not loss:
        return _("If not, who broke it?")
    return _("If not: %(loss)s Who broke it?") % {"loss": loss}


def device_questions_of(
    state: State, names: Sequence[str], *, directed: bool = True, shot_clock: bool = False
) -> tuple[Question, ...]:
    """Return the possible questions at this point of a deal, whoever declared a Chicago."""
    asker = _Asker(state, names, directed, shot_clock)
    if state.stage == TRICKS:
        return asker.ask_trick(), asker.ask_chicago(range(state.seats))
    question = question_of(state, names, directed=directed, shot_clock=shot_clock)
    return (question,) if question else ()


def every_panel(state: State, names: Sequence[str]) -> tuple[Panel, ...]:
    """Return everything that could be asked at this point of a deal, all buttons without seats.

    For pages where the seat is chosen in another way than by a tap on the board.
    """
    question = question_of(state, names)
    if question is None:
        return ()
    asker = _Asker(state, names)
    panels = question.panels
    if question.nobody:
        main = replace(question.main, buttons=(question.nobody, *question.main.buttons))
        panels = (main, *question.folded)
    if state.stage == TRICKS:
        title = title_of(state, names)
        chicago = _("Does anybody declare a Chicago?")
        panels = (
            Panel("trick", title, tuple(asker.tricks())),
            Panel("chicago", chicago, asker.chicago()),
            *question.folded,
        )
    return panels


#: The hands that a hand easily becomes when its cards are kept: likely next answers.
BECOMES: Mapping[Category, tuple[Category, ...]] = {
    Category.PAIR: (Category.PAIR, Category.TWO_PAIR, Category.THREE_OF_A_KIND),
    Category.TWO_PAIR: (Category.TWO_PAIR, Category.FULL_HOUSE),
    Category.THREE_OF_A_KIND: (
        Category.THREE_OF_A_KIND,
        Category.FULL_HOUSE,
        Category.FOUR_OF_A_KIND,
    ),
    Category.STRAIGHT: (Category.STRAIGHT,),
    Category.FLUSH: (Category.FLUSH,),
    Category.FULL_HOUSE: (Category.FULL_HOUSE,),
    Category.FOUR_OF_A_KIND: (Category.FOUR_OF_A_KIND,),
}


class _Asker:
    """Builds the panels for one state."""

    def __init__(
        self, state: State, names: Sequence[str], directed: bool = True, shot_clock: bool = False
    ) -> None:
        self.directed = directed
        self.shot_clock = shot_clock
        self.state = state
        self.names = names
        self.rules: RuleSet = state.rules

    # -------------------------------------------------------------- questions

    def exchange(self, last: tuple[int, Category] | None) -> Question:
        title = title_of(self.state, self.names)
        panels = [Panel("hands", title, tuple(self.hands()))]
        if self.rules.blind_chicago and self.state.phase == 1:
            blind = self.chicago(blind=True)
            if any(not button.reason for button in blind):
                panels.append(Panel("blind", _("Blind Chicago?"), blind, folded=True))
        return Question(
            "hand",
            title,
            (*panels, *self.wrong()),
            again=self.again(last),
            nobody=self.nobody(),
            exchanged=True,
        )

    def ask_trick(self) -> Question:
        """Ask who took the last trick, in one tap; offer to declare a Chicago instead."""
        title = title_of(self.state, self.names)
        trick, *with_deuce = [
            tuple(
                self.at_once(button, seat, softened(name))
                for seat, name in enumerate(short_names(self.names))
            )
            for button in self.tricks()
        ]
        panels = [Panel("trick", title, trick)]
        deuce = entry_text({"kind": "last_trick", "deuce": True}, lang())
        panels += [Panel("deuce", deuce, row) for row in with_deuce]
        declare = self.declare()
        return Question(
            "trick",
            title,
            (*panels, *self.shown(), *self.wrong()),
            declare=() if all(button.reason for button in declare) else declare,
            exchanged=True,
        )

    def ask_chicago(self, seats: Iterable[int]) -> Question:
        """Ask how the declared Chicago ended, in one tap, and name its loss before that."""
        seats = list(seats)
        buttons = [
            self.at_once(button, seat, button.label)
            for seat in seats
            for button in self.chicago()
            if button.what.get("breaker") != seat
        ]
        won = tuple(button for button in buttons if button.what["won"])
        broken = [button for button in buttons if not button.what["won"]]
        if len(seats) == 1:
            shorts = short_names(self.names)
            found = [self.cost(button, shorts) for button in broken]
            loss = min(filter(None, found), key=len, default="")
            broken = [
                replace(b, told=bool(loss) and f == loss)
                for b, f in zip(broken, found, strict=True)
            ]
        else:
            # The device fills in the name and the loss itself.
            shorts, loss = ["{name}"] * self.state.seats, "{loss}"
        title = title_of(self.state, shorts, seats[0])
        return Question(
            "chicago",
            title,
            (
                Panel("chicago", title, won),
                Panel("broken", lost_title(loss), tuple(broken)),
                *self.wrong(),
            ),
        )

    def cost(self, button: Button, names: Sequence[str]) -> str:
        """Return what there is to ask before an answer is written: warnings and losses."""
        if button.reason:
            return ""
        entry = entry_from_json(button.what)
        unusual = [say(found, lang(), names) for found in warnings(self.state, entry)]
        lost = losses(step(self.state, entry).facts)
        return " ".join([*unusual, loss_text(lost, self.rules.target, lang(), names)]).strip()

    def final_hand(self, last: tuple[int, Category] | None) -> Question:
        title = title_of(self.state, self.names)
        panel = Panel("hands", title, tuple(self.hands()))
        return Question(
            "hand",
            title,
            (panel, *self.wrong()),
            again=self.again(last),
            nobody=self.nobody(),
        )

    # ---------------------------------------------------------------- panels

    def again(self, last: tuple[int, Category] | None) -> tuple[Button, ...]:
        """Offer the same player with the same hand, or with one that it easily becomes."""
        if last is None:
            return ()
        seat, category = last
        name = softened(short_names(self.names)[seat])
        buttons = [
            self.at_once(button, seat, f"{name}: {category_text(likely.key, lang())}")
            for likely in BECOMES.get(category, ())
            for button in self.hand(likely)[:1]
        ]
        return tuple(button for button in buttons if not button.reason)

    def declare(self) -> tuple[Button, ...]:
        """Offer the seats that may declare a Chicago, numbered in the order they are asked."""
        seats = self.state.seats
        turn = [(self.state.dealer + step) % seats for step in range(1, seats + 1)]
        what = {"kind": "chicago", "won": True}
        reasons = {seat: self.why({**what, "seat": seat}) for seat in turn}
        order = [seat for seat in turn if not reasons[seat]]
        return tuple(
            Button(
                softened(name),
                {"seat": seat},
                who=False,
                points=f"{order.index(seat) + 1}." if seat in order else "",
                reason=reasons[seat],
            )
            for seat, name in enumerate(short_names(self.names))
        )

    def tricks(self) -> list[Button]:
        what = {"kind": "last_trick"}
        buttons = [self.button(entry_text(what, lang()), what)]
        deuce = self.button(_("with a deuce"), {**what, "deuce": True})
        if deuce.points != buttons[0].points:
            buttons.append(deuce)
        return buttons

    def at_once(self, button: Button, seat: int, label: str) -> Button:
        """Return the button for one fixed seat, which need not be picked."""
        return replace(
            button,
            label=label,
            what=entry_from_json({**button.what, "seat": seat}).as_json(),
            who=False,
            reasons={},
            reason=button.reasons.get(str(seat), ""),
        )

    def shown(self) -> tuple[Panel, ...]:
        """Offer hands that win, end the deal or reset before the tricks: rare, so folded."""
        if self.state.stage != TRICKS:
            return ()
        # Only these are built: saying why all others are illegal takes longer than the whole page.
        legal = {entry.category for entry in legal_entries(self.state) if isinstance(entry, Hand)}
        hands = [
            button for category in SCORING if category in legal for button in self.hand(category)
        ]
        buttons = tuple(button for button in hands if not button.reason)
        if not buttons:
            return ()
        title = _("Does somebody show a hand before the tricks?")
        return (Panel("shown", title, buttons, folded=True),)

    def wrong(self) -> tuple[Panel, ...]:
        """Offer the offences that the rule set knows."""
        buttons = [
            self.button(entry_text({"kind": kind}, lang()), {"kind": kind})
            for kind in ("revoke", "illegal_discard")
        ]
        possible = tuple(button for button in buttons if not button.reason)
        panels = []
        if possible:
            panels.append(Panel("wrong", _("Something went wrong"), possible, folded=True))
        fold = self.button(_("Folds"), FOLD)
        if not fold.reason:
            clocked = _("Somebody folds, or the shot clock ran out")
            title = clocked if self.shot_clock else _("Somebody folds")
            panels.append(Panel("fold", title, (fold,), folded=True))
        if not self.directed:
            what = {"kind": "ruling", "action": "end_game", "reason": coded("ended_at_table")}
            stop = Button(_("End the game here"), what, who=False, sure=str(ENDS_GAME))
            panels.append(Panel("stop", _("Stop playing"), (stop,), folded=True))
        return tuple(panels)

    # --------------------------------------------------------------- buttons

    def hands(self) -> list[Button]:
        buttons = []
        for category in SCORING:
            buttons += self.hand(category)
        return buttons

    def hand(self, category: Category) -> list[Button]:
        what = {"kind": "hand", "phase": self.state.phase, "category": category.key}
        label = category_label(category.key)
        if category is Category.ROYAL_FLUSH and self.rules.royal_hearts_only:
            return [
                self.button(
                    f"{label} {SUITS[suit]}",
                    {**what, "suit": suit},
                    f"{category.key} decisive" if suit == "H" else category.key,
                )
                for suit in SUITS
            ]
        kind = f"{category.key} decisive" if self.rules.wins_at_once(category) else category.key
        buttons = [self.button(label, what, kind)]
        if category is not Category.FOUR_OF_A_KIND:
            return buttons
        reset, kind = {**what, "reset": True}, "reset decisive"
        if self.rules.quads_reset in (QuadsReset.CHOICE, QuadsReset.BOTH):
            buttons.append(self.button(label, reset, kind))
            if self.rules.quads_reset is QuadsReset.BOTH and not buttons[1].reason:
                return buttons[1:]  # it resets with the flag or without it
        elif self.rules.quads_reset is QuadsReset.ONE:
            buttons += [
                self.button(label, {**reset, "reset_seat": seat}, kind)
                for seat in range(self.state.seats)
                if self.state.plays(seat)
            ]
        return buttons

    def worth(self, what: Mapping[str, Any]) -> str:
        """Return what a button gives and takes, from a dry step of the engine: "+5", "wins"."""
        other = what.get("breaker", what.get("reset_seat"))
        found = worth(self.state, entry_from_json({**what, "seat": 1 if other == 0 else 0}))
        one = what.get("reset_seat")
        return worth_text(found, lang(), zeroed="" if one is None else short_names(self.names)[one])

    def nobody(self) -> Button:
        what = {"kind": "none", "phase": self.state.phase}
        return Button(_("Nobody, or equal hands"), what, who=False, kind="nobody")

    def chicago(self, *, blind: bool = False) -> tuple[Button, ...]:
        flag = {"blind": True} if blind else {}
        won = {"kind": "chicago", "won": True, **flag}
        lost = {"kind": "chicago", "won": False, **flag}
        buttons = [self.button(_("Yes, all five"), won, "won")]
        if blind:
            deuce = {**won, "deuce": True}
            label = _("Yes, the last with a deuce")
            buttons.append(self.button(label, deuce, "won"))
        for seat, name in enumerate(short_names(self.names)):
            if self.state.plays(seat):
                broken = {**lost, "breaker": seat}
                label = _("Broken by %(name)s") % {"name": name}
                buttons.append(self.button(label, broken, "broken"))
        buttons.append(self.button(_("Given up"), lost, "broken"))
        return tuple(buttons)

    def button(self, label: str, what: Mapping[str, Any], kind: str = "") -> Button:
        """Return a button with its worth, and the reason for each seat for which it is illegal."""
        reasons = {
            str(seat): reason
            for seat in range(self.state.seats)
            if (reason := self.why({**what, "seat": seat}))
        }
        everywhere = ""
        playing = [str(seat) for seat in range(self.state.seats) if self.state.status[seat] == IN]
        if all(seat in reasons for seat in playing):
            everywhere = reasons[playing[0]] if playing else ""
        return Button(label, what, True, self.worth(what), kind, reasons, everywhere)

    def why(self, document: Mapping[str, Any]) -> str:
        try:
            problem = why_not(self.state, entry_from_json(document))
        except EntryError as error:
            problem = error.problem
        return say(problem, lang(), self.names) if problem else ""


__all__ = ["Button", "Panel", "Question", "question_of"]
