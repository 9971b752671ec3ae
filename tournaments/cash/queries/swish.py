"""A payment as the Swish app reads it from a QR code.

The format is the one that Swish publishes for codes of one's own (Guide Swish QR code
specification, 7): ``C<number>;<amount>;<message>;<mask>``, the amount in kronor with two decimals
behind a comma, the message as in an address, the mask saying what the payer may change: nothing.
"""

import re
from urllib.parse import quote

#: What the app takes as a message: so long, of these signs.
LONGEST = 50
_REFUSED = re.compile(r"[^A-Za-z0-9ÅÄÖåäö!?(),.:; -]")


def swish_text(number: str, amount: int, message: str) -> str:
    """Return what the code says; the amount in öre.

    >>> swish_text("1237856901", 10000, "12229445")
    'C1237856901;100,00;12229445;0'
    >>> swish_text("0701234567", 62550, "SM 2026, 7 Åsa/Bo")
    'C0701234567;625,50;SM%202026%2C%207%20%C3%85sa%20Bo;0'
    """
    kronor, ore = divmod(amount, 100)
    text = quote(_REFUSED.sub(" ", message)[:LONGEST], safe="")
    return f"C{number};{kronor},{ore:02};{text};0"
