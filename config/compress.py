"""Compression of every text response; public pages are stored compressed already."""

from __future__ import annotations

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware

_TEXT = ("text/", "application/json", "application/manifest+json", "image/svg+xml")


class CompressMiddleware(GZipMiddleware):
    """Compresses text, with Django's random padding; streams are left alone."""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """Compress the response if it is text."""
        if response.streaming or not response.get("Content-Type", "").startswith(_TEXT):
            return response
        return super().process_response(request, response)
