"""The rulebook and the game record as cases, checked through the engine's command line only."""
