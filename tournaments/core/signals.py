"""The signal by which a room tells those above it of a change.

It is sent inside the writing transaction, with the event's row locked, like scoring's.
"""

from django.dispatch import Signal

#: A player who was checked in has gone home. Sends ``event`` and ``by``.
player_left = Signal()

#: Something was written in the log, in the caller's transaction. Sent with ``entry``.
logged = Signal()
