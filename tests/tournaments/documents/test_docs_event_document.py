"""The event document's page describes exactly the fields of an export."""

import re
from pathlib import Path

import pytest
from django.utils import timezone

from engine.ranking.heat import STEPS
from tests.tournaments.factories import finished_heat, make_event
from tournaments.documents import event_document

TEXT = (Path(__file__).parents[3] / "docs" / "formats" / "event.md").read_text(encoding="utf-8")


@pytest.mark.django_db
def test_every_field_is_described() -> None:
    event = make_event(games_per_heat=1)
    finished_heat(event, 3)
    event.timetable.create(name="1A", starts_at=timezone.now())
    document = event_document(event, history=True, heads=True)
    fields = TEXT.partition("\n## Fields\n")[2].partition("\n#")[0]
    table = re.findall(r"^\| ((?:`\w+`(?:, )?)+) \|", fields, re.MULTILINE)
    assert {name for row in table for name in re.findall(r"\w+", row)} == set(document)
    [ties] = re.findall(r"^\| `ties` \| (.+) \|$", TEXT, re.MULTILINE)
    assert tuple(re.findall(r"`(\w+)`", ties)) == STEPS
    [stage] = document["stages"]
    [heat] = stage["heats"]
    for part in (document["registrations"][0], stage, heat, document["history"][0]):
        missing = [name for name in part if f"`{name}`" not in TEXT]
        # Fields of a heat document have a page of their own.
        heat_file = {"format", "version", "rules", "players", "games", "games_planned", "advance"}
        assert set(missing) <= heat_file
