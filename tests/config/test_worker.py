"""A long job from the page through a real worker to the file, as the serve command starts them."""

import os
import re
import time
from pathlib import Path

import pytest

from tests.config.server import Browser, Server

pytestmark = [
    pytest.mark.pages,
    pytest.mark.skipif(not hasattr(os, "fork"), reason="signals need a POSIX system"),
]


@pytest.mark.redis
def test_prints_of_the_demo_are_made_by_the_worker(demo_data: Path) -> None:
    # With REDIS_URL set (make test-services) the queue is Redis, otherwise a folder.
    extra = {"REDIS_URL": os.environ["REDIS_URL"]} if os.environ.get("REDIS_URL") else {}
    with Server(demo_data, **extra) as server:
        found = re.search(r"Director +(\S+) / (\S+)", server.output)
        assert found
        browser = Browser(server.address)
        browser.get("/accounts/login/")
        browser.post("/accounts/login/", {"login": found[1], "password": found[2]})
        status, _page = browser.get("/e/demo/desk/prints/")
        assert status == 200
        browser.post("/e/demo/desk/prints/make/", {"kind": "protocols"})
        deadline = time.monotonic() + 120
        link = None
        while link is None and time.monotonic() < deadline:
            time.sleep(0.3)
            _status, page = browser.get("/e/demo/desk/prints/")
            assert "tag-red" not in page
            link = re.search(r'href="(/e/demo/desk/prints/\d+\.pdf)"', page)
        assert link, "no worker made the file"
        status, file = browser.get(link[1])
        assert status == 200
        assert file.startswith("%PDF")
