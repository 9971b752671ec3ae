"""Access to the demo festival: accounts with passwords made by this installation.

A well-known password would open every demo reachable from outside. So each installation makes its
own and keeps it in the data folder, from which the run command prints it.
"""

import json
import secrets
from dataclasses import asdict, dataclass
from pathlib import Path

from django.conf import settings
from django.contrib.auth import get_user_model

WORDS = ("giv", "ess", "kung", "dam", "knekt", "spader", "ruter", "stick", "stege", "par")


@dataclass(frozen=True, slots=True)
class DemoAccount:
    """What the run command prints about the demo; paths are relative to the site."""

    owner: str
    director: str
    password: str
    event_path: str
    scoring_path: str

    def lines(self, address: str) -> list[tuple[str, str]]:
        """Return (label, value) pairs to print."""
        return [
            ("Event", address + self.event_path),
            ("Scoring link", address + self.scoring_path),
            ("Sign in", f"{address}/accounts/login/"),
            ("Owner", f"{self.owner} / {self.password}"),
            ("Director", f"{self.director} / {self.password}"),
        ]


def _file() -> Path:
    return Path(settings.DATA_DIR) / "demo.json"


def new_password() -> str:
    """Return a password that is easy to type but hard to guess (about 50 bits)."""
    words = "-".join(secrets.choice(WORDS) for _ in range(2))
    return f"{words}-{secrets.token_hex(5)}"


def remember(demo: DemoAccount) -> None:
    """Store what is printed at every start, readable only by the folder's owner."""
    file = _file()
    file.unlink(missing_ok=True)
    file.touch(mode=0o600)
    file.write_text(json.dumps(asdict(demo)), encoding="utf-8")


def account() -> DemoAccount | None:
    """Return the demo's accounts, if this installation has loaded it and they still exist."""
    try:
        demo = DemoAccount(**json.loads(_file().read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None
    return demo if get_user_model().objects.filter(username=demo.director).exists() else None


def may_load() -> bool:
    """Return whether the database has no accounts and no events."""
    from ..models import Event

    return not get_user_model().objects.exists() and not Event.objects.exists()
