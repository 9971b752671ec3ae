#!/usr/bin/env bash
# Seven scripts that import each other in a row, and Django's ManifestStaticFilesStorage.
#
# Guess:    collectstatic hashes a chain of ES modules of any length: a file's hash needs the hashes of
#           what it imports, so imports come first; "max post-process passes" is there for circles.
# Behaviour: no order is worked out. All files are gone through again until no hash changes any more,
#           deepest folder first, otherwise in the order in which they were found. Each pass settles
#           one import when a file comes before what it imports. A row of seven in one folder, without
#           a circle, is therefore refused with the default of five passes; the same row with the names
#           the other way round, or with the imported ones in deeper folders, needs one pass.
#           So a renamed script can stop a release.
# What to do: set max_post_process_passes to more than the longest row of imports.
# Version:  Django 5.2.19, django/contrib/staticfiles/storage.py, HashedFilesMixin.post_process.
# Seen:     the lines at the end of this script.
set -euo pipefail
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check django==5.2.19
cat > "$work/try.py" <<'PY'
import sys
from pathlib import Path

import django
from django.conf import settings
from django.contrib.staticfiles.storage import ManifestStaticFilesStorage

settings.configure(STATIC_URL="/static/", USE_TZ=True)
django.setup()


class Storage(ManifestStaticFilesStorage):
    support_js_module_import_aggregation = True


class PatientStorage(Storage):
    max_post_process_passes = 12


def collect(case, kind, names):
    """Write one module per name, each importing the next; return what post-processing says."""
    folder = Path(sys.argv[1], case)
    for name, after in zip(names, [*names[1:], None], strict=True):
        file = folder / f"{name}.js"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f'import "/static/{after}.js";\n' if after else "export const end = 1;\n")
    storage = kind(location=str(folder), base_url="/static/")
    paths = {f"{name}.js": (storage, f"{name}.js") for name in sorted(names)}
    done = set()
    for name, _hashed, outcome in storage.post_process(paths):
        if isinstance(outcome, Exception):
            return str(outcome)
        done.add(name)
    return f"{len(done)} collected"


print("a imports b imports … g:", collect("rising", Storage, list("abcdefg")))
print("g imports f imports … a:", collect("falling", Storage, list("gfedcba")))
deeper = ["/".join("abcdefg"[: n + 1]) for n in range(7)]
print("a imports a/b imports a/b/c …:", collect("deeper", Storage, deeper))
print("a imports b imports … g, twelve passes:", collect("patient", PatientStorage, list("abcdefg")))
PY
"$work/venv/bin/python" "$work/try.py" "$work" | tee "$work/seen"
diff "$work/seen" - <<'SEEN'
a imports b imports … g: Max post-process passes exceeded.
g imports f imports … a: 7 collected
a imports a/b imports a/b/c …: 7 collected
a imports b imports … g, twelve passes: 7 collected
SEEN
