#!/usr/bin/env bash
# A Sphinx site in another language than English, under a Content-Security-Policy.
#
# Guess:    the scripts of a site are files, so script-src 'self' is enough for them.
# Behaviour: a site in a language with a catalogue loads translations.js, which calls addTranslations of doctools.js,
#           and that makes a function of the catalogue's plural_expr by new Function: refused without 'unsafe-eval'.
#           Only the language's plurals and locale are lost, with an error in the console; an English site never calls it.
# What to do: take the line out after the build where a language counts as English does (n === 1 ? one : many).
# Version:  Sphinx 9.0.4, themes/basic/static/doctools.js and locale/sv/LC_MESSAGES/sphinx.js.
# Seen:     the lines at the end of this script.
set -euo pipefail
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check sphinx==9.0.4
mkdir "$work/site"
printf 'Regler\n======\n' > "$work/site/index.rst"
for language in sv en; do
    echo "language = '$language'" > "$work/site/conf.py"
    "$work/venv/bin/sphinx-build" -q -E -b html "$work/site" "$work/$language"
    printf '%s: ' "$language"
    printf 'translations.js %s, ' "$(grep -c 'translations.js' "$work/$language/index.html" || true)"
    printf 'new Function %s\n' "$(grep -c 'new Function' "$work/$language/_static/doctools.js")"
done | tee "$work/seen"
diff "$work/seen" - <<'SEEN'
sv: translations.js 1, new Function 1
en: translations.js 0, new Function 1
SEEN
