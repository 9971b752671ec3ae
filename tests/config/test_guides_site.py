"""The site of guides, as the program serves it; `make docs` itself looks at what it builds."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from tests.tournaments.factories import make_user
from tournaments.core.guides import guide_address

POLICY = "default-src 'none'; script-src 'self' 'sha256-abc='"


@pytest.fixture
def site(tmp_path: Path, settings: Any) -> Path:
    """Return the folder of a small site, which has one guide in English only."""
    settings.GUIDES_DIR = tmp_path
    files = {}
    for name in ("en/index.html", "sv/index.html", "en/api.html", "en/_static/furo.css"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"<p>{name}</p>", encoding="utf-8")
        files[name] = f"mark-of-{name}"
    (tmp_path / "site.json").write_text(json.dumps({"policy": POLICY, "files": files}), "utf-8")
    (tmp_path / "secret.html").write_text("not of the site", encoding="utf-8")
    return tmp_path


def test_the_readers_language_comes_first(site: Path) -> None:
    for asked, language in (("sv", "sv"), ("en", "en"), ("fr", "en")):
        answer = Client().get("/docs/", headers={"accept-language": asked})
        assert (answer.status_code, answer["Location"]) == (302, f"/docs/{language}/")
    swedish = Client().get("/docs/sv/", headers={"accept-language": "en"})
    assert (swedish.content, swedish["Content-Language"]) == (b"<p>sv/index.html</p>", "sv")


def test_pages_have_the_policy_that_was_built_with_them(site: Path) -> None:
    page = Client().get("/docs/en/api.html")
    assert page["Content-Security-Policy"] == POLICY
    assert page["Content-Type"] == "text/html; charset=utf-8"
    assert page["X-Frame-Options"] == "DENY"
    assert "noindex" not in page.get("X-Robots-Tag", "")


def test_what_has_not_changed_is_not_sent_again(site: Path) -> None:
    first = Client().get("/docs/en/api.html")
    again = Client().get("/docs/en/api.html", headers={"if-none-match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    # A browser replaces what it kept of the page by the headers of this answer.
    assert again["Content-Security-Policy"] == POLICY
    assert first["Cache-Control"] == "no-cache"
    style = Client().get("/docs/en/_static/furo.css?v=1")
    assert "immutable" in style["Cache-Control"]


@pytest.mark.parametrize(
    "path",
    ["secret.html", "site.json", "../site.json", "%2e%2e/site.json", "en/none.html", "sv/api.html"]
    + ["en", "en//", "/etc/passwd", "en/api.html/", "en/%00"],
)
def test_nothing_but_the_sites_own_files(site: Path, path: str) -> None:
    assert Client().get(f"/docs/{path}").status_code == 404


def test_only_reading(site: Path) -> None:
    assert Client().post("/docs/en/api.html").status_code == 405


def test_a_site_built_anew_is_seen_at_once(site: Path) -> None:
    assert guide_address("api") == "/docs/en/api.html"
    document = json.loads((site / "site.json").read_text("utf-8"))
    del document["files"]["en/api.html"]
    (site / "site.json").write_text(json.dumps(document), "utf-8")
    assert guide_address("api") == ""
    assert Client().get("/docs/en/api.html").status_code == 404


@pytest.mark.django_db
def test_the_front_page_leads_to_the_guides(site: Path) -> None:
    make_user()
    assert b'href="/docs/en/index.html"' in Client().get("/").content
    assert b'href="/docs/sv/index.html"' in Client().get("/?lang=sv").content
    assert b'href="/docs/en/api.html"' in Client().get("/api/?lang=sv").content


@pytest.mark.django_db
def test_without_a_site_there_are_no_links_to_it(tmp_path: Path, settings: Any) -> None:
    make_user()
    settings.GUIDES_DIR = tmp_path / "none"
    assert b"/docs/" not in Client().get("/").content
    assert Client().get("/docs/").status_code == 404
