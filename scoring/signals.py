"""What scoring tells the rest of the program, always after the transaction's commit.

``sheet_changed``  a row was written, or the sheet's status moved
``sheet_finished`` the same, and the sheet is finished now (also when a correction changed a
                   finished sheet: listeners read the result anew)
``table_changed``  a call for the director, the sign-off, a flip-flop, the Auditor

All carry ``table_id``; the sheets' signals carry ``sheet_id`` and ``version`` too, and in
``results`` whether a game's result may be another now.
"""

from django.dispatch import Signal

sheet_changed = Signal()
sheet_finished = Signal()
table_changed = Signal()
