"""The Content-Security-Policy, which names the live stream exactly."""

from contextlib import suppress

from csp.middleware import CSPMiddleware, PolicyParts
from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from scoring.live import stream_origin


class PolicyMiddleware(CSPMiddleware):
    """Allows the stream's port on the host by which the page was asked for, and no other host."""

    def get_policy_parts(
        self, request: HttpRequest, response: HttpResponseBase, report_only: bool = False
    ) -> PolicyParts:
        """Return the settings' policy, and the stream where it has a port of its own."""
        parts = super().get_policy_parts(request, response, report_only)
        if settings.LIVE_URL.startswith(":"):
            # A host that is not ours gets an error page, which listens to nothing.
            with suppress(DisallowedHost):
                parts.update = {"connect-src": [stream_origin(request)]}
        return parts
