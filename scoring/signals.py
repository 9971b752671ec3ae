"""The signal by which scoring tells the rest of the program about changes.

It is sent inside the writing transaction: what a listener writes is committed with the write, and a
listener that raises undoes it. ``sheet`` is the changed sheet as stored now, or ``None`` if the
table itself changed: a call for the director, the sign-off, a flip-flop, the Auditor. The table's
row is locked.
"""

from django.dispatch import Signal

#: Sends ``table_id``, ``sheet``, and ``results``: whether a result may have changed.
table_changed = Signal()
