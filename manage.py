#!/usr/bin/env python
"""Django's command line for this project."""

import errno
import gc
import os
import sys

#: What a folder answers that cannot be written: wrong rights, read-only, full.
UNWRITABLE = {errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOSPC, errno.EFBIG, errno.ENOTDIR,
              getattr(errno, "EDQUOT", errno.ENOSPC)}  # fmt: skip


def main() -> None:
    """Run the management command named on the command line."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    # Commands load much code and leave few reference cycles, so these are looked for rarely.
    gc.set_threshold(50_000)
    from django.core.management import execute_from_command_line

    try:
        execute_from_command_line(sys.argv)
    except OSError as problem:
        if problem.errno not in UNWRITABLE:
            raise
        sys.exit(
            f"The program cannot write: {problem}. Make room, or choose with DATA_DIR a folder "
            "that this account can write to."
        )


if __name__ == "__main__":
    main()
