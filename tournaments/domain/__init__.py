"""Every change to a tournament goes through here.

Functions take keywords only, run in one transaction, lock the event's row first (then the
heat's), write a row of the log, and raise :class:`tournaments.core.errors.Refused` with a sentence
when something may not be done; then nothing has changed.
"""
