"""Write a picture as SVG, with colours as attributes so that it needs no style sheet.

Every shape also has a class, so that a page's style sheet can override the colours: the same
picture works in light, dark and print.
"""

from xml.sax.saxutils import escape, quoteattr

from scoring.paper import fonts

from .shapes import BOXES, STROKES, TEXTS, Box, Link, Picture, Shape, Stroke, Text

#: Other fonts may be wider than the one measured, and bold ones wider still.
CAUTION, CAUTION_BOLD = 0.88, 0.8
#: A picture of one round is narrower than this.
ONE_ROUND = 300
FAMILY = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif"


def svg(picture: Picture, *, name: str = "", alone: bool = False, ground: str = "") -> str:
    """Return the picture as an ``svg`` element; ``alone``: as a document of its own.

    ``name`` keeps the ids of several pictures on a page apart; ``ground`` is the background colour.
    """
    width, height = _number(picture.width), _number(picture.height)
    size = f' width="{width}" height="{height}"' if alone else ""
    title = f"{name}-title"
    one_round = " is-one-round" if picture.width < ONE_ROUND else ""
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"{size} '
        f'role="group" aria-labelledby="{title}" class="bracket-picture{one_round}" '
        f"font-family={quoteattr(FAMILY)}>"
    )
    parts = [
        head,
        f'<title id="{title}">{_plain(picture.title)}</title>',
    ]
    if ground:
        parts.append(f'<rect width="100%" height="100%" fill={quoteattr(ground)}/>')
    parts += [_shape(shape) for shape in picture.shapes]
    return "".join((*parts, "</svg>"))


def _plain(text: str) -> str:
    return escape(fonts.clean(text))


def _number(value: float) -> str:
    whole = int(value)
    return str(whole) if whole == value else f"{value:.2f}".rstrip("0").rstrip(".")


def _shape(shape: Shape) -> str:
    match shape:
        case Box():
            return _box(shape)
        case Text():
            return _text(shape)
        case Stroke():
            return _stroke(shape)
        case Link():
            inner = "".join(_shape(each) for each in shape.shapes)
            label = quoteattr(fonts.clean(shape.label))
            href = quoteattr(shape.href)
            return f'<a href={href} aria-label={label} text-decoration="none">{inner}</a>'


def _box(box: Box) -> str:
    fill, stroke, width = BOXES[box.kind]
    x, y = _number(box.x), _number(box.y)
    look = f'fill="{fill or "none"}"'
    if stroke:
        look += f' stroke="{stroke}" stroke-width="{_number(width)}"'
    if box.kind == "ghost":
        look += ' stroke-dasharray="5 4"'
    return (
        f'<rect class="b-{box.kind}" x="{x}" y="{y}" width="{_number(box.width)}" '
        f'height="{_number(box.height)}" rx="{_number(box.radius)}" {look}/>'
    )


def _text(text: Text) -> str:
    colour, bold = TEXTS[text.kind]
    whole = fonts.clean(text.text)
    lines = text.lines(CAUTION_BOLD if bold else CAUTION)
    size = lines[0][1].size
    shown = lines[0][1].text
    if len(lines) > 1:
        x = _number(text.x)
        shown = " ".join(line.text for _base, line in lines)
        inner = " ".join(
            f'<tspan x="{x}" y="{_number(base)}" font-size="{_number(line.size)}">'
            f"{escape(line.text)}</tspan>"
            for base, line in lines
        )
    else:
        inner = escape(shown)
    weight = ' font-weight="650"' if bold else ""
    anchor = f' text-anchor="{text.anchor}"' if text.anchor != "start" else ""
    title = f"<title>{escape(whole)}</title>" if shown != whole else ""
    return (
        f'<text class="t-{text.kind}" x="{_number(text.x)}" y="{_number(text.y)}" '
        f'font-size="{_number(size)}" fill="{colour}"{weight}{anchor}>'
        f"{title}{inner}</text>"
    )


def _stroke(stroke: Stroke) -> str:
    colour, width = STROKES[stroke.kind]
    x1, y1, x2, y2 = (_number(value) for value in (stroke.x1, stroke.y1, stroke.x2, stroke.y2))
    line = f"M{x1} {y1}L{x2} {y2}"
    return (
        f'<path class="w-{stroke.kind}" d="{line}" fill="none" stroke="{colour}" '
        f'stroke-width="{_number(width)}" stroke-linecap="round"/>'
    )
