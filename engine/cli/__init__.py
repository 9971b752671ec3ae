"""The command line: ``chicago-engine COMMAND …``, here also ``python -m engine``.

Every command prints one JSON document on standard output and nothing else. Exit status 0: fine; 1:
readable, but not legal; 2: unreadable, or a wrong command line (usage goes to standard error).
"""
