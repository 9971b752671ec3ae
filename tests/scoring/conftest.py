"""Scoring is tested on its own: players are referenced by name, without a tournament."""

import pytest

from scoring.host import Host, register


@pytest.fixture(autouse=True)
def _no_tournament(request, settings):
    if "pdf" in request.node.path.name:
        yield
        return
    settings.ROOT_URLCONF = "tests.scoring.urls"
    before = register(Host())
    yield
    register(before)
