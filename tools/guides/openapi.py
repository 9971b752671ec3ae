"""The reference of the interface for other programs, from its checked-in description."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

TAGS = {"public": "What everybody may read", "desk": "With a token of the event"}
HEAD = """# The API, address by address

Made from the installation's own description, [OpenAPI 3.1](formats/openapi.yaml). How to begin is
in [For other programs](api.md). An optional field is marked *?*. What is refused is answered by a
[ProblemShape](#problemshape).
"""


def reference(path: Path) -> str:
    """Return the page: addresses by who may use them, then the shapes that they take and give."""
    document = yaml.safe_load(path.read_text(encoding="utf-8"))
    lines = [HEAD]
    for tag, title in TAGS.items():
        lines += [f"## {title}", ""]
        for address, methods in document["paths"].items():
            for method, operation in methods.items():
                if operation["tags"] == [tag]:
                    lines += _operation(method, address, operation)
    lines += ["## Shapes", ""]
    for name, schema in document["components"]["schemas"].items():
        if schema.get("enum") != [""]:
            lines += _shape(name, schema)
    return "\n".join(lines)


def _operation(method: str, address: str, operation: dict[str, Any]) -> Iterator[str]:
    yield from (f"### {method.upper()} `{address}`", "", operation["description"], "")
    parameters = [
        (f"`{one['name']}`", one["in"], _type(one["schema"]), _line(one.get("description", "")))
        for one in operation.get("parameters", [])
    ]
    if parameters:
        yield from _table(("parameter", "in", "value", ""), parameters)
    for content in operation.get("requestBody", {}).get("content", {}).values():
        yield from (f"Takes {_type(content['schema'])}.", "")
        break
    for status, answer in operation["responses"].items():
        if status.startswith("2"):
            for kind, content in answer.get("content", {}).items():
                yield from (f"Answers {status} with {_type(content['schema'])} (`{kind}`).", "")
    refusals = [status for status in operation["responses"] if status[0] not in "23"]
    yield from (f"May refuse with {', '.join(refusals)}.", "")


def _shape(name: str, schema: dict[str, Any]) -> Iterator[str]:
    yield from (f"### {name}", "", _text(schema.get("description", "")), "")
    if "enum" in schema:
        yield from ("One of " + ", ".join(f"`{value}`" for value in schema["enum"]) + ".", "")
    needed = schema.get("required", [])
    fields = [
        (
            f"`{field}`" + ("" if field in needed else " *?*"),
            _type(value),
            _line(value.get("description", "")),
        )
        for field, value in schema.get("properties", {}).items()
    ]
    if fields:
        yield from _table(("field", "value", ""), fields)


def _type(schema: dict[str, Any]) -> str:
    """Return what a value may be, with links to the shapes."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return "" if name == "BlankEnum" else f"[{name}](#{name.lower()})"
    for key in ("oneOf", "anyOf", "allOf"):
        if key in schema:
            return " or ".join(dict.fromkeys(filter(None, map(_type, schema[key]))))
    kind = schema.get("type", "any")
    if isinstance(kind, list):
        return " or ".join(_type({**schema, "type": one}) for one in kind)
    if kind == "array":
        return f"list of {_type(schema['items'])}"
    if kind == "object" and "properties" in schema:
        return ", ".join(
            f"`{name}`: {_type(value)}" for name, value in schema["properties"].items()
        )
    if kind in {"null", "boolean", "integer", "number", "any"}:
        return {"boolean": "true or false", "integer": "whole number"}.get(kind, kind)
    form = schema.get("format") or schema.get("pattern")
    return f"{'text' if kind == 'string' else kind}{f' (`{form}`)' if form else ''}"


def _text(text: str) -> str:
    """Return a description without the list that Django's choices leave blank."""
    return "\n".join(line for line in text.splitlines() if not line.startswith("* `` -"))


def _line(text: str) -> str:
    """Return a description for a cell of a table."""
    first, *choices = _text(text).split("\n* ")
    said = " ".join(first.split())
    if choices:
        said = f"{said} {'; '.join(' '.join(choice.split()) for choice in choices)}".strip()
    return said


def _table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> Iterator[str]:
    """Yield a table; a last column without a word is left out."""
    if not any(row[-1] for row in rows):
        head, rows = head[:-1], [row[:-1] for row in rows]
    for row in (head, tuple("---" for _ in head), *rows):
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |"
    yield ""
