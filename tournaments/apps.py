"""App configuration."""

from django.apps import AppConfig


class TournamentsConfig(AppConfig):
    """Events, heats and results; listens to the sheets' signals."""

    name = "tournaments"

    def ready(self) -> None:
        """Register permissions, receivers and the worker's tasks, wherever the program runs."""
        from . import receivers  # noqa: F401
        from .core import permissions  # noqa: F401
        from .prints import tasks  # noqa: F401
