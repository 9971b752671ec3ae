"""The rulebook and the game record as cases, checked at the engine's command line only."""
