"""A real browser against the real program, started as by `make run`.

Without Chromium these tests are skipped with a message; .ci/run does not allow that.
"""

import os
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.test import override_settings
from playwright.sync_api import (
    Browser,
    ConsoleMessage,
    Page,
    Playwright,
    Response,
    StorageState,
    expect,
    sync_playwright,
)

from engine.messages import languages, texts_in
from tests.config.server import Server

#: The shell first: it lacks only the window, and takes half the time.
NAMES = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
)
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
]
PHONE = (360, 640)
DESKTOP = (1280, 800)
#: Milliseconds; generous, so that tests do not fail on a busy machine.
expect.set_options(timeout=20_000)


def find_chromium() -> str | None:
    """Return the path of an installed Chromium (`CHROMIUM` names another)."""
    wanted = (os.environ.get("CHROMIUM", ""), *NAMES)
    return next((path for name in wanted if name and (path := shutil.which(name))), None)


# Module scope: a thread can have only one Playwright driver, and while it runs, Django takes the
# code for asynchronous.
@pytest.fixture(scope="module")
def playwright() -> Iterator[Playwright]:
    """Start Playwright's driver."""
    with sync_playwright() as driver:
        yield driver


@pytest.fixture(scope="module")
def chromium(playwright: Playwright) -> Iterator[Browser]:
    """Start one Chromium for all tests of a module."""
    path = find_chromium()
    if path is None:
        pytest.skip("No Chromium on this machine: install it to run the browser tests")
    browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
    yield browser
    browser.close()


@pytest.fixture(autouse=True, scope="module")
def _beside_playwright() -> Iterator[None]:
    """Let tests use the database: Playwright's event loop makes Django think the code is async."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
        yield


@pytest.fixture(autouse=True, scope="module")
def _served_files(empty_installation: Path) -> Iterator[None]:
    """Serve scripts and styles as the program does: shortened, with names by their content."""
    served = empty_installation / "static"
    storages = settings.STORAGES | {"staticfiles": {"BACKEND": "config.storage.StaticStorage"}}
    with override_settings(STATIC_ROOT=served, STATICFILES_DIRS=[served], STORAGES=storages):
        yield


class Watched:
    """A page that records what goes wrong in it.

    `expected`: patterns of errors that a test provokes on purpose, such as being offline.
    """

    def __init__(self, page: Page) -> None:
        self.page = page
        self.expected: list[str] = []
        self.problems: list[str] = []
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.problems.append(f"script error: {error}"))
        page.on("response", self._response)

    def _console(self, message: ConsoleMessage) -> None:
        # Inline scripts and styles that were blocked are reported here, too.
        if message.type in {"error", "warning"}:
            self.problems.append(f"console {message.type}: {message.text}")

    def _response(self, response: Response) -> None:
        if response.status >= 400:
            self.problems.append(f"{response.status} {response.request.method} {response.url}")

    def complain(self) -> None:
        """Fail if anything unexpected went wrong."""
        left = [
            problem
            for problem in self.problems
            if not any(re.search(pattern, problem) for pattern in self.expected)
        ]
        assert left == []


Open = Callable[..., Watched]


@pytest.fixture
def open_page(chromium: Browser) -> Iterator[Open]:
    """Return a function that opens a new browser window; all windows are checked at the end."""
    opened: list[Watched] = []

    def new(
        base_url: str,
        *,
        size: tuple[int, int] = PHONE,
        language: str = "en",
        dark: bool = False,
        state: StorageState | None = None,
    ) -> Watched:
        context = chromium.new_context(
            base_url=base_url,
            viewport={"width": size[0], "height": size[1]},
            locale=texts_in(language).locale if language in languages() else language,
            color_scheme="dark" if dark else "light",
            has_touch=size == PHONE,
            reduced_motion="reduce",
            storage_state=state,
        )
        context.set_default_timeout(15_000)
        opened.append(Watched(context.new_page()))
        return opened[-1]

    yield new
    for watched in opened:
        watched.page.context.close()
    for watched in opened:
        watched.complain()


class Site(Server):
    """The running program, and what it printed about its demo."""

    def found(self, word: str) -> str:
        """Return what was printed after this label."""
        match = re.search(rf"^ *{word}:? +(\S.*)$", self.output, re.MULTILINE)
        assert match, f"{word!r} was not printed:\n{self.output}"
        return match[1].strip()

    def path(self, word: str) -> str:
        """Return the path of a printed address."""
        return self.found(word).removeprefix(self.address)


def press(page: Page, address: str) -> None:
    """Press the button whose form posts to an address with this ending."""
    page.locator(
        f"form[action$='{address}'] button:not([formaction]):visible,"
        f" button[formaction$='{address}']:visible"
    ).first.click()


def send_form(page: Page) -> None:
    """Press the submit button of the page's main form."""
    page.locator("main form[method=post]:not([action]) button.btn-primary").click()


@pytest.fixture(scope="session")
def festival_site(
    tmp_path_factory: pytest.TempPathFactory, demo_installation: Path
) -> Iterator[Site]:
    """The program with its demo festival; tests that change anything use `empty_site`."""
    folder = tmp_path_factory.mktemp("festival")
    with Site(shutil.copytree(demo_installation, folder, dirs_exist_ok=True)) as site:
        yield site


@pytest.fixture
def empty_site(empty_data: Path) -> Iterator[Site]:
    """The program after its first start, without any data."""
    with Site(empty_data, DEMO="0") as site:
        yield site


def sign_in(page: Page, name: str, password: str) -> None:
    page.goto("/accounts/login/")
    page.fill("input[name=login]", name)
    page.fill("input[name=password]", password)
    page.locator("main form button[type=submit], main form button:not([type])").first.click()
    page.wait_for_url(lambda url: "login" not in url)


@pytest.fixture(scope="module")
def keys(chromium: Browser, festival_site: Site) -> dict[str, StorageState | None]:
    """Return the stored state of a signed-in browser for each demo account."""
    found: dict[str, StorageState | None] = {"": None}
    for who in ("Director", "Owner"):
        context = chromium.new_context(base_url=festival_site.address)
        sign_in(context.new_page(), *festival_site.found(who).split(" / "))
        found[who] = context.storage_state()
        # Each page is opened in its own browser's language.
        found[who]["cookies"] = [
            cookie for cookie in found[who]["cookies"] if "language" not in cookie["name"]
        ]
        context.close()
    return found
