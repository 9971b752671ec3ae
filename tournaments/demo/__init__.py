"""The demo festival: a believable event half-way through its first day.

``may_load()`` tells whether the database is empty enough, ``load()`` makes the festival by calling
the same domain functions as the pages, ``account()`` says how to sign in to it.
"""

from .accounts import DemoAccount, account, may_load
from .festival import load

__all__ = ["DemoAccount", "account", "load", "may_load"]
