"""The pages checked in a real browser; a new page needs a line here.

`make test-pages` checks each of them, `make look` takes screenshots.

`{event}` is the demo's event, `{heat}` a finished heat, `{running}` an open one, `{scoring}` the
demo's scoring link.
"""

import re
from dataclasses import dataclass

from tests.browser.conftest import Site


@dataclass(frozen=True, slots=True)
class CheckedPage:
    """A page, and who opens it: an anonymous reader or one of the demo's accounts."""

    name: str
    path: str
    who: str = ""


GAME = "{event}desk/heats/{heat}/games/1/"
PAGES = (
    CheckedPage("home", "/"),
    CheckedPage("kitchen table", "/play/"),
    CheckedPage("open questions of the rules", "/rules/open/"),
    CheckedPage("what is kept of people", "/privacy/"),
    CheckedPage("sign in", "/accounts/login/"),
    CheckedPage("event", "{event}"),
    CheckedPage("sign-up", "{event}sign-up/"),
    CheckedPage("lost link", "{event}sign-up/link/"),
    CheckedPage("for other programs", "/api/"),
    CheckedPage("series list", "/series/"),
    CheckedPage("framed standings", "/embed/demo/standings/"),
    CheckedPage("framed play-offs, planned", "/embed/demo/play-offs/"),
    CheckedPage("framed heat", "/embed/demo/heats/{heat}/"),
    CheckedPage("framed timetable", "/embed/demo/timetable/"),
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
    CheckedPage("erasing", "{event}desk/players/1/erase/", "Director"),
    CheckedPage("merging", "{event}desk/players/1/merge/", "Director"),
    CheckedPage("sign-ups from one address", "{event}desk/sign-ups/", "Director"),
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
    CheckedPage("sheet to correct", GAME, "Director"),
    CheckedPage("correction", f"{GAME}2/", "Director"),
    CheckedPage("forgotten deal", f"{GAME}deals/2/forgotten/", "Director"),
    CheckedPage("exchange", "{event}desk/heats/{running}/exchange/", "Director"),
    CheckedPage("screens", "{event}desk/screens/", "Director"),
    CheckedPage("screen to set up", "{event}desk/screens/1/", "Director"),
    CheckedPage("card of a screen", "{event}desk/screens/1/card/", "Director"),
    CheckedPage("sponsors", "{event}desk/screens/sponsors/", "Director"),
    CheckedPage("announcements", "{event}desk/announcements/", "Director"),
    CheckedPage("letter", "{event}desk/mail/write/", "Director"),
    CheckedPage("a player's public page", "{event}players/1/"),
    CheckedPage("log", "{event}desk/log/", "Director"),
    CheckedPage("verification", "{event}desk/verification/", "Owner"),
    CheckedPage("checklist", "{event}desk/checklist/", "Owner"),
    CheckedPage("settings", "{event}desk/settings/", "Owner"),
    CheckedPage("staff", "{event}desk/staff/", "Owner"),
    CheckedPage("invitation to the staff", "{event}desk/staff/invite/", "Owner"),
    CheckedPage("new event", "/events/new/", "Owner"),
    CheckedPage("API tokens", "{event}desk/tokens/", "Owner"),
    CheckedPage("webhooks", "{event}desk/webhooks/", "Owner"),
    CheckedPage("organisers", "/organisers/", "Owner"),
    CheckedPage("organiser", "/organisers/organiser/", "Owner"),
    CheckedPage("organiser's contacts", "/organisers/organiser/contacts/", "Owner"),
    CheckedPage("organiser's series", "/organisers/organiser/series/", "Owner"),
    CheckedPage("password", "/accounts/password/change/", "Director"),
    CheckedPage("two-step", "/accounts/2fa/", "Director"),
    CheckedPage("sign out", "/accounts/logout/", "Director"),
)

#: Pages of a finished event; `{event}` has been played to its end by bots, in a series.
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
    CheckedPage("framed play-offs", "/embed/played/play-offs/"),
    CheckedPage("series", "/series/tour/"),
    CheckedPage("statistics of a series", "/series/tour/statistics/"),
    CheckedPage("settings of a series", "/series/tour/settings/", "Owner"),
    CheckedPage("events of a series", "/series/tour/events/", "Owner"),
    CheckedPage("statistics of an organiser", "/organisers/organiser/statistics/"),
    CheckedPage("ratings", "/organisers/organiser/ratings/"),
    CheckedPage("a player over all events", "{career}"),
    CheckedPage("correction to take back", "{correction}", "Owner"),
)

SCREEN_PARTS = (
    *("seats", "tables", "clock", "waiting", "standings", "qualified", "bracket", "final"),
    *("champion", "series", "notices", "sponsors", "sign_up", "black"),
)
#: What screens and streams show: for pictures, as these pages have no menus and fit their screen.
ON_SCREENS = (
    CheckedPage("new screen", "/screen/"),
    *(
        CheckedPage(f"screen, {part}", f"{{event}}desk/screens/1/view/?part={part}", "Director")
        for part in SCREEN_PARTS
    ),
)
#: The same while a final is played and when it is over; the bots' events belong to the owner.
IN_A_FINAL = (
    *(
        CheckedPage(f"in the final, {part}", f"{{event}}desk/screens/1/view/?part={part}", "Owner")
        for part in ("final", "bracket", "qualified", "standings")
    ),
    *(
        CheckedPage(f"overlay, {kind}", f"{{event}}overlay/sv/{kind}/")
        for kind in ("tiles", "lower", "bracket")
    ),
)
AFTER_A_FINAL = (
    CheckedPage("champion on a screen", "{event}desk/screens/1/view/?part=champion", "Owner"),
)
#: A screen never falls silent, so that nobody can wait until it does.
SCREENS = {*ON_SCREENS, *IN_A_FINAL, *AFTER_A_FINAL}


def fill(place: CheckedPage, site: Site, event: str = "") -> str:
    """Return the path of a page on this site, for the demo's event or another one."""
    told = {"event": event, "heat": "2", "running": "12"}
    told = {name: value for name, value in told.items() if value}

    def path(found: re.Match[str]) -> str:
        name = found[1]
        return told.get(name) or site.path(PRINTED.get(name, name.capitalize()))

    return re.sub(r"\{(\w+)\}", path, place.path)


#: What is printed of a place under another name than its own.
PRINTED = {"scoring": "Scoring link"}

#: Gives an event a screen.
SCREEN_OF = """
from tournaments.models import Event
from tournaments.screens.commands import adopt, make_screen
event = Event.objects.get(slug={slug!r})
adopt(event=event, letters=make_screen()[0].letters, name="Baren", by=None)
"""

#: Lets an event that is over count in a series, its champion have a page over all events, and one
#: of its sheets be corrected; prints where the two last can be seen.
SEASON_OF = """
from datetime import date
from django.urls import reverse
from scoring.enums import RowKind
from scoring.models import Sheet
from scoring.reading.take_back import corrections_standing
from tournaments.corrections.commands.correct import correct, preview_correction
from tournaments.corrections.commands.wanted import Correction
from tournaments.models import Event, HeatGame
from tournaments.series.commands.series import add_event, create_series
from tournaments.series.commands.summaries import summarise
from tournaments.statistics.commands.career import show_career
from tournaments.statistics.commands.rating import store_ratings
from tournaments.statistics.queries.rating import rerated
event = Event.objects.get(slug="played")
owner = event.roles.get(role="owner").user
series = create_series(organiser=event.organiser, by=None, name="Tour",
    starts_on=date(2020, 1, 1), ends_on=date(2099, 12, 31), is_public=True, points=["10", "6", "4"])
add_event(series=series, event=event, by=None)

def corrected():
    for game in HeatGame.objects.filter(heat__event=event, heat__stage__kind="qualifying"):
        for row in game.sheet.entries.filter(entry__kind="hand", entry__category="pair"):
            wanted = Correction(sheet=game.sheet, kind=RowKind.AMEND, sequence=row.sequence,
                entry=dict(row.entry, category="two_pair"), reason="Det var två par",
                seen_version=game.sheet.version)
            if not preview_correction(correction=wanted, by=None).needs:
                correct(correction=wanted, by=owner)
                return game
game = corrected()
(row,) = corrections_standing(Sheet.objects.get(pk=game.sheet_id))
summarise(event=event)
store_ratings(organiser=event.organiser, rerated=rerated(event.organiser))
champion = event.places.filter(registration__person__visibility="public")[0].registration
show_career(registration=champion, shown=True)
of_event = [event.organiser.slug, champion.person.public_id]
print("Career:", reverse("tournaments:career", args=of_event))
of_sheet = [event.slug, game.heat.number, game.number, row]
print("Correction:", reverse("tournaments:correction_back", args=of_sheet))
"""


def play_an_event(site: Site, *more: str, slug: str = "played") -> str:
    """Have bots play an event on the running site, to its end or as ``more`` says; return its path.

    It has one screen.
    """
    run = ["rehearse", "--players", "20", "--seed", "kräftor", "--slug", slug, *more]
    site.manage(*run, "--owner", site.found("Owner").split(" / ")[0])
    site.manage("shell", "-v0", "-c", SCREEN_OF.format(slug=slug))
    return f"/e/{slug}/"


def play_a_season(site: Site) -> str:
    """Have bots play an event of a series to its end; return its path."""
    path = play_an_event(site)
    site.output += site.manage("shell", "-v0", "-c", SEASON_OF)
    return path


def play_to_the_final(site: Site) -> str:
    """Have bots play an event until its final's last game; return its path."""
    return play_an_event(site, "--until-final", slug="final")
