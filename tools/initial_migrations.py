"""Make both apps' 0001_initial anew from the models: ``python tools/initial_migrations.py``.

``makemigrations`` adds keys and constraints after all models, and SQLite makes a table again for
each of them: an empty database would take three times as long. Here each model is created whole.
"""

import os
import sys
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
APPS = ("scoring", "tournaments")


def whole(migration: Any) -> Any:
    """Put keys, indexes and constraints into the operations that create the models."""
    from django.db.migrations.operations import AddConstraint, AddField, AddIndex, CreateModel

    from scoring.migrations._operations import CreateModels

    models = {op.name_lower: op for op in migration.operations if isinstance(op, CreateModel)}
    for op in migration.operations:
        if isinstance(op, AddField):
            models[op.model_name_lower].fields.append((op.name, op.field))
        elif isinstance(op, AddIndex):
            models[op.model_name_lower].options.setdefault("indexes", []).append(op.index)
        elif isinstance(op, AddConstraint):
            models[op.model_name_lower].options.setdefault("constraints", []).append(op.constraint)
    names = {f"{migration.app_label}.{name}": name for name in models}
    needs = {
        name: {
            names[to.lower()]
            for _name, field in op.fields
            if isinstance(to := field.deconstruct()[3].get("to"), str) and to.lower() in names
        }
        - {name}
        for name, op in models.items()
    }
    ordered = [models[name] for name in TopologicalSorter(needs).static_order()]
    migration.operations = [CreateModels(operations=ordered)]
    return migration


def main() -> None:
    """Write the files."""
    import django
    from django.apps import apps
    from django.db.migrations.autodetector import MigrationAutodetector
    from django.db.migrations.graph import MigrationGraph
    from django.db.migrations.questioner import MigrationQuestioner
    from django.db.migrations.state import ProjectState
    from django.db.migrations.writer import MigrationWriter

    django.setup()
    there = ProjectState.from_apps(apps)
    others = ProjectState.from_apps(apps)
    for app, name in list(others.models):
        if app in APPS:
            del others.models[app, name]
    # Without a graph of migrations there, these are the first.
    yes = MigrationQuestioner(specified_apps=set(APPS))
    changes = MigrationAutodetector(others, there, yes).changes(MigrationGraph(), set(APPS))
    for app in APPS:
        [migration] = changes[app]
        writer = MigrationWriter(whole(migration), include_header=False)
        (ROOT / app / "migrations" / "0001_initial.py").write_text(writer.as_string(), "utf-8")


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    main()
