"""The refusals of scoring, each with a stable code and a sentence for people.

``str(error)`` is English, for logs; :meth:`ScoringError.message` uses the reader's language.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils import translation
from django.utils.translation import gettext_lazy as _

from engine.errors import Problem
from engine.messages import loss_text, say
from engine.sheet.losses import Loss

#: code -> sentence, with ``%`` parameters.
SENTENCES: dict[str, Any] = {
    "conflict": _("Somebody else wrote on this sheet meanwhile. Check it and enter yours again."),
    "needs_confirmation": _("This is unusual. Check it once more."),
    "lease_taken": _("Another device is keeping the score of this table."),
    "unknown_entry": _("There is no such line on this sheet."),
    "nothing_to_take_back": _("There is nothing to take back on this sheet."),
    "entry_gone": _("This line is no longer on the sheet. Look at the sheet again."),
    "already_void": _("This line has already been taken back."),
    "built_on": _("A later correction has changed the same lines. Take that one back first."),
    "later_entries": _("Later lines would then be impossible: %(entries)s."),
    "would_reopen": _(
        "After this the game would not be over, but a later game of the table has begun. "
        "Add a ruling that ends the game."
    ),
    "client_id_reused": _("This line has been sent before, with other contents."),
    "already_chosen": _(
        "Another choice had been carried out already: the sheet shows it. What is wrong in it can "
        "be mended line by line."
    ),
    "not_running": _("Nothing can be written on this sheet: it is %(status)s."),
    "illegal_move": _("A sheet that is %(from)s cannot become %(to)s."),
    "game_running": _("A game of this table is still running."),
    "games_unfinished": _("Not all games of this table are finished."),
    "needs_flip_flop": _("There is a tie. Enter the Flip Flop first."),
    "game_order": _("An earlier game of this table has not been entered yet."),
    "totals_disqualified": _("Somebody is disqualified here. Enter this sheet deal by deal."),
    "not_from_paper": _("This game was not entered from paper, or is not finished."),
    "same_person": _("Whoever entered a game cannot also compare it. Let somebody else do it."),
    "paper_unchecked": _(
        "Game %(game)s was entered from paper; let a second person compare it first."
    ),
    "game_void": _("Game %(game)s was declared void and has not been begun."),
    "no_more_games": _("All games of this table have been played."),
    "time_is_up": _("Time is up: no further game is begun. The director ends the heat."),
    "has_entries": _("The new game has already begun."),
    "sheet_full": _(
        "This sheet has %(most)s lines and takes no more. Go on with a new table; at an event, "
        "call the director."
    ),
    "ruling_only_director": _("Only the tournament director enters rulings and takes them back."),
    "signed_off": _("The table has signed off its results; only the director may correct them."),
    "not_a_tie": _("Enter the order of exactly the players who are tied."),
    "twice_in_order": _("The same player is named twice. Give each of them one place."),
    "bad_table": _("A table needs 2 to %(most)s different players and 1 to 20 games."),
    "bad_overrides": _("These game points do not fit the rule for players who are out."),
    "bad_seats": _("Every player of the table needs exactly one seat."),
    "other_seats": _(
        "On the server the players sit differently from when this was written. "
        "First put the seats back as they were."
    ),
    "unknown_player": _("This player does not sit at the table."),
    "nobody_plays": _("Nobody would be left to play. Pause the clock, or end the heat."),
    "flip_flop_recorded": _("A Flip Flop has been recorded; the players can no longer change."),
    "penalty_recorded": _(
        "A player has a penalty in game points. Take it back first, and give it again afterwards."
    ),
    "bad_penalty": _("A penalty takes a whole number of twelfths of a game point, at least one."),
    "missing_reason": _("Enter a reason."),
    "call_open": _("The director has been called. Wait for the answer before you sign off."),
    "objection_open": _("An objection is open. The director answers it before the sign-off."),
    "not_accepted": _("The other players have not accepted yet: %(players)s."),
    "only_director_signs": _("At this event the director signs the tables off."),
    "not_finished": _("This game is not finished; there is nothing to accept yet."),
    "own_objection": _("Your own objection is open. Take it back, or wait for the answer."),
    "no_such_deal": _("This deal has not been played."),
    "no_such_objection": _("There is no such objection at this table."),
    "answered": _("This objection has been answered already."),
    "wrong_pin": _("This is not the PIN of %(player)s."),
    "too_many_pins": _("Too many wrong PINs. Accept on your own page, or wait ten minutes."),
    "no_pin": _("This player has no PIN. Accept on your own page."),
    "bad_pin": _("A PIN has four digits, and not four equal ones."),
    "pin_chosen": _("This player has a PIN already; it is changed on the player's own page."),
    "late_pin": _("Whoever has accepted a game chooses a PIN on their own page."),
    "pin_elsewhere": _(
        "After the first deal a PIN is chosen on another phone than the one that keeps the score:"
        " on your own page, which the desk can open for you, or where you follow this table."
    ),
    "link_unknown": _("No table belongs to this link."),
    "link_revoked": _("This link is no longer valid."),
    "read_only": _("This link is for reading only."),
    "malformed": _("What was sent cannot be read."),
    "seat_first": _("Tap the player first, then what happened."),
    "refused": _("The rules do not allow this line."),
}


class ScoringError(Exception):
    """A refusal by scoring; nothing was changed.

    ``code`` is stable and a key of :data:`SENTENCES`; ``params`` fill in the sentence.
    """

    def __init__(self, code: str, **params: object) -> None:
        super().__init__(code)
        self.code = code
        self.params: dict[str, object] = params

    def message(self, lang: str | None = None, names: Sequence[str] | None = None) -> str:
        """Return the sentence in ``lang`` (default: the active language)."""
        with translation.override(lang or translation.get_language() or "en"):
            text = str(SENTENCES[self.code])
            return text % {key: str(value) for key, value in self.params.items()}

    def __str__(self) -> str:
        return self.message("en")

    def as_json(
        self, lang: str | None = None, names: Sequence[str] | None = None
    ) -> dict[str, Any]:
        """Return the problem as a document for HTTP answers."""
        return {"code": self.code, "severity": "error", "message": self.message(lang, names)}


class SheetConflict(ScoringError):
    """The sheet has changed since the writer saw it; the error holds its current version."""

    def __init__(self, *, seen: int | None, version: int, state: Mapping[str, Any]) -> None:
        super().__init__("conflict", seen=seen, version=version)
        self.seen = seen
        self.version = version
        self.state = state


class LeaseTaken(ScoringError):
    """Another device is writing on this sheet; ``take_lease`` takes over from it."""

    def __init__(self, *, holder: str, since: object) -> None:
        super().__init__("lease_taken", holder=holder, since=since)
        self.holder = holder
        self.since = since


class IllegalEntry(ScoringError):
    """The rules do not allow the entry; ``problem`` is the engine's."""

    def __init__(self, problem: Problem) -> None:
        super().__init__("refused")
        self.problem = problem

    def message(self, lang: str | None = None, names: Sequence[str] | None = None) -> str:
        """Return the engine's sentence with the players' names."""
        return say(self.problem, lang or translation.get_language() or "", names)

    def as_json(
        self, lang: str | None = None, names: Sequence[str] | None = None
    ) -> dict[str, Any]:
        """Return the engine's problem with its sentence in the reader's language."""
        return {**self.problem.as_json(), "message": self.message(lang, names)}


class ImpossibleTotals(ScoringError):
    """No game can end with these totals; ``problems`` are the engine's, one per seat."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__("refused")
        self.problems = tuple(problems)

    def message(self, lang: str | None = None, names: Sequence[str] | None = None) -> str:
        """Return the engine's sentences with the players' names."""
        lang = lang or translation.get_language() or ""
        return " ".join(say(problem, lang, names) for problem in self.problems)


class NeedsConfirmation(ScoringError):
    """The engine warns, or a seat is set to 0 or loses much: ``confirmed=True`` is accepted."""

    def __init__(
        self, warnings: Sequence[Problem] = (), lost: Sequence[Loss] = (), target: int = 0
    ) -> None:
        super().__init__("needs_confirmation")
        self.warnings = tuple(warnings)
        self.lost = tuple(lost)
        self.target = target

    def message(self, lang: str | None = None, names: Sequence[str] | None = None) -> str:
        """Return the sentences of the warnings, and who loses what."""
        lang = lang or translation.get_language() or ""
        found = [say(warning, lang, names) for warning in self.warnings]
        return " ".join([*found, loss_text(self.lost, self.target, lang, names)]).strip()

    def as_json(
        self, lang: str | None = None, names: Sequence[str] | None = None
    ) -> dict[str, Any]:
        """Return the code with the engine's warnings."""
        return {
            **super().as_json(lang, names),
            "warnings": [
                {**w.as_json(), "message": say(w, lang or "en", names)} for w in self.warnings
            ],
        }


ENDS_GAME = _("The game ends here for everybody: the scores decide.")


class EndsGame(NeedsConfirmation):
    """An Auditor is about to end the game; the same entry with ``confirmed=True`` is accepted."""

    def message(self, lang: str | None = None, names: Sequence[str] | None = None) -> str:
        """Return what ending the game means."""
        return str(ENDS_GAME)


class LaterEntries(ScoringError):
    """A correction would make later entries illegal; ``sequences`` lists them."""

    def __init__(self, problems: Mapping[int, Problem]) -> None:
        super().__init__("later_entries", entries=", ".join(f"#{number}" for number in problems))
        self.problems = dict(problems)
        self.sequences = tuple(problems)
