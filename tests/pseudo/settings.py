"""The program's settings with a further language, found in the folder that ``PSEUDO`` names."""

import os
from pathlib import Path

from engine.messages import add_languages

_folder = Path(os.environ["PSEUDO"])
add_languages(_folder / "engine")

from config.settings import *
from config.settings import LOCALE_PATHS

LOCALE_PATHS = [*sorted((_folder / "locale").iterdir()), *LOCALE_PATHS]
