"""What a phone's taps do: each is a transaction of its own, carried out once.

A tap names the line that it follows. Nothing is written where the table itself has gone on
elsewhere meanwhile (``conflict``); what others wrote, such as a ruling, is none while the tap still
fits the same deal, phase and seating. A server that lacks the line that a tap follows, because it
was restored or made anew, takes the tap where it fits.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import transaction

from ..enums import RowKind, SheetStatus
from ..errors import EndsGame, LeaseTaken, ScoringError, SheetConflict
from ..host import host
from ..models import Author, Link, Sheet, SheetEntry, author_text
from ..models.author import is_account
from ..reading.log import Held, is_tables, rows_after
from ..reading.merge import Take, Tap
from ..reading.names import names_of
from ..reading.ranking import draw_lots
from ..reading.recover import position_of, seatings_of
from ..reading.rows import is_dealt, later_begun
from ..reading.tables import current_sheet
from ..reasons import coded, may_be_sent, needs_director, with_words
from .absence import fold_now
from .acceptance import accept_with_pin, choose_pin, object_to_deal, sign_off
from .chicago import declare_chicago
from .correct import correct_entry
from .lease import take_lease
from .merge import settle_waiting
from .players import confirm_seats
from .tables import call_td, clear_call, open_next_sheet, record_flip_flop, return_to_previous
from .write import WriteResult, write_entry

#: How often a tap is tried again that somebody else's write was quicker than.
_TRIES = 3


@dataclass(frozen=True, slots=True)
class SentTap:
    """One tap as a phone sends it.

    ``act`` says what was tapped, ``about`` holds what only that act needs. ``game``, ``position``
    (deal, stage, phase) and ``seating`` say where; ``follows`` is the line before it. ``waited``:
    it could not be sent at once. ``kept``: the server had taken it once and has lost it since;
    then ``away`` are the seats that folded the deal, called away by the floor.
    """

    client_id: uuid.UUID
    act: str
    at: datetime
    about: Mapping[str, Any] = field(default_factory=dict)
    game: int = 0
    position: tuple[int, str, int] | None = None
    seating: str = ""
    follows: uuid.UUID | None = None
    waited: bool = False
    kept: bool = False
    away: tuple[int, ...] = ()
    names: tuple[str, ...] = ()


@dataclass(slots=True)
class Done:
    """What became of the taps of one call.

    ``took`` are those that count now, ``refused`` is the first that was not taken, with its reason;
    those that build on it were not tried. ``results`` are the answers of the entries written now.
    """

    took: list[uuid.UUID] = field(default_factory=list)
    refused: SentTap | None = None
    error: ScoringError | None = None
    results: list[WriteResult] = field(default_factory=list)
    #: Acts carried out, as long as all of them were new entries; what else was done may show.
    plain: bool = True


#: What never waits for anything: who is called comes, whatever becomes of the lines.
URGENT = frozenset({"call", "uncall"})
#: What waits as lines of a game, about which a person can choose after a conflict.
LINES = frozenset({"entry", "back"})
#: What may be asked of a link that only reads.
READERS = frozenset({"call", "uncall", "accept", "pin", "object"})


def carry_out(
    *,
    link: Link,
    sheets: Sequence[Sheet],
    held: Mapping[int, Held],
    device: str,
    user: Author | None,
    taps: Sequence[SentTap],
    take: str = "",
) -> Done:
    """Carry out a phone's taps in order; the first refusal stops those that build on it.

    ``sheets`` are the table's (:func:`scoring.reading.log.sheets_now`), as they were before;
    ``held`` is what the phone has of each game.
    ``take`` is a person's choice after a conflict: what becomes of the lines that the first tap
    begins.
    """
    table = _Table(link, sheets, held, device, user)
    done = Done()
    rest = [tap for tap in taps if tap.act not in URGENT]
    for tap in taps:
        if tap.act in URGENT:
            _attempt(done, tap, lambda tap=tap: table.act(tap))  # type: ignore[misc]
    # A call that is refused holds up nothing either.
    calls_refused = done.refused, done.error
    done.refused = done.error = None
    chosen = [tap for tap in rest if tap.game == rest[0].game and tap.act in LINES]
    if take and chosen:
        done.plain = False
        if not _attempt_choice(table, done, chosen, Take(take)):
            return done
        rest = [tap for tap in rest if tap not in chosen]
    for tap in rest:
        if not _attempt(done, tap, lambda tap=tap: table.act(tap)):  # type: ignore[misc]
            return done
    if done.error is None:
        done.refused, done.error = calls_refused
    return done


def _attempt(done: Done, tap: SentTap, act: Callable[[], WriteResult | None]) -> bool:
    for left in reversed(range(_TRIES)):
        try:
            result = act()
        except SheetConflict as error:
            # Somebody was quicker; unless that is a conflict, it fits the second time.
            if left and error.params.get("raced"):
                continue
            done.refused, done.error = tap, error
            return False
        except ScoringError as error:
            done.refused, done.error = tap, error
            return False
        break
    done.took.append(tap.client_id)
    if result is None or tap.act != "entry" or result.repeated:
        done.plain = False
    if result is not None:
        done.results.append(result)
    return True


def _attempt_choice(table: _Table, done: Done, taps: Sequence[SentTap], take: Take) -> bool:
    try:
        table.settle(taps, take)
    except ScoringError as error:
        if error.code != "already_chosen":
            done.refused, done.error = taps[0], error
            return False
        # The answer to another choice was lost: what it did is shown, and said.
        done.error = error
    done.took += [tap.client_id for tap in taps]
    return True


class _Table:
    """The table of one call: who taps, and what each act does."""

    def __init__(
        self,
        link: Link,
        sheets: Sequence[Sheet],
        held: Mapping[int, Held],
        device: str,
        user: Author | None,
    ) -> None:
        self.link = link
        self.sheets = sheets
        self.held = held
        self.pk = link.table_id
        self.device = device
        self.user = user

    def act(self, tap: SentTap) -> WriteResult | None:
        """Carry out one tap; return the answer of a written line."""
        acts: dict[str, Callable[[SentTap], WriteResult | None]] = {
            "entry": self._entry,
            "back": self._back,
            "correct": self._correct,
            "chicago": self._chicago,
            "seats": self._seats,
            "next": self._next,
            "return": self._return,
            "take": self._take,
            "call": self._call,
            "uncall": self._uncall,
            "lost": self._lost,
            "slow": self._slow,
            "sign": self._sign,
            "accept": self._accept,
            "pin": self._pin,
            "object": self._object,
            "flip": self._flip,
        }
        if tap.act not in acts:
            raise ScoringError("malformed")  # also what could not be read
        return acts[tap.act](tap)

    # ------------------------------------------------------------------------------ the sheet

    def author(self, sheet: Sheet) -> Author:
        """Return the account that keeps the score on this device (from paper), or the link."""
        mine = sheet.lease_device == self.device and is_account(sheet.lease_author)
        if mine and self.user is not None and author_text(self.user) == sheet.lease_author:
            return self.user
        return self.link

    def seen(self, number: int) -> Sheet:
        """Return a sheet as it was before the call."""
        for sheet in self.sheets:
            if sheet.number == number:
                return sheet
        raise ScoringError("malformed")

    def sheet(self, number: int) -> Sheet:
        """Return a sheet as it is now."""
        sheet = Sheet.objects.filter(table=self.pk, number=number).first()
        if sheet is None:
            raise ScoringError("malformed")
        sheet.table = self.link.table
        return sheet

    def check_lease(self) -> None:
        """Raise :class:`LeaseTaken` where another device keeps the score."""
        taken = current_sheet(self.pk)
        if taken and taken.lease_device not in {"", self.device}:
            raise LeaseTaken(holder=taken.lease_author, since=taken.lease_since)

    def place(self, tap: SentTap, sheet: Sheet) -> Sheet:
        """Return the sheet on which the tap is written; raise where it does not fit any more."""
        # The table has opened the next game, and gone back to this one.
        if tap.kept:
            sheet = self._reopened(tap, sheet)
        rows = rows_after(sheet)
        sequences = {row["client_id"]: row["sequence"] for row in rows}
        if tap.follows in sequences or tap.follows is None:
            since = sequences.get(tap.follows, 0) if tap.follows else 0
            # Whatever it was tapped on: somebody at this table has gone on from there.
            if any(is_tables(row) for row in rows if row["sequence"] > since) and not tap.kept:
                raise _conflict(sheet)
            if since == sheet.version and tap.follows is not None:
                return sheet
        if tap.seating and tap.seating not in seatings_of(sheet):
            sheet = self._sit_as_named(tap, sheet)
        if tap.position is not None and position_of(sheet.state) != tap.position:
            raise _conflict(sheet)
        return sheet

    def _reopened(self, tap: SentTap, sheet: Sheet) -> Sheet:
        if sheet.status == SheetStatus.WAITING:
            # Refused where the phone lacks the game before: it came from paper, or is void.
            return open_next_sheet(table_id=self.pk, by=self.link, number=tap.game)
        later = Sheet.objects.filter(table=self.pk, number=tap.game + 1, status=SheetStatus.RUNNING)
        if sheet.status == SheetStatus.FINISHED and any(not each.is_written for each in later):
            return return_to_previous(table_id=self.pk, number=tap.game + 1)
        return sheet

    def _sit_as_named(self, tap: SentTap, sheet: Sheet) -> Sheet:
        """Return the sheet once its players sit as the phone names them; raise ``other_seats``.

        A heat drawn again because the server has lost it has other seats.
        """
        known = {name: player_id for player_id, name in names_of(sheet.table).items()}
        seats = [known.get(name, "") for name in tap.names]
        if seats == sheet.seats:
            return sheet
        if not tap.kept or is_dealt(sheet) or sorted(seats) != sorted(sheet.seats):
            raise ScoringError("other_seats")
        confirm_seats(
            table_id=self.pk,
            seen_version=sheet.version,
            by=self.link,
            device=self.device,
            order=seats,
            game=sheet.number,
        )
        return self.sheet(sheet.number)

    def _written(self, tap: SentTap) -> bool:
        return SheetEntry.objects.filter(client_id=tap.client_id).exists()

    def _entry(self, tap: SentTap) -> WriteResult:
        entry = tap.about["entry"]
        if self.link.table.directed and needs_director(entry):
            raise ScoringError("ruling_only_director")
        if entry.get("action") == "end_game" and not tap.about.get("confirmed"):
            raise EndsGame

        def write(sheet: Sheet, follows: uuid.UUID | None = None) -> WriteResult:
            return write_entry(
                sheet_id=sheet.pk,
                client_id=tap.client_id,
                seen_version=None if follows else sheet.version,
                follows=follows,
                entry=entry,
                author=self.author(sheet),
                device=self.device,
                confirmed=tap.kept or bool(tap.about.get("confirmed")),
                careful=not tap.kept,
            )

        if not tap.kept and tap.follows:
            # Usually nobody else has written since.
            with suppress(SheetConflict):
                return write(self.seen(tap.game), tap.follows)
        return self._line(tap, self.sheet(tap.game), write)

    def _line(
        self, tap: SentTap, sheet: Sheet, write: Callable[[Sheet], WriteResult]
    ) -> WriteResult:
        """Write a tap where it fits, with the folds that followed it if it is given back."""
        if self._written(tap):
            return write(sheet)  # its first answer again
        if not tap.kept:
            try:
                sheet = self.place(tap, sheet)
            except SheetConflict:
                # The same tap, sent twice at once, may have been quicker.
                if not self._written(tap):
                    raise
            return self._raced(write, sheet)
        with transaction.atomic():
            sheet = self.place(tap, sheet)
            away = [sheet.seats[seat] for seat in tap.away if seat < len(sheet.seats)]
            fold_now(sheet, by=self.link, away=away)
            result = write(sheet)
            fold_now(sheet, by=self.link, away=away)
            return result

    def _raced(self, write: Callable[[Sheet], WriteResult], sheet: Sheet) -> WriteResult:
        try:
            return write(sheet)
        except SheetConflict as error:
            error.params["raced"] = True
            raise

    def _back(self, tap: SentTap) -> WriteResult:
        """Take back a line, the last one that counts."""
        target = tap.about.get("target")

        def write(sheet: Sheet) -> WriteResult:
            sequence = self._sequence(sheet, target) if target else None
            return correct_entry(
                kind=RowKind.VOID,
                sheet_id=sheet.pk,
                client_id=tap.client_id,
                seen_version=sheet.version,
                sequence=sequence,
                author=self.author(sheet),
                device=self.device,
            )

        return self._line(tap, self.sheet(tap.game), write)

    def _sequence(self, sheet: Sheet, target: uuid.UUID) -> int:
        """Return the number of the line with this id: it may be another on a restored server."""
        rows = SheetEntry.objects.filter(sheet=sheet, client_id=target)
        sequence = rows.values_list("sequence", flat=True).first()
        if sequence is None:
            raise ScoringError("entry_gone")
        return sequence

    def _correct(self, tap: SentTap) -> WriteResult:
        """Correct a line again that was corrected at the table: with preview, that is a page."""
        kind, entry = tap.about["kind"], tap.about.get("entry")

        def write(sheet: Sheet) -> WriteResult:
            sequence = self._sequence(sheet, tap.about["target"])
            if later_begun(sheet):
                raise ScoringError("entry_gone")
            if self.link.table.directed and entry is not None and needs_director(entry):
                raise ScoringError("ruling_only_director")
            return correct_entry(
                kind=kind,
                sheet_id=sheet.pk,
                client_id=tap.client_id,
                seen_version=sheet.version,
                sequence=sequence,
                entry=None if kind == RowKind.VOID else entry,
                author=self.author(sheet),
                device=self.device,
                reason=coded("mended_at_table"),
                with_later=bool(tap.about.get("later")),
            )

        return self._line(tap, self.sheet(tap.game), write)

    def _chicago(self, tap: SentTap) -> None:
        sheet = self.sheet(tap.game)
        with transaction.atomic():
            if tap.kept:
                sheet = self.place(tap, sheet)
            declare_chicago(
                sheet_id=sheet.pk,
                client_id=tap.client_id,
                deal=tap.position[0] if tap.position else 0,
                seat=tap.about.get("seat"),
                author=self.link,
                device=self.device,
            )

    def _seats(self, tap: SentTap) -> None:
        sheet = self.sheet(tap.game)
        known = SheetEntry.objects.filter(client_id=tap.client_id).first()
        if known is not None:
            if known.sheet_id != sheet.pk:
                raise ScoringError("client_id_reused")
            return
        with transaction.atomic():
            if tap.kept:
                sheet = self._reopened(tap, sheet)
            confirm_seats(
                table_id=self.pk,
                seen_version=sheet.version if tap.kept else tap.about.get("version", 0),
                by=self.link,
                device=self.device,
                order=tap.about.get("order"),
                game=tap.game,
                client_id=tap.client_id,
            )

    def settle(self, taps: Sequence[SentTap], take: Take) -> None:
        """Carry out a person's choice about the lines that wait."""
        sheet = self.sheet(taps[0].game)
        self.check_lease()
        if sheet.status in {SheetStatus.FINISHED, SheetStatus.VOID}:
            # Whoever has the running game's lease chooses for an earlier game, too.
            take_lease(sheet_id=sheet.pk, device=self.device, author=self.link)
        base = base_of(sheet, taps[0].follows, self.held)
        if base is None:
            raise _conflict(sheet)
        version = taps[0].about.get("version", sheet.version)
        settle_waiting(
            sheet_id=sheet.pk,
            seen_version=version,
            base=base,
            taps=[waiting(tap) for tap in taps],
            take=take,
            author=self.link,
            device=self.device,
        )

    # ----------------------------------------------------------------------------- the table

    def _next(self, tap: SentTap) -> None:
        """Start the next game. One that waited is taken although the clock is over."""
        clock = host().at_table(self.pk).clock
        if not tap.waited and clock and clock.state == "over":
            raise ScoringError("time_is_up")
        self.check_lease()
        open_next_sheet(table_id=self.pk, by=self.link, number=self.sheet(tap.game).number)

    def _return(self, tap: SentTap) -> None:
        self.check_lease()
        return_to_previous(table_id=self.pk, number=self.sheet(tap.game).number)

    def _take(self, tap: SentTap) -> None:
        if sheet := current_sheet(self.pk):
            take_lease(sheet_id=sheet.pk, device=self.device, author=self.link)

    def _call(self, tap: SentTap) -> None:
        reason = tap.about.get("reason", "")
        if not may_be_sent(reason):
            raise ScoringError("malformed")
        call_td(table_id=self.pk, reason=reason)

    def _uncall(self, tap: SentTap) -> None:
        clear_call(table_id=self.pk)

    def _lost(self, tap: SentTap) -> None:
        """Call the director with what the server has lost of decisions, in words."""
        call_td(table_id=self.pk, reason=with_words(coded("call_restored"), tap.about["text"]))

    def _slow(self, tap: SentTap) -> None:
        player_id = tap.about["player"]
        if player_id not in self.link.table.players:
            raise ScoringError("unknown_player")
        mark = uuid.uuid5(tap.client_id, player_id)
        if reason := host().too_slow(self.pk, player_id, mark):
            call_td(table_id=self.pk, reason=reason)

    def _sign(self, tap: SentTap) -> None:
        sign_off(table_id=self.pk, by=self.link, device=self.device)

    def _accept(self, tap: SentTap) -> None:
        accept_with_pin(
            table_id=self.pk,
            player_id=tap.about["player"],
            pin=tap.about["pin"],
            seen=tap.about["seen"],
            by=self.link,
        )

    def _pin(self, tap: SentTap) -> None:
        player_id, pin = tap.about["player"], tap.about["pin"]
        choose_pin(table_id=self.pk, player_id=player_id, pin=pin, device=self.device)

    def _object(self, tap: SentTap) -> None:
        player_id = tap.about["player"]
        host().check_pin(self.pk, player_id, tap.about["pin"])
        object_to_deal(
            table_id=self.pk,
            game=tap.game,
            deal=tap.about["deal"],
            player_id=player_id,
            text=tap.about.get("text", ""),
            client_id=tap.client_id,
            by=self.link,
        )

    def _flip(self, tap: SentTap) -> None:
        """Record a flip-flop: the tied players, best first, or lots that the program draws."""
        if lots := tap.about.get("lots"):
            tied = [player_id for player_id in self.link.table.players if player_id in lots]
            seed, drawn = draw_lots(tied)
            record_flip_flop(table_id=self.pk, order=drawn, by=self.link, seed=seed)
            return
        order = tap.about["order"]
        if len(set(order)) < len(order):
            raise ScoringError("twice_in_order")
        record_flip_flop(table_id=self.pk, order=order, by=self.link)


def waiting(tap: SentTap) -> Tap:
    """Return a tap as a conflict compares it."""
    entry = tap.about["entry"] if tap.act == "entry" else None
    return Tap(tap.client_id, entry, tap.at, tap.seating)


def base_of(sheet: Sheet, follows: uuid.UUID | None, held: Mapping[int, Held]) -> int | None:
    """Return the number of the line from which a phone and the server went on differently.

    That is the line that the first tap follows; where it is gone for good (a ruling that a restored
    server has lost, a tap that was given up), the last one that the phone has. None if that one is
    not here either: the phone has yet to say which lines it has.
    """
    has = held.get(sheet.number, Held())
    last = has.ids[-1] if has.ids else has.last
    rows = SheetEntry.objects.filter(sheet=sheet, client_id__in=[follows, last])
    known = dict(rows.values_list("client_id", "sequence"))
    if follows is None:
        return 0
    if last is None:
        return known.get(follows, 0)
    return known.get(follows, known.get(last))


def _conflict(sheet: Sheet) -> SheetConflict:
    return SheetConflict(seen=sheet.version, version=sheet.version, state=sheet.state)
