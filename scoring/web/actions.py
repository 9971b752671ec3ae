"""What the buttons of a table's page do; each calls one domain function."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import render
from django.urls import reverse

from scoring.enums import LinkRole, RowKind
from scoring.errors import EndsGame, LeaseTaken, NeedsConfirmation, ScoringError, SheetConflict
from scoring.host import host
from scoring.models import Author, Link, Sheet, Table, author_text
from scoring.reading.names import names_of
from scoring.reasons import needs_director
from scoring.web.access import STATUS, link_view, problem_answer, wants_json
from scoring.web.forms import (
    Sent,
    read_chicago,
    read_fields,
    read_number,
    read_seen,
    read_sent,
    read_uuid,
    read_word,
)
from scoring.web.picture import live_context, picture_answer, seen_html
from scoring.writing import (
    accept_with_pin,
    announce_chicago,
    call_td,
    choose_pin,
    clear_call,
    draw_lots,
    object_to_deal,
    open_next_sheet,
    record_flip_flop,
    return_to_previous,
    revise_entry,
    sign_off,
    take_lease,
    write_entry,
)


@link_view(method="POST", role=LinkRole.AUDITOR)
def entry_create(request: HttpRequest, link: Link) -> HttpResponse:
    """Write an entry."""
    return _written(request, link, _write, entry=True)


@link_view(method="POST", role=LinkRole.AUDITOR)
def entry_void(request: HttpRequest, link: Link) -> HttpResponse:
    """Take the last entry back."""
    return _written(request, link, _void, entry=False)


@link_view(method="POST", role=LinkRole.AUDITOR)
def chicago_announce(request: HttpRequest, link: Link) -> HttpResponse:
    """Hold that somebody plays Chicago, or take that back."""

    def announce() -> None:
        sent = read_chicago(request)
        announce_chicago(
            sheet_id=_sheet(link, sent.game).pk,
            client_id=sent.client_id,
            deal=sent.deal,
            seat=sent.seat,
            author=link,
            device=request.device,  # type: ignore[attr-defined]
        )

    return _acted(request, link, announce)


@link_view(method="POST", role=LinkRole.AUDITOR)
def game_open(request: HttpRequest, link: Link) -> HttpResponse:
    """Start the next game with its new seats; saying ``game`` twice starts one."""

    def start() -> None:
        number = read_fields(request).get("game")
        number = number if type(number) is int else None
        open_next_sheet(table_id=link.table_id, by=link, number=number)

    return _acted(request, link, start)


@link_view(method="POST", role=LinkRole.AUDITOR)
def game_return(request: HttpRequest, link: Link) -> HttpResponse:
    """Go back to the finished game from one that has just been opened."""
    return _acted(request, link, lambda: return_to_previous(table_id=link.table_id, by=link))


@link_view(method="POST", role=LinkRole.AUDITOR)
def lease_take(request: HttpRequest, link: Link) -> HttpResponse:
    """Take the scoring over from another device."""
    device: str = request.device  # type: ignore[attr-defined]

    def take() -> None:
        for sheet in _current(link):
            take_lease(sheet_id=sheet.pk, device=device, author=link)

    return _acted(request, link, take)


@link_view(method="POST")
def call_create(request: HttpRequest, link: Link) -> HttpResponse:
    """Call the director to the table; everybody at the table may."""

    def call() -> None:
        reason = read_fields(request).get("reason", "")
        if not isinstance(reason, str) or "\x00" in reason or not reason.isprintable():
            raise ScoringError("malformed")
        call_td(table_id=link.table_id, reason=reason, by=link)

    return _acted(request, link, call)


@link_view(method="POST")
def call_clear(request: HttpRequest, link: Link) -> HttpResponse:
    """The director is not needed any more."""
    return _acted(request, link, lambda: clear_call(table_id=link.table_id, by=link))


@link_view(method="POST", role=LinkRole.AUDITOR)
def player_slow(request: HttpRequest, link: Link) -> HttpResponse:
    """Note that the shot clock ran out for a player."""

    def note() -> None:
        player_id = read_fields(request).get("player")
        if player_id not in link.table.players:
            raise ScoringError("unknown_player")
        if reason := host().too_slow(link.table_id, str(player_id)):
            call_td(table_id=link.table_id, reason=reason, by=link)

    return _acted(request, link, note)


@link_view(method="POST", role=LinkRole.AUDITOR)
def table_sign(request: HttpRequest, link: Link) -> HttpResponse:
    """Sign the table's results off."""
    device: str = request.device  # type: ignore[attr-defined]
    return _acted(request, link, lambda: sign_off(table_id=link.table_id, by=link, device=device))


@link_view(method="POST")
def game_accept(request: HttpRequest, link: Link) -> HttpResponse:
    """A player accepts finished games with the own PIN, on whatever device shows the table.

    ``seen`` names the games with the versions that were shown: ``1:34 2:40``.
    """

    def accept() -> None:
        fields = read_fields(request)
        accept_with_pin(
            table_id=link.table_id,
            player_id=read_word(fields, "player"),
            pin=read_word(fields, "pin"),
            seen=read_seen(read_word(fields, "seen")),
            by=link,
        )

    return _acted(request, link, accept)


@link_view(method="POST")
def pin_choose(request: HttpRequest, link: Link) -> HttpResponse:
    """A player chooses the own PIN, during the table's first deal."""

    def choose() -> None:
        fields = read_fields(request)
        choose_pin(
            table_id=link.table_id,
            player_id=read_word(fields, "player"),
            pin=read_word(fields, "pin"),
        )

    return _acted(request, link, choose)


@link_view(method="POST")
def objection_create(request: HttpRequest, link: Link) -> HttpResponse:
    """A player objects to a deal with the own PIN."""

    def make() -> None:
        fields = read_fields(request)
        player_id = read_word(fields, "player")
        host().check_pin(link.table_id, player_id, read_word(fields, "pin"))
        object_to_deal(
            table_id=link.table_id,
            game=read_number(fields, "game"),
            deal=read_number(fields, "deal"),
            player_id=player_id,
            text=read_word(fields, "text"),
            client_id=read_uuid(fields, "id"),
            by=link,
        )

    return _acted(request, link, make)


@link_view(method="POST", role=LinkRole.AUDITOR)
def flip_flop_create(request: HttpRequest, link: Link) -> HttpResponse:
    """Record a flip-flop: ``place-<player>`` fields with each tied player's place, from 1.

    ``lots`` names the tied players where lots are to be drawn instead.
    """

    def record() -> None:
        fields = read_fields(request)
        lots = fields.get("lots")
        if isinstance(lots, str):
            tied = [player_id for player_id in link.table.players if player_id in lots.split()]
            seed, order = draw_lots(tied)
            record_flip_flop(table_id=link.table_id, order=order, by=link, seed=seed)
            return
        places: list[tuple[int, str]] = []
        places_open = {str(place) for place in range(1, len(link.table.players) + 1)}
        for player_id in link.table.players:
            value = fields.get(f"place-{player_id}")
            if value is None:
                continue
            if not isinstance(value, str) or value not in places_open:
                raise ScoringError("malformed")
            places.append((int(value), player_id))
        if len({place for place, _ref in places}) != len(places):
            raise ScoringError("not_a_tie")
        order = [player_id for _place, player_id in sorted(places)]
        record_flip_flop(table_id=link.table_id, order=order, by=link)

    return _acted(request, link, record)


# ------------------------------------------------------------------------------------ inside


def _current(link: Link) -> list[Sheet]:
    """Return the running sheet, or the last finished one (which may still be taken back)."""
    sheets = Sheet.objects.filter(table=link.table_id, status__in=["running", "finished"])
    return list(sheets.order_by("status", "number"))[-1:]


def _sheet(link: Link, number: int) -> Sheet:
    sheet = Sheet.objects.filter(table=link.table_id, number=number).first()
    if sheet is None:
        raise ScoringError("malformed")
    return sheet


def _write(request: HttpRequest, link: Link, sent: Sent) -> None:
    if link.table.directed and needs_director(sent.entry):
        raise ScoringError("ruling_only_director")
    if sent.entry.get("action") == "end_game" and not sent.confirmed:
        raise EndsGame
    sheet = _sheet(link, sent.game)
    write_entry(
        sheet_id=sheet.pk,
        client_id=sent.client_id,
        seen_version=sent.version,
        entry=sent.entry,
        author=author_of(request, link, sheet),
        device=request.device,  # type: ignore[attr-defined]
        confirmed=sent.confirmed,
        careful=True,
    )


def author_of(request: HttpRequest, link: Link, sheet: Sheet) -> Author:
    """Whoever enters a paper sheet with an account writes under it; everybody else by the link."""
    device: str = request.device  # type: ignore[attr-defined]
    user = request.user
    if sheet.lease_device == device and user.is_authenticated:
        return user if author_text(user) == sheet.lease_author else link
    return link


def _void(request: HttpRequest, link: Link, sent: Sent) -> None:
    sheet = _sheet(link, sent.game)
    revise_entry(
        kind=RowKind.VOID,
        sheet_id=sheet.pk,
        client_id=sent.client_id,
        seen_version=sent.version,
        author=author_of(request, link, sheet),
        device=request.device,  # type: ignore[attr-defined]
    )


def _written(
    request: HttpRequest,
    link: Link,
    write: Callable[[HttpRequest, Link, Sent], None],
    *,
    entry: bool,
) -> HttpResponse:
    sent: Sent | None = None
    seen = _seen(request, link)
    try:
        sent = read_sent(request, entry=entry)
        write(request, link, sent)
    except ScoringError as error:
        return _refusal(request, link, error, sent)
    return _done(request, link, seen)


def _acted(request: HttpRequest, link: Link, act: Callable[[], Any]) -> HttpResponse:
    seen = _seen(request, link)
    try:
        act()
    except ScoringError as error:
        return _refusal(request, link, error, None)
    return _done(request, link, seen)


def _seen(request: HttpRequest, link: Link) -> str | None:
    """The picture that the script shows, before something is written."""
    with suppress(ScoringError):
        if wants_json(request):
            return seen_html(request, link, read_fields(request).get("seen"))
    return None


def _done(request: HttpRequest, link: Link, seen: str | None) -> HttpResponse:
    if not wants_json(request):
        token = str(request.resolver_match.kwargs["token"]) if request.resolver_match else ""
        return HttpResponseRedirect(reverse("scoring:table_detail", args=[token]), status=303)
    link.table = Table.objects.get(pk=link.table_id)
    return JsonResponse({"ok": True, **picture_answer(request, link, seen)})


def _refusal(
    request: HttpRequest, link: Link, error: ScoringError, sent: Sent | None
) -> HttpResponse:
    """Answer with the problem and, for the script, the table as it stands now.

    A person without the script gets the whole page again, with the problem above it and, where
    a warning needs it, a form that confirms the same entry under the same UUID.
    """
    names = _seat_names(link, sent)
    if wants_json(request):
        more: dict[str, object] = {}
        if isinstance(error, SheetConflict | LeaseTaken) or STATUS.get(error.code, 409) == 409:
            link.table = Table.objects.get(pk=link.table_id)
            more = picture_answer(request, link, None)
        return problem_answer(request, error, names, **more)
    context = live_context(
        request,
        link,
        problem=error.message(None, names),
        problem_code=error.code,
        confirm=sent if isinstance(error, NeedsConfirmation) else None,
        confirm_json=json.dumps(sent.entry) if sent else "",
    )
    status = STATUS.get(error.code, 409)
    return render(request, "scoring/table_detail.html", context, status=status)


def _seat_names(link: Link, sent: Sent | None) -> list[str] | None:
    if sent is None:
        return None
    sheet = Sheet.objects.filter(table=link.table_id, number=sent.game).first()
    names = names_of(link.table)
    return [names.get(player_id, player_id) for player_id in sheet.seats] if sheet else None
