"""What strangers can do to a hall: the desk's and the tables' answers beside bounded floods.

    python -m benchmarks.strangers

Each flood comes from this machine, is bounded in number and time, and is harmless in itself: posts
to an address that no table has, the same to a sign-up, and sign-ins of invented names whose
connections are closed at once.
"""

import json
import re
import socket
import tempfile
import threading
from collections.abc import Callable
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlencode

from benchmarks import clients, hall

CONNECTIONS, SECONDS, SIGN_INS = 40, 12, 400
UNKNOWN = "/s/" + "a" * 26 + "/"
FORM = {"Content-Type": "application/x-www-form-urlencoded"}
ACCOUNT = """
from django.contrib.auth.models import User
from tournaments.models import Event, Organiser
user = User.objects.create_superuser("tove", password="kung-dam-knekt")
"""


def main() -> None:
    """Print the worst answers, and append them to the file of past results."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        clients.HERE.manage(folder, "migrate", "-v0")
        clients.HERE.manage(folder, "shell", "-v0", "-c", ACCOUNT)
        made = clients.HERE.manage(
            folder, "shell", "-v0", "-c", hall.HALL.format(tables=2, slug="hall")
        )
        links = json.loads(made.splitlines()[-1])
        with clients.HERE.serve(folder) as (port, _live, _said):
            desk = _signed_in(port)
            table = f"{links[0][0]}live/"
            rows = {
                "idle": _worst(port, desk, table, lambda stop: None),
                "posts to unknown tables": _worst(
                    port, desk, table, _posts(port, f"{UNKNOWN}sync/")
                ),
                "posts to a sign-up": _worst(port, desk, table, _posts(port, "/e/hall/sign-up/")),
                "sign-ins closed at once": _worst(port, desk, table, _sign_ins(port)),
            }
    for name, row in rows.items():
        print(f"{name:26}" + "".join(f"  {what} {seconds:.3f} s" for what, seconds in row.items()))
    clients.keep("strangers", rows)


def _signed_in(port: int) -> dict[str, str]:
    """Sign in as the director would; return the cookies."""
    asking = HTTPConnection("127.0.0.1", port, timeout=30)
    cookies: dict[str, str] = {}

    def ask(method: str, body: str = "") -> None:
        headers = {
            "Cookie": "; ".join(f"{name}={value}" for name, value in cookies.items()),
            "Content-Type": "application/x-www-form-urlencoded",
        }
        asking.request(method, "/accounts/login/", body, headers)
        answer = asking.getresponse()
        text = answer.read().decode()
        for name, value in answer.getheaders():
            if name.lower() == "set-cookie":
                key, _is, rest = value.partition("=")
                cookies[key] = rest.partition(";")[0]
        if method == "GET":
            cookies["form"] = re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', text)[0]

    ask("GET")
    form = {
        "login": "tove",
        "password": "kung-dam-knekt",
        "csrfmiddlewaretoken": cookies.pop("form"),
    }
    ask("POST", urlencode(form))
    assert "sessionid" in cookies, cookies
    return cookies


def _worst(
    port: int, cookies: dict[str, str], table: str, flood: Callable[[threading.Event], None]
) -> dict[str, float]:
    """Return the worst answers of the desk and of a table while a flood lasts."""
    stop = threading.Event()
    flooding = threading.Thread(target=flood, args=(stop,))
    flooding.start()
    worst = {"desk": 0.0, "table": 0.0}
    cookie = "; ".join(f"{name}={value}" for name, value in cookies.items())

    def ask(what: str, path: str, **headers: str) -> None:
        asking = HTTPConnection("127.0.0.1", port, timeout=60)
        while not stop.wait(0.1):
            status, _size, seconds = clients.ask(asking, path, **headers)
            assert status == 200, (what, status)
            worst[what] = max(worst[what], seconds)
        asking.close()

    askers = [
        threading.Thread(target=ask, args=("desk", "/e/hall/desk/"), kwargs={"Cookie": cookie}),
        threading.Thread(target=ask, args=("table", table)),
    ]
    for each in askers:
        each.start()
    stop.wait(SECONDS)
    stop.set()
    for each in [*askers, flooding]:
        each.join()
    return worst


def _posts(port: int, path: str) -> Callable[[threading.Event], None]:
    """Return a flood over kept connections that posts a small form again and again."""

    def post(stop: threading.Event) -> None:
        asking = HTTPConnection("127.0.0.1", port, timeout=60)
        while not stop.is_set():
            try:
                asking.request(
                    "POST", path, "a=b", {"Content-Type": "application/x-www-form-urlencoded"}
                )
                asking.getresponse().read()
            except OSError:
                asking.close()
        asking.close()

    def flood(stop: threading.Event) -> None:
        clients.together([lambda: post(stop)] * CONNECTIONS)

    return flood


def _sign_ins(port: int) -> Callable[[threading.Event], None]:
    """Return a number of sign-ins of invented names, each on a connection closed at once."""

    def flood(stop: threading.Event) -> None:
        cookie = "c" * 32
        for number in range(SIGN_INS):
            body = urlencode(
                {"login": f"nobody{number}", "password": "guess", "csrfmiddlewaretoken": cookie}
            )
            head = (
                f"POST /accounts/login/ HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
                f"Cookie: csrftoken={cookie}\r\nContent-Length: {len(body)}\r\n"
                f"Content-Type: {FORM['Content-Type']}\r\n\r\n"
            )
            with socket.create_connection(("127.0.0.1", port)) as connection:
                connection.sendall((head + body).encode())

    return flood


if __name__ == "__main__":
    main()
