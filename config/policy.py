"""What browsers may do with pages: the Content-Security-Policy, with the exact address of the live
stream, the policies for openers and referrers, and who may keep a page. Static files are served
without these.
"""

from contextlib import suppress

from csp.middleware import CSPMiddleware, PolicyParts
from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware

from scoring.live import stream_origin
from tournaments.core.shared_links import is_public


class PolicyMiddleware(CSPMiddleware):
    """Allows the stream's port on the host of the request, and no other host."""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """Add the headers of a page."""
        response.headers.setdefault("Cross-Origin-Opener-Policy", "same-origin")
        # Links with secrets in their path must not leak through the Referer header.
        response.headers.setdefault("Referrer-Policy", "same-origin")
        if not is_public(request.path):
            response.headers.setdefault("X-Robots-Tag", "noindex")
        # Most show a code, a contact or a player's own page, which neither a cache on the way nor
        # the browser of a borrowed laptop may keep. Pages for everybody come from CachePages.
        response.headers.setdefault("Cache-Control", "no-store, private")
        answer: HttpResponseBase = super().process_response(request, response)
        return answer

    def get_policy_parts(
        self, request: HttpRequest, response: HttpResponseBase, report_only: bool = False
    ) -> PolicyParts:
        """Return the settings' policy, plus the stream if it has a port of its own."""
        parts = super().get_policy_parts(request, response, report_only)
        if settings.LIVE_URL.startswith(":"):
            # A wrong host gets an error page, which has no stream.
            with suppress(DisallowedHost):
                parts.update = {"connect-src": [stream_origin(request)]}
        return parts


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
