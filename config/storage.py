"""Static files with names that depend on their content, including modules that import others."""

from collections.abc import Iterable, Iterator

from django.core.files.base import ContentFile, File
from django.http import FileResponse, HttpRequest
from rcssmin import cssmin
from rjsmin import jsmin
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.responders import StaticFile
from whitenoise.storage import CompressedManifestStaticFilesStorage

_OWN = ("scoring/", "site/", "tournaments/")
_IMPORTS = (
    (r'(?P<matched>from "(?P<url>\.\.?/[^"]+)")', 'from "%(url)s"'),
    (r'(?P<matched>import "(?P<url>\.\.?/[^"]+)")', 'import "%(url)s"'),
    (r'(?P<matched>import\("(?P<url>\.\.?/[^"]+)"\))', 'import("%(url)s")'),
)


class StaticStorage(CompressedManifestStaticFilesStorage):
    """Also renames the imports inside the modules of tables and screens, by their content.

    Django can do so for all scripts at once, but some packages' scripts do not survive that. Our
    own files are served without comments and needless spaces, a quarter of their size.
    """

    #: A name depends on the names of what is imported, so each pass goes one module further up.
    max_post_process_passes = 12

    patterns = (
        *CompressedManifestStaticFilesStorage.patterns,
        *((f"{folder}/*.js", _IMPORTS) for folder in ("scoring", "screens")),
    )

    def compress_files(self, paths: Iterable[str]) -> Iterator[tuple[str, str]]:
        """Compress only files that are named by their content: pages load no others."""
        yield from super().compress_files({*paths} & {*self.hashed_files.values()})

    def _save(self, name: str, content: File) -> str:
        if name.startswith(_OWN) and name.endswith((".js", ".css")):
            content.seek(0)
            shorter = jsmin if name.endswith(".js") else cssmin
            content = ContentFile(shorter(content.read()))
        saved: str = super()._save(name, content)
        return saved


class StaticMiddleware(WhiteNoiseMiddleware):
    """Serves files named by their content with short headers: a table's page loads some twenty."""

    @staticmethod
    def serve(static_file: StaticFile, request: HttpRequest) -> FileResponse:
        """Return the file; one that never changes needs no headers for asking whether it has."""
        response: FileResponse = WhiteNoiseMiddleware.serve(static_file, request)
        if "immutable" in response.get("Cache-Control", ""):
            del response["ETag"], response["Last-Modified"]
            # WhiteNoise's own, without a "public" that only passwords would need.
            response["Cache-Control"] = f"max-age={WhiteNoiseMiddleware.FOREVER}, immutable"
            # The page that loads it is UTF-8, and so is what it loads.
            response["Content-Type"] = response["Content-Type"].partition(";")[0]
        return response
