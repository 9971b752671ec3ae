"""A push service of the tests' own: takes messages as RFC 8030 says and decrypts as browsers do."""

from __future__ import annotations

import base64
import json
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat


def text(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def data(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


@dataclass
class Browser:
    """A subscription with the keys that only its browser knows."""

    endpoint: str
    key: Any = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    secret: bytes = field(default_factory=lambda: os.urandom(16))

    @property
    def fields(self) -> dict[str, str]:
        """What the page sends of it."""
        point = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return {"endpoint": self.endpoint, "p256dh": text(point), "auth": text(self.secret)}

    def read(self, body: bytes) -> dict[str, str]:
        """Decrypt a message (RFC 8291)."""
        plain = http_ece.decrypt(body, private_key=self.key, auth_secret=self.secret)
        found: dict[str, str] = json.loads(plain)
        return found


@dataclass
class Service:
    """What has arrived; ``answers`` says with which status a path is answered."""

    origin: str
    got: list[tuple[str, Message, bytes]] = field(default_factory=list)
    answers: dict[str, tuple[int, dict[str, str]]] = field(default_factory=dict)

    def browser(self, name: str) -> Browser:
        return Browser(f"{self.origin}/push/{name}")

    def read(self, *browsers: Browser) -> list[dict[str, str]]:
        """Return what these browsers were told."""
        paths = {browser.endpoint.removeprefix(self.origin): browser for browser in browsers}
        return [paths[path].read(body) for path, _headers, body in self.got if path in paths]


def claims_of(headers: Message) -> dict[str, Any]:
    """Return the claims of a message, whose signature is checked (RFC 8292)."""
    scheme, _space, rest = headers["Authorization"].partition(" ")
    assert scheme == "vapid"
    parts = dict(part.strip().split("=", 1) for part in rest.split(","))
    signed, _dot, signature = parts["t"].rpartition(".")
    raw = data(signature)
    key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), data(parts["k"]))
    pair = utils.encode_dss_signature(
        int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big")
    )
    key.verify(pair, signed.encode(), ec.ECDSA(SHA256()))
    claims: dict[str, Any] = json.loads(data(signed.split(".")[1]))
    return claims | {"key": parts["k"]}


@contextmanager
def push_service() -> Iterator[Service]:
    """Run a push service as long as the context lasts."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            status, headers = service.answers.get(self.path, (201, {}))
            service.got.append((self.path, self.headers, body))
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *args: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    service = Service(f"http://127.0.0.1:{server.server_address[1]}")
    thread = threading.Thread(target=server.serve_forever, args=[0.05], daemon=True)
    thread.start()
    try:
        yield service
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
