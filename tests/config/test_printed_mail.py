"""Without a mail server e-mails are printed: whole on a terminal, their subjects in a log."""

import os
import pty
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.config.server import ROOT

#: The worker as ``serve`` starts it sends one e-mail and ends.
WORKER = """
import os
from multiprocessing import Pipe
import django
from celery.signals import worker_ready

django.setup()
from config import worker

@worker_ready.connect
def on_worker_ready(**kwargs):
    from django.core.mail import EmailMessage
    message = EmailMessage("Kvällen: resultat", "Hej Åsa\\n/p/SeCrEt/", to=["asa@example.org"])
    message.attach("protokoll.pdf", b"%PDF-1.4", "application/pdf")
    message.send()
    os._exit(0)

ours, theirs = Pipe()
worker.main(ours)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
@pytest.mark.parametrize("terminal", [True, False])
def test_only_a_terminal_shows_more_of_an_email_than_its_subject(
    tmp_path: Path, migrated: Path, terminal: bool
) -> None:
    shutil.copy(migrated, tmp_path)
    ours, theirs = pty.openpty() if terminal else os.pipe()
    environment = {
        "PATH": os.environ["PATH"],
        "DATA_DIR": str(tmp_path),
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "PYTHONIOENCODING": "utf-8",
    }
    with subprocess.Popen(
        [sys.executable, "-c", WORKER],
        cwd=ROOT,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=theirs,
        stderr=theirs,
    ) as process:
        os.close(theirs)
        parts = []
        try:
            while part := os.read(ours, 65_536):
                parts.append(part)
        except OSError:
            # Linux says so when the other end of a terminal closes.
            pass
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(60) == 0
    os.close(ours)
    printed = b"".join(parts).decode()
    assert printed.count("Kvällen: resultat") == 1, printed
    for private in ("Hej Åsa", "/p/SeCrEt/", "asa@example.org", "protokoll.pdf"):
        assert printed.count(private) == (1 if terminal else 0), printed
    assert ("WARNING" in printed) is not terminal
