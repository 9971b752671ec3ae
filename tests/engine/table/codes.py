"""The codes of refusals at the card table, as found in the modules that raise them."""

import re
from pathlib import Path

from engine import table

_REFUSED = re.compile(r'(?:_no|ActionProblem)\(\s*"(\w+)"')


def action_codes() -> set[str]:
    """Return every code with which the card table refuses an action."""
    pages = Path(table.__file__).parent.glob("*.py")
    return {code for page in pages for code in _REFUSED.findall(page.read_text("utf-8"))}
