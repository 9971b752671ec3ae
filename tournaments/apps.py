"""App configuration."""

from django.apps import AppConfig


class TournamentsConfig(AppConfig):
    """Events, heats and results; listens to the sheets' signals."""

    name = "tournaments"

    def ready(self) -> None:
        """Connect the receivers, and let the worker know its tasks."""
        from . import receivers  # noqa: F401
        from .prints import tasks  # noqa: F401
