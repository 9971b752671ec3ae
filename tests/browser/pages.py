"""The pages checked in a real browser; a new page needs a line here.

`make test-pages` checks each of them, `make look` takes screenshots.

`{event}` is the demo's event, `{heat}` a finished heat, `{running}` an open one, `{scoring}` the
demo's scoring link.
"""

import subprocess
import sys
from dataclasses import dataclass

from tests.browser.conftest import Site
from tests.config.server import ROOT


@dataclass(frozen=True, slots=True)
class CheckedPage:
    """A page, and who opens it: an anonymous reader or one of the demo's accounts."""

    name: str
    path: str
    who: str = ""


PAGES = (
    CheckedPage("home", "/"),
    CheckedPage("kitchen table", "/play/"),
    CheckedPage("open questions of the rules", "/rules/open/"),
    CheckedPage("sign in", "/accounts/login/"),
    CheckedPage("event", "{event}"),
    CheckedPage("sign-up", "{event}sign-up/"),
    CheckedPage("standings", "{event}standings/"),
    CheckedPage("standings by heat", "{event}standings/heats/"),
    CheckedPage("qualified", "{event}qualified/"),
    CheckedPage("draws", "{event}draws/"),
    CheckedPage("draw", "{event}draws/1/"),
    CheckedPage("play-offs, planned", "{event}play-offs/"),
    CheckedPage("result so far", "{event}result/"),
    CheckedPage("champion to come", "{event}champion/"),
    CheckedPage("finished heat", "{event}heats/{heat}/"),
    CheckedPage("running heat", "{event}heats/{running}/"),
    CheckedPage("a game's deals", "{event}heats/{heat}/games/1/"),
    CheckedPage("scoring", "{scoring}"),
    CheckedPage("director's home", "/", "Director"),
    CheckedPage("desk", "{event}desk/", "Director"),
    CheckedPage("players", "{event}desk/players/", "Director"),
    CheckedPage("check-in", "{event}desk/check-in/", "Director"),
    CheckedPage("director's play-offs, planned", "{event}desk/play-offs/", "Director"),
    CheckedPage("what draws respect", "{event}desk/seating/", "Director"),
    CheckedPage("register", "{event}desk/register/", "Director"),
    CheckedPage("import", "{event}desk/import/", "Director"),
    CheckedPage("player", "{event}desk/players/1/", "Director"),
    CheckedPage("player's slip", "{event}desk/players/1/slip/", "Director"),
    CheckedPage("merging", "{event}desk/players/1/merge/", "Director"),
    CheckedPage("merged persons", "{event}desk/merges/", "Director"),
    CheckedPage("cash", "{event}desk/cash/", "Owner"),
    CheckedPage("a player's money", "{event}desk/cash/players/1/", "Owner"),
    CheckedPage("prizes", "{event}desk/cash/prizes/", "Owner"),
    CheckedPage("table card", "{event}table/1/"),
    CheckedPage("timetable", "{event}desk/timetable/", "Owner"),
    CheckedPage("mail", "{event}desk/mail/", "Owner"),
    CheckedPage("picture", "{event}desk/picture/", "Owner"),
    CheckedPage("director's heat", "{event}desk/heats/{running}/", "Director"),
    CheckedPage("director's finished heat", "{event}desk/heats/{heat}/", "Director"),
    CheckedPage("prints", "{event}desk/prints/", "Director"),
    CheckedPage("floor", "{event}desk/floor/", "Director"),
    CheckedPage("penalties", "{event}desk/penalties/", "Director"),
    CheckedPage("sheet from paper", "{event}desk/heats/{running}/games/1/paper/", "Director"),
    CheckedPage("sheet to correct", "{event}desk/heats/{heat}/games/1/", "Director"),
    CheckedPage("correction", "{event}desk/heats/{heat}/games/1/2/", "Director"),
    CheckedPage("screens", "{event}desk/screens/", "Director"),
    CheckedPage("screen to set up", "{event}desk/screens/1/", "Director"),
    CheckedPage("card of a screen", "{event}desk/screens/1/card/", "Director"),
    CheckedPage("sponsors", "{event}desk/screens/sponsors/", "Director"),
    CheckedPage("announcements", "{event}desk/announcements/", "Director"),
    CheckedPage("letter", "{event}desk/mail/write/", "Director"),
    CheckedPage("a player's public page", "{event}players/1/"),
    CheckedPage("log", "{event}desk/log/", "Director"),
    CheckedPage("checklist", "{event}desk/checklist/", "Owner"),
    CheckedPage("settings", "{event}desk/settings/", "Owner"),
    CheckedPage("staff", "{event}desk/staff/", "Owner"),
    CheckedPage("invitation to the staff", "{event}desk/staff/invite/", "Owner"),
    CheckedPage("new event", "/events/new/", "Owner"),
    CheckedPage("password", "/accounts/password/change/", "Director"),
    CheckedPage("two-step", "/accounts/2fa/", "Director"),
    CheckedPage("sign out", "/accounts/logout/", "Director"),
)

#: Pages of a finished event; `{event}` has been played to its end by bots.
LATER = (
    CheckedPage("played event", "{event}"),
    CheckedPage("play-offs", "{event}play-offs/"),
    CheckedPage("round of the play-offs", "{event}play-offs/1/"),
    CheckedPage("result", "{event}result/"),
    CheckedPage("champion", "{event}champion/"),
    CheckedPage("hands and Chicagos", "{event}hands/"),
    CheckedPage("standings of all heats", "{event}standings/heats/"),
    CheckedPage("director's play-offs", "{event}desk/play-offs/", "Owner"),
    CheckedPage("desk when all is over", "{event}desk/", "Owner"),
    CheckedPage("floor when all is over", "{event}desk/floor/", "Owner"),
)

SCREEN_PARTS = (
    *("seats", "tables", "clock", "waiting", "standings", "qualified", "bracket", "final"),
    *("champion", "notices", "sponsors", "sign_up", "black"),
)
#: What screens and streams show: for pictures, as these pages have no menus and fit their screen.
ON_SCREENS = (
    CheckedPage("new screen", "/screen/"),
    *(
        CheckedPage(f"screen, {part}", f"{{event}}desk/screens/1/view/?part={part}", "Director")
        for part in SCREEN_PARTS
    ),
    *(
        CheckedPage(f"overlay, {kind}", f"{{event}}overlay/sv/{kind}/")
        for kind in ("tiles", "lower", "bracket")
    ),
)


def fill(place: CheckedPage, site: Site, event: str = "") -> str:
    """Return the path of a page on this site, for the demo's event or another one."""
    return place.path.format(
        event=event or site.path("Event"), scoring=site.path("Scoring link"), heat=2, running=12
    )


def play_an_event(site: Site) -> str:
    """Have bots play an event to its end on the running site; return its path."""
    run = [sys.executable, "manage.py", "rehearse", "--players", "20", "--seed", "kräftor"]
    subprocess.run(
        [*run, "--slug", "played", "--owner", site.found("Owner").split(" / ")[0]],
        cwd=ROOT,
        env=site.environment,
        check=True,
        stdout=subprocess.DEVNULL,
    )
    return "/e/played/"
