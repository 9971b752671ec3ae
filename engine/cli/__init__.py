"""The command line: ``chicago-engine COMMAND …``, here also ``python -m engine``.

Every command prints one JSON document on standard output and nothing else there. Exit status
0: fine; 1: readable, but not legal; 2: not readable, or a wrong command line (then the usage is
on standard error).
"""
