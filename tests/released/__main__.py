"""Make the folder of a version that is released: see the package."""

import json
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

from engine.errors import ChicagoError
from engine.rules.presets import PRESETS
from engine.rules.variants import VARIANTS, parse_rules
from tests.config.cluster import Cluster
from tests.released import FOLDER, SLUG, manage


def main(version: str) -> None:
    """Play one event on each kind of database and write what a version writes."""
    folder = FOLDER / version
    folder.mkdir()
    rules = []
    for spec in [*PRESETS, *(f"festival+{name}" for name in VARIANTS)]:
        with suppress(ChicagoError):  # a variant that festival has, or cannot have
            rules.append(parse_rules(spec).as_json())
    (folder / "rules.json").write_text(json.dumps(rules, indent=1) + "\n")
    play = ("rehearse", "--players", "12", "--seed", version, "--slug", SLUG)
    with tempfile.TemporaryDirectory() as name, Cluster() as cluster:
        for kind, address in (("sqlite", ""), ("postgresql", cluster.address)):
            data = Path(name) / kind
            manage(data, *play, database=address)
            manage(data, "backup", str(folder / f"{kind}.zip"), database=address)
        (folder / "event.json").write_text(manage(Path(name) / "sqlite", "export_event", SLUG))


if __name__ == "__main__":
    main(*sys.argv[1:])
