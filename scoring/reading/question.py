"""What the Auditor is asked next, and why a button is grey.

A question is a list of panels; a panel is a list of buttons. A button carries the entry it
writes, without the seat that the Auditor picks on the board. Whether it may be pressed for a
seat is never decided here: the engine is asked, and its sentence is what the reader sees.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.utils.translation import gettext as _

from engine.cards.categories import SCORING, Category
from engine.errors import EntryError
from engine.messages import SUITS, entry_text, say, signed
from engine.rules.ruleset import FlushEffect, QuadsReset, RuleSet
from engine.sheet.entries import entry_from_json
from engine.sheet.sheet import why_not, worth
from engine.sheet.state import CHICAGO_HAND, EXCHANGE, IN, TRICKS, State
from scoring.errors import ENDS_GAME
from scoring.reading.words import category_label, lang, short_names
from scoring.reasons import FOLD, coded


@dataclass(frozen=True, slots=True)
class Button:
    """One thing that can be said. ``who`` is true where a seat has to be picked for it.

    ``reasons`` holds, by seat (as text), the engine's sentence for each seat that it is illegal
    for; ``reason`` is set where it is illegal whoever is picked. ``sure`` is what the Auditor is
    asked before it is written, where the engine has nothing to warn of.
    """

    label: str
    what: Mapping[str, Any]
    who: bool = True
    points: str = ""
    kind: str = ""
    reasons: Mapping[str, str] = field(default_factory=dict)
    reason: str = ""
    sure: str = ""

    @property
    def value(self) -> str:
        """The entry without its seat, as the form sends it."""
        return json.dumps(self.what, separators=(",", ":"))

    @property
    def reasons_json(self) -> str:
        """The reasons for the page's script."""
        return json.dumps(self.reasons, ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class Panel:
    """Buttons that belong together; ``folded`` ones are rare and open on request."""

    key: str
    title: str
    buttons: tuple[Button, ...]
    folded: bool = False
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    """One question: its title and its panels, the first one being the question itself.

    ``step`` is ``hand``, ``chicago`` or ``trick``; ``skip`` the step that "no" leads to and
    ``back`` the one before. ``order`` holds the seats in the order of asking, if that matters.
    ``final`` is true after the tricks, ``hidden`` for the one of two questions that is not being
    asked yet.
    """

    step: str
    title: str
    panels: tuple[Panel, ...]
    skip: str = ""
    back: str = ""
    order: tuple[int, ...] = ()
    hidden: bool = False
    final: bool = False

    @property
    def main(self) -> Panel:
        """The buttons that answer the question."""
        return self.panels[0]

    @property
    def folded(self) -> tuple[Panel, ...]:
        """The rare buttons around it."""
        return self.panels[1:]

    def off(self, seat: int) -> str:
        """Return why a seat is grey: the engine's reason, if no button is left for it."""
        buttons = [button for button in self.main.buttons if button.who]
        if not buttons or any(str(seat) not in button.reasons for button in buttons):
            return ""
        return buttons[0].reasons[str(seat)]


def questions_of(
    state: State, names: Sequence[str], step: str = "", *, directed: bool = True
) -> tuple[Question, ...]:
    """Return what to ask in this state; nothing when the game is over.

    Before the tricks there are two questions, "Chicago?" and then the last trick; both are
    given so that going on needs no network. ``step`` chooses the one that is asked. Where no
    director looks after the table (``directed`` false), its Auditor may end the game.
    """
    if state.finished:
        return ()
    asker = _Asker(state, names, directed)
    if state.stage == EXCHANGE:
        return (asker.exchange(),)
    if state.stage == TRICKS:
        chicago = asker.chicago()
        if all(button.reason for button in chicago):
            return (asker.ask_trick(back=""),)
        trick_first = step == "trick"
        return (
            replace(asker.ask_chicago(chicago), hidden=trick_first),
            replace(asker.ask_trick(back="chicago"), hidden=not trick_first),
        )
    return (asker.final_hand(),)


def every_question(
    state: State, names: Sequence[str], *, directed: bool = True
) -> tuple[Question, ...]:
    """Return what could be asked at this point of a deal; "Chicago?" always comes first."""
    if state.stage == TRICKS:
        asker = _Asker(state, names, directed)
        return (
            asker.ask_chicago(asker.chicago()),
            replace(asker.ask_trick(back="chicago"), hidden=True),
        )
    return questions_of(state, names, directed=directed)


class _Asker:
    """Builds the panels for one state."""

    def __init__(self, state: State, names: Sequence[str], directed: bool) -> None:
        self.directed = directed
        self.state = state
        self.names = names
        self.rules: RuleSet = state.rules

    # -------------------------------------------------------------- questions

    def exchange(self) -> Question:
        phase = self.state.phase
        title = _("Who has the best hand?")
        panels = [Panel("hands", title, (self.nobody(), *self.hands()))]
        if self.rules.blind_chicago and phase == 1:
            blind = self.chicago(blind=True)
            if any(not button.reason for button in blind):
                panels.append(Panel("blind", _("Blind Chicago?"), blind, folded=True))
        return Question("hand", title, (*panels, *self.wrong()))

    def ask_chicago(self, buttons: tuple[Button, ...]) -> Question:
        panels = [Panel("chicago", _("All five tricks?"), buttons)]
        return Question(
            "chicago",
            _("Does anybody play Chicago?"),
            (*panels, *self.shown(), *self.wrong()),
            skip="trick",
            order=self.order(),
        )

    def ask_trick(self, back: str) -> Question:
        what = {"kind": "last_trick"}
        buttons = [self.button(entry_text(what, lang()), what, self.worth(what))]
        with_deuce = {**what, "deuce": True}
        if (points := self.worth(with_deuce)) != buttons[0].points:
            buttons.append(self.button(_("with a deuce"), with_deuce, points))
        title = _("Who took the last trick?")
        panel = Panel("trick", title, tuple(buttons))
        return Question("trick", title, (panel, *self.shown(), *self.wrong()), back=back)

    def final_hand(self) -> Question:
        after_chicago = self.state.stage == CHICAGO_HAND
        title = (
            _("Who has the best hand after the Chicago?")
            if after_chicago
            else _("Who has the best hand at the end?")
        )
        panel = Panel("hands", title, (self.nobody(), *self.hands()))
        return Question("hand", title, (panel, *self.wrong()), final=True)

    # ---------------------------------------------------------------- panels

    def order(self) -> tuple[int, ...]:
        """The seats in the order in which they are asked, from the forehand on."""
        seats = self.state.seats
        turn = [(self.state.dealer + step) % seats for step in range(1, seats + 1)]
        return tuple(seat for seat in turn if self.state.plays(seat))

    def shown(self) -> tuple[Panel, ...]:
        """Hands that win, end the deal or reset, shown before the tricks: rare, so folded."""
        if self.state.stage != TRICKS:
            return ()
        buttons = tuple(button for button in self.hands() if not button.reason)
        if not buttons:
            return ()
        title = _("Somebody shows a hand before the tricks?")
        return (Panel("shown", title, buttons, folded=True),)

    def wrong(self) -> tuple[Panel, ...]:
        """What can go wrong at the table, where the rule set knows it."""
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
            title = _("Somebody folds, or the shot clock ran out")
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
        effect = self.rules.flush_effect(category)
        if category is Category.ROYAL_FLUSH and self.rules.royal_hearts_only:
            return [
                self.button(
                    f"{label} {SUITS[suit]}",
                    {**what, "suit": suit},
                    _("wins")
                    if self.rules.flush_effect(category, suit) is FlushEffect.BECOMES
                    else self.worth({**what, "suit": suit}),
                    f"{category.key} decisive" if suit == "H" else category.key,
                )
                for suit in SUITS
            ]
        kind = f"{category.key} decisive" if self.rules.wins_at_once(category) else category.key
        wins = effect in (FlushEffect.BECOMES, FlushEffect.WINS)
        quads = category is Category.FOUR_OF_A_KIND
        lifts = effect is FlushEffect.LIFT or (quads and self.rules.quads_lift)
        lifted = _("to %(target)d") % {"target": self.rules.target} if lifts else ""
        points = _("wins") if wins else lifted or self.worth(what)
        buttons = [self.button(label, what, points, kind)]
        if quads and self.rules.quads_reset in (QuadsReset.CHOICE, QuadsReset.BOTH):
            what = {**what, "reset": True}
            text = _("others to 0")
            if points := lifted or self.worth(what):
                text = _("%(points)s and others to 0") % {"points": points}
            reset = self.button(label, what, text, "reset decisive")
            if self.rules.quads_reset is QuadsReset.BOTH and not reset.reason:
                return [reset]  # said with it or without, it resets
            buttons.append(reset)
        if quads and self.rules.quads_reset is QuadsReset.ONE:
            for seat, name in enumerate(short_names(self.names)):
                if self.state.plays(seat):
                    one = {**what, "reset": True, "reset_seat": seat}
                    text = _("%(name)s to 0") % {"name": name}
                    if lifted:
                        text = f"{lifted}, {text}"
                    buttons.append(self.button(label, one, text, "reset decisive"))
        return buttons

    def worth(self, what: Mapping[str, Any]) -> str:
        """Return what a button gives and takes, as the engine says it: "+5", "−15 / +10"."""
        seat = 1 if what.get("breaker") == 0 else 0
        gains = worth(self.state, entry_from_json({**what, "seat": seat}))
        return " / ".join(map(signed, gains.values()))

    def nobody(self) -> Button:
        what = {"kind": "none", "phase": self.state.phase}
        return Button(_("Nobody, or equal hands"), what, who=False, kind="nobody")

    def chicago(self, *, blind: bool = False) -> tuple[Button, ...]:
        flag = {"blind": True} if blind else {}
        won = {"kind": "chicago", "won": True, **flag}
        lost = {"kind": "chicago", "won": False, **flag}
        buttons = [self.button(_("Yes, all five"), won, self.worth(won), "won")]
        if blind:
            deuce = {**won, "deuce": True}
            label = _("Yes, the last with a deuce")
            buttons.append(self.button(label, deuce, self.worth(deuce), "won"))
        for seat, name in enumerate(short_names(self.names)):
            if self.state.plays(seat):
                broken = {**lost, "breaker": seat}
                label = _("Broken by %(name)s") % {"name": name}
                buttons.append(self.button(label, broken, self.worth(broken), "broken"))
        buttons.append(self.button(_("Given up"), lost, self.worth(lost), "broken"))
        return tuple(buttons)

    def button(
        self, label: str, what: Mapping[str, Any], points: str = "", kind: str = ""
    ) -> Button:
        """Return a button with the engine's reason for every seat that it is illegal for."""
        reasons = {
            str(seat): reason
            for seat in range(self.state.seats)
            if (reason := self.why({**what, "seat": seat}))
        }
        everywhere = ""
        playing = [str(seat) for seat in range(self.state.seats) if self.state.status[seat] == IN]
        if all(seat in reasons for seat in playing):
            everywhere = reasons[playing[0]] if playing else ""
        return Button(label, what, True, points, kind, reasons, everywhere)

    def why(self, document: Mapping[str, Any]) -> str:
        try:
            problem = why_not(self.state, entry_from_json(document))
        except EntryError as error:
            problem = error.problem
        return say(problem, lang(), self.names) if problem else ""


__all__ = ["Button", "Panel", "Question", "questions_of"]
