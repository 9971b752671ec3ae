"""Serves the site of guides that ``make docs`` has built, under a policy of its own.

The site's theme has inline scripts and styles; their hashes are in what the build wrote down, and
so is every file that may be asked for.
"""

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotModified
from django.http.response import HttpResponseBase, HttpResponseRedirect
from django.utils.http import parse_etags
from django.views.decorators.http import require_safe

from tournaments.core.guides import ROOT, site

_TYPES = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
    "png": "image/png",
    "yaml": "application/yaml",
}


@require_safe
def guides(request: HttpRequest, path: str) -> HttpResponseBase:
    """Return a file of the site, or lead to its first page in the reader's language."""
    built = site()
    if built is None:
        raise Http404
    if not path:
        return HttpResponseRedirect(f"{ROOT}{built.language()}/")
    name = f"{path}index.html" if path.endswith("/") else path
    if name not in built.files:
        raise Http404
    mark = f'W/"{built.files[name]}"'
    response: HttpResponseBase
    if mark in parse_etags(request.headers.get("If-None-Match", "")):
        response = HttpResponseNotModified()
    else:
        kind = _TYPES.get(name.rpartition(".")[2], "application/octet-stream")
        try:
            response = HttpResponse((settings.GUIDES_DIR / name).read_bytes(), content_type=kind)
        except FileNotFoundError:
            # It is being built anew.
            raise Http404 from None
    # With "not modified", too: a browser would take the program's policy for the page that it has.
    response["Content-Security-Policy"] = built.policy
    # Not the reader's, which the middleware would take.
    response["Content-Language"] = name.partition("/")[0]
    response["ETag"] = mark
    # The theme names its own files by their content.
    response["Cache-Control"] = "max-age=31536000, immutable" if "v" in request.GET else "no-cache"
    return response
