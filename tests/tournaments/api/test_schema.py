"""The OpenAPI document that is checked in describes what the program answers."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest
import yaml
from django.conf import settings
from django.test import Client
from drf_spectacular.drainage import GENERATOR_STATS
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import OpenApiYamlRenderer
from drf_spectacular.validation import validate_schema

from tests.tournaments.factories import finished_heat, make_member, make_players
from tests.tournaments.playoffs.factories import played_round, qualified_event
from tests.tournaments.series.test_series import make_series
from tournaments.api.authentication import WRITES
from tournaments.api.commands import make_token
from tournaments.api.views.trying import DESCRIPTION
from tournaments.models import Event
from tournaments.models.enums import Role
from tournaments.series.commands.series import add_event


def test_the_checked_in_document_is_that_of_the_program() -> None:
    with GENERATOR_STATS.silence():
        made = SchemaGenerator().get_schema(request=None, public=True)
    validate_schema(made)
    assert made["openapi"].startswith("3.1")
    stored = DESCRIPTION.read_text(encoding="utf-8")
    assert OpenApiYamlRenderer().render(made, renderer_context={}).decode() == stored, (
        "Run make openapi, and look at what has changed for other programs."
    )


def test_no_enum_is_named_by_accident() -> None:
    """A name that ends in a digit group or "Enum" changes with the next endpoint."""
    schemas = yaml.safe_load(DESCRIPTION.read_text(encoding="utf-8"))["components"]["schemas"]
    enums = {name for name, schema in schemas.items() if "enum" in schema}
    wanted = {f"{name}" for name in settings.SPECTACULAR_SETTINGS["ENUM_NAME_OVERRIDES"]}
    assert enums <= wanted | {"BlankEnum", "NullEnum"}


def test_how_a_token_is_sent_is_described() -> None:
    document = yaml.safe_load(DESCRIPTION.read_text(encoding="utf-8"))
    named = {
        name
        for methods in document["paths"].values()
        for operation in methods.values()
        for scheme in operation.get("security", [])
        for name in scheme
    }
    assert named == document["components"]["securitySchemes"].keys() == {"token"}


@pytest.mark.django_db
def test_the_page_leads_to_addresses_that_answer(event: Event) -> None:
    finished_heat(event)
    client = Client()
    page = client.get("/api/").content.decode()
    found = [each.partition('"')[0] for each in page.split('href="/api/v1')[1:]]
    assert len(found) > 10
    for address in found:
        assert client.get(f"/api/v1{address}").status_code == 200, address
    assert client.get("/api/openapi.yaml")["Content-Type"] == "application/yaml"


@pytest.mark.django_db
def test_every_answer_is_as_described() -> None:
    """An event with heats and rounds, played, being played and not begun."""
    event = qualified_event(6)
    played_round(event, finish=False)
    add_event(series=make_series(event.organiser), event=event, by=None)
    document = yaml.safe_load(DESCRIPTION.read_text(encoding="utf-8"))
    known = {"slug": event.slug, "organiser": event.organiser.slug, "series": "tour", "game": 1}
    wrong, nulls = [], 0
    for path, methods in document["paths"].items():
        operation = methods.get("get", {"security": True})
        if operation.get("security"):
            continue
        numbers = range(1, 9) if "heats/{number}" in path else [1]
        for number in numbers:
            answer = Client().get(path.format(**known, number=number))
            [(kind, described)] = operation["responses"][f"{answer.status_code}"]["content"].items()
            assert (answer.status_code, kind) == (200, answer["Content-Type"]), path
            shape = described["schema"] | {"components": document["components"]}
            found = jsonschema.Draft202012Validator(shape).iter_errors(answer.json())
            wrong += [(path, number, list(each.absolute_path), each.message) for each in found]
            nulls += answer.content.count(b'"game_points":null')
    assert not wrong
    assert nulls, "Nothing that is not known yet was asked for."


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_schemathesis_finds_nothing(
    event: Event, live_server: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every operation takes what its description says, and answers as it says."""
    # It writes more often in a minute than a program may.
    monkeypatch.setitem(WRITES, "most", 10_000)
    finished_heat(event)
    make_players(event, 3, here=False)
    token = make_token(event=event, name="x", scope="desk", by=make_member(event, Role.OWNER))[1]
    series = make_series(event.organiser)
    add_event(series=series, event=event, by=None)
    known = tmp_path / "schemathesis.toml"
    known.write_text(
        "[parameters]\n"
        f'slug = "{event.slug}"\n'
        f'organiser = "{event.organiser.slug}"\n'
        f'series = "{series.slug}"\n'
        '"path.number" = 1\n"path.game" = 1\n'
    )
    run = subprocess.run(
        [
            str(Path(sys.executable).parent / "schemathesis"),
            "--config-file", str(known),
            "run", str(DESCRIPTION),
            "--url", str(live_server),
            "--header", f"Authorization: Bearer {token}",
            "--max-examples", "20",
            "--phases", "examples,coverage,fuzzing",
            # A token is always sent, so that what needs none cannot be told from what does.
            "--exclude-checks", "ignored_auth",
        ],
        capture_output=True, text=True, cwd=tmp_path, timeout=900, check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stdout[-6000:] + run.stderr[-2000:]
