"""What holds for the engine's tests: a busy machine fails none of them for being slow."""

from hypothesis import settings

settings.register_profile("engine", deadline=None)
settings.load_profile("engine")
