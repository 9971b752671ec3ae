"""A part of the program that only waits for its parent's end."""

from multiprocessing.connection import Connection


def main(parent: Connection) -> None:
    """Return when the pipe closes."""
    try:
        parent.recv_bytes()
    except EOFError:
        return
