"""The data that let a device go on offline and draw what it scores."""

import pytest

from engine.rules.variants import parse_rules

from ..factories import auditor_link, hand, make_table, none, play, running, trick

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("rules", ["festival", "svensk"])
def test_rules_texts_and_questions_for_every_point_of_a_deal(client, rules):
    table = make_table(rules=rules)
    play(running(table), none(1), none(2), trick(1), hand(3, 1))
    html = client.get(auditor_link(table) + "device/").content.decode()
    for stage in ("exchange-1", "exchange-2", "tricks", "chicago", "final_hand"):
        assert f'<template data-stage="{stage}">' in html
    for part in ("play", "over", "deals", "deal", "correct", "dealer", "stop"):
        assert f'<template id="device-{part}">' in html


@pytest.mark.parametrize(
    ("rules", "overrides", "alike"),
    [
        ("festival", {}, "festival"),
        ("festival", {"game_points": [10, 6, 3, 1]}, "festival"),
        ("sm", {"game_points": [10, 6, 3, 1], "out_points": "zero"}, "sm"),
        ("festival+O", {"game_points": [10, 6, 3, 1]}, "festival+O"),
    ],
)
def test_an_events_own_game_points_do_not_prevent_offline_scoring(client, rules, overrides, alike):
    table = make_table(rules=rules, overrides=overrides)
    told = client.get(auditor_link(table) + "device/").context["rules"]
    assert told["digest"] == table.rules_digest
    assert told["scores_as"] == parse_rules(alike).digest()
