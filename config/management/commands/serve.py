"""``manage.py serve``, the run command: get everything ready, then serve."""

import os
from argparse import ArgumentParser
from collections.abc import Collection
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management import BaseCommand
from django.db import connections
from django.urls import reverse

from tournaments.events.commands import first_run
from tournaments.events.queries.accounts import first_run_needed
from tournaments.rehearsal import demo

from ... import memory, preparing, serving


class Command(BaseCommand):
    """Migrate, compile texts, collect static files, load the demo festival, serve."""

    help = (
        "Gets the database and files ready, loads the demo festival into an empty database "
        "(unless DEMO=0), and serves the program until it is stopped."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Define the options; their defaults come from the environment."""
        parser.add_argument("--host", default=settings.HOST, help="address to listen on (HOST)")
        parser.add_argument("--port", type=int, default=settings.PORT, help="port (PORT)")
        parser.add_argument("--no-demo", action="store_true", help="no demo festival (DEMO=0)")
        parser.add_argument(
            "--only",
            action="append",
            choices=preparing.PARTS,
            metavar="PART",
            help="serve only this part, if several hosts or units share the work; repeat for "
            f"several of {', '.join(preparing.PARTS)}",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        memory.use_one_heap()
        parts = options["only"] or preparing.PARTS
        with preparing.claim_data(parts):
            self.serve(options["host"], options["port"], parts, no_demo=options["no_demo"])

    def serve(self, host: str, port: int, parts: Collection[str], *, no_demo: bool) -> None:
        """Get ready and run until stopped."""
        preparing.tls()
        if "pages" in parts:
            serving.check_port(host, port, patience=2)
        self.stdout.write("Getting ready (the first time takes a minute) …")
        preparing.prepare()
        if getattr(os, "geteuid", lambda: 1)() == 0:
            self.stdout.write(
                "This runs as root. It works; an account of its own would be safer "
                "(docs/operations.md)."
            )
        if parts is preparing.PARTS:
            with_demo = not no_demo and os.environ.get("DEMO", "1") != "0"
            if with_demo and demo.may_load():
                self.stdout.write("Loading the demo festival (DEMO=0 prevents this) …")
                demo.load()
            banner = self.banner(serving.address(host, port))
        else:
            banner = f"\nServing here: {', '.join(parts)}.\n\nStop with Ctrl-C.\n"
        connections.close_all()
        serving.run(host, port, banner, parts)

    def banner(self, address: str) -> str:
        """Return what is printed once the pages can be reached."""
        lines = ["", f"Chicago is running:  {address}/"]
        if first_run_needed():
            lines += [
                "",
                f"Make the first director's account:  {address}{reverse('first_run')}",
                f"Setup code:                         {first_run.setup_code()}",
            ]
        superusers = get_user_model().objects.filter(is_superuser=True, is_active=True)
        if names := sorted(user.get_username() for user in superusers):
            lines += [
                "",
                f"May do everything at every event:   {', '.join(names)}",
                "(manage.py superusers --end ACCOUNT makes an ordinary director of one.)",
            ]
        account = demo.account()
        if account is not None:
            lines += ["", "The demo festival"]
            lines += [f"  {word:<20}{value}" for word, value in account.lines(address)]
        lines += ["", "Stop with Ctrl-C.", ""]
        return "\n".join(lines)
