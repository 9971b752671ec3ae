"""What Sphinx leaves to be done: links between the trees, words, and what the pages may load.

The pages' own policy allows the theme's inline scripts and styles by their hashes, and nothing of
another host. ``site.json`` holds it, for the program that serves the pages.
"""

import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

#: What the theme says in attributes and icons, where no translation reaches it.
SWEDISH = {
    '"Toggle site navigation sidebar"': '"Visa eller dölj menyn"',
    '"Toggle table of contents sidebar"': '"Visa eller dölj sidans innehåll"',
    '"Toggle Light / Dark / Auto color theme"': '"Ljust, mörkt eller som datorn"',
    '"Toggle navigation of ': '"Visa eller dölj ',
    "<title>Contents</title>": "<title>Innehåll</title>",
    "<title>Menu</title>": "<title>Meny</title>",
    "<title>Expand</title>": "<title>Öppna</title>",
    "<title>Light mode</title>": "<title>Ljust</title>",
    "<title>Dark mode</title>": "<title>Mörkt</title>",
    "<title>Auto light/dark, in light mode</title>": "<title>Som datorn, nu ljust</title>",
    "<title>Auto light/dark, in dark mode</title>": "<title>Som datorn, nu mörkt</title>",
}


class Page(HTMLParser):
    """Collects what a page links to, what it loads, and what in it is inline."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.inline: dict[str, set[str]] = {"script": set(), "style": set(), "attribute": set()}
        self.handlers: set[str] = set()
        self._inside = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element's name, address and style."""
        values = {name: value or "" for name, value in attrs}
        self.ids.add(values.get("id", ""))
        if "href" in values:
            kind = self.links if tag == "a" else self.loads
            if values.get("rel") not in {"canonical", "author"} and tag != "use":
                kind.append(values["href"])
        if "src" in values:
            self.loads.append(values["src"])
        if "style" in values:
            self.inline["attribute"].add(values["style"])
        self.handlers |= {name for name in values if name.startswith("on")}
        self._inside = tag if tag in {"script", "style"} and "src" not in values else ""

    def handle_endtag(self, tag: str) -> None:
        """Leave a script or a style."""
        self._inside = ""

    def handle_data(self, data: str) -> None:
        """Note what is inline."""
        if self._inside and data:
            self.inline[self._inside].add(data)


#: How Sphinx reads a catalogue's plurals: code from a string, which the policy refuses. Swedish has
#: those of English, which the script begins with.
EVALUATED = re.compile(r"Documentation\.PLURAL_EXPR = new Function\([^;]*\);\n")


def finish(site: Path) -> list[str]:
    """Finish the pages and write ``site.json``; return what is wrong with them."""
    for path in site.glob("*/_static/doctools.js"):
        text, found = EVALUATED.subn("", path.read_text(encoding="utf-8"))
        if found != 1:
            return [f"{path}: Sphinx reads plurals otherwise than it did"]
        path.write_text(text, encoding="utf-8")
    for path in (site / "sv").rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        for english, swedish in SWEDISH.items():
            text = text.replace(english, swedish)
        path.write_text(text, encoding="utf-8")
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in sorted(site.rglob("*.html"))}
    problems = [problem for path in pages for problem in _wrong(site, path, pages)]
    files = {
        path.relative_to(site).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()[:20]
        for path in sorted(site.rglob("*"))
        if path.is_file() and path.name not in {".buildinfo", "objects.inv"}
    }
    document = {"policy": _policy(pages), "files": files}
    (site / "site.json").write_text(json.dumps(document, indent=1), encoding="utf-8")
    return problems


def _wrong(site: Path, path: Path, pages: dict[Path, Page]) -> list[str]:
    """Return links of a page that lead nowhere, and what it would load from elsewhere."""
    page, here = pages[path], path.relative_to(site)
    wrong = [f"{here}: has a handler in {name}" for name in sorted(page.handlers)]
    outside = re.compile(r"[a-z]+:|//")
    wrong += [f"{here}: loads {address}" for address in page.loads if outside.match(address)]
    for address in (*page.links, *page.loads):
        # "/" is the program that serves the pages.
        if outside.match(address) or address == "/":
            continue
        file, _, anchor = address.partition("#")
        file = file.partition("?")[0]
        target = (path.parent / unquote(file)).resolve() if file else path
        there = pages.get(target)
        if not target.is_file():
            wrong.append(f"{here}: {address} leads nowhere")
        elif anchor and there and unquote(anchor) not in there.ids:
            wrong.append(f"{here}: {address} has no such place")
    return wrong


def _policy(pages: dict[Path, Page]) -> str:
    """Return the Content-Security-Policy that all pages can live with."""

    def hashes(kind: str) -> str:
        texts = {text for page in pages.values() for text in page.inline[kind]}
        digests = (hashlib.sha256(text.encode()).digest() for text in texts)
        return " ".join(sorted(f"'sha256-{base64.b64encode(one).decode()}'" for one in digests))

    return "; ".join(
        (
            "default-src 'none'",
            f"script-src 'self' {hashes('script')}",
            f"style-src 'self' {hashes('style')}",
            f"style-src-attr 'unsafe-hashes' {hashes('attribute')}",
            "img-src 'self' data:",
            "connect-src 'self'",
            "form-action 'self'",
            "base-uri 'none'",
            "frame-ancestors 'none'",
        )
    )
