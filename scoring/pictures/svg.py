"""Write a picture as SVG, with colours as attributes so that it needs no style sheet.

Every shape also has a class, so that a page's style sheet can override the colours: the same
picture works in light, dark and print. Titles stand at groups: some renderers draw one inside a
text as letters.
"""

from xml.sax.saxutils import escape, quoteattr

from django.utils.safestring import SafeString, mark_safe

from ..paper import fonts
from .shapes import (
    BOXES,
    DOTS,
    STROKES,
    TEXTS,
    Box,
    Dot,
    Inset,
    Line,
    Link,
    Picture,
    Shape,
    Stroke,
    Text,
)

#: Other fonts may be wider than the one measured, and bold ones wider still.
CAUTION, CAUTION_BOLD = 0.88, 0.8
#: A picture narrower than this does not become as wide as the page.
SMALL = 300
FAMILY = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif"


def svg(
    picture: Picture,
    *,
    name: str = "",
    alone: bool = False,
    ground: str = "",
    css: str = "",
    stretched: bool = False,
    family: str = FAMILY,
) -> SafeString:
    """Return the picture as an ``svg`` element; ``alone``: as a document of its own.

    ``name`` keeps the ids of several pictures on a page apart; ``ground`` is the background colour;
    ``stretched``: the page's style sheet may change its proportions.
    """
    width, height = _number(picture.width), _number(picture.height)
    size = f' width="{width}" height="{height}"' if alone else ""
    ratio = ' preserveAspectRatio="none"' if stretched else ""
    small = "is-small" if picture.width < SMALL else ""
    classes = " ".join(filter(None, ("picture", css, small)))
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"{size}{ratio} '
        f'{_role(picture, name)} class="{classes}" font-family={quoteattr(family)}>'
    )
    parts = [head]
    if picture.title:
        parts.append(f'<title id="{name}-title">{_plain(picture.title)}</title>')
    if picture.text:
        parts.append(f'<desc id="{name}-text">{_plain(picture.text)}</desc>')
    if ground:
        parts.append(f'<rect width="100%" height="100%" fill={quoteattr(ground)}/>')
    parts += [_shape(shape) for shape in picture.shapes]
    # Safe: all text is escaped.
    return mark_safe("".join((*parts, "</svg>")))


def _role(picture: Picture, name: str) -> str:
    if not picture.title:
        return 'aria-hidden="true" focusable="false"'
    if not picture.text:
        # It has links.
        return f'role="group" aria-labelledby="{name}-title"'
    return f'role="img" aria-labelledby="{name}-title {name}-text"'


def _plain(text: str) -> str:
    # Without the limit that a printed line has.
    return escape(" ".join(fonts.clean(part) for part in text.split(" ")))


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
            points = ((shape.x1, shape.y1), (shape.x2, shape.y2))
            return _line(Line(points, shape.kind))
        case Line():
            return _line(shape)
        case Dot():
            return _dot(shape)
        case Link():
            inner = "".join(_shape(each) for each in shape.shapes)
            label = quoteattr(fonts.clean(shape.label))
            href = quoteattr(shape.href)
            return f'<a href={href} aria-label={label} text-decoration="none">{inner}</a>'
        case Inset():
            return _inset(shape)


def _inset(inset: Inset) -> str:
    x, y, width, height = map(_number, (inset.x, inset.y, inset.width, inset.height))
    size = f"{_number(inset.picture.width)} {_number(inset.picture.height)}"
    inner = "".join(_shape(each) for each in inset.picture.shapes)
    return (
        f'<svg x="{x}" y="{y}" width="{width}" height="{height}" viewBox="0 0 {size}">{inner}</svg>'
    )


def _box(box: Box) -> str:
    fill, stroke, width = BOXES[box.kind]
    x, y = _number(box.x), _number(box.y)
    look = f'fill="{fill or "none"}"'
    if stroke:
        look += f' stroke="{stroke}" stroke-width="{_number(width)}"'
    if box.kind == "ghost":
        look += ' stroke-dasharray="5 4"'
    radius = f' rx="{_number(box.radius)}"' if box.radius else ""
    return (
        f'<rect class="b-{box.kind}" x="{x}" y="{y}" width="{_number(box.width)}" '
        f'height="{_number(box.height)}"{radius} {look}/>'
    )


def _dot(dot: Dot) -> str:
    fill, stroke = DOTS[dot.kind]
    return (
        f'<circle class="d-{dot.kind}" cx="{_number(dot.x)}" cy="{_number(dot.y)}" '
        f'r="{_number(dot.radius)}" fill="{fill}" stroke="{stroke}" stroke-width="1.75"/>'
    )


def _text(text: Text) -> str:
    colour, bold = TEXTS[text.kind]
    whole = fonts.clean(text.text)
    size, inner, shown = text.size, escape(whole), whole
    if text.room:
        lines = text.lines(CAUTION_BOLD if bold else CAUTION)
        size = lines[0][1].size
        shown = " ".join(line.text for _base, line in lines)
        inner = escape(shown)
        if len(lines) > 1:
            x = _number(text.x)
            inner = " ".join(
                f'<tspan x="{x}" y="{_number(base)}" font-size="{_number(line.size)}">'
                f"{escape(line.text)}</tspan>"
                for base, line in lines
            )
    weight = ' font-weight="700"' if bold else ""
    anchor = f' text-anchor="{text.anchor}"' if text.anchor != "start" else ""
    drawn = (
        f'<text class="t-{text.kind}" x="{_number(text.x)}" y="{_number(text.y)}" '
        f'font-size="{_number(size)}" fill="{colour}"{weight}{anchor}>{inner}</text>'
    )
    return drawn if shown == whole else f"<g><title>{escape(whole)}</title>{drawn}</g>"


def _line(line: Line) -> str:
    colour, width, dashes = STROKES[line.kind]
    (x, y), *rest = line.points
    path = f"M{_number(x)} {_number(y)}"
    for x, y in rest:
        path += f"H{_number(x)}V{_number(y)}" if line.steps else f"L{_number(x)} {_number(y)}"
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    return (
        f'<path class="w-{line.kind}" d="{path}" fill="none" stroke="{colour}" '
        f'stroke-width="{_number(width)}" stroke-linecap="round" stroke-linejoin="round"{dashed}/>'
    )
