"""How to get into the demo festival: accounts with passwords of this installation's own.

A password that everybody knows would open any demo that is reachable from outside, so each
installation makes its own and keeps it in the data folder, from where the run command prints it.
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
        """Return (word, value) pairs to print."""
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
    """Return a password that is easy to type and not to guess (about 50 bits)."""
    words = "-".join(secrets.choice(WORDS) for _ in range(2))
    return f"{words}-{secrets.token_hex(5)}"


def remember(demo: DemoAccount) -> None:
    """Keep what is printed at every start, for the owner of the folder only."""
    file = _file()
    file.unlink(missing_ok=True)
    file.touch(mode=0o600)
    file.write_text(json.dumps(asdict(demo)), encoding="utf-8")


def account() -> DemoAccount | None:
    """Return the demo's accounts if this installation loaded it and they are still there."""
    try:
        demo = DemoAccount(**json.loads(_file().read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None
    return demo if get_user_model().objects.filter(username=demo.director).exists() else None


def may_load() -> bool:
    """Tell whether the database is empty: no account and no event."""
    from ..models import Event

    return not get_user_model().objects.exists() and not Event.objects.exists()
