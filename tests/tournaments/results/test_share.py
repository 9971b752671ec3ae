"""Pictures to share: drawn by the worker, without hidden names, again only if they changed."""

from __future__ import annotations

import re
from io import BytesIO

import pytest
from django.test import Client
from PIL import Image

from tests.tournaments.factories import finished_heat, make_event
from tests.tournaments.jobs import hurry, run
from tests.tournaments.series.test_series import played
from tests.tournaments.test_gets_write_nothing import writes
from tournaments.core.shared_links import drawn_picture
from tournaments.models import Event, Heat, Registration, SharedPicture
from tournaments.models.enums import Shares
from tournaments.results.drawing import shared_picture
from tournaments.results.queries.share import Told, told_of, wanted_of

pytestmark = pytest.mark.django_db


def draw() -> None:
    """Let the worker take its next turn."""
    hurry("share")
    assert run("share") == [1]


def image(path: str) -> bytes:
    answer = Client().get(path)
    assert answer.status_code == 200, path
    assert answer["Content-Type"] == "image/png"
    with Image.open(BytesIO(answer.content)) as found:
        assert found.size == (1200, 630)
    return answer.content


def texts(told: Told | None) -> str:
    assert told is not None
    return " ".join(str(getattr(shape, "text", "")) for shape in shared_picture(told).shapes)


def paths(event: Event) -> list[str]:
    heat, player = Heat.objects.get(event=event), event.registrations.order_by("number")[0]
    kinds = ((Shares.EVENT, 0), (Shares.HEAT, heat.number), (Shares.PLAYER, player.number))
    return [drawn_picture(event, *each) for each in (*kinds, (Shares.CHAMPION, 0))]


def test_an_event_its_heats_players_and_champion_have_pictures() -> None:
    event = played()
    # Until the worker has been there, the program's own picture stands in.
    for path in paths(event):
        answer = Client().get(path)
        assert answer.status_code == 302
        assert answer["Location"].endswith("site/share.png")
    draw()
    assert len({image(path) for path in paths(event)}) == 4
    assert writes(Client(), paths(event)[1]) == []
    etag = Client().get(paths(event)[0])["ETag"]
    assert Client().get(paths(event)[0], headers={"if-none-match": etag}).status_code == 304
    for page in ("", "heats/1/", "players/1/", "champion/"):
        text = Client().get(f"/e/{event.slug}/{page}").content.decode()
        found = re.search(r'og:image" content="http://testserver([^"]+)"', text)
        assert found is not None
        assert found[1] in paths(event)
        image(found[1])
    for wrong in ("table-1", "heat-99", "player-99", "event-1"):
        assert Client().get(f"/e/{event.slug}/share/{wrong}.en.png").status_code == 404


def test_only_what_has_changed_is_drawn_again() -> None:
    event = make_event()
    finished_heat(event)
    draw()
    rows = {row.pk: row.digest for row in SharedPicture.objects.all()}
    assert {row.kind for row in SharedPicture.objects.all()} == {"event", "heat"}
    event.venue = "Norrköping"
    event.save()
    draw()
    again = {row.pk: row.digest for row in SharedPicture.objects.all()}
    assert again.keys() == rows.keys()
    changed = {SharedPicture.objects.get(pk=pk).kind for pk in rows if rows[pk] != again[pk]}
    assert changed == {"event"}


def test_a_name_is_in_no_picture_once_it_is_hidden() -> None:
    event = played()
    draw()
    player: Registration = event.registrations.order_by("number")[0]
    name = player.person.legal_name
    event = Event.objects.select_related("version", "organiser").get(pk=event.pk)
    heat = next(each for each in wanted_of(event) if each.kind == Shares.HEAT)
    assert name in texts(told_of(event, heat))
    type(player.person).objects.filter(pk=player.person_id).update(visibility="hidden")
    # At once, before the worker draws it anew.
    _event, of_heat, of_player, _champion = paths(event)
    assert Client().get(of_heat).status_code == 302
    assert Client().get(of_player).status_code == 404
    assert name not in texts(told_of(event, heat))
    draw()
    image(of_heat)
    assert Client().get(of_player).status_code == 404
    assert not SharedPicture.objects.filter(kind="player", number=player.number).exists()
