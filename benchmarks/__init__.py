"""How fast the engine is, beside other programs that do a similar thing (``make bench``)."""
