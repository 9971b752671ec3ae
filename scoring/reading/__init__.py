"""Reads of everything that scoring stores."""
