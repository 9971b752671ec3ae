#!/usr/bin/env bash
# A Swedish list of names in Windows-1252, as Excel in Sweden saves a CSV, read with charset-normalizer.
#
# Guess:    with "Åsa", "Göran", "Zoë" and "Brännström" in it, the guess is Windows-1252 (or a code page
#           with the same letters in these places), for forty names more surely than for three.
# Behaviour: the best match is Windows-1250, for three names as for forty: "Åsa" is "Ĺsa" and "Västerås"
#           "Västerĺs", while ö, ä and ë are right, so that most lines look well. A list of five without
#           more capitals is read right. The same lists in Mac Roman, the harder case, come out right.
# What to do: for people's names say which few code pages can come, decode with each, and count the
#           letters that names there are written with.
# Version:  charset-normalizer 3.5.3, from_bytes(…).best().
# Seen:     the lines at the end of this script.
set -euo pipefail
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check charset-normalizer==3.5.3
"$work/venv/bin/python" - > "$work/seen" <<'PY'
from charset_normalizer import from_bytes

FIRST = ("Åsa", "Göran", "Bo", "Märta", "Zoë")
LAST = ("Öström", "Ek", "Brännström", "Sjögren")
LISTS = {
    "three": "Namn\r\nÅsa Öström\r\nGöran Ek\r\nZoë Brännström\r\n",
    "five": "Namn;Klubb\r\nÅsa Öström;Nord\r\nGöran Ek;Syd\r\nZoë Brännström;Östersund\r\n"
    "Anna Ek;Nord\r\nBo Berg;Syd\r\n",
    "forty": "Namn;Klubb\r\n"
    + "".join(f"{a} {b};{c}\r\n" for a in FIRST for b in LAST for c in ("Nord", "Västerås")),
}
for name, text in LISTS.items():
    for encoding in ("cp1252", "mac_roman"):
        best = from_bytes(text.encode(encoding)).best()
        right = "right" if str(best) == text else f"wrong: {str(best).splitlines()[1]}"
        print(f"{name:5} {encoding:9} {best.encoding:11} {right}")
PY
cat "$work/seen"
diff - "$work/seen" <<'EXPECTED'
three cp1252    cp1250      wrong: Ĺsa Öström
three mac_roman mac_iceland right
five  cp1252    cp1252      right
five  mac_roman mac_iceland right
forty cp1252    cp1250      wrong: Ĺsa Öström;Nord
forty mac_roman mac_iceland right
EXPECTED
