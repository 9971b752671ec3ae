"""Putting in a deal that was played and not written: its questions, a preview, then the change."""

from __future__ import annotations

import uuid

from django import forms
from django.http import HttpResponse
from django.shortcuts import render

from ..enums import LinkRole, RowKind
from ..errors import ScoringError
from ..models import Link
from ..reading.correction import moved_deals, plan_correction
from ..reading.forgotten import ForgottenDeal, forgotten_deal
from ..reading.names import title_of_table
from ..reading.tables import has_row
from ..reading.words import short_names
from ..reasons import coded
from ..writing import correct_entry
from .access import STATUS, LinkRequest, author_of, link_view, problem_answer
from .correct import back_to_sheet, correctable_game, effects_of

#: More answers than any deal has.
MOST = 40


class WholeDealForm(forms.Form):
    """What comes with the answers: the version that was seen, and the UUID of the change."""

    version = forms.IntegerField(min_value=0, max_value=10**6)
    client_id = forms.UUIDField()


@link_view(method="GET", role=LinkRole.AUDITOR)
def deal_forgotten(request: LinkRequest, link: Link, game: int, deal: int) -> HttpResponse:
    """Ask the next question of a forgotten deal; once all is answered, show what it changes."""
    return _page(request, link, _found(link, game, deal, request.GET.getlist("entry")[:MOST]))


@link_view(method="POST", role=LinkRole.AUDITOR)
def deal_inserted(request: LinkRequest, link: Link, game: int, deal: int) -> HttpResponse:
    """Put a forgotten deal in."""
    sent = request.POST
    if has_row(link.table_id, sent.get("client_id", "")):
        return back_to_sheet(request)
    try:
        found = _found(link, game, deal, sent.getlist("entry")[:MOST])
    except ScoringError as error:
        return problem_answer(request, error)
    form = WholeDealForm(sent)
    if not form.is_valid() or found.refused or not found.is_whole:
        return _page(request, link, found, status=422)
    first, *also = found.entries
    sheet = found.game.sheet
    try:
        correct_entry(
            sheet_id=sheet.pk,
            client_id=form.cleaned_data["client_id"],
            seen_version=form.cleaned_data["version"],
            author=author_of(request, link, sheet),
            device=request.device,
            kind=RowKind.INSERT,
            sequence=found.sequence,
            entry=first,
            also=also,
            reason=coded("mended_at_table"),
            with_later="with_later" in sent,
        )
    except ScoringError as error:
        # Of two taps the second is refused, even if both were under way at once.
        if has_row(link.table_id, str(form.cleaned_data["client_id"])):
            return back_to_sheet(request)
        refused = error.message(None, found.game.names)
        return _page(request, link, found, refused=refused, status=STATUS.get(error.code, 409))
    return back_to_sheet(request)


def _found(link: Link, game: int, deal: int, given: list[str]) -> ForgottenDeal:
    found = forgotten_deal(correctable_game(link, game), deal, given)
    if found is None:
        raise ScoringError("entry_gone")
    return found


def _page(
    request: LinkRequest,
    link: Link,
    found: ForgottenDeal,
    *,
    refused: str = "",
    status: int = 200,
) -> HttpResponse:
    context = {
        "link": link,
        "title": title_of_table(link.table),
        "forgotten": found,
        "game": found.game,
        "names": short_names(found.game.names),
        "unanswered": request.GET.get("asked") == str(len(found.entries)) and not found.refused,
        "refused": refused,
    }
    if found.is_whole and not found.refused:
        first, *also = found.entries
        plan = plan_correction(found.game.sheet, RowKind.INSERT, found.sequence, first, also=also)
        context |= {
            "new_id": uuid.uuid4(),
            "moved": moved_deals(found.game, plan, found.sequence),
            **effects_of(found.game, plan),
        }
    return render(request, "scoring/correct_deal.html", context, status=status)
