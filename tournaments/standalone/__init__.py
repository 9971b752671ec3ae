"""Scripts that people take away with them: plain Python that needs nothing of this program."""
