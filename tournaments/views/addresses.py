"""Addresses that leave this page: on paper, in a QR code."""

from django.conf import settings
from django.http import HttpRequest


def public_address(request: HttpRequest, path: str) -> str:
    """Return the full address that other devices open: ``PUBLIC_URL``'s where it is set."""
    return (
        f"{settings.PUBLIC_URL}{path}" if settings.PUBLIC_URL else request.build_absolute_uri(path)
    )
