"""What can go wrong around the program: the clock, the network, and its machine."""

from __future__ import annotations

import random
import shutil
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from unittest.mock import patch

from django.core.cache import caches
from django.db import connection
from django.http import HttpResponse
from django.test import Client

from tournaments.rehearsal.clock import StoryClock

#: What happens to a request, in percent; all others arrive and are answered.
FAULTS = {
    "lost": 4,
    "unanswered": 4,
    "late": 3,
    "twice": 3,
    "killed between statements": 2,
    "killed before the commit": 1,
    "killed after the commit": 2,
}
#: Few requests run more statements; one that runs fewer than drawn is not killed after all.
STATEMENTS = 60


class Killed(BaseException):
    """The process ended here; the program must not catch this."""


class Broken(AssertionError):
    """An invariant does not hold."""


@dataclass
class Sent:
    """A request, which may arrive any number of times."""

    client: Client
    method: str
    path: str
    data: Any = None
    headers: dict[str, str] = field(default_factory=dict)

    def arrive(self) -> HttpResponse:
        """Let the program answer it."""
        if self.method == "GET":
            return self.client.get(self.path, self.data, headers=self.headers)
        if isinstance(self.data, str):
            kind = {"content_type": "application/json"}
            return self.client.post(self.path, self.data, headers=self.headers, **kind)
        return self.client.post(self.path, self.data or {}, headers=self.headers)


class World:
    """One seed's clock, randomness, network and machine."""

    def __init__(self, seed: str, tell: Callable[[str], None]) -> None:
        self.seed = seed
        self.chance = random.Random(f"simulation {seed}")
        self.clock = StoryClock(datetime(2026, 3, 7, 9, tzinfo=UTC))
        self.tell = tell
        self.calm = False
        self.floating: list[Sent] = []
        self.met: Counter[str] = Counter()

    @contextmanager
    def running(self) -> Iterator[None]:
        """Make the program use this world's time and randomness, too."""
        entropy = random.Random(f"entropy {self.seed}")
        with ExitStack() as stack:
            stack.enter_context(self.clock.running())
            stack.enter_context(patch("time.time", lambda: self.clock.now.timestamp()))
            # Tokens, codes and seeds of draws.
            for source in ("os.urandom", "random._urandom"):
                stack.enter_context(patch(source, entropy.randbytes))
            yield

    def let_time_pass(self) -> None:
        """Move the clock forward: usually seconds, now and then a break."""
        seconds = self.chance.expovariate(1 / 4)
        if self.chance.random() < 0.004:
            seconds += self.chance.choice([600, 3600, 9 * 3600])
        self.clock.set(self.clock.now + timedelta(seconds=seconds))

    # --- the network --------------------------------------------------------------------------

    def send(self, sent: Sent) -> HttpResponse | None:
        """Send a request; return None if no answer comes back."""
        fault = self._fault()
        self.met[fault or "fine"] += 1
        if fault:
            self.tell(f"    {fault}: {sent.method} {sent.path}")
        if fault == "lost":
            return None
        if fault == "late":
            self.floating.append(sent)
            return None
        if fault == "twice":
            self._answer(sent)
        if fault.startswith("killed"):
            with self._dying(fault):
                return self._answer(sent)
            self._start_again()
            return None
        answer = self._answer(sent)
        return None if fault == "unanswered" else answer

    def deliver_late(self) -> None:
        """Let delayed requests arrive, in any order."""
        if self.floating:
            sent = self.floating.pop(self.chance.randrange(len(self.floating)))
            self.tell(f"    arrives late: {sent.method} {sent.path}")
            self._answer(sent)

    def _fault(self) -> str:
        if self.calm:
            return ""
        luck = self.chance.uniform(0, 100)
        for fault, share in FAULTS.items():
            luck -= share
            if luck < 0:
                return fault
        return ""

    def _answer(self, sent: Sent) -> HttpResponse:
        answer = sent.arrive()
        if answer.status_code >= 500:
            raise Broken(f"{sent.method} {sent.path}: {answer.status_code}")
        return answer

    # --- the machine --------------------------------------------------------------------------

    @contextmanager
    def _dying(self, how: str) -> Iterator[None]:
        """Kill the process at some point of a request; uncommitted changes are lost."""
        assert connection.connection is not None
        raw, commit = connection, connection._commit
        left = self.chance.randrange(1, STATEMENTS) if how == "killed between statements" else -1
        dead = False

        def execute(run: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
            nonlocal left, dead
            left -= 1
            # A killed process does not clean up, either.
            dead = dead or left == 0
            if dead:
                raise Killed
            return run(sql, params, many, context)

        def die_at_commit() -> None:
            nonlocal dead
            if how == "killed before the commit":
                raw.connection.rollback()
            else:
                commit()
            dead = True
            raise Killed

        with ExitStack() as stack:
            stack.enter_context(connection.execute_wrapper(execute))
            if left < 0:
                stack.enter_context(patch.object(connection, "_commit", die_at_commit))
            with suppress(Killed):
                yield

    def _start_again(self) -> None:
        """Start the program again; whatever was only in its memory is lost."""
        connection.close()
        connection.run_on_commit = []
        connection.savepoint_ids = []
        forget()


def forget() -> None:
    """Clear what a process keeps in memory."""
    for name in ("default", "pages"):
        caches[name].clear()


class Databases:
    """A fresh database for every seed: a copy of one that was migrated once."""

    def __init__(self) -> None:
        # An aborted run's database is replaced without asking.
        connection.creation.create_test_db(verbosity=0, autoclobber=True, serialize=False)
        self.pattern = connection.settings_dict["NAME"]
        self.embedded = connection.vendor == "sqlite"
        self.name = f"{self.pattern}_festival"
        connection.close()

    def fresh(self) -> None:
        """Start with an empty installation."""
        self._drop()
        if self.embedded:
            shutil.copyfile(self.pattern, self.name)
        else:
            with connection._nodb_cursor() as cursor:
                cursor.execute(f'CREATE DATABASE "{self.name}" TEMPLATE "{self.pattern}"')
        connection.settings_dict["NAME"] = self.name
        forget()

    def done(self) -> None:
        """Remove everything."""
        self._drop()
        connection.creation.destroy_test_db(self.pattern, verbosity=0)

    def _drop(self) -> None:
        connection.close()
        connection.settings_dict["NAME"] = self.pattern
        if self.embedded:
            for end in ("", "-wal", "-shm"):
                Path(f"{self.name}{end}").unlink(missing_ok=True)
        else:
            with connection._nodb_cursor() as cursor:
                cursor.execute(f'DROP DATABASE IF EXISTS "{self.name}" WITH (FORCE)')


def seconds() -> float:
    """Return the real time, which no world changes."""
    return time.perf_counter()
