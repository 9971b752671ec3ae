"""Expecting a domain function to say no."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tournaments.core.errors import Refused


@contextmanager
def refused(code: str) -> Iterator[pytest.ExceptionInfo[Refused]]:
    """Expect a refusal with this code, whose sentence can be said."""
    with pytest.raises(Refused) as info:
        yield info
    assert info.value.code == code
    assert str(info.value)
    assert "%(" not in str(info.value)
