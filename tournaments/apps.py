from django.apps import AppConfig
from django.db.models.signals import post_migrate, pre_migrate


class TournamentsConfig(AppConfig):
    name = "tournaments"

    def ready(self) -> None:
        """Register signal receivers, permissions and prints, and the host that scoring asks."""
        from scoring.host import register

        from . import receivers  # noqa: F401 - importing registers them, here and below
        from .core import permissions  # noqa: F401
        from .core.version_triggers import drop_triggers, make_triggers
        from .host import TournamentHost

        register(TournamentHost())
        pre_migrate.connect(drop_triggers, sender=self)
        post_migrate.connect(make_triggers, sender=self)
