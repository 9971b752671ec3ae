"""The read-only address for the other players at the table."""

import re

import pytest

from scoring.models import Link

from ..factories import auditor_link, make_table

pytestmark = pytest.mark.django_db


def test_shows_a_read_only_address(client):
    response = client.post(auditor_link(make_table()) + "share/")
    html = response.content.decode()
    address = re.search(r'share-address">(http://[^<]+)<', html).group(1)
    assert 'src="data:image/svg+xml' in html
    page = client.get("/" + address.split("/", 3)[3])
    assert page.status_code == 200
    assert 'name="what"' not in page.content.decode()
    assert Link.objects.filter(role="reader").count() == 1


def test_uses_the_public_address(client, settings):
    settings.PUBLIC_URL = "https://chicago.example.org"
    html = client.post(auditor_link(make_table()) + "share/").content.decode()
    assert ">https://chicago.example.org/s/" in html


def test_shows_the_same_address_again(client):
    address = auditor_link(make_table())
    client.post(address + "share/")
    client.post(address + "share/")
    assert Link.objects.filter(role="reader").count() == 1


def test_a_reading_link_offers_no_sharing(client):
    assert client.post(auditor_link(make_table(), "reader") + "share/").status_code == 403
