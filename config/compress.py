"""Every answer that is text goes out compressed; public pages are kept compressed already."""

from __future__ import annotations

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware

_TEXT = ("text/", "application/json", "application/manifest+json", "image/svg+xml")


class CompressMiddleware(GZipMiddleware):
    """Compresses texts, with Django's padding of random length; what streams stays as it is."""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """Compress what is a text."""
        if response.streaming or not response.get("Content-Type", "").startswith(_TEXT):
            return response
        return super().process_response(request, response)
