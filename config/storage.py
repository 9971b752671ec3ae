"""Static files with names that depend on their content, including modules that import others."""

import re

from django.core.files.base import ContentFile, File
from whitenoise.storage import CompressedManifestStaticFilesStorage

_OWN = ("scoring/", "site/", "tournaments/")
#: Indents, and comments on lines of their own, or behind code if they quote nothing; none of these
#: may be inside a string of several lines.
_SPARED = re.compile(
    rb"^[ \t]*(?://[^\n]*\n|/\*.*?\*/[ \t]*\n)|^[ \t]+|[ \t]+// [^\n\"'`]*$",
    re.MULTILINE | re.DOTALL,
)
#: What a style sheet does without around braces, commas, colons and semicolons; none of them, with
#: a space, may be in a string.
_SPARED_IN_STYLES = re.compile(rb"(?<=[{},;:])\s+|\s+(?=\{)|;?\s*(?=\})")


class StaticStorage(CompressedManifestStaticFilesStorage):
    """Also renames the imports inside the modules of a table's page, by their content.

    Django can do so for all scripts at once, but some packages' scripts do not survive that. Our
    own files are served without comments and indents, which are a fifth of their size.
    """

    patterns = (
        *CompressedManifestStaticFilesStorage.patterns,
        (
            "scoring/*.js",
            (
                (r'(?P<matched>from "(?P<url>\./[^"]+)")', 'from "%(url)s"'),
                (r'(?P<matched>import\("(?P<url>\./[^"]+)"\))', 'import("%(url)s")'),
            ),
        ),
    )

    def _save(self, name: str, content: File) -> str:
        if name.startswith(_OWN) and name.endswith((".js", ".css")):
            content.seek(0)
            text = _SPARED.sub(b"", content.read())
            if name.endswith(".css"):
                text = _SPARED_IN_STYLES.sub(b"", text)
            content = ContentFile(text)
        saved: str = super()._save(name, content)
        return saved
