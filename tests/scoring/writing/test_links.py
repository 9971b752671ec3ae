"""Links: found by token, shown again, revoked."""

import pytest

from scoring.errors import ScoringError
from scoring.models import Link
from scoring.reading.links import find_link, show_token
from scoring.writing import create_link, reader_link, revoke_link

from ..factories import make_table

pytestmark = pytest.mark.django_db


def code_of(token):
    with pytest.raises(ScoringError) as caught:
        find_link(token=token)
    return caught.value.code


@pytest.mark.parametrize("role", ["auditor", "reader"])
def test_a_link_is_found_by_its_token(role):
    table = make_table()
    link = create_link(table_id=table.pk, role=role, by="test")
    found = find_link(token=show_token(link=link))
    assert (found.pk, found.role, found.table.label) == (link.pk, role, "Heat 12")


def test_the_token_is_not_stored():
    link = create_link(table_id=make_table().pk, role="auditor", by="test")
    token = show_token(link=link)
    assert len(token) == 26
    stored = Link.objects.filter(pk=link.pk).values_list().get()
    assert not any(token in str(value) for value in stored)


def test_tokens_differ():
    table = make_table()
    tokens = {show_token(link=create_link(table_id=table.pk, role="reader", by="x")) for _ in "abc"}
    assert len(tokens) == 3


@pytest.mark.parametrize("token", ["", "x", "a" * 26, "å" * 26, "\ud800", "\x00"])
def test_unknown_tokens(token):
    assert code_of(token) == "link_unknown"


def test_a_revoked_link_is_no_longer_valid():
    link = create_link(table_id=make_table().pk, role="auditor", by="test")
    revoke_link(link_id=link.pk, by="director")
    first = Link.objects.get(pk=link.pk).revoked_at
    assert revoke_link(link_id=link.pk, by="else").revoked_by == "director"
    assert Link.objects.get(pk=link.pk).revoked_at == first
    assert code_of(show_token(link=link)) == "link_revoked"


def test_with_another_secret_key_the_link_works_but_is_not_shown(settings):
    link = create_link(table_id=make_table().pk, role="auditor", by="x")
    token = show_token(link=link)
    settings.SECRET_KEY = "another" * 10
    assert find_link(token=token).pk == link.pk
    with pytest.raises(ScoringError):
        show_token(link=link)


def test_the_reading_link_is_made_once():
    table = make_table()
    first = reader_link(table_id=table.pk, by="x")
    assert (first.role, first.pk) == ("reader", reader_link(table_id=table.pk, by="y").pk)
    revoke_link(link_id=first.pk, by="x")
    assert reader_link(table_id=table.pk, by="y").pk != first.pk
