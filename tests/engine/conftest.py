"""Settings for the engine's tests: slowness on a busy machine is not a failure."""

from hypothesis import settings

settings.register_profile("engine", deadline=None)
settings.load_profile("engine")
