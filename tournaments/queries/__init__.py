"""Reads: what pages, exports and tables show."""
