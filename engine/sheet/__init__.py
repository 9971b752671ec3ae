"""The score sheet of one game: entries, what they do, and what may be written next."""
