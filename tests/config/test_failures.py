"""A form from an outdated page, and forms that cannot be read."""

import html

import pytest
from django.conf import settings
from django.test import Client, RequestFactory

from config.wsgi import application

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


@pytest.mark.parametrize("path", ["/accounts/login/", "/no/such/page/"])
@pytest.mark.parametrize(
    ("kind", "body", "status", "code"),
    [
        ("multipart/form-data", b"x", 400, "unreadable"),
        ("application/x-www-form-urlencoded", b"a=&" * 3000, 413, "too_much"),
        (
            "application/x-www-form-urlencoded",
            b"a=" + b"x" * settings.DATA_UPLOAD_MAX_MEMORY_SIZE,
            413,
            "too_much",
        ),
    ],
)
def test_a_form_that_cannot_be_read_is_answered_in_the_readers_language(
    path: str, kind: str, body: bytes, status: int, code: str
) -> None:
    strict = Client(enforce_csrf_checks=True, headers={"accept-language": "sv"})
    answer = strict.generic("POST", path, body, kind)
    page = answer.content.decode()
    assert answer.status_code == status
    assert f'data-code="{code}"' in page
    assert 'lang="sv"' in page


@pytest.mark.parametrize(
    "charset", ["=rot13", "=unicode_escape", "=idna", "=utf-16", "*=utf-8''%00"]
)
def test_every_form_is_read_as_utf_8(charset: str) -> None:
    body = b'--B\r\nContent-Disposition: form-data; name="login"\r\n\r\n\\ud800\r\n--B--\r\n'
    sent = RequestFactory().generic("POST", "/i18n/setlang/?a=b", body).environ
    sent["CONTENT_TYPE"] = f"multipart/form-data; charset{charset}; boundary=B"
    found: list[str] = []
    list(application(sent, lambda status, headers: found.append(status)))
    assert found == ["302 Found"]
