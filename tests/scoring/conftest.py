"""Scoring is tested on its own: references are names, no tournament behind them."""

import pytest


@pytest.fixture(autouse=True)
def _no_tournament(request, settings):
    if "pdf" in request.node.path.name:
        return
    settings.SCORING_NAME_RESOLVER = ""
    settings.SCORING_TEXT_RESOLVER = ""
    settings.SCORING_PAGE_RESOLVER = ""
    settings.ROOT_URLCONF = "tests.scoring.urls"
