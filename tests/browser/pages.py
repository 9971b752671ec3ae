"""The pages that are looked at in a real browser; a new page gets a line here.

`{event}` is the demo's event, `{heat}` a finished heat, `{running}` one that is being played,
`{scoring}` the demo's scoring link.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Place:
    """A page, and who opens it: nobody in particular, or one of the demo's accounts."""

    name: str
    path: str
    who: str = ""


PAGES = (
    Place("home", "/"),
    Place("open questions of the rules", "/rules/open/"),
    Place("sign in", "/accounts/login/"),
    Place("forgotten password", "/accounts/password/reset/"),
    Place("event", "{event}"),
    Place("sign-up", "{event}sign-up/"),
    Place("standings", "{event}standings/"),
    Place("day 1 by player", "{event}players/"),
    Place("qualified", "{event}qualified/"),
    Place("draws", "{event}draws/"),
    Place("draw", "{event}draws/1/"),
    Place("play-offs to come", "{event}play-offs/"),
    Place("result so far", "{event}result/"),
    Place("champion to come", "{event}champion/"),
    Place("finished heat", "{event}heats/{heat}/"),
    Place("running heat", "{event}heats/{running}/"),
    Place("scoring", "{scoring}"),
    Place("director's home", "/", "Director"),
    Place("desk", "{event}desk/", "Director"),
    Place("players", "{event}desk/players/", "Director"),
    Place("director's play-offs to come", "{event}desk/play-offs/", "Director"),
    Place("what draws respect", "{event}desk/seating/", "Director"),
    Place("register", "{event}desk/register/", "Director"),
    Place("import", "{event}desk/import/", "Director"),
    Place("player", "{event}desk/players/1/", "Director"),
    Place("player's slip", "{event}desk/players/1/slip/", "Director"),
    Place("all slips", "{event}desk/slips/", "Director"),
    Place("merging", "{event}desk/players/1/merge/", "Director"),
    Place("merged persons", "{event}desk/merges/", "Director"),
    Place("cash", "{event}desk/cash/", "Owner"),
    Place("director's heat", "{event}desk/heats/{running}/", "Director"),
    Place("director's finished heat", "{event}desk/heats/{heat}/", "Director"),
    Place("prints", "{event}desk/prints/", "Director"),
    Place("floor", "{event}desk/floor/", "Director"),
    Place("penalties", "{event}desk/penalties/", "Director"),
    Place("sheet to correct", "{event}desk/heats/{heat}/games/1/", "Director"),
    Place("correction", "{event}desk/heats/{heat}/games/1/2/", "Director"),
    Place("log", "{event}desk/log/", "Director"),
    Place("checklist", "{event}desk/checklist/", "Owner"),
    Place("settings", "{event}desk/settings/", "Owner"),
    Place("staff", "{event}desk/staff/", "Owner"),
    Place("invitation to the staff", "{event}desk/staff/invite/", "Owner"),
    Place("new event", "/events/new/", "Owner"),
    Place("password", "/accounts/password/change/", "Director"),
    Place("two-factor", "/accounts/2fa/", "Director"),
)

#: Pages of an event that is over; `{event}` is one that bots have played to its end.
LATER = (
    Place("played event", "{event}"),
    Place("play-offs", "{event}play-offs/"),
    Place("result", "{event}result/"),
    Place("champion", "{event}champion/"),
    Place("standings of all heats", "{event}standings/"),
    Place("director's play-offs", "{event}desk/play-offs/", "Owner"),
    Place("desk when all is over", "{event}desk/", "Owner"),
    Place("floor when all is over", "{event}desk/floor/", "Owner"),
)
