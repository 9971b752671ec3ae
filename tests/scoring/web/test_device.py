"""The data that let a device go on offline and draw what it scores."""

import pytest

from scoring.reading.rules import resolve

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


@pytest.mark.parametrize("overrides", [{}, {"game_points": [10, 6, 3, 1]}, {"out_points": "zero"}])
def test_a_device_gets_the_rules_that_the_table_was_drawn_with(client, overrides):
    table = make_table(rules="svensk+P10+R", overrides=overrides)
    told = client.get(auditor_link(table) + "device/").context["rules"]
    assert told == resolve("svensk+P10+R", overrides).as_json()
    assert told["digest"] == table.rules_digest
