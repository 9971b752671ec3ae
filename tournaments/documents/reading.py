"""Read a chicago-event document back into the database.

All results are made again by replaying the games with the usual commands; what the document says
about points, places or who advances is not trusted. If that fails, the import is refused and
nothing
is kept.
"""

import math
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date, datetime, timedelta
from itertools import zip_longest
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import DataError, IntegrityError, transaction
from django.db.models import F
from django.utils import timezone

from engine.draws.draw import seat_order
from engine.errors import ChicagoError
from engine.ranking.event import check_event
from engine.ranking.heat_record import FORMAT as HEAT_FORMAT
from engine.ranking.heat_record import VERSION as HEAT_VERSION
from engine.ranking.heat_record import penalty_points
from engine.rules.variants import parse_rules
from engine.sheet.record import check_format, read_record
from engine.totals.totals import FORMAT as TOTALS_FORMAT
from engine.totals.totals import read_totals
from scoring import writing as scoring
from scoring.errors import ScoringError
from scoring.models import Sheet, Table
from scoring.reading.ranking import order_by_lots
from scoring.reading.records import game_records
from scoring.reasons import coded
from scoring.writing.write import check_storable, enter_game

from ..core.answers import sentence
from ..core.errors import Refused
from ..core.times import TIMES, set_times, times
from ..core.transitions import transition_entry, transition_registration
from ..draws.commands.opening import open_heat
from ..draws.queries.published import draw_view
from ..events.commands.events import create_event
from ..heats.commands import close_heat, dissolve_heat, record_flip_flop
from ..models import (
    Day,
    Draw,
    Event,
    Heat,
    HeatEntry,
    Organiser,
    Person,
    Qualification,
    Registration,
    Stage,
    StagePlayer,
)
from ..models.enums import (
    COUNTED_ENTRY_STATUSES,
    DrawStatus,
    EntryStatus,
    EventStatus,
    FreeReason,
    HeatStatus,
    RegistrationStatus,
    StageKind,
    StageStatus,
)
from ..results.commands import refresh_heat
from ..results.queries.ranking import final_ranking
from .penalties import exact, restore_penalties
from .writing import FORMAT, SETTINGS, VERSION

_RULE = {"format": FORMAT, "version": VERSION}


class BadDocument(Exception):
    """A document that cannot be read; the text says what is wrong and where."""

    def __init__(self, text: str, code: str = "malformed") -> None:
        super().__init__(text)
        self.code = code


def import_event(
    document: Any,
    *,
    slug: str | None = None,
    owner: User | None = None,
    organiser: Organiser | None = None,
) -> Event:
    """Create the event that a chicago-event document describes, with ``owner`` as its owner.

    Without ``organiser`` it belongs to one for which the owner may create events. Raises
    :class:`BadDocument`; nothing is kept then.
    """
    if not isinstance(document, Mapping) or any(document.get(k) != v for k, v in _RULE.items()):
        raise BadDocument(f'This is not a "{FORMAT}" document of version {VERSION}.')
    where = "the document"
    try:
        check_storable(document, longest=math.inf)
        with transaction.atomic():
            reader = _Reader(document)
            where = "the event's own fields"
            reader.event(slug, owner, organiser)
            where = "the registrations"
            reader.people()
            for stage in document["stages"]:
                where = f"stage {stage.get('number')}"
                reader.stage(stage)
            where = "the end of the document"
            reader.end()
            for draw in reader.draws.values():
                where = f"draw {draw.number}"
                reader.check_draw(draw)
            where = "the penalties"
            restore_penalties(reader.made, document.get("penalties", ()))
            where = "the result"
            reader.check_result()
            return reader.made
    except BadDocument as error:
        raise BadDocument(f"{where}: {error}", error.code) from error
    except (Refused, ScoringError, ChicagoError) as error:
        raise BadDocument(f"{where}: {sentence(error)}", error.code) from error
    except ValidationError as error:
        raise BadDocument(f"{where}: {'; '.join(error.messages)}") from error
    except IntegrityError as error:
        raise BadDocument(
            f"{where}: something is not allowed, or occurs twice that may occur only once."
        ) from error
    except (OverflowError, DataError) as error:  # SQLite's driver and PostgreSQL
        raise BadDocument(f"{where}: something is too large to be stored.") from error
    except (KeyError, IndexError) as error:
        raise BadDocument(f"{where}: {error} is missing.") from error
    except (TypeError, ValueError, AttributeError, Sheet.DoesNotExist) as error:
        raise BadDocument(f"{where}: {error}") from error


def _seats(game: Mapping[str, Any]) -> list[str]:
    """Return a game's players by seat; seats in a totals document have further fields."""
    return [seat["name"] if isinstance(seat, Mapping) else seat for seat in game["seats"]]


def _placed(row: tuple[int, str] | None) -> str:
    """Return a row of the ranking in words."""
    return f"place {row[0]} is player {row[1]}" if row else "that nobody has this place"


def _basis(basis: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return why a player is in a round, if a page can say it."""
    if basis:
        exact(basis["game_points"]), exact(basis["share"])
    if not isinstance(basis.get("by_hand", ""), str):
        raise TypeError("by_hand is not a text.")
    return basis


def _times(row: Mapping[str, Any], names: Iterable[str] = TIMES) -> dict[str, datetime]:
    """Return the times that are there: those of a day, a draw or a heat unless ``names`` says."""
    times = {name: datetime.fromisoformat(row[name]) for name in names if row.get(name) is not None}
    for name, moment in times.items():
        if moment.utcoffset() is None:
            raise ValueError(f"{name} has no offset from UTC: {row[name]}")
    return times


@contextmanager
def _naming(where: str) -> Iterator[None]:
    """Add to an error where in the document it is."""
    try:
        yield
    except (BadDocument, Refused, ScoringError, ChicagoError) as error:
        raise BadDocument(f"{where}: {sentence(error)}", error.code) from error


class _Reader:
    """Creates one event, stage by stage, heat by heat."""

    made: Event

    def __init__(self, document: Mapping[str, Any]) -> None:
        self.document = document
        self.players: dict[str, Registration] = {}
        self.parts: dict[str, Day] = {}
        self.draws: dict[int, Draw] = {}
        self.numbers: dict[int, dict[str, int]] = {}

    def event(self, slug: str | None, owner: User | None, organiser: Organiser | None) -> None:
        """Create the event itself, open, and without a new event's first stage."""
        reply = self.document
        settings = reply.get("settings", {})
        fields: dict[str, Any] = {name: settings[name] for name in SETTINGS if name in settings}
        fields |= _times(settings, ("sign_up_opens_at", "sign_up_closes_at"))
        slug = slug or reply["slug"]
        if Event.objects.filter(slug=slug).exists():
            raise BadDocument(f'there is already an event with the address "{slug}".')
        self.made = create_event(
            name=reply["name"],
            slug=slug,
            by=owner,
            organiser=organiser,
            status=EventStatus.OPEN,
            rules=reply["rules"],
            game_points=dict(reply["game_points"]),
            tie_chain=list(reply["ties"]),
            starts_on=date.fromisoformat(reply["starts_on"]),
            ends_on=date.fromisoformat(reply["ends_on"]),
            **fields,
        )
        if reply.get("rules_digest", self.made.rules_digest) != self.made.rules_digest:
            raise BadDocument("the rule set has changed since the document was written.")
        self.made.stages.all().delete()
        for row in reply.get("timetable", ()):
            day = Day(
                event=self.made,
                name=row["name"],
                session_kind=row.get("session_kind", ""),
                places=row.get("places"),
                **_times(row),
            )
            day.full_clean()
            day.save()
            self.parts[day.name] = day

    def people(self) -> None:
        """Create a person and a registration for each row."""
        registrations = []
        for row in self.document["registrations"]:
            number = int(row["id"])
            name = row.get("name") or f"Player {number}"
            person = Person(organiser=self.made.organiser, legal_name=name)
            family = row.get("family_name")
            if "," in name:
                # As it was shown, even if it cannot be split.
                person.given_name = name
            elif family is not None and name.endswith(family):
                person.given_name = name.removesuffix(family).strip()
                person.family_name = family
            # What may occur only once the database refuses.
            person.full_clean(
                exclude=["organiser"], validate_unique=False, validate_constraints=False
            )
            person.save()
            status = RegistrationStatus(row["status"])
            waits = status == RegistrationStatus.WAIT_LISTED
            registration = Registration(
                event=self.made,
                person=person,
                number=number,
                fixed_table=row.get("fixed_table"),
                part=self.parts.get(row.get("part")),
                free_starts=row.get("free_starts", 0),
                free_reason=FreeReason.OTHER if row.get("free_starts") else "",
                status=status if waits else RegistrationStatus.REGISTERED,
            )
            if not waits:
                # Checked in while the heats are played; ``end`` sets the final status.
                transition_registration(registration, RegistrationStatus.CHECKED_IN)
                registration.checked_in_at = timezone.now()
            registration.clean_fields(exclude=["event", "person", "part"])
            registrations.append(registration)
        Registration.objects.bulk_create(registrations)
        self.players = {each.player_id: each for each in registrations}

    def stage(self, reply: Mapping[str, Any]) -> None:
        """Create a stage with its players, draws and heats."""
        stage = Stage.objects.create(
            event=self.made,
            kind=StageKind(reply["kind"]),
            number=reply["number"],
            round=reply["round"],
            status=StageStatus.OPEN,
            advance=reply["advance"],
            games=reply["games"],
            rounds_left=reply.get("rounds_left"),
        )
        self._stage_players(stage, reply.get("players", []))
        for row in reply.get("draws", []):
            values = {name: value for name, value in row.items() if name not in TIMES}
            values["status"] = DrawStatus(row["status"])
            draw = Draw(event=self.made, stage=stage, **values)
            set_times(draw, _times(row))
            draw.save()
            self.draws[row["number"]] = draw
        for row in reply["heats"]:
            with _naming(f"heat {row.get('id')}"):
                self.heat(stage, row)
        Stage.objects.filter(pk=stage.pk).update(status=StageStatus(reply["status"]))

    def _stage_players(self, stage: Stage, rows: Sequence[Mapping[str, Any]]) -> None:
        """Create a round's players; those who replace somebody after the others."""
        by_id: dict[str, StagePlayer] = {}
        made: list[StagePlayer] = []
        for order, row in enumerate(rows, start=1):
            player = StagePlayer(
                stage=stage,
                registration=self.players[row["id"]],
                source=row["source"],
                order=order,
                absent=row["absent"],
                replaces=by_id[row["replaces"]] if row["replaces"] else None,
                basis=_basis(row["basis"]),
            )
            by_id[row["id"]] = player
            made.append(player)
        StagePlayer.objects.bulk_create(each for each in made if each.replaces is None)
        for each in made:
            if each.replaces is not None:
                each.save()

    def check_draw(self, draw: Draw) -> None:
        """Refuse a draw that its page could not show, or repeat, with the players of this event."""
        groups = (draw.candidates, draw.queue, *draw.drawn, *draw.groups)
        strangers = {player_id for group in groups for player_id in group} - self.players.keys()
        if strangers:
            raise KeyError(*sorted(strangers)[:1])
        draw_view(draw)

    def heat(self, stage: Stage, reply: Mapping[str, Any]) -> None:
        """Create a heat, replay its games, and close it as the document says."""
        check_format(reply, HEAT_FORMAT, HEAT_VERSION)
        self._same_rules(parse_rules(reply["rules"]).spec)
        for number, game in enumerate(reply["games"], start=1):
            with _naming(f"game {number}"):
                self._check_game(number, game, reply["players"])
        entries = self._entries_of([self.players[each] for each in reply["players"]], stage)
        draw = reply["draw"]
        planned: int = reply["games_planned"]
        seats = {game["game"]: _seats(game) for game in reply["games"]}
        players = list(reply["players"])
        heat = open_heat(
            event=self.made,
            stage=stage,
            entries=entries,
            seed=draw["seed"],
            method=draw["method"],
            draw=self.draws[draw["number"]] if draw["number"] is not None else None,
            table_number=reply["meta"]["table"],
            auditor=reply["meta"]["auditor"],
            by=None,
            seats_seed=draw["seats"],
            seat_plan=[
                seats.get(number) or seat_order(draw["seats"], number, players)
                for number in range(1, planned + 1)
            ],
            games_planned=planned,
            advance=reply["advance"],
        )
        if str(heat.number) != reply["id"]:
            raise BadDocument(f"it would become heat {heat.number}; heats must be in order.")
        drawn = times(heat)
        set_times(heat, _times(reply))
        if times(heat) != drawn:
            heat.save(update_fields=TIMES)
        done = self._play_at_once(heat, reply["games"])
        for number, game in enumerate(reply["games"][done:], start=done + 1):
            with _naming(f"game {number}"):
                self._play(heat, number, game)
        self._end_heat(heat, reply)

    def _check_game(self, number: int, game: Mapping[str, Any], players: list[str]) -> None:
        whole = game.get("format") == TOTALS_FORMAT
        read = read_totals(game) if whole else read_record(game)
        if game["game"] != number:
            raise ChicagoError("bad_value", field="game", kind=None, value=game["game"])
        if sorted(_seats(game)) != sorted(players):
            raise ChicagoError("other_players")
        self._same_rules(read.rules.spec)

    def _same_rules(self, spec: str) -> None:
        if spec != self.made.rules:
            raise ChicagoError("other_rules", rules=spec, heat=self.made.rules)

    def _end_heat(self, heat: Heat, reply: Mapping[str, Any]) -> None:
        status = HeatStatus(reply["status"])
        for row in reply.get("penalties", []):
            scoring.give_heat_penalty(
                table_id=heat.table_id or 0,
                player_id=row["player"],
                game_points=penalty_points(row["game_points"]),
                reason=row["reason"],
                by="import",
                client_id=uuid.uuid4(),
            )
        orders = reply.get("flip_flops", [])
        seeds = reply["meta"].get("lots", [None] * len(orders))
        for order, seed in zip(orders, seeds, strict=True):
            if seed is not None and order_by_lots(seed, order) != order:
                raise BadDocument("these lots were not drawn with this seed.")
            record_flip_flop(heat=heat, order=order, by=None, seed=seed)
        for number in reply.get("unplayed", ()) if status == HeatStatus.FINISHED else ():
            sheet = Sheet.objects.get(table=heat.table_id, number=number, version=0)
            scoring.void_sheet(sheet_id=sheet.pk, reason=coded("not_begun"))
        if status == HeatStatus.FINISHED:
            close_heat(
                heat=heat,
                by=None,
                went_on=reply.get("went_on"),
                instead=[],
                reason=coded("as_in_document"),
            )
        elif status == HeatStatus.VOID:
            # What began instead in a play-off round is the document's next heat.
            dissolve_heat(
                heat=heat,
                by=None,
                reason=coded("as_in_document"),
                requeue=heat.stage.kind == StageKind.QUALIFYING,
            )
        else:
            refresh_heat(heat=heat)
        # Last, so that they block nothing: the document says how the heat ended.
        scoring.restore_statements(
            table_id=heat.table_id or 0,
            acceptances=reply.get("acceptances", ()),
            objections=reply.get("objections", ()),
            by="import",
        )

    def _entries_of(self, players: Sequence[Registration], stage: Stage) -> list[HeatEntry]:
        """Return these players' waiting entries, or new ones."""
        before: dict[int, list[HeatEntry]] = {player.pk: [] for player in players}
        for entry in HeatEntry.objects.filter(registration__in=players):
            before[entry.registration_id].append(entry)
        made = [self._entry(player, before[player.pk], stage) for player in players]
        HeatEntry.objects.bulk_create(entry for entry in made if entry.pk is None)
        return made

    def _entry(
        self, registration: Registration, before: Sequence[HeatEntry], stage: Stage
    ) -> HeatEntry:
        """Return a player's waiting entry, or a new one to be saved."""
        for waiting in (entry for entry in before if entry.status == EntryStatus.WAITING):
            if waiting.stage_id == stage.pk:
                waiting.registration = registration
                return waiting
            # Left over from a heat voided at the end of the day.
            transition_entry(waiting, EntryStatus.WITHDRAWN)
            waiting.ended_at = timezone.now()
            waiting.save(update_fields=["status", "ended_at"])
        return HeatEntry(
            registration=registration,
            stage=stage,
            number=sum(entry.status in COUNTED_ENTRY_STATUSES for entry in before) + 1,
            # Open heats of somebody who was registered twice.
            second_seat=any(entry.status == EntryStatus.SEATED for entry in before),
        )

    def _play_at_once(self, heat: Heat, games: Sequence[Mapping[str, Any]]) -> int:
        """Write a heat's first games together; return how many.

        Not from one on that was entered from paper, or into which a ruling is carried over.
        """
        sheets = scoring.locked_sheets(heat.table_id or 0)
        done: list[Sheet] = []
        rows: list[Mapping[str, Any]] = []
        for sheet, game in zip(sheets, games, strict=False):
            if game.get("format") == TOTALS_FORMAT or "paper" in game.get("meta", {}):
                break
            with _naming(f"game {sheet.number}"):
                self._check_sheet(sheet, game)
                rows += enter_game(sheet=sheet, entries=game["entries"], author="import")
            done.append(sheet)
            if not sheet.state["finished"] or "disqualified" in sheet.state["status"]:
                break
        if done:
            # The first was begun with its table.
            scoring.write_games(sheets=done, rows=rows, begun=len(done) - 1)
        return len(done)

    def _check_sheet(self, sheet: Sheet, game: Mapping[str, Any]) -> None:
        dealer = game.get("dealer", 0)
        if dealer != sheet.dealer:
            raise ChicagoError("bad_value", field="dealer", kind=None, value=dealer)
        digest = game.get("meta", {}).get("rules_digest", sheet.rules_digest)
        if digest != sheet.rules_digest:
            raise BadDocument("the rule set has changed since the game was played.", "other_rules")

    def _play(self, heat: Heat, number: int, game: Mapping[str, Any]) -> None:
        assert heat.table is not None
        sheet = (
            Sheet.objects.select_related("table").get(table=heat.table, number=1)
            if number == 1
            else scoring.open_next_sheet(
                table_id=heat.table.pk, by="import", as_written=game.get("entries", ())
            )
        )
        self._check_sheet(sheet, game)
        totals = game if game.get("format") == TOTALS_FORMAT else None
        from_paper = game.get("meta", {}).get("paper", {} if totals else None)
        if from_paper is not None and not sheet.state["finished"]:
            self._from_paper(sheet, totals)
        if totals is None:
            self._entries(heat.table, sheet, game)
        if from_paper and from_paper["checked"]:
            sheet.refresh_from_db()
            scoring.compare_with_paper(
                sheet_id=sheet.pk,
                client_id=uuid.uuid4(),
                seen_version=sheet.version,
                author="document",
            )

    def _from_paper(self, sheet: Sheet, game: Mapping[str, Any] | None) -> None:
        """Note that a game was entered from paper, with its totals if there is nothing else."""
        totals = None
        if game is not None:
            seats = [{k: v for k, v in seat.items() if k != "name"} for seat in game["seats"]]
            totals = {"seats": seats}
            totals |= {key: game[key] for key in ("winner", "win") if key in game}
        scoring.write_from_paper(
            sheet_id=sheet.pk,
            client_id=uuid.uuid4(),
            seen_version=sheet.version,
            author="import",
            totals=totals,
        )
        sheet.refresh_from_db()

    def _entries(self, table: Table, sheet: Sheet, game: Mapping[str, Any]) -> None:
        # A player disqualified earlier is so from the start; those rulings are already there.
        done = 0
        if sheet.version:
            [*_, (_sheet, record)] = game_records([table])[table.pk]
            done = len(record["entries"])
            if record["entries"] != game["entries"][:done]:
                raise BadDocument("it does not begin with the earlier disqualifications.")
        entries = game["entries"][done:]
        rows = enter_game(sheet=sheet, entries=entries, author="import")
        scoring.write_games(sheets=[sheet], rows=rows, begun=0)

    def end(self) -> None:
        """Finish: the order of qualifying, the queue, and the statuses of players and event."""
        reply = self.document
        rows = {
            row.registration.player_id: row
            for row in Qualification.objects.filter(event=self.made).select_related("registration")
        }
        if sorted(rows) != sorted(reply["qualifiers"]):
            raise BadDocument("the qualifiers in the document are not those of its games.")
        # Twice, because an order occurs once.
        Qualification.objects.filter(event=self.made).update(order=F("order") + len(rows))
        for order, player_id in enumerate(reply["qualifiers"], start=1):
            rows[player_id].order = order
        Qualification.objects.bulk_update(rows.values(), ["order"])
        self._queue(reply.get("queue", []))
        for row in reply["registrations"]:
            registration = self.players[row["id"]]
            status = RegistrationStatus(row["status"])
            if status == registration.status:
                continue
            if status == RegistrationStatus.REGISTERED:
                registration.checked_in_at = None
            transition_registration(registration, status)
            registration.save(update_fields=["status", "checked_in_at"])
        Event.objects.filter(pk=self.made.pk).update(status=EventStatus(reply["status"]))
        self.made.refresh_from_db()

    def check_result(self) -> None:
        """Refuse an outcome that is not what the sheets and the recorded decisions give.

        First by the document alone, then against what the event's own page shows.
        """
        check_event(self.document)
        given = [(row["place"], row["id"]) for row in self.document["result"]]
        made = [(each.place, each.player_id) for each in final_ranking(self.made)]
        for told, counted in zip_longest(given, made):
            if told != counted:
                raise BadDocument(
                    f"the document says {_placed(told)}, its games say {_placed(counted)}.",
                    "other_result",
                )

    def _queue(self, player_ids: list[str]) -> None:
        waiting = HeatEntry.objects.filter(
            registration__event=self.made, status=EntryStatus.WAITING
        )
        known = {
            entry.registration.player_id: entry for entry in waiting.select_related("registration")
        }
        stage = self.made.stages.qualifying().order_by("-number").first()
        for player_id in player_ids:
            if player_id not in known and stage is not None:
                [known[player_id]] = self._entries_of([self.players[player_id]], stage)
        now = timezone.now()
        for index, player_id in enumerate(player_ids):
            known[player_id].entered_at = now + timedelta(microseconds=index)
            known[player_id].save(update_fields=["entered_at"])
        for player_id in known.keys() - set(player_ids):
            entry = known[player_id]
            transition_entry(entry, EntryStatus.WITHDRAWN)
            entry.ended_at = now
            entry.save(update_fields=["status", "ended_at"])
