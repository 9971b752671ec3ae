"""Card-level play: the deal, exchanges, announcements and tricks."""
