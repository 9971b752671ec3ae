"""Full addresses for use outside a page: on paper, in a QR code."""

import io
from urllib.parse import urlsplit

import segno
from django.conf import settings
from django.http import HttpRequest


def public_address(request: HttpRequest, path: str) -> str:
    """Return the full address that other devices open, on ``PUBLIC_URL`` where it is set."""
    return (
        f"{settings.PUBLIC_URL}{path}" if settings.PUBLIC_URL else request.build_absolute_uri(path)
    )


def opens_here_only(address: str) -> bool:
    """Return whether an address is local, so that other devices cannot open it.

    >>> opens_here_only("http://127.0.0.1:8000"), opens_here_only("https://chicago.example.org")
    (True, False)
    """
    host = urlsplit(address).hostname or ""
    return host in {"", "localhost", "::1", "0.0.0.0"} or host.startswith("127.")


def code_of(address: str) -> str:
    """Return a QR code as a data URL, which the content policy allows."""
    return segno.make(address, error="m").svg_data_uri(scale=4, border=3, light="#ffffff")


def qr_svg(address: str) -> bytes:
    """Return an address as the picture of a QR code, an SVG file."""
    picture = io.BytesIO()
    segno.make(address, error="m").save(picture, kind="svg", scale=4, border=3, light="#ffffff")
    return picture.getvalue()
