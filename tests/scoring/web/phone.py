"""A phone at a table, for tests: what it holds and sends (static/scoring/sync.js)."""

import json
import uuid

from django.test import Client

EXCHANGE, TRICKS, FINAL = ("exchange", 1), ("tricks", 3), ("final_hand", 3)


class Phone:
    """A phone at a table: its lines, the document, and taps that wait."""

    def __init__(self, address):
        self.client = Client()
        self.address = address
        self.lines = {}
        self.document = {}
        self.parts = {}
        self.version = ""
        self.rules = ""

    @property
    def have(self):
        return {
            str(game): {"rows": len(lines), "last": lines[-1]["id"] if lines else None}
            for game, lines in self.lines.items()
        }

    def post(self, **fields):
        return self.client.post(
            f"{self.address}sync/", json.dumps(fields), content_type="application/json"
        )

    def sync(self, *taps, have=None, **more):
        """Send taps; take in what the answer brings; return the answer."""
        answer = self.post(
            shell="test",
            version=self.version,
            have=self.have if have is None else have,
            parts={name: part["mark"] for name, part in self.parts.items()},
            rules=self.rules,
            taps=list(taps),
            **more,
        ).json()
        assert answer["mark"] == "chicago-table"
        self.version = answer.get("version", self.version)
        for game in answer.get("whole", ()):
            self.lines[game] = []
        for game, lines in answer.get("lines", {}).items():
            self.lines.setdefault(int(game), []).extend(lines)
        self.document = answer.get("document", self.document)
        self.parts |= answer.get("parts", {})
        if "rules" in answer:
            self.rules = self.document["rules"]
        if answer.get("more"):
            # The document comes with the next answer.
            return self.sync() | {name: answer[name] for name in ("took", "lines")}
        return answer

    def last(self, game=1):
        lines = self.lines.get(game, [])
        return lines[-1]["id"] if lines else None

    def tap(self, act, place=(0, *EXCHANGE), *, follows=..., game=1, **more):
        deal, stage, phase = place
        return {
            "id": str(uuid.uuid4()),
            "act": act,
            "at": 1,
            "game": game,
            "place": {"deal": deal, "stage": stage, "phase": phase},
            "follows": self.last(game) if follows is ... else follows,
            **more,
        }

    def entries(self, *entries, follows=..., **more):
        """Return taps that follow each other, with their places in the first deal."""
        places = [(0, "exchange", 1), (0, "exchange", 2), (0, *TRICKS), (0, *FINAL)]
        before = self.last() if follows is ... else follows
        taps = []
        for place, entry in zip(places, entries, strict=False):
            tap = self.tap("entry", place, entry=entry, follows=before, **more)
            taps.append(tap)
            before = tap["id"]
        return taps


def refused(answer):
    """Return why the first tap was refused, or the whole call; empty if nothing was."""
    problems = answer.get("problems") or [answer.get("refused", {}).get("problem", {})]
    return problems[0].get("code", "")


def tapped(client, address, act, **about):
    """Send one tap and return the answer."""
    tap = {"id": str(uuid.uuid4()), "act": act, "at": 1, **about}
    return client.post(
        f"{address}sync/", json.dumps({"taps": [tap]}), content_type="application/json"
    ).json()


def told_by(client, address, **headers):
    """Return all that a phone is told which has nothing yet."""
    return client.post(
        f"{address}sync/", "{}", content_type="application/json", headers=headers
    ).json()


def parts_of(client, address, **headers):
    """Return the parts of the page that the server words."""
    answer = told_by(client, address, **headers)
    return {name: part["html"] for name, part in answer["parts"].items()}
