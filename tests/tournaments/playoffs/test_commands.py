"""Play-offs: from the qualified list to the champion, through the commands."""

from __future__ import annotations

import pytest

from tests.tournaments.factories import make_heats, make_players
from tests.tournaments.floor.test_commands import at_seat
from tests.tournaments.floor.test_penalties import punish
from tests.tournaments.playoffs.factories import (
    close,
    played_round,
    played_to_the_end,
    qualified_event,
)
from tournaments.core.errors import Refused
from tournaments.documents import event_document, import_event
from tournaments.draws.commands.drafts import discard, draft_round, publish
from tournaments.draws.queries.drafts import is_stale
from tournaments.draws.queries.plan import present
from tournaments.events.commands.events import set_event_status
from tournaments.floor.commands.players import take_draw_back
from tournaments.heats.commands import void_heat
from tournaments.models import Heat, HeatResult, Qualification
from tournaments.models.enums import (
    DrawStatus,
    EventStatus,
    HeatStatus,
    NoShowRule,
    RegistrationStatus,
    StageKind,
    StagePlayerSource,
    StageStatus,
)
from tournaments.playoffs.commands import (
    check_in_to_round,
    discard_round,
    mark_absent,
    mark_present,
    prepare_round,
    take_in_by_hand,
)
from tournaments.playoffs.queries.rounds import next_round
from tournaments.results.queries.ranking import final_ranking

pytestmark = pytest.mark.django_db


def test_the_final_may_have_a_different_number_of_games() -> None:
    event = qualified_event(6)
    event.playoff_games, event.final_games = 2, 3
    event.save()
    assert import_event({**event_document(event), "slug": "again"}).final_games == 3
    played_round(event)
    assert played_round(event).kind == StageKind.FINAL
    assert list(event.stages.values_list("games", flat=True)) == [1, 2, 3]


def test_five_qualifiers_get_a_lucky_loser_and_play_to_a_champion() -> None:
    event = qualified_event(5)
    coming = next_round(event)
    assert coming is not None
    assert (coming.lucky_losers, coming.sizes, coming.is_final) == (1, (3, 3), False)
    semi = prepare_round(event=event, by=None)
    lucky = semi.players.get(source=StagePlayerSource.LUCKY_LOSER)
    best = max(
        HeatResult.objects.filter(advances=False), key=lambda r: (r.game_points, r.score_points)
    )
    row = HeatResult.objects.get(entry__registration=lucky.registration)
    assert (row.game_points, row.score_points) == (best.game_points, best.score_points)
    for heat in publish(draw=draft_round(stage=semi, by=None), by=None).heats:
        assert heat.entries.count() == 3
        close(heat)
    assert Qualification.objects.count() == 5
    final = played_round(event)
    assert (final.kind, final.status) == (StageKind.FINAL, StageStatus.FINISHED)
    assert next_round(event) is None
    ranking = final_ranking(event)
    assert len({each.player_id for each in ranking}) == len(ranking) == 20
    champion = HeatResult.objects.get(heat__stage=final, place=1).entry.registration.player_id
    assert ranking[0].player_id == champion
    finalists = {
        str(number) for number in final.players.values_list("registration__number", flat=True)
    }
    assert {each.player_id for each in ranking[:4]} == finalists
    qualified = {
        str(number) for number in semi.players.values_list("registration__number", flat=True)
    }
    assert {each.player_id for each in ranking[:6]} == qualified


def test_two_qualifiers_need_more_heats() -> None:
    event = qualified_event(2)
    with pytest.raises(Refused) as refused:
        prepare_round(event=event, by=None)
    assert refused.value.code == "round_not_ready"
    assert "2" in str(refused.value)


def test_an_open_heat_prevents_the_round() -> None:
    event = qualified_event(3)
    make_heats(event, 4)
    with pytest.raises(Refused) as refused:
        prepare_round(event=event, by=None)
    assert refused.value.code == "round_not_ready"


def test_a_disqualified_player_in_the_queue_does_not_prevent_the_round() -> None:
    event = qualified_event(3)
    [player] = make_players(event, 1)
    player.status = RegistrationStatus.DISQUALIFIED
    player.save()
    assert prepare_round(event=event, by=None).kind == StageKind.FINAL


def test_a_voided_table_begins_again_without_the_disqualified() -> None:
    heat = played_round(qualified_event(4), finish=False).heats.get()
    players, cheat = {entry.registration for entry in heat.entries.all()}, at_seat(heat, 0)
    punish(heat, cheat, "disqualified", offence="cheating")
    void_heat(heat=heat, by=None, reason="wrong deck")
    again = Heat.objects.open().get(stage=heat.stage)
    assert {entry.registration for entry in again.entries.all()} == players - {cheat}


def test_a_voided_table_of_a_round_survives_export_and_import() -> None:
    event = qualified_event(4)
    heat = played_round(event, finish=False).heats.get()
    punish(heat, at_seat(heat, 0), "disqualified", offence="cheating")
    void_heat(heat=heat, by=None, reason="wrong deck")
    close(Heat.objects.open().get(stage=heat.stage))
    first = event_document(event)
    again = import_event({**first, "slug": "again"})
    heats = again.heats.filter(stage__kind=StageKind.FINAL).order_by("number")
    assert [(each.status, each.entries.count()) for each in heats] == [("void", 4), ("finished", 3)]
    assert event_document(again) | {"slug": first["slug"]} == first


def test_a_final_that_two_could_play_is_not_voided() -> None:
    heat = played_round(qualified_event(3), finish=False).heats.get()
    punish(heat, at_seat(heat, 0), "disqualified", offence="cheating")
    with pytest.raises(Refused) as refused:
        void_heat(heat=heat, by=None, reason="wrong deck")
    assert refused.value.code == "too_few_left"
    heat.refresh_from_db()
    assert heat.status == HeatStatus.OPEN


def test_three_qualifiers_play_the_final() -> None:
    event = qualified_event(3)
    assert prepare_round(event=event, by=None).kind == StageKind.FINAL


@pytest.mark.parametrize("rule", list(NoShowRule))
def test_a_no_show_is_replaced_by_the_events_rule(rule: NoShowRule) -> None:
    event = qualified_event(4)
    event.no_show_rule = rule
    event.save()
    stage = prepare_round(event=event, by=None)
    place = stage.players.order_by("order").last()
    assert place is not None
    instead = mark_absent(player=place, by=None, reason="not at the table at 12:15")
    assert place.registration not in present(stage)
    if rule == NoShowRule.NOBODY:
        assert instead is None
        assert len(present(stage)) == 3
    else:
        assert instead is not None
        assert instead.replaces == place
        assert len(present(stage)) == 4
    if rule == NoShowRule.NEXT_OF_HEAT:
        assert instead is not None
        heat = Heat.objects.get(qualifications__registration=place.registration)
        assert instead.registration.entries.get().heat == heat
        assert HeatResult.objects.get(entry__registration=instead.registration).order == 2
    mark_present(player=place, by=None)
    assert [each.pk for each in present(stage)] == [
        row.registration_id for row in stage.players.order_by("order")
    ]
    assert len(present(stage)) == 4


def test_a_no_show_whose_replacement_did_not_come_waits_for_the_replacement() -> None:
    stage = prepare_round(event=qualified_event(3), by=None)
    first = stage.players.order_by("order").first()
    assert first is not None
    instead = mark_absent(player=first, by=None)
    assert instead is not None
    mark_absent(player=instead, by=None)
    with pytest.raises(Refused) as refused:
        mark_present(player=first, by=None)
    assert refused.value.code == "replacement_absent"
    mark_present(player=instead, by=None)
    mark_present(player=first, by=None)
    assert first.registration in present(stage)
    assert instead.registration not in present(stage)


def test_a_no_show_is_not_checked_in_by_somebody_who_saw_the_round_before() -> None:
    stage = prepare_round(event=qualified_event(3), by=None)
    place = stage.players.order_by("order")[0]
    mark_absent(player=place, by=None)
    with pytest.raises(Refused) as refused:
        check_in_to_round(player=place, here=True, by=None)
    assert refused.value.code == "absent"


def test_a_no_show_that_leaves_five_adds_a_lucky_loser_until_the_player_comes() -> None:
    event = qualified_event(6)
    event.no_show_rule = NoShowRule.NOBODY
    event.save()
    stage = prepare_round(event=event, by=None)
    place = stage.players.order_by("order").first()
    assert place is not None
    mark_absent(player=place, by=None)
    assert stage.players.filter(source=StagePlayerSource.LUCKY_LOSER).count() == 1
    assert len(present(stage)) == 6
    mark_present(player=place, by=None)
    assert not stage.players.filter(source=StagePlayerSource.LUCKY_LOSER).exists()


def test_the_director_adds_a_player_only_with_a_reason() -> None:
    event = qualified_event(3)
    stage = prepare_round(event=event, by=None)
    other = HeatResult.objects.filter(advances=False).first()
    assert other is not None
    with pytest.raises(Refused) as refused:
        take_in_by_hand(stage=stage, registration=other.entry.registration, by=None, reason=" ")
    assert refused.value.code == "missing_reason"
    take_in_by_hand(stage=stage, registration=other.entry.registration, by=None, reason="jury")
    assert other.entry.registration in present(stage)


def test_whom_the_director_took_in_stays_when_a_no_show_comes_after_all() -> None:
    event = qualified_event(3, no_show_rule=NoShowRule.NOBODY)
    stage = prepare_round(event=event, by=None)
    late = stage.players.order_by("order").first()
    other = HeatResult.objects.filter(advances=False).first()
    assert late is not None
    assert other is not None
    player = other.entry.registration
    take_in_by_hand(stage=stage, registration=player, by=None, reason="jury")
    mark_absent(player=late, by=None)
    mark_present(player=late, by=None)
    assert player in present(stage)
    assert len(present(stage)) == 4


def test_a_drawn_round_cannot_be_changed() -> None:
    event = qualified_event(3)
    stage = prepare_round(event=event, by=None)
    publish(draw=draft_round(stage=stage, by=None), by=None)
    place = stage.players.first()
    assert place is not None
    with pytest.raises(Refused) as refused:
        mark_absent(player=place, by=None)
    assert refused.value.code == "round_drawn"


def test_discarding_a_round_reopens_the_previous_stage() -> None:
    event = qualified_event(3)
    stage = prepare_round(event=event, by=None)
    discard_round(stage=stage, by=None, reason="another heat")
    assert event.stages.get().status == StageStatus.OPEN
    make_heats(event, 4)


def test_a_round_whose_draft_was_thrown_away_can_be_taken_back() -> None:
    event = qualified_event(3)
    draw = draft_round(stage=prepare_round(event=event, by=None), by=None)
    discard(draw=draw, by=None)
    discard_round(stage=draw.stage, by=None, reason="another heat")
    stage = event.stages.get()
    assert stage.status == StageStatus.OPEN
    # The draft stays in the public list, and is not said to be one of day 1.
    kept = event.draws.get(number=draw.number)
    assert (kept.status, kept.seed) == (DrawStatus.DISCARDED, draw.seed)
    assert kept.drawn_for != str(stage)
    assert event.draws.exclude(pk=kept.pk).get().drawn_for == str(stage)
    again = import_event({**event_document(event), "slug": "again"})
    assert again.draws.get(number=draw.number).drawn_for == kept.drawn_for
    assert draft_round(stage=prepare_round(event=event, by=None), by=None).number > draw.number


def test_a_round_whose_draw_was_taken_back_can_be_taken_back() -> None:
    event = qualified_event(3)
    stage = played_round(event, finish=False)
    tables = event.heats.filter(stage=stage)
    gone = [heat.number for heat in tables]
    take_draw_back(draw=stage.draws.get(), by=None, reason="the wrong room")
    discard_round(stage=stage, by=None, reason="another heat")
    stage = event.stages.get()
    assert stage.status == StageStatus.OPEN
    assert [heat.number for heat in stage.heats.filter(status=HeatStatus.VOID)] == gone
    drawn = event.draws.latest("number")
    assert drawn.status == DrawStatus.TAKEN_BACK
    assert drawn.drawn_for != str(stage)
    again = import_event({**event_document(event), "slug": "again"})
    assert [str(heat) for heat in again.heats.all()] == [str(heat) for heat in event.heats.all()]
    [heat] = make_heats(event, 4).heats
    close(heat)
    assert len(next_round(event).candidates) == 4
    played_to_the_end(event)
    assert final_ranking(event)[0].place == 1


def test_snake_order_spreads_the_best_players() -> None:
    event = qualified_event(8)
    event.playoff_grouping = "snake"
    event.save()
    stage = prepare_round(event=event, by=None)
    draw = draft_round(stage=stage, by=None)
    order = [row.registration.player_id for row in stage.players.order_by("order")]
    assert draw.method == "snake-1"
    assert [set(group) for group in draw.groups] == [
        {order[0], order[3], order[4], order[7]},
        {order[1], order[2], order[5], order[6]},
    ]


def test_a_withdrawal_makes_a_rounds_draft_stale() -> None:
    event = qualified_event(4)
    event.no_show_rule = NoShowRule.NOBODY
    event.save()
    stage = prepare_round(event=event, by=None)
    draw = draft_round(stage=stage, by=None)
    assert not is_stale(draw)
    place = stage.players.select_related("registration").first()
    assert place is not None
    place.registration.status = "withdrawn"
    place.registration.save()
    assert is_stale(draw)
    with pytest.raises(Refused) as refused:
        publish(draw=draw, by=None)
    assert refused.value.code == "draft_stale"


def test_an_event_cannot_end_before_its_prepared_round() -> None:
    event = qualified_event(3)
    stage = prepare_round(event=event, by=None)
    with pytest.raises(Refused) as refused:
        set_event_status(event=event, to=EventStatus.FINISHED, by=None)
    assert refused.value.code == "round_prepared"
    discard_round(stage=stage, by=None, reason="nobody came")
    set_event_status(event=event, to=EventStatus.FINISHED, by=None)
    event.refresh_from_db()
    assert event.status == EventStatus.FINISHED
