#!/usr/bin/env bash
# The built-in search of a Sphinx site, and a rule that is known by its number ("the first with 52 points").
#
# Guess:    every word of a page is in the search index but for a language's stop words; "52" is a word.
# Behaviour: what is only digits is never indexed, in any language, so 52, 15 and 2026 find nothing; with a letter
#           at either end (p52, 4K1) they are. In a Swedish site a stop word is left out only if it is written
#           small: the "Den" of a sentence's beginning stays, with its capital, where a search, which
#           lowers what is typed, never finds it. In an English site "Den" is indexed as "den".
# What to do: write out what people will look for, as a glossary's term or an index entry.
# Version:  Sphinx 9.0.4, sphinx/search: SearchLanguage.word_filter, IndexBuilder.feed; themes/basic/static/searchtools.js.
# Seen:     the lines at the end of this script.
set -euo pipefail
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check sphinx==9.0.4
mkdir "$work/site"
cat > "$work/site/index.rst" <<'RST'
Regler
======

Den som når 52 poäng vinner. Chicago ger 15 från 2026. Märk p52 och 4K1.
RST
for language in sv en; do
    echo "language = '$language'" > "$work/site/conf.py"
    "$work/venv/bin/sphinx-build" -q -E -b html "$work/site" "$work/$language"
    printf '%s: ' "$language"
    grep -o '"terms":{[^}]*}' "$work/$language/searchindex.js" | grep -oiE '"(52|15|2026|p52|4k1|den|chicago)"' | paste -sd ' '
done | tee "$work/seen"
diff "$work/seen" - <<'SEEN'
sv: "4k1" "Den" "chicago" "p52"
en: "4k1" "chicago" "den" "p52"
SEEN
