"""Every ``.cases`` table of this folder, one test per case."""

from pathlib import Path

import pytest

from .runner import check, load

CASES = [case for path in sorted(Path(__file__).parent.glob("*.cases")) for case in load(path)]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_rulebook(case):
    check(case)
