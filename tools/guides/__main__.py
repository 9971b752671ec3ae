"""Build the site of guides into ``build/site``: ``make docs``.

Runs in an environment of its own (``tools/environment.py --docs``). Whatever Sphinx warns of ends
it, and so does a link that leads nowhere; ``--outside`` also asks other hosts for what is linked
there.
"""

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

from tools.guides.finish import finish
from tools.guides.sources import ROOT, lay_out, trees

SOURCES, SITE = ROOT / "build/guides", ROOT / "build/site"


def sphinx(language: str, builder: str, target: Path) -> None:
    """Run Sphinx over a language's tree, from nothing."""
    command = [sys.executable, "-m", "sphinx", "-q", "-a", "-E", "-W", "--keep-going"]
    command += ["-b", builder, "-D", f"language={language}", "-c", str(ROOT / "docs/site")]
    command += ["-d", str(SOURCES / f".{language}-{builder}")]
    command += [str(SOURCES / language), str(target)]
    environment = {**os.environ, "GUIDES_LANGUAGE": language}
    subprocess.run(command, check=True, env=environment)


def main() -> int:
    """Build; return the exit status."""
    parser = argparse.ArgumentParser(prog="make docs", description="Build the site of guides.")
    parser.add_argument("--outside", action="store_true", help="also ask other hosts for links")
    options = parser.parse_args()
    built = ROOT / "build/site.new"
    shutil.rmtree(built, ignore_errors=True)
    for language in trees():
        lay_out(language, SOURCES / language)
    for language in trees():
        try:
            sphinx(language, "html", built / language)
            if options.outside:
                sphinx(language, "linkcheck", SOURCES / f"links-{language}")
        except subprocess.CalledProcessError:
            return 1
    problems = finish(built)
    if problems:
        print(*problems, sep="\n", file=sys.stderr)
        return 1
    # Who reads a page meanwhile finds the old ones until the new ones are whole.
    shutil.rmtree(SITE, ignore_errors=True)
    built.rename(SITE)
    pages = len(list(SITE.rglob("*.html")))
    print(f"{pages} pages in {SITE}; the program serves them under /docs/.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
