"""The site of guides that ``make docs`` builds: what is there, and where a guide is read."""

import json
from dataclasses import dataclass
from functools import lru_cache

from django.conf import settings
from django.utils.translation import get_language

#: The address of the site, which has a folder for each language.
ROOT = "/docs/"


@dataclass(frozen=True, slots=True)
class Site:
    """A built site: its pages' Content-Security-Policy, and the files with their ETags."""

    policy: str
    files: dict[str, str]

    def language(self) -> str:
        """Return the reader's language, or English where there are no guides in it."""
        language = get_language() or "en"
        return language if f"{language}/index.html" in self.files else "en"


def site() -> Site | None:
    """Return the site as it is now, or None if nobody has built it."""
    try:
        changed = (settings.GUIDES_DIR / "site.json").stat().st_mtime_ns
    except OSError:
        return None
    return _read(changed)


@lru_cache(maxsize=1)
def _read(changed: int) -> Site:
    document = json.loads((settings.GUIDES_DIR / "site.json").read_text(encoding="utf-8"))
    return Site(document["policy"], document["files"])


def guide_address(name: str, anchor: str = "") -> str:
    """Return where a guide is read in the reader's language or else in English; "" if nowhere."""
    built = site()
    if built is None:
        return ""
    for language in (built.language(), "en"):
        if f"{language}/{name}.html" in built.files:
            return f"{ROOT}{language}/{name}.html" + (f"#{anchor}" if anchor else "")
    return ""
