"""The command line: ``python -m engine COMMAND …`` (game-record.md).

Every command prints one JSON document on standard output and nothing else there. Exit status
0: fine; 1: readable, but not legal; 2: not readable, or a wrong command line (then the usage is
on standard error).
"""
