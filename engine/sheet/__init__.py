"""The score sheet of one game: entries, their effects, and what may be written next."""
