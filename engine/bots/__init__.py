"""Players that decide by themselves, and whole games, heats and events played by them."""
