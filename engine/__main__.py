"""The command line: ``python -m engine COMMAND …`` (:mod:`engine.cli`)."""

from .cli.main import console

if __name__ == "__main__":
    console()
