#!/usr/bin/env python
"""Django's command line for this project."""

import gc
import os
import sys


def main() -> None:
    """Run the management command named on the command line."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    # Commands load much code and leave few reference cycles, so these are looked for rarely.
    gc.set_threshold(50_000)
    from django.core.management import execute_from_command_line

    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
