"""A form from an outdated page."""

import html

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("referer", "way"),
    [
        ("http://testserver/accounts/login/?next=/e/host/", "/accounts/login/?next=/e/host/"),
        ("http://elsewhere.example/", 'href="/">'),
        ("javascript:alert(1)", 'href="/">'),
        ("", 'href="/">'),
    ],
)
def test_an_outdated_page_links_to_a_fresh_copy_of_itself(referer: str, way: str) -> None:
    strict = Client(enforce_csrf_checks=True)
    answer = strict.post("/accounts/login/", {"login": "x"}, headers={"Referer": referer})
    page = html.unescape(answer.content.decode())
    assert answer.status_code == 403
    assert way in page
    assert "elsewhere" not in page
    assert "alert" not in page
