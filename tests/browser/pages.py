"""The pages that are looked at in a real browser; a new page gets a line here.

`{event}` is the demo's event, `{heat}` a finished heat, `{running}` one that is being played,
`{scoring}` the demo's scoring link.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CheckedPage:
    """A page, and who opens it: nobody in particular, or one of the demo's accounts."""

    name: str
    path: str
    who: str = ""


PAGES = (
    CheckedPage("home", "/"),
    CheckedPage("kitchen table", "/play/"),
    CheckedPage("open questions of the rules", "/rules/open/"),
    CheckedPage("sign in", "/accounts/login/"),
    CheckedPage("forgotten password", "/accounts/password/reset/"),
    CheckedPage("event", "{event}"),
    CheckedPage("sign-up", "{event}sign-up/"),
    CheckedPage("standings", "{event}standings/"),
    CheckedPage("day 1 by player", "{event}players/"),
    CheckedPage("qualified", "{event}qualified/"),
    CheckedPage("draws", "{event}draws/"),
    CheckedPage("draw", "{event}draws/1/"),
    CheckedPage("play-offs, planned", "{event}play-offs/"),
    CheckedPage("result so far", "{event}result/"),
    CheckedPage("champion to come", "{event}champion/"),
    CheckedPage("finished heat", "{event}heats/{heat}/"),
    CheckedPage("running heat", "{event}heats/{running}/"),
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
    CheckedPage("all slips", "{event}desk/slips/", "Director"),
    CheckedPage("merging", "{event}desk/players/1/merge/", "Director"),
    CheckedPage("merged persons", "{event}desk/merges/", "Director"),
    CheckedPage("cash", "{event}desk/cash/", "Owner"),
    CheckedPage("director's heat", "{event}desk/heats/{running}/", "Director"),
    CheckedPage("director's finished heat", "{event}desk/heats/{heat}/", "Director"),
    CheckedPage("prints", "{event}desk/prints/", "Director"),
    CheckedPage("floor", "{event}desk/floor/", "Director"),
    CheckedPage("penalties", "{event}desk/penalties/", "Director"),
    CheckedPage("sheet from paper", "{event}desk/heats/{running}/games/1/paper/", "Director"),
    CheckedPage("sheet to correct", "{event}desk/heats/{heat}/games/1/", "Director"),
    CheckedPage("correction", "{event}desk/heats/{heat}/games/1/2/", "Director"),
    CheckedPage("log", "{event}desk/log/", "Director"),
    CheckedPage("checklist", "{event}desk/checklist/", "Owner"),
    CheckedPage("settings", "{event}desk/settings/", "Owner"),
    CheckedPage("staff", "{event}desk/staff/", "Owner"),
    CheckedPage("invitation to the staff", "{event}desk/staff/invite/", "Owner"),
    CheckedPage("new event", "/events/new/", "Owner"),
    CheckedPage("password", "/accounts/password/change/", "Director"),
    CheckedPage("two-factor", "/accounts/2fa/", "Director"),
)

#: Pages of an event that is over; `{event}` is one that bots have played to its end.
LATER = (
    CheckedPage("played event", "{event}"),
    CheckedPage("play-offs", "{event}play-offs/"),
    CheckedPage("result", "{event}result/"),
    CheckedPage("champion", "{event}champion/"),
    CheckedPage("standings of all heats", "{event}standings/"),
    CheckedPage("director's play-offs", "{event}desk/play-offs/", "Owner"),
    CheckedPage("desk when all is over", "{event}desk/", "Owner"),
    CheckedPage("floor when all is over", "{event}desk/floor/", "Owner"),
)
