"""App configuration."""

from django.apps import AppConfig


class ScoringConfig(AppConfig):
    """Score sheets; knows nothing of tournaments."""

    name = "scoring"
