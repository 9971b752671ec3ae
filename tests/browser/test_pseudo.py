"""Every page and every print in a language that only the test has: all is translated, all fits."""

import re
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Page, StorageState

from engine.rules.presets import PRESETS
from engine.rules.variants import VARIANTS
from tests import pseudo
from tests.browser.conftest import Open, Site
from tests.browser.pages import LATER, PAGES, fill, play_a_season
from tests.config.server import ROOT
from tests.scoring.paper import eyes

pytestmark = pytest.mark.pages

#: Pages that are being written anew: nothing is asked of them yet.
#: Not walked: a table, and a code of six letters, which are no words.
EXEMPT = {"scoring", "card of a screen"}

#: Words of ours that are the same in every language: the game, names of rule sets and of variants.
SAME = {
    "Chicago",
    "CSV",
    "XLSX",
    "OpenAPI",
    "English",
    "Svenska",
    pseudo.CODE.upper(),
    *PRESETS,
    *pseudo.words(" ".join(VARIANTS)),
}
#: Columns with names and what else people write.
NAMES = {
    "tournaments_person": ("given_name", "family_name", "display_name", "legal_name", "club"),
    "tournaments_event": ("name", "venue", "contact", "wifi_name", "currency"),
    "tournaments_organiser": ("name",),
    "tournaments_screen": ("name",),
    "tournaments_series": ("name",),
    "tournaments_penalty": ("reason",),
    "scoring_sheetentry": ("reason",),
    "auth_user": ("username", "first_name", "last_name"),
}
#: Returns the texts of a page, and those that do not fit.
PAGE = (ROOT / "tests" / "pseudo" / "page.js").read_text(encoding="utf-8")
#: Writes every print of an event, and every mail to a player, into a folder.
PRINTS = """
from pathlib import Path
from django.utils import translation
from tournaments.mail.queries import content_of
from tournaments.models import Event, Job
from tournaments.models.enums import MailKind
from tournaments.prints.drawing import PRINTS
from tournaments.prints.drawing._lists import Order
folder, about = Path({folder!r}), dict(language={language!r}, site="https://chicago.example")
with translation.override({language!r}):
    for event in Event.objects.filter(slug__in=["demo", "played"]):
        for kind, each in PRINTS.items():
            if each.can_print(event):
                order = Order(event, **about)
                (folder / (event.slug + "-" + kind + ".pdf")).write_bytes(each.pdf(order))
        for kind in MailKind:
            player = event.registrations.filter(status="checked_in").first()
            job = Job(event=event, registration=player, kind="mail", what=kind, **about)
            job.parameters = dict(subject="", text="")
            mail = content_of(job)
            text = mail.subject + "\\n" + mail.text
            (folder / (event.slug + "-" + kind + ".txt")).write_text(text, encoding="utf-8")
"""


@pytest.fixture(scope="module")
def language(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the made language."""
    return pseudo.make(tmp_path_factory.mktemp("pseudo"))


@pytest.fixture(scope="module")
def festival_site(
    tmp_path_factory: pytest.TempPathFactory, demo_installation: Path, language: Path
) -> Iterator[Site]:
    """The program with its demo festival and the made language."""
    folder = shutil.copytree(
        demo_installation, tmp_path_factory.mktemp("festival"), dirs_exist_ok=True
    )
    settings = {"DJANGO_SETTINGS_MODULE": "tests.pseudo.settings", "PSEUDO": str(language)}
    with Site(folder, **settings) as site:
        yield site


@pytest.fixture(scope="module")
def played(festival_site: Site) -> str:
    """The path of an event that is over."""
    return play_a_season(festival_site)


def test_every_page_is_translated_and_fits_a_phone(
    festival_site: Site, played: str, open_page: Open, keys: dict[str, StorageState | None]
) -> None:
    visits = [(place, fill(place, festival_site)) for place in PAGES]
    visits += [(place, fill(place, festival_site, played)) for place in LATER]
    known, problems = known_words(festival_site.folder), []
    for who, state in keys.items():
        page = open_page(festival_site.address, language=pseudo.CODE, state=state).page
        for place, path in visits:
            if place.who == who and place.name not in EXEMPT:
                page.goto(path)
                assert page.locator("html").get_attribute("lang") == pseudo.CODE
                problems += [f"{place.name}: {each}" for each in problems_of(page, known)]
        page.context.close()
    assert not problems, "\n".join(problems)


def test_every_print_and_mail_is_translated(
    festival_site: Site, played: str, tmp_path: Path
) -> None:
    make = PRINTS.format(folder=str(tmp_path), language=pseudo.CODE)
    festival_site.manage("shell", "--verbosity", "0", "-c", make)
    known = known_words(festival_site.folder)

    def is_part(word: str) -> bool:
        return any(name.startswith(word) or name.endswith(word) for name in known)

    files = sorted(tmp_path.iterdir())
    assert {path.suffix for path in files} == {".pdf", ".txt"}
    problems = {}
    for path in files:
        content = path.read_bytes()
        text = eyes.text(content) if path.suffix == ".pdf" else content.decode()
        # Verification codes, and names that are broken at the end of a line.
        text = re.sub(r"\b[A-Z0-9]{4}(-[A-Z0-9]{4})+\b", "", text)
        words = pseudo.unmarked(text, known)
        if left := [word for word in words if not (len(word) > 3 and is_part(word))]:
            problems[path.name] = left
    assert problems == {}


def problems_of(page: Page, known: set[str]) -> list[str]:
    """Return what an open page says outside the marks, and what does not fit."""
    found = page.evaluate(PAGE)
    left = [
        f"{' '.join(words)}: {' '.join(text.split())[:80]}"
        for text in found["texts"]
        if (words := pseudo.unmarked(text, known))
    ]
    return [*left, *(f"does not fit: {each}" for each in found["cut"])]


def known_words(folder: Path) -> set[str]:
    """Return the words of all names in the program's database, and those that are never other."""
    with closing(sqlite3.connect(folder / "chicago.sqlite3")) as database:
        rows = [
            row
            for table, columns in NAMES.items()
            for row in database.execute(f"SELECT {', '.join(columns)} FROM {table}")
        ]
    return SAME | {word for row in rows for text in row for word in pseudo.words(text)}
