"""Swedish."""
