"""The live parts that the stream sends, rendered once for all listeners."""

import gzip
import io
import zlib

from django.core.handlers.base import BaseHandler
from django.core.handlers.wsgi import WSGIRequest
from django.http import HttpResponse
from django.urls import Resolver404, resolve

#: The header of a compressed stream; :func:`gzip_piece` pieces follow.
GZIP_HEAD = gzip.compress(b"", mtime=0)[:10]


class Pages(BaseHandler):
    """Requests the program's own pages from inside."""

    def __init__(self) -> None:
        super().__init__()
        self.load_middleware()

    def get(self, path: str, language: str) -> tuple[str, str] | None:
        """Return ETag and HTML of a public part, as rendered for an anonymous reader.

        None if there is no such part; the page then fetches it itself.
        """
        try:
            if getattr(resolve(path).func, "cached_query", None) is None:
                return None
        except Resolver404:
            return None
        request = WSGIRequest(
            {
                "REQUEST_METHOD": "GET",
                "PATH_INFO": path,
                "SERVER_NAME": "localhost",
                "SERVER_PORT": "80",
                "HTTP_HOST": "localhost",
                "HTTP_ACCEPT_LANGUAGE": language,
                "wsgi.input": io.BytesIO(),
                "wsgi.url_scheme": "http",
            }
        )
        response = self.get_response(request)
        if response.status_code != 200:
            return None
        assert isinstance(response, HttpResponse)
        return response["ETag"], response.content.decode()


def gzip_piece(text: str) -> bytes:
    """Return a self-contained piece of a compressed stream, the same for all listeners."""
    compressor = zlib.compressobj(6, zlib.DEFLATED, -zlib.MAX_WBITS)
    return compressor.compress(text.encode()) + compressor.flush(zlib.Z_FULL_FLUSH)


def event_text(mark: str, html: str) -> str:
    """Return a part as a server-sent event."""
    lines = "\n".join(f"data: {line}" for line in html.splitlines())
    return f"event: part\nid: {mark}\n{lines}\n\n"
