"""Addresses that leave this page: on paper, in a QR code."""

from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest


def public_address(request: HttpRequest, path: str) -> str:
    """Return the full address that other devices open: ``PUBLIC_URL``'s where it is set."""
    return (
        f"{settings.PUBLIC_URL}{path}" if settings.PUBLIC_URL else request.build_absolute_uri(path)
    )


def opens_here_only(address: str) -> bool:
    """Tell whether an address leads every other device to itself instead of to us."""
    host = urlsplit(address).hostname or ""
    return host in {"localhost", "::1"} or host.startswith("127.")
