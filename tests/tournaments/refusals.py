"""Expect a command or a page to refuse."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.forms import BaseForm
from django.template import Context

from tournaments.core.errors import Refused


@contextmanager
def refused(code: str) -> Iterator[pytest.ExceptionInfo[Refused]]:
    """Expect a refusal with this code and a complete message."""
    with pytest.raises(Refused) as info:
        yield info
    assert info.value.code == code
    assert str(info.value)
    assert "%(" not in str(info.value)


def codes_in(answer: Any) -> set[str]:
    """Return the codes of a page's refusals, in its notices and forms."""
    found = set(re.findall(r'data-code="([^"]*)"', answer.content.decode()))
    contexts = [answer.context] if isinstance(answer.context, Context) else answer.context or ()
    for context in contexts:
        for form in context.flatten().values():
            if isinstance(form, BaseForm) and form.is_bound:
                errors = form.errors.get_json_data().values()
                found |= {error["code"] for field in errors for error in field}
    return found
