"""``?lang=sv`` in an address fixes the language of what is read there, and with it a file's
separators.
"""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse, QueryDict
from django.utils.translation import get_supported_language_variant

#: The parameter of an address; it comes before the reader's cookie and the browser's languages.
PARAMETER = "lang"


class AddressLanguage:
    """Middleware before all that asks for the reader's language.

    The parameter is then taken out, so that pages are cached once for each language however it was
    chosen, and links made from a page's query do not repeat it. A language that the program does
    not have is passed over. Somebody who opens a page so goes on in that
    language, but what is framed in another site sets no cookie.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer in the address's language."""
        if request.method not in ("GET", "HEAD") or PARAMETER not in request.GET:
            return self.get_response(request)
        code = _taken_out(request)
        cookie = settings.LANGUAGE_COOKIE_NAME
        before = request.COOKIES.get(cookie)
        if code:
            request.COOKIES[cookie] = code
        response = self.get_response(request)
        if code and response.status_code == 301:
            # The same page, with its last slash: nothing else may remember the language.
            address = response["Location"]
            response["Location"] = f"{address}{'&' if '?' in address else '?'}{PARAMETER}={code}"
        framed = request.path.startswith("/embed/")
        if (
            not framed
            and code
            and code != before
            and response.get("Content-Type", "").startswith("text/html")
        ):
            response.set_cookie(
                cookie,
                code,
                samesite="Lax",
                secure=settings.LANGUAGE_COOKIE_SECURE,
            )
        return response


def _taken_out(request: HttpRequest) -> str:
    """Take the parameter out of the request, and return the language, or nothing."""
    query: QueryDict = request.GET.copy()
    [*_, told] = query.pop(PARAMETER)
    request.META["QUERY_STRING"] = query.urlencode()
    # Read again from what is left.
    request.__dict__.pop("GET", None)
    try:
        return get_supported_language_variant(str(told))
    except LookupError:
        return ""
