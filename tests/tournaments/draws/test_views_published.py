from __future__ import annotations

from django.test import Client

from tests.tournaments.factories import make_heats, make_players
from tests.tournaments.registration.test_views_desk import text_of, url
from tournaments.draws.commands.drafts import draft_heats, publish, swap_players
from tournaments.draws.commands.seating_constraints import keep_apart
from tournaments.models import Event


def test_the_page_repeats_the_draw(event: Event, client: Client) -> None:
    draw = make_heats(event, 11, seed="a public seed").draw
    answer = client.get(url(event, "draw", number=draw.number))
    assert answer.context["view"].repeated.same
    assert "is-same" in text_of(answer)
    assert "a public seed" in text_of(answer)
    assert "sha256-lots-fair-1" in text_of(answer)


def test_a_tampered_draw_is_marked_as_such(event: Event, client: Client) -> None:
    draw = make_heats(event, 7).draw
    draw.seed = "another"
    draw.save()
    answer = client.get(url(event, "draw", number=draw.number))
    assert answer.context["view"].repeated.groups
    assert "is-other" in text_of(answer)


def test_an_unknown_method_is_reported(event: Event, client: Client) -> None:
    draw = make_heats(event, 7).draw
    draw.method = "tombola-9"
    draw.save()
    answer = client.get(url(event, "draw", number=draw.number))
    assert answer.context["view"].repeated.groups is None
    assert "is-other" in text_of(answer)


def test_manual_changes_are_shown_beside_the_original_draw(event: Event, client: Client) -> None:
    make_players(event, 7)
    draw = draft_heats(event=event, by=None)
    one, other = draw.groups[0][0], draw.groups[1][0]
    swap_players(draw=draw, one=one, other=other, by=None, reason="wheelchair")
    draw.refresh_from_db()
    publish(draw=draw, by=None)
    page = text_of(client.get(url(event, "draw", number=draw.number)))
    assert "wheelchair" in page
    assert page.count("by hand</span>") == 2
    assert "is-same" in page


def test_pairs_kept_apart_are_shown_without_names_or_reason(event: Event, client: Client) -> None:
    players = make_players(event, 8)
    keep_apart(event=event, one=players[0], other=players[1], by=None, reason="a quarrel")
    draw = draft_heats(event=event, by=None)
    publish(draw=draw, by=None)
    page = text_of(client.get(url(event, "draw", number=draw.number)))
    assert "a quarrel" not in page
    assert "1 · 2" in page


def test_a_hidden_player_is_a_number(event: Event, client: Client) -> None:
    player = make_players(event, 3)[0]
    player.person.visibility = "hidden"
    player.person.save()
    draw = draft_heats(event=event, by=None)
    publish(draw=draw, by=None)
    page = text_of(client.get(url(event, "draw", number=draw.number)))
    assert player.person.legal_name not in page
    assert "Player 1" in page


def test_the_list_has_every_draw(event: Event, client: Client) -> None:
    assert 'class="empty"' in text_of(client.get(url(event, "draws")))
    make_heats(event, 4)
    make_heats(event, 3)
    page = text_of(client.get(url(event, "draws")))
    assert "Draw 1" in page
    assert "Draw 2" in page


def test_the_script_can_be_downloaded(event: Event, client: Client) -> None:
    make_heats(event, 4)
    answer = client.get(url(event, "draw_script", number=1))
    assert answer["Content-Disposition"] == 'attachment; filename="fest-draw-1.py"'
    assert answer["Content-Type"].startswith("text/x-python")
    compile(text_of(answer), "repeat.py", "exec")
