"""App configuration."""

from django.apps import AppConfig


class TournamentsConfig(AppConfig):
    """Events, heats and results; listens to the sheets' signals."""

    name = "tournaments"

    def ready(self) -> None:
        """Connect the receivers."""
        from . import receivers  # noqa: F401
