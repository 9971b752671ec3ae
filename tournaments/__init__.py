"""Events, players, heats, draws, results and play-offs, with their public and staff pages."""
