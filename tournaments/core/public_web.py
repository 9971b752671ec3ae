"""Requests to addresses that somebody else chose: https, to public addresses only."""

import socket
from typing import Any

import requests
from django.conf import settings
from requests.adapters import HTTPAdapter
from urllib3.connection import HTTPSConnection
from urllib3.connectionpool import HTTPSConnectionPool
from urllib3.exceptions import NewConnectionError

from .public_addresses import is_public, may_be_asked


class _PublicConnection(HTTPSConnection):
    """Connects to the very address that was checked, so that a name cannot change in between."""

    def _new_conn(self) -> socket.socket:
        found = socket.getaddrinfo(self._dns_host, self.port, type=socket.SOCK_STREAM)
        addresses = [str(each[4][0]) for each in found]
        for address in addresses:
            if not is_public(address):
                raise NewConnectionError(self, f"{self._dns_host} is not a public address")
        timeout: Any = self.timeout
        return socket.create_connection((addresses[0], self.port or 443), timeout)


class _PublicPool(HTTPSConnectionPool):
    ConnectionCls = _PublicConnection


class _PublicAdapter(HTTPAdapter):
    """Sends https to public addresses only."""

    def init_poolmanager(self, *args: Any, **kwargs: Any) -> None:
        super().init_poolmanager(*args, **kwargs)
        self.poolmanager.pool_classes_by_scheme = {"https": _PublicPool}

    def send(self, request: Any, *args: Any, **kwargs: Any) -> Any:
        """Send a request unless its address is not https."""
        if not may_be_asked(str(request.url)):
            raise requests.exceptions.InvalidURL("only https is asked")
        return super().send(request, *args, **kwargs)


def private_session() -> requests.Session:
    """Return a session as :func:`public_session` does that also reaches the own network."""
    session = requests.Session()
    session.trust_env = False
    session.max_redirects = 0
    return session


def public_session() -> requests.Session:
    """Return a session that follows no redirects, uses no proxy and reaches no private address."""
    session = requests.Session()
    session.trust_env = False
    session.max_redirects = 0
    adapter = _PublicAdapter(pool_maxsize=20)
    session.mount("https://", adapter)
    session.mount("http://", adapter)
    if settings.PUSH_TEST_SERVICE:
        session.mount(settings.PUSH_TEST_SERVICE, HTTPAdapter(pool_maxsize=20))
    return session
