"""What scoring tells the rest of the program: one signal, inside the transaction that writes.

Whatever a listener writes is there when the write is acknowledged, and what it refuses takes the
write back. ``sheet`` is the sheet that has changed, as it is stored now; ``None`` where something
of the table itself has: a call for the director, the sign-off, a flip-flop, the Auditor. The
table's row is locked.
"""

from django.dispatch import Signal

#: Carries ``table_id``, ``sheet``, and in ``results`` whether a result may be another now.
table_changed = Signal()
