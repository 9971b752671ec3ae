"""The rulebook and the game record as cases, tested through the engine's command line only."""
