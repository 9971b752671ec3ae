"""Bots, and the games, heats and events they play."""
