"""Sphinx's settings for the site of guides, one language at a time (tools/guides.py).

``GUIDES_LANGUAGE`` says which. What a page says about itself in the other language, and where
figures stand, is worked out here: Sphinx's search leaves out whatever is only digits.
"""

import importlib.util
import os
import re
import sys
from pathlib import Path

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx

ROOT = Path(__file__).resolve().parents[2]
BUILT = ROOT / "build" / "guides"
LANGUAGES = {"en": "In English", "sv": "På svenska"}
TITLES = {"en": "Chicago: guides", "sv": "Chicago: guider"}
HOME = {"en": "To the program", "sv": "Till programmet"}

language = os.environ.get("GUIDES_LANGUAGE", "en")
project = "Chicago"
html_title = TITLES[language]
extensions = ["myst_parser"]
if language == "en":
    extensions.append("sphinx.ext.autodoc")
locale_dirs = [str(ROOT / "docs/site/locale")]
templates_path = [str(ROOT / "docs/site/templates")]

# --- Markdown as the repository's pages show it -------------------------------------------------

myst_heading_anchors = 4
# To the other language's tree, and to the program that serves both.
myst_url_schemes = {"http": None, "https": None, "mailto": None, "site": "{{path}}#{{fragment}}"}
# Reference pages have a heading for each address below the page's.
suppress_warnings = ["myst.header"]
highlight_language = "none"

# --- the look ---------------------------------------------------------------------------------

html_theme = "furo"
html_static_path = [str(ROOT / "docs/site/static")]
html_css_files = ["guides.css"]
html_favicon = str(ROOT / "static/site/icon.svg")
html_copy_source = html_show_sourcelink = html_show_copyright = False
html_theme_options = {
    "top_of_page_buttons": [],
    # As in static/site/site.css.
    "light_css_variables": {
        "color-background-primary": "#fffdf7",
        "color-background-secondary": "#f7f4ec",
        "color-background-border": "#d9d3c3",
        "color-foreground-primary": "#1e1d1a",
        "color-brand-primary": "#1b5e3f",
        "color-brand-content": "#1b5e3f",
        "color-brand-visited": "#134630",
    },
    "dark_css_variables": {
        "color-background-primary": "#171a18",
        "color-background-secondary": "#1f2421",
        "color-background-border": "#3a403c",
        "color-foreground-primary": "#e9e5da",
        "color-brand-primary": "#7cc49b",
        "color-brand-content": "#7cc49b",
        "color-brand-visited": "#9bd8b4",
    },
}
html_sidebars = {
    "**": [
        "sidebar/brand.html",
        "languages.html",
        "sidebar/search.html",
        "sidebar/scroll-start.html",
        "sidebar/navigation.html",
        "sidebar/scroll-end.html",
    ]
}

# --- the engine ---------------------------------------------------------------------------------

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_preserve_defaults = True
add_module_names = False
# A class that several modules use is found wherever it stands.
suppress_warnings += ["ref.python", "misc.highlighting_failure"]


def _import_engine() -> None:
    """Let the engine be imported by the name that it has once it is installed."""
    spec = importlib.util.spec_from_file_location(
        "chicago_engine",
        ROOT / "engine/__init__.py",
        submodule_search_locations=[str(ROOT / "engine")],
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["chicago_engine"] = module
    spec.loader.exec_module(module)


# --- what is found by its figure ----------------------------------------------------------------

FIGURE = re.compile(r"(?<![\w.,:/§#-])\d{1,4}(?![\w:/-]|[.,]\d)")
#: Lists of what is new hold many figures that nobody looks for.
UNINDEXED = re.compile(r"(?:.*-)?changelog|speed|benchmarks|api-reference|engine/.*")


def index_figures(app: Sphinx, doctree: nodes.document) -> None:
    """Put the figures of each section into the index, and the first column of a glossary's tables.

    The glossary's are the main entries, which a search shows first.
    """
    name = app.env.docname
    glossary = name == "glossary"
    if UNINDEXED.fullmatch(name):
        return
    for section in list(doctree.findall(nodes.section)):
        found: dict[str, None] = {}
        for text in section.findall(nodes.Text):
            if _section_of(text) is section and not isinstance(text.parent, nodes.literal):
                found.update(dict.fromkeys(FIGURE.findall(text.astext())))
        figures = [figure for figure in found if len(figure) > 1]
        if not glossary:
            _index(section, section["ids"][0], figures)
    if glossary:
        for number, row in enumerate(doctree.findall(nodes.row)):
            if isinstance(row.parent, nodes.tbody):
                entry = row.children[0]
                anchor = f"term-{number}"
                row["ids"].append(anchor)
                _index(entry, anchor, re.split(r", ", entry.astext()), main="main")


def _section_of(node: nodes.Node) -> nodes.Node | None:
    while node is not None and not isinstance(node, nodes.section):
        if isinstance(node, nodes.literal_block):
            return None
        node = node.parent
    return node


def _index(place: nodes.Element, anchor: str, words: list[str], main: str = "") -> None:
    if words:
        entries = [("single", word, anchor, main, None) for word in words]
        place.insert(0, addnodes.index(entries=entries))


# --- the other language ---------------------------------------------------------------------------


def name_languages(
    app: Sphinx, pagename: str, templatename: str, context: dict, doctree: object
) -> None:
    """Tell a page where it is in the other language; the first page stands in for what is not."""
    (other,) = LANGUAGES.keys() - {language}
    there = pagename if (BUILT / other / f"{pagename}.md").exists() else "index"
    up = "../" * (pagename.count("/") + 1)
    context["other"] = {
        "language": other,
        "name": LANGUAGES[other],
        "address": f"{up}{other}/{there}.html",
        "same": there == pagename,
    }
    context["home"] = HOME[language]


def setup(app: Sphinx) -> None:
    """Connect what is above."""
    if language == "en":
        _import_engine()
    app.connect("doctree-read", index_figures)
    app.connect("html-page-context", name_languages)
