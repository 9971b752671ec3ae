"""Static files under names that change with their content, modules that import others included."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class StaticStorage(CompressedManifestStaticFilesStorage):
    """Names what a module of a table's page imports by its content, too.

    Django can do so for all scripts at once, which some packages' own scripts do not survive.
    """

    patterns = (
        *CompressedManifestStaticFilesStorage.patterns,
        ("scoring/*.js", ((r'(?P<matched>from "(?P<url>\./[^"]+)")', 'from "%(url)s"'),)),
    )
