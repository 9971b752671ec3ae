"""Who has accepted which game of a table, who still has to, and open objections."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.utils.translation import gettext as _

from ..enums import Acceptance, AcceptedBy, SheetStatus
from ..errors import ScoringError
from ..host import host
from ..models import AskedOften, Blank, GameAcceptance, Objection, Sheet, Table
from ..models.author import is_account

#: Policies that ask the players at the table.
_ASKED = (Acceptance.ONE, Acceptance.MAJORITY, Acceptance.ALL)


@dataclass(frozen=True, slots=True)
class Word:
    """One player's acceptance of one game; ``at`` is ``None`` until it is given."""

    player_id: str
    name: str
    at: datetime | None = None
    means: str = ""

    @property
    def how(self) -> str:
        """How the player accepted."""
        return str(AcceptedBy(self.means).label) if self.means else ""

    @property
    def is_late(self) -> bool:
        """Whether the PIN was chosen after the first deal, which is said wherever it stands."""
        return self.means == AcceptedBy.LATE_PIN


@dataclass(frozen=True, slots=True)
class AcceptedGame:
    """A finished game, and who has accepted it in its current form.

    ``words`` are those of the players who are asked, and ``needed`` is how many of these the game
    needs. ``unasked`` are the others' own: that of the Auditor, if the sign-off gives it, and what
    somebody said who has left since.
    """

    number: int
    version: int
    words: tuple[Word, ...]
    unasked: tuple[Word, ...]
    needed: int

    @property
    def accepted(self) -> tuple[Word, ...]:
        """The words of everybody who has accepted, in the order given."""
        given = [word for word in (*self.words, *self.unasked) if word.at]
        return tuple(sorted(given, key=lambda word: (word.at, word.player_id)))

    @property
    def missing(self) -> tuple[Word, ...]:
        """The words of players who are asked and have not answered."""
        return tuple(word for word in self.words if word.at is None)

    @property
    def lacks(self) -> int:
        """How many more acceptances are needed."""
        return max(0, self.needed - (len(self.words) - len(self.missing)))


@dataclass(frozen=True, slots=True)
class ObjectionRow:
    """An objection for display; ``answer`` is the director's."""

    pk: int
    client_id: UUID
    game: int
    deal: int
    player_id: str
    name: str
    text: str
    at: datetime
    answered_at: datetime | None = None
    answer: str = ""
    withdrawn: bool = False

    @property
    def open(self) -> bool:
        """Whether it waits for the director."""
        return self.answered_at is None

    @property
    def sentence(self) -> str:
        """A sentence saying who objects to what."""
        return _("%(name)s objects to deal %(deal)s of game %(game)s.") % {
            "name": self.name,
            "deal": self.deal,
            "game": self.game,
        }

    @property
    def ending(self) -> str:
        """A sentence saying how it ended."""
        if self.withdrawn:
            return _("%(name)s has taken back the objection.") % {"name": self.name}
        words = {"name": self.name, "answer": self.answer}
        return _("Answer to the objection of %(name)s: %(answer)s") % words


@dataclass(frozen=True, slots=True)
class Asked:
    """One player and the games to accept; none if the player has accepted all, last at ``at``.

    ``objects`` is whether an objection of the player's own to one of them is open, until when they
    accept nothing.
    """

    player_id: str
    name: str
    with_pin: bool
    games: tuple[AcceptedGame, ...]
    objects: bool = False
    at: datetime | None = None

    @property
    def seen(self) -> str:
        """The games in the versions shown: ``1:34 2:40``."""
        return " ".join(f"{game.number}:{game.version}" for game in self.games)

    @property
    def numbers(self) -> str:
        """The games' numbers."""
        return ", ".join(str(game.number) for game in self.games)

    @property
    def by_pin(self) -> bool:
        """Whether the player can accept here, with the PIN."""
        return self.with_pin and bool(self.games) and not self.objects

    @property
    def sentence(self) -> str:
        """When or where a player accepts who cannot do so here."""
        if self.objects:
            text = _(
                "%(name)s, game %(numbers)s: once the objection has been answered or taken back"
            )
        else:
            text = _("%(name)s, game %(numbers)s: on their own page")
        return text % {"name": self.name, "numbers": self.numbers}


@dataclass(frozen=True, slots=True)
class TableAcceptance:
    """What the players of a table have said about its sheets."""

    policy: str
    games: tuple[AcceptedGame, ...]
    objections: tuple[ObjectionRow, ...]
    pins: frozenset[str]
    #: Why the director signed off despite something open.
    protest: str = ""
    #: When a director signed off, if not the table itself.
    by_director_at: datetime | None = None
    #: Whether a Flip Flop is to be played first; until then nobody is asked.
    tied: bool = False

    @property
    def asks(self) -> bool:
        """Whether the players at the table are asked at all."""
        return self.policy in _ASKED

    @property
    def open_objections(self) -> tuple[ObjectionRow, ...]:
        """The objections that wait for the director."""
        return tuple(row for row in self.objections if row.open)

    @property
    def asked(self) -> tuple[Asked, ...]:
        """The players asked now, each with the games in question, in seat order.

        Whoever has accepted keeps a place among them until all have.
        """
        games: dict[str, list[AcceptedGame]] = {}
        words: dict[str, Word] = {}
        for game in self.games if self.asks and not self.tied else ():
            for word in game.words:
                words[word.player_id] = word
                missing = games.setdefault(word.player_id, [])
                if word.at is None:
                    missing.append(game)
        if not any(games.values()):
            return ()
        objects = {(row.player_id, row.game) for row in self.open_objections}
        return tuple(
            Asked(
                player_id,
                words[player_id].name,
                player_id in self.pins,
                tuple(found),
                objects=any((player_id, game.number) in objects for game in found),
                at=words[player_id].at,
            )
            for player_id, found in games.items()
        )

    @property
    def heard(self) -> frozenset[str]:
        """The players who have accepted a game."""
        return frozenset(word.player_id for game in self.games for word in game.accepted)

    @property
    def complete(self) -> bool:
        """Whether every finished game has all the words it needs."""
        return not any(game.lacks for game in self.games)

    @property
    def waits_for(self) -> str:
        """What the sign-off is waiting for, as a sentence; empty if nothing."""
        lacking = [game for game in self.games if game.lacks]
        if self.tied or not lacking:
            return ""
        names = dict.fromkeys(word.name for game in lacking for word in game.missing)
        if self.policy == Acceptance.ALL:
            return _("Not accepted yet: %(names)s.") % {"names": ", ".join(names)}
        return _("%(count)s more of these must accept: %(names)s.") % {
            "count": max(game.lacks for game in lacking),
            "names": ", ".join(names),
        }

    @property
    def waits_offline(self) -> str:
        """Why the end of the last game cannot be signed off offline; empty if it can."""
        if self.policy == Acceptance.DIRECTOR:
            return ScoringError("only_director_signs").message()
        return _("The others accept first, when the network is back.") if self.asks else ""

    def of(self, player_id: str) -> Asked | None:
        """Return what one player is asked."""
        asked = (each for each in self.asked if each.games)
        return next((each for each in asked if each.player_id == player_id), None)


#: For a table without a director to answer objections.
NO_ACCEPTANCE = TableAcceptance(Acceptance.AUDITOR, (), (), frozenset())


def first_deal(sheets: Iterable[Sheet]) -> bool:
    """Return whether the table's first deal is still being played."""
    return all(
        sheet.status == SheetStatus.WAITING
        or (sheet.status == SheetStatus.RUNNING and not sheet.state["deal"] and sheet.number == 1)
        for sheet in sheets
    )


def asked_of(sheet: Sheet, others: Collection[str]) -> list[str]:
    """Return the players asked about a sheet: all but these ``others`` and the disqualified."""
    return [
        player_id
        for player_id, status in zip(sheet.seats, sheet.state["status"], strict=True)
        if player_id not in others and status != "disqualified"
    ]


def gone_from(table: Table) -> set[str]:
    """Return the players who have left the table: they are asked nothing."""
    return {*table.absent, *host().gone(table.pk)}


def in_hand(sheets: Iterable[Sheet]) -> Sheet | None:
    """Return the sheet whose device signs off: the last one begun, unless it is void."""
    begun = {SheetStatus.RUNNING, SheetStatus.FINISHED}
    return max(
        (sheet for sheet in sheets if sheet.status in begun),
        key=lambda sheet: sheet.number,
        default=None,
    )


def signing_auditor(table: Table, sheets: Iterable[Sheet]) -> str:
    """Return the Auditor if a tap on *Sign off* is the Auditor's own word, else an empty string.

    It is tapped on the device with the lease. If that is not the Auditor's, or no device has it,
    the Auditor is asked like the others.
    """
    sheet = in_hand(sheets)
    if not table.auditor or sheet is None:
        return ""
    return table.auditor if host().is_auditors(table.pk, sheet.lease_device) else ""


def needed(policy: str, asked: Collection[str], *, keeper: bool = False) -> int:
    """Return how many of the players asked must accept a game.

    ``keeper``: whoever keeps the score is one of them; as it is not known who, one more must.
    """
    one_more = 1 if keeper and asked else 0
    others = len(asked) - one_more
    if policy == Acceptance.ALL:
        return len(asked)
    if policy == Acceptance.MAJORITY:
        return (others // 2 + 1 if others else 0) + one_more
    return min(1, others) + one_more if policy == Acceptance.ONE else 0


_SAID = AskedOften(lambda: GameAcceptance.objects.filter(sheet__in=Blank(several=True)))
_OBJECTIONS = AskedOften(
    lambda: (
        Objection.objects.filter(sheet__in=Blank(several=True))
        .select_related("answer")
        .order_by("pk")
    )
)


def acceptance_of(
    table: Table,
    sheets: Iterable[Sheet],
    names: Mapping[str, str],
    text: Callable[[str], str] = str,
    *,
    policy: str | None = None,
) -> TableAcceptance:
    """Return what was said about these sheets of a table (two queries and the host's).

    ``text`` is applied to typed text. The host is asked for the ``policy`` unless it is given.
    """
    sheets = [sheet for sheet in sheets if sheet.status != SheetStatus.VOID]
    policy = host().acceptance(table.pk) if policy is None else policy
    finished = [sheet for sheet in sheets if sheet.status == SheetStatus.FINISHED]
    rows: dict[tuple[int, str, str], GameAcceptance] = {
        (row.sheet_id, row.player, row.chain): row
        for row in _SAID.rows([sheet.pk for sheet in finished])
    }

    def word(sheet: Sheet, player_id: str) -> Word:
        row = rows.get((sheet.pk, player_id, sheet.chain))
        name = names.get(player_id, player_id)
        return Word(player_id, name, row.created_at, row.means) if row else Word(player_id, name)

    # Whose device it is matters only while somebody is asked.
    asks = policy in _ASKED and finished and table.signed_at is None
    auditor = signing_auditor(table, sheets) if asks else table.auditor
    gone = gone_from(table) if asks else set(table.absent)
    games = []
    for sheet in finished:
        asked = asked_of(sheet, {auditor, *gone})
        unasked = [player_id for player_id in sheet.seats if player_id not in asked]
        games.append(
            AcceptedGame(
                number=sheet.number,
                version=sheet.version,
                words=tuple(word(sheet, player_id) for player_id in asked),
                unasked=tuple(word(sheet, player_id) for player_id in unasked),
                needed=needed(policy, asked, keeper=not auditor or auditor in gone),
            )
        )
    pins = host().with_pin(table.pk) if policy in _ASKED else ()
    return TableAcceptance(
        policy,
        tuple(games),
        tuple(objections_of(table, sheets, names, text)),
        frozenset(pins),
        text(table.protest or ""),
        table.signed_at if is_account(table.signed_by) else None,
    )


def objections_of(
    table: Table,
    sheets: Sequence[Sheet],
    names: Mapping[str, str],
    text: Callable[[str], str] = str,
) -> list[ObjectionRow]:
    """Return the objections to these sheets of a table, oldest first (one query)."""
    by_key = {sheet.pk: sheet for sheet in sheets}
    rows = _OBJECTIONS.rows(list(by_key))
    for row in rows:
        row.sheet = by_key[row.sheet_id]
    return [objection_row(row, names, text) for row in rows]


def objection_row(
    row: Objection, names: Mapping[str, str], text: Callable[[str], str] = str
) -> ObjectionRow:
    """Return an objection, read with its sheet and its answer, for display."""
    answer = getattr(row, "answer", None)
    return ObjectionRow(
        pk=row.pk,
        client_id=row.client_id,
        game=row.sheet.number,
        deal=row.deal,
        player_id=row.player,
        name=names.get(row.player, row.player),
        text=text(row.text),
        at=row.created_at,
        answered_at=answer.created_at if answer else None,
        answer=text(answer.reason) if answer else "",
        withdrawn=answer.withdrawn if answer else False,
    )


def check_shape(pin: str) -> None:
    """Raise ``bad_pin`` unless the PIN has four digits that are not all equal."""
    if not (len(pin) == 4 and pin.isascii() and pin.isdigit()) or len(set(pin)) == 1:
        raise ScoringError("bad_pin")
