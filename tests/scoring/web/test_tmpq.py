import pytest
from tests.scoring.factories import *
from tests.scoring.web.phone import parts_of
pytestmark = pytest.mark.django_db
def test_x(client):
    p = parts_of(client, auditor_link(make_table()))
    print({k: len(v) for k, v in p.items()})
    print(p["questions"][:3000])
    assert 0
