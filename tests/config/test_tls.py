"""The serve command speaks https with a certificate and a key given by path."""

import datetime
import ipaddress
import re
import ssl
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from django.core.management import CommandError, call_command

from tests.config.server import Server, free_port

pytestmark = pytest.mark.pages

HERE = "127.0.0.1"


def certificate(folder: Path) -> dict[str, str]:
    """Make a self-signed certificate for this machine; return the settings that name it."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "hall.test")])
    now = datetime.datetime.now(datetime.UTC)
    names = [x509.IPAddress(ipaddress.ip_address(HERE)), x509.DNSName("hall.test")]
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    (folder / "hall.pem").write_bytes(made.public_bytes(pem))
    (folder / "hall.key").write_bytes(
        key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    return {
        "TLS_CERTIFICATE": str(folder / "hall.pem"),
        "TLS_KEY": str(folder / "hall.key"),
    }


def test_pages_and_stream_are_served_over_https(tmp_path: Path, empty_data: Path) -> None:
    tls = certificate(tmp_path)
    live = free_port()
    trusting = ssl.create_default_context(cafile=tls["TLS_CERTIFICATE"])

    def get(path: str, port: int = 0) -> tuple[int, dict[str, str], bytes]:
        with closing(
            HTTPSConnection(HERE, port or server.port, timeout=30, context=trusting)
        ) as on:
            on.request("GET", path)
            answer = on.getresponse()
            return answer.status, dict(answer.getheaders()), answer.read()

    with Server(empty_data, DEMO="0", WEB_CONCURRENCY="1", LIVE_PORT=str(live), **tls) as server:
        assert f"https://{HERE}:{server.port}/" in server.output
        # A client that speaks plain http is disconnected.
        with closing(HTTPConnection(HERE, server.port, timeout=10)) as plain:
            plain.request("GET", "/healthz")
            with pytest.raises((HTTPException, OSError)):
                plain.getresponse()
        status, headers, body = get("/accounts/login/")
        assert status == 200
        assert re.search(r"csrftoken=.*[Ss]ecure", headers["Set-Cookie"])
        # HSTS is only for PUBLIC_URL.
        assert "Strict-Transport-Security" not in headers
        assert f"https://{HERE}:{live}" in headers["Content-Security-Policy"]
        # More than one TLS record, and many requests at the same time.
        script = re.search(rb'src="(/static/[^"]*htmx[^"]*)"', body)
        assert script
        path = script[1].decode()
        with ThreadPoolExecutor(8) as readers:
            found = set(readers.map(lambda _turn: get(path)[2], range(40)))
        (text,) = found
        assert len(text) > 40_000
        assert get("/nothing", live)[0] == 404


def test_a_key_that_does_not_match_is_reported_at_the_start(tmp_path: Path, settings) -> None:
    (tmp_path / "other").mkdir()
    settings.DATA_DIR = tmp_path
    settings.TLS_CERTIFICATE = certificate(tmp_path)["TLS_CERTIFICATE"]
    settings.TLS_KEY = certificate(tmp_path / "other")["TLS_KEY"]
    with pytest.raises(CommandError, match="TLS_KEY"):
        call_command("serve", port=free_port())
