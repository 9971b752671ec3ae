"""A payment in the format of QR codes for the Swish app.

The format is published by Swish (Guide Swish QR code specification, 7):
``C<number>;<amount>;<message>;<mask>``, with the amount in kronor with two decimals after a comma,
the message URL-encoded, and the mask saying what the payer may change (nothing).
"""

import re
from urllib.parse import quote

#: The longest message that the app accepts, and the characters that it does not.
MAX_MESSAGE = 50
_REFUSED = re.compile(r"[^A-Za-z0-9ÅÄÖåäö!?(),.:; -]")


def message_of(text: str) -> str:
    """Return a message as the app accepts it.

    >>> message_of("SM 2026, 7 Åsa/Bo")
    'SM 2026, 7 Åsa Bo'
    """
    return _REFUSED.sub(" ", text)[:MAX_MESSAGE]


def swish_text(number: str, amount: int, message: str) -> str:
    """Return the code's text; ``amount`` is in öre.

    >>> swish_text("1237856901", 10000, "12229445")
    'C1237856901;100,00;12229445;0'
    >>> swish_text("0701234567", 62550, "SM 2026, 7 Åsa/Bo")
    'C0701234567;625,50;SM%202026%2C%207%20%C3%85sa%20Bo;0'
    """
    kronor, ore = divmod(amount, 100)
    text = quote(message_of(message), safe="")
    return f"C{number};{kronor},{ore:02};{text};0"
