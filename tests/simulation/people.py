"""The people at a festival. Each is a generator, which pauses while it waits for a response."""

from __future__ import annotations

import json
import uuid
from collections.abc import Generator, Mapping
from typing import Any

from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from engine.sheet.entries import Entry, Hand, LastTrick, NoHand
from engine.sheet.sheet import legal_entries
from scoring.enums import SheetStatus
from scoring.models import Link, Sheet
from scoring.reading.links import show_token
from scoring.reading.rows import state_of
from tests.simulation.world import Broken, Sent, World
from tests.tournaments.html_forms import HTMX, Page
from tournaments.models import Event, Heat, HeatEntry, Registration
from tournaments.models.enums import (
    DrawStatus,
    EntryStatus,
    EventStatus,
    RegistrationStatus,
    StageStatus,
)
from tournaments.playoffs.queries.rounds import next_round
from tournaments.rehearsal.names import people

Step = Generator[None, None, Any]
#: The statuses that staff and tables may get; any other is a bug in the program.
TOLD = {200, 302, 303, 409, 422}
#: After this many deals the director ends a game.
LONG = 4


class Browser:
    """A browser whose requests go through the world's network."""

    def __init__(self, world: World, client: Client | None = None) -> None:
        self.world = world
        self.client = client or Client()

    def gets(self, path: str, **query: Any) -> Step:
        """Open a page, again and again until it arrives."""
        return (yield from self._until_answered(Sent(self.client, "GET", path, query)))

    def posts(self, path: str, data: Any, **headers: str) -> Step:
        """Send a form, unchanged, until there is a response."""
        return (yield from self._until_answered(Sent(self.client, "POST", path, data, headers)))

    def _until_answered(self, sent: Sent) -> Step:
        while True:
            answer = self.world.send(sent)
            if answer is not None:
                return answer
            yield


class Phone(Browser):
    """An Auditor's phone, which keeps sending until an entry is acknowledged."""

    def __init__(self, world: World, heat: Heat, link: str, ledger: Ledger) -> None:
        super().__init__(world)
        self.heat, self.link, self.ledger = heat, link, ledger

    def plays(self) -> Step:
        """Score the heat to its end."""
        while True:
            yield
            answer = yield from self._agrees()
            if answer.status_code in {404, 410}:
                return
            told = answer.json()
            game, mode = told["document"]["now"], told["document"]["mode"]
            lines = told.get("lines", {}).get(str(game), ())
            if mode == "end":
                if (yield from self._ends(told["parts"])):
                    return
            elif mode == "over":
                yield from self._does("next", game=game + 1)
            elif self.world.chance.random() < 0.03:
                yield from self._does("call", reason="two aces of spades")
            else:
                # While nobody else writes, the phone knows the sheet's state.
                version, last = len(lines), lines[-1]["id"] if lines else None
                while last := (yield from self._scores(game, version, last)):
                    version += 1
                    yield

    def _scores(self, game: int, version: int, follows: str | None) -> Step:
        """Write one more row; return its id, empty if the phone must read the table again."""
        sheet = Sheet.objects.select_related("table").get(table=self.heat.table, number=game)
        if sheet.version != version or sheet.status != SheetStatus.RUNNING:
            return ""
        mark = uuid.UUID(int=self.world.chance.getrandbits(128), version=4)
        sent = {"id": str(mark), "game": game, "version": version, "follows": follows}
        if version and self.world.chance.random() < 0.06:
            answer = yield from self._does("back", **sent)
        else:
            entry = self._entry(sheet)
            answer = yield from self._does("entry", **sent, entry=entry.as_json(), confirmed=True)
        if took(answer):
            self.ledger.acknowledged(sheet.pk, mark)
            return str(mark)
        # A revoked link gives no answer, not even whether earlier entries have arrived.
        if self.ledger.is_stored(mark) and "link_revoked" not in codes(answer):
            raise Broken(f"{mark} is stored, and the phone was told {codes(answer)}")
        if "lease_taken" in codes(answer):
            yield from self._does("take")
        return ""

    def _entry(self, sheet: Sheet) -> Entry:
        kinds: dict[type, list[Entry]] = {}
        for entry in legal_entries(state_of(sheet)):
            kinds.setdefault(type(entry), []).append(entry)
        wanted = {Hand: 6, LastTrick: 6, NoHand: 1}
        weights = [wanted.get(kind, 0.5) for kind in kinds]
        chosen = self.world.chance.choices(list(kinds.values()), weights)[0]
        return self.world.chance.choice(chosen)

    def _ends(self, parts: Mapping[str, Mapping[str, str]]) -> Step:
        signed = yield from self._does("sign")
        if took(signed):
            return True
        html = parts.get("ties", {}).get("html", "")
        for form in Page(self.link, 200, html).forms():
            if "lots" in form.choices:
                yield from self._does("flip", lots=form.choices["lots"][0].split("\n"))
        return False

    def _does(self, act: str, **about: Any) -> Step:
        mark = uuid.UUID(int=self.world.chance.getrandbits(128), version=4)
        tap = {"id": str(mark), "act": act, "at": 1, **about}
        return (yield from self._agrees(tap))

    def _agrees(self, *taps: Mapping[str, Any]) -> Step:
        """Send taps to a server from which the phone has nothing yet."""
        path = f"{self.link}sync/"
        answer = yield from self.posts(path, json.dumps({"taps": taps}), Accept="application/json")
        if answer.status_code not in {*TOLD, 403, 404, 410}:
            raise Broken(f"{path}: {answer.status_code} {answer.content[:300]!r}")
        return answer


class Ledger:
    """The entries that the program has acknowledged to phones, by sheet, in order."""

    def __init__(self) -> None:
        self.marks: dict[int, list[uuid.UUID]] = {}

    def acknowledged(self, sheet: int, mark: uuid.UUID) -> None:
        """Record an acknowledgement."""
        self.marks.setdefault(sheet, []).append(mark)

    @staticmethod
    def is_stored(mark: uuid.UUID) -> bool:
        """Return whether a row with this id is stored."""
        return Sheet.objects.filter(entries__client_id=mark).exists()


class Desk(Browser):
    """A director who sees what has to be done and does it with the pages' own forms."""

    def __init__(self, world: World, event: Event, client: Client, hall: Hall) -> None:
        super().__init__(world, client)
        self.event, self.hall = event, hall

    def url(self, name: str, **more: Any) -> str:
        """Return the address of a page of the event."""
        return reverse(f"tournaments:{name}", kwargs={"slug": self.event.slug, **more})

    def runs(self) -> Step:
        """Run the event to its end."""
        chance = self.world.chance
        while True:
            yield
            self.event.refresh_from_db()
            if self.event.status == EventStatus.FINISHED:
                return
            jobs = self._jobs()
            if jobs:
                names, weights = zip(*jobs, strict=True)
                (job,) = chance.choices(names, weights)
                yield from job

    def _jobs(self) -> list[tuple[Step, float]]:
        """Return what could be done now, and how urgent each job is."""
        event, jobs = self.event, list[tuple[Step, float]]()
        players = list(event.registrations.all())
        absent = [one for one in players if one.status == RegistrationStatus.REGISTERED]
        queue = HeatEntry.objects.filter(stage__event=event, status=EntryStatus.WAITING)
        waiting = queue.count()
        heats = list(event.heats.open().select_related("table", "stage").order_by("number"))
        qualifying = not event.stages.playoffs().exists()
        if self.hall.names:
            jobs.append((self._registers(), 8))
        if absent and qualifying:
            jobs.append((self._taps("player_check_in", absent[0]), 8))
        if waiting >= 3 and qualifying and (waiting >= 7 or not self.hall.names):
            jobs.append((self._draws("desk", "draft_make"), 4))
        for heat in heats:
            if heat.pk not in self.hall.seated:
                jobs.append((self._seats(heat), 8))
            else:
                jobs.append((self._looks_after(heat), 0.5))
        idle = [one for one in players if self._lost(one)] if qualifying else []
        if idle and self.hall.again:
            jobs.append((self._enters_again(self.world.chance.choice(idle)), 1))
        elif 0 < waiting < 3 and not heats and not self.hall.names and not absent:
            # Nobody else is coming to play.
            jobs.append((self._taps("player_leave", queue.first().registration), 8))
        if not heats and not self.hall.names and not absent and waiting < 3:
            jobs.append((self._day_two(), 4))
        return jobs

    def _lost(self, player: Registration) -> bool:
        return (
            player.status == RegistrationStatus.CHECKED_IN
            and not player.entries.filter(status__in=["waiting", "seated"]).exists()
            and not player.qualifications.filter(revoked_at__isnull=True).exists()
        )

    # --- a director's jobs --------------------------------------------------------------------

    def _registers(self) -> Step:
        name = self.hall.names.pop(0)
        page = yield from self._page(self.url("desk"))
        here = ["on"] if self.world.chance.random() < 0.7 else []
        yield from self._fills(page, "player_register", legal_name=name, here=here)
        if not self.event.registrations.filter(person__legal_name=name).exists():
            self.hall.names.append(name)

    def _draws(self, place: str, name: str, **fields: Any) -> Step:
        drafts = self.event.draws.filter(status=DrawStatus.DRAFT)
        if not drafts.exists():
            page = yield from self._page(self.url(place))
            yield from self._fills(page, name, **fields)
        draft = drafts.first()
        if draft is None:
            return
        page = yield from self._page(self.url("draft", number=draft.number))
        choice = "draft_publish" if self.world.chance.random() < 0.9 else "draft_discard"
        yield from self._fills(page, choice, {"number": draft.number})

    def _seats(self, heat: Heat) -> Step:
        """Give the table its link; usually one phone opens it, sometimes two."""
        yield from self._posts(self.url("heat_link", number=heat.number))
        link = Link.objects.filter(table=heat.table, revoked_at__isnull=True).last()
        if link is None:
            return
        self.hall.seated.add(heat.pk)
        address = f"/s/{show_token(link=link)}/"
        for _phone in range(self.world.chance.choice([1, 1, 1, 2])):
            phone = Phone(self.world, heat, address, self.hall.ledger)
            self.hall.begins(phone.plays(), f"phone at heat {heat.number}")

    def _looks_after(self, heat: Heat) -> Step:
        """End long games, answer calls, close finished heats; rarely something harder."""
        number = {"number": heat.number}
        page = yield from self._page(self.url("heat_desk", **number))
        sheet = Sheet.objects.filter(table=heat.table, status=SheetStatus.RUNNING).first()
        luck = self.world.chance.random()
        if sheet is not None and state_of(sheet).deal > LONG:
            fields = {"action": "end_game", "reason": "late"}
            yield from self._fills(page, "heat_ruling", number, **fields)
        elif luck < 0.02:
            yield from self._fills(page, "heat_void", number, **{"void-reason": "51 cards"})
        elif luck < 0.1:
            seats = self._choices(page, self.url("heat_penalty", **number), "penalty-player")
            player = self.world.chance.choice(seats[1:] or [""])
            offence = self.world.chance.choice(["language", "slow", "cheating"])
            filled = {"penalty-player": player, "penalty-offence": offence}
            yield from self._fills(page, "heat_penalty", number, **filled)
        elif luck < 0.4:
            yield from self._fills(page, "heat_close", number)
        else:
            yield from self._fills(page, "heat_call_clear", number)

    def _enters_again(self, player: Registration) -> Step:
        self.hall.again -= 1
        if self.world.chance.random() < 0.15:
            yield from self._taps("player_withdraw", player)
        else:
            yield from self._taps("player_enter", player)

    def _day_two(self) -> Step:
        page = yield from self._page(self.url("rounds"))
        if self.event.stages.playoffs().filter(status=StageStatus.PLANNED).exists():
            if self.world.chance.random() < 0.1:
                here = self._choices(page, self.url("round_absent"), "number")
                if here:
                    who = self.world.chance.choice(here)
                    yield from self._fills(page, "round_absent", number=who, reason="asleep")
            else:
                yield from self._draws("rounds", "round_draft", grouping="draw")
        elif next_round(self.event) is None:
            page = yield from self._page(self.url("event_settings"))
            yield from self._fills(page, "event_status", to="finished")
        elif (yield from self._fills(page, "round_prepare")) is None:
            # Too few have qualified: the losers play again, and those who left are asked back.
            self.hall.again += 3
            gone = self.event.registrations.filter(status=RegistrationStatus.WITHDRAWN).first()
            if gone is not None:
                yield from self._taps("player_reinstate", gone)

    # --- pages --------------------------------------------------------------------------------

    def _page(self, path: str) -> Step:
        answer = yield from self.gets(path)
        # What somebody else has just done may redirect elsewhere.
        if answer.status_code not in {200, 302}:
            raise Broken(f"{path}: {answer.status_code}")
        return Page(path, answer.status_code, text(answer))

    @staticmethod
    def _choices(page: Page, path: str, field: str) -> list[str]:
        """Return the choices in the page's form, if it is there."""
        forms = [form for form in page.forms() if form.action == path]
        return forms[0].choices.get(field, []) if forms else []

    def _fills(
        self, page: Page, name: str, at: Mapping[str, Any] | None = None, **fields: Any
    ) -> Step:
        """Send the page's form for an action.

        Return None if the page has no such form (any more).
        """
        path = self.url(name, **(at or {}))
        forms = [form for form in page.forms() if form.action == path]
        for field in ("to", "action"):
            if field in fields:
                forms = [
                    form
                    for form in forms
                    if fields[field] in form.choices.get(field, form.fields.get(field, ()))
                ]
        if not forms:
            return None
        yield
        return (yield from self._posts(path, forms[0].filled(**fields)))

    def _taps(self, name: str, player: Registration) -> Step:
        yield from self._posts(self.url(name, number=player.number), **HTMX)

    def _posts(self, path: str, data: Any = None, **headers: str) -> Step:
        answer = yield from self.posts(path, data or {}, **headers)
        if answer.status_code not in TOLD:
            raise Broken(f"{path}: {answer.status_code} {text(answer)[:300]}")
        return answer


class Hall:
    """What the people of one festival share."""

    def __init__(self, world: World, players: int) -> None:
        self.names = people(players, world.chance)
        self.again = players // 2
        self.seated: set[int] = set()
        self.ledger = Ledger()
        self.going_on: list[tuple[str, Step]] = []

    def begins(self, process: Step, name: str) -> None:
        """Start a person's generator."""
        self.going_on.append((name, process))


def text(answer: HttpResponse) -> str:
    return answer.content.decode()


def codes(answer: HttpResponse) -> set[str]:
    said = answer.json()
    refused = [said["refused"]["problem"]] if "refused" in said else []
    return {problem["code"] for problem in (*said.get("problems", []), *refused)}


def took(answer: HttpResponse) -> bool:
    """Return whether a phone's tap was carried out."""
    return bool(answer.status_code == 200 and answer.json()["took"])
