"""Write the lock files from the packages installed in the running environment.

``requirements.lock`` holds ``requirements.in`` and its dependencies, ``requirements-dev.lock`` also
what ``requirements-dev.in`` needs. ``--docs``, run in the environment that builds the guides,
writes ``requirements-docs.lock``. Only ``name==version`` lines, no addresses: where packages come
from is up to the machine. Dependencies of other platforms (tzdata on Windows, for example) are left
to pip, which finds them through the packages' own requirements.
"""

import sys
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent


def wanted(path: Path) -> list[Requirement]:
    """Return the requirements listed in a ``.in`` file."""
    lines = (line.split("#")[0].strip() for line in path.read_text(encoding="utf-8").splitlines())
    return [Requirement(line) for line in lines if line]


def closure(requirements: Iterable[Requirement]) -> dict[str, str]:
    """Return name → version of the requirements and their dependencies on this platform."""
    versions: dict[str, str] = {}
    seen: set[tuple[str, str]] = set()
    queue = list(requirements)
    while queue:
        requirement = queue.pop()
        name = canonicalize_name(requirement.name)
        for extra in ("", *sorted(requirement.extras)):
            if (name, extra) in seen:
                continue
            seen.add((name, extra))
            distribution = metadata.distribution(name)
            versions[name] = distribution.version
            for text in distribution.requires or []:
                need = Requirement(text)
                if need.marker is None or need.marker.evaluate({"extra": extra}):
                    queue.append(need)
    return versions


def write(filename: str, versions: dict[str, str]) -> None:
    """Write a lock file."""
    lines = [f"{name}=={version}\n" for name, version in sorted(versions.items())]
    (ROOT / filename).write_text("".join(lines), encoding="utf-8")
    print(f"{filename}: {len(lines)} packages")


def main() -> None:
    """Write the files of this environment."""
    if "--docs" in sys.argv:
        write("requirements-docs.lock", closure(wanted(ROOT / "requirements-docs.in")))
        return
    runtime = closure(wanted(ROOT / "requirements.in"))
    development = closure(wanted(ROOT / "requirements-dev.in"))
    write("requirements.lock", runtime)
    write(
        "requirements-dev.lock",
        {name: version for name, version in development.items() if name not in runtime},
    )


if __name__ == "__main__":
    main()
