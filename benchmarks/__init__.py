"""The engine's speed compared with similar programs (``make bench``)."""
