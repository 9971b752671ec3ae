"""Every ``.cases`` table of this folder, one test per case."""

from pathlib import Path

import pytest

from .runner import check, load

CASES = [case for path in sorted(Path(__file__).parent.glob("*.cases")) for case in load(path)]


def name(case: object) -> str:
    """Return the case in ASCII: pytest's escaping of other text differs between runs (mutmut)."""
    return str(case).replace("§", "").encode("ascii", "replace").decode()


@pytest.mark.parametrize("case", CASES, ids=name)
def test_rulebook(case):
    check(case)
