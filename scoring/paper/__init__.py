"""Prints: the A4 protocol of a heat, and the empty protocol for scoring with a pencil.

All entry points return the bytes of a PDF; equal data gives equal bytes. :func:`protocol_pdf`
prints one heat, :func:`protocols_pdf` many in one file (slow: call it from a task),
:func:`empty_protocols_pdf` is for scoring on paper.
"""

from collections.abc import Iterable, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from engine.messages import checksum_text, reminder_lines, texts_in

from ..reading.protocol import protocol_of
from ..words import lang
from . import blank, page, protocol, texts
from .data import Labels, PaperHeat, Printout, paper_heat, printout
from .paper import Paper

__all__ = [
    "Labels",
    "PaperHeat",
    "Printout",
    "empty_protocols_pdf",
    "paper_heat_of",
    "protocol_pdf",
    "protocols_pdf",
    "render",
    "render_many",
]


def protocol_pdf(
    table_id: int,
    labels: Labels,
    *,
    language: str,
    with_deals: bool = False,
    policy: str | None = None,
) -> bytes:
    """Return the protocol of one table's games as a PDF.

    ``language`` is a language's code (unknown ones print in English). The address in ``labels``
    becomes the QR code, with the verification code as its fragment; ``heat_label`` defaults to the
    table's own label. ``with_deals`` adds pages that list every deal. ``policy`` (who confirms
    results) saves a query. Raises ``Table.DoesNotExist``.
    """
    with texts.speaking(language):
        data = printout(protocol_of(table_id, policy=policy), labels)
    return render(data, language=language, with_deals=with_deals)


def protocols_pdf(
    tables: Iterable[tuple[int, Labels]],
    *,
    language: str,
    title: str = "",
) -> bytes:
    """Return the protocols of many tables, each starting on a new page, with an outline.

    Raises ``ValueError`` for no tables, and ``Table.DoesNotExist``.
    """
    with texts.speaking(language):
        sheets = [printout(protocol_of(table_id), labels) for table_id, labels in tables]
    return render_many(sheets, language=language, title=title)


def render(data: Printout, *, language: str, with_deals: bool = False) -> bytes:
    """Return one protocol from plain values, without the database."""
    return render_many([data], language=language, with_deals=with_deals)


def render_many(
    sheets: Sequence[Printout], *, language: str, title: str = "", with_deals: bool = False
) -> bytes:
    """Return many protocols from plain values. Raises ``ValueError`` for none."""
    if not sheets:
        raise ValueError("no protocols to print")
    with texts.speaking(language) as spoken:
        name = title or protocol.title(sheets[0])
        paper = _paper(name, spoken, sheets[0].labels)
        with paper.tags.group("Document"):
            for data in sheets:
                protocol.draw(paper, data, with_deals=with_deals)
        return paper.finish()


def empty_protocols_pdf(heats: Sequence[PaperHeat], *, language: str) -> bytes:
    """Return an empty protocol for each heat, for scoring with a pencil.

    Players' names are printed in the rows of every game and under the signature lines. Raises
    ``ValueError`` for no heats, and for a number of seats that the rules do not allow.
    """
    if not heats:
        raise ValueError("no protocols to print")
    with texts.speaking(language) as spoken:
        first = heats[0].labels
        parts = (_("Chicago protocol"), _heat(first)[1], first.event_name)
        title = ", ".join(part for part in parts if part)
        paper = _paper(title, spoken, first)
        with paper.tags.group("Document"):
            for heat in heats:
                _empty(paper, heat)
        return paper.finish()


def paper_heat_of(table_id: int, labels: Labels) -> PaperHeat:
    """Return a table with its drawn seats and its rules, for :func:`empty_protocols_pdf`.

    Raises ``Table.DoesNotExist``.
    """
    return paper_heat(protocol_of(table_id), labels)


def _heat(labels: Labels) -> tuple[str, str]:
    return texts.labelled(pgettext("head", "Heat"), labels.heat_label)


def _empty(paper: Paper, heat: PaperHeat) -> None:
    rules, labels, seats = heat.rules, heat.labels, len(heat.names)
    if not rules.players_min <= seats <= rules.players_max:
        raise ValueError(f"a game has {rules.players_min} to {rules.players_max} seats")
    checksum = checksum_text(rules, seats, heat.games, lang()) if rules.place_points(seats) else ""
    blank.draw(
        paper,
        head=page.Head(
            event=labels.event_name,
            heat=_heat(labels)[0],
            table=texts.labelled(pgettext("head", "Table"), labels.table_label)[0],
            day=labels.day,
            days=labels.days,
            auditor=heat.auditor,
            rules=rules.spec,
        ),
        heat=heat,
        reminder=reminder_lines(rules, seats, lang()),
        checksum=checksum,
    )


def _paper(title: str, language: str, labels: Labels) -> Paper:
    return Paper(
        title=title,
        language=texts_in(language).locale,
        subject=labels.event_name,
        author=labels.event_name or "Chicago",
        sheet=labels.sheet,
    )
