"""A small mail server for tests, which can refuse, count and fall silent."""

import socketserver
import threading
from collections.abc import Callable
from email import message_from_bytes
from email.message import Message
from types import TracebackType
from typing import Self


class MailServer(socketserver.ThreadingTCPServer):
    """Speaks SMTP on a free port of this machine, and keeps what it took.

    ``reply_to`` is asked at each address, and returns the reply; "" is silence, which it keeps
    until the client gives up.
    """

    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, reply_to: Callable[[str], str] = lambda _address: "250 ok") -> None:
        super().__init__(("127.0.0.1", 0), _Session)
        self.reply_to = reply_to
        self.taken: list[tuple[str, Message]] = []
        self.connections = 0

    @property
    def port(self) -> int:
        return int(self.server_address[1])

    def __enter__(self) -> Self:
        threading.Thread(target=self.serve_forever, args=[0.05], daemon=True).start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.shutdown()
        self.server_close()


class _Session(socketserver.StreamRequestHandler):
    server: MailServer

    def handle(self) -> None:
        self.server.connections += 1
        self._say("220 mail.test")
        address = ""
        while line := self.rfile.readline():
            command = line.decode().strip()
            verb = command[:4].upper()
            if verb == "RCPT":
                address = command.partition("<")[2].partition(">")[0]
                reply = self.server.reply_to(address)
                if not reply:
                    # Until the client has had enough.
                    self.rfile.read()
                    return
                self._say(reply)
            elif verb == "DATA":
                self._say("354 go on")
                lines = []
                while (line := self.rfile.readline()) not in (b".\r\n", b""):
                    lines.append(line)
                self.server.taken.append((address, message_from_bytes(b"".join(lines))))
                self._say("250 taken")
            elif verb == "QUIT":
                self._say("221 bye")
                return
            else:
                self._say("250 ok")

    def _say(self, reply: str) -> None:
        self.wfile.write(f"{reply}\r\n".encode())
