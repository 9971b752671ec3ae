"""What keeps the processes of the run command small.

On Linux they are forks of one process and share what it had loaded, until one of them writes to
it. What is asked of the C library here is glibc's own; elsewhere nothing is done.
"""

import ctypes
import gc
import re
import sys
from pathlib import Path
from typing import Any

#: The option of ``man mallopt`` that limits the number of heaps.
_ARENA_MAX = -8


def use_one_heap() -> None:
    """Let all threads share a heap, before there are any.

    By itself glibc gives each thread one, and what is freed in it waits for that thread. A lock of
    its own for each does not pay where Python lets one of them run at a time.
    """
    if set_option := _of_libc("mallopt"):
        set_option(_ARENA_MAX, 1)


def give_back() -> None:
    """Give free memory back to the system."""
    if trim := _of_libc("malloc_trim"):
        trim(0)


def tune_garbage_collection() -> None:
    """Make the collector of cycles ignore what is loaded, and run less often than by itself.

    Otherwise it scans all loaded objects again and again while pages are made, and by that makes
    copies of those that forks share. But each page leaves thousands of objects in cycles, so it is
    not left for as long as in commands, which end.
    """
    gc.freeze()
    gc.set_threshold(5_000, 2, 2)


def own_memory() -> int:
    """Return how many bytes this process shares with no other; 0 elsewhere than on Linux."""
    try:
        text = Path("/proc/self/smaps_rollup").read_text(encoding="ascii")
    except OSError:
        return 0
    found = re.search(r"(?m)^Private_Dirty: +(\d+) kB", text)
    return int(found[1]) * 1024 if found else 0


def _of_libc(name: str) -> Any:
    """Return a function of the C library, None if it has none of this name."""
    return getattr(ctypes.CDLL(None), name, None) if sys.platform == "linux" else None
