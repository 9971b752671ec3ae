"""Pieces of an event to be framed in other sites."""
