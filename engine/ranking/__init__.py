"""From finished games to heats, play-offs and the final ranking."""
