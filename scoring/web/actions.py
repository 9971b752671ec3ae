"""The actions behind a table page's buttons; each calls one domain function."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from django.http import HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import render
from django.urls import reverse

from ..enums import LinkRole, RowKind
from ..errors import EndsGame, LeaseTaken, NeedsConfirmation, ScoringError, SheetConflict
from ..host import host
from ..models import Link, Sheet, Table
from ..reading.names import names_of
from ..reading.ranking import draw_lots
from ..reading.tables import current_sheet
from ..reasons import may_be_sent, needs_director
from ..writing import (
    WriteResult,
    accept_with_pin,
    call_td,
    choose_pin,
    clear_call,
    confirm_seats,
    correct_entry,
    declare_chicago,
    object_to_deal,
    open_next_sheet,
    record_flip_flop,
    return_to_previous,
    sign_off,
    take_lease,
    write_entry,
)
from .access import (
    STATUS,
    LinkRequest,
    author_of,
    link_view,
    problem_answer,
    remember_rulings,
    wants_json,
    with_seen,
)
from .forms import (
    Sent,
    read_chicago,
    read_fields,
    read_number,
    read_seen,
    read_sent,
    read_uuid,
    read_word,
)
from .fragment import (
    SHORT,
    counted_answer,
    draws_all,
    fragment_answer,
    fragment_etag,
    live_context,
    seen_html,
)


@link_view(method="POST", role=LinkRole.AUDITOR)
def entry_create(request: LinkRequest, link: Link) -> HttpResponse:
    """Write an entry."""
    return _written(request, link, _write, entry=True)


@link_view(method="POST", role=LinkRole.AUDITOR)
def entry_void(request: LinkRequest, link: Link) -> HttpResponse:
    """Take the last entry back."""
    return _written(request, link, _void, entry=False)


@link_view(method="POST", role=LinkRole.AUDITOR)
def chicago_declare(request: LinkRequest, link: Link) -> HttpResponse:
    """Record that somebody declared a Chicago, or take that back."""

    def declare() -> dict[str, Any]:
        sent = read_chicago(request)
        declare_chicago(
            sheet_id=_sheet(link, sent.game).pk,
            client_id=sent.client_id,
            deal=sent.deal,
            seat=sent.seat,
            author=link,
            device=request.device,
        )
        return {"announced": sent.seat}

    return _acted(request, link, declare, counted=True)


@link_view(method="POST", role=LinkRole.AUDITOR)
def game_open(request: LinkRequest, link: Link) -> HttpResponse:
    """Start the next game with its new seats: the one that the button ``opens``, and no other.

    None is started after the clock is over. Only a tap that waited on the device says ``game``:
    it is taken all the same, as the entries that were made after it wait behind it.
    """

    def start() -> dict[str, Any]:
        fields = read_fields(request)
        named = next((name for name in ("game", "opens") if name in fields), None)
        number = _sheet(link, read_number(fields, named)).number if named else None
        clock = host().at_table(link.table_id).clock
        if named != "game" and clock and clock.state == "over":
            raise ScoringError("time_is_up")
        return _begun(open_next_sheet(table_id=link.table_id, by=link, number=number))

    return _acted(request, link, start, counted=True)


@link_view(method="POST", role=LinkRole.AUDITOR)
def seats_confirm(request: LinkRequest, link: Link) -> HttpResponse:
    """Confirm a game's seats before its first deal: as drawn, or in the typed ``order``."""

    def confirm() -> None:
        fields = read_fields(request)
        seats = range(len(link.table.players))
        confirm_seats(
            table_id=link.table_id,
            seen_version=read_number(fields, "seats_version"),
            by=link,
            device=request.device,
            order=[read_word(fields, f"seat-{seat}") for seat in seats]
            if fields.get("order")
            else None,
            game=read_number(fields, "game") if "game" in fields else 1,
        )

    return _acted(request, link, confirm)


@link_view(method="POST", role=LinkRole.AUDITOR)
def game_return(request: LinkRequest, link: Link) -> HttpResponse:
    """Go back to the finished game before one that has just been opened."""

    def back() -> dict[str, Any]:
        fields = read_fields(request)
        number = read_number(fields, "game") if "game" in fields else None
        return _begun(return_to_previous(table_id=link.table_id, number=number))

    return _acted(request, link, back, counted=True)


@link_view(method="POST", role=LinkRole.AUDITOR)
def lease_take(request: LinkRequest, link: Link) -> HttpResponse:
    """Take over the scoring from another device."""
    device = request.device

    def take() -> None:
        if sheet := current_sheet(link.table_id):
            take_lease(sheet_id=sheet.pk, device=device, author=link)

    return _acted(request, link, take)


@link_view(method="POST")
def call_create(request: LinkRequest, link: Link) -> HttpResponse:
    """Call the director to the table; anybody at the table may do so."""

    def call() -> None:
        reason = read_fields(request).get("reason", "")
        if not isinstance(reason, str) or "\x00" in reason or not reason.isprintable():
            raise ScoringError("malformed")
        if not may_be_sent(reason):
            raise ScoringError("malformed")
        call_td(table_id=link.table_id, reason=reason)

    return _acted(request, link, call)


@link_view(method="POST")
def call_clear(request: LinkRequest, link: Link) -> HttpResponse:
    """Clear the call: the director is no longer needed."""
    return _acted(request, link, lambda: clear_call(table_id=link.table_id))


@link_view(method="POST", role=LinkRole.AUDITOR)
def player_slow(request: LinkRequest, link: Link) -> HttpResponse:
    """Record that the shot clock ran out for a player, once for each page that was shown."""

    def note() -> None:
        fields = read_fields(request)
        player_id = fields.get("player")
        if player_id not in link.table.players:
            raise ScoringError("unknown_player")
        mark = uuid.uuid5(read_uuid(fields, "id"), str(player_id))
        if reason := host().too_slow(link.table_id, str(player_id), mark):
            call_td(table_id=link.table_id, reason=reason)

    return _acted(request, link, note)


@link_view(method="POST", role=LinkRole.AUDITOR)
def table_sign(request: LinkRequest, link: Link) -> HttpResponse:
    """Sign off the table's results."""
    device = request.device
    return _acted(request, link, lambda: sign_off(table_id=link.table_id, by=link, device=device))


@link_view(method="POST")
def game_accept(request: LinkRequest, link: Link) -> HttpResponse:
    """Accept finished games with a player's PIN, on any device that shows the table.

    ``seen`` lists the games in the versions shown: ``1:34 2:40``.
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
def pin_choose(request: LinkRequest, link: Link) -> HttpResponse:
    """Set a player's PIN, during the table's first deal."""

    def choose() -> None:
        fields = read_fields(request)
        choose_pin(
            table_id=link.table_id,
            player_id=read_word(fields, "player"),
            pin=read_word(fields, "pin"),
        )

    return _acted(request, link, choose)


@link_view(method="POST")
def rulings_see(request: LinkRequest, link: Link) -> HttpResponse:
    """Record that this device has shown rulings (``rulings``: their marks)."""

    def note() -> None:
        request.seen_rulings = with_seen(request, read_word(read_fields(request), "rulings"))

    response = _acted(request, link, note)
    remember_rulings(request, response, request.seen_rulings)
    return response


@link_view(method="POST")
def objection_create(request: LinkRequest, link: Link) -> HttpResponse:
    """Object to a deal with a player's PIN."""

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
def flip_flop_create(request: LinkRequest, link: Link) -> HttpResponse:
    """Record a flip-flop: ``order`` lists the tied players, best first, together or one by one.

    ``lots`` lists the tied players if lots are to be drawn instead. Each stands on a line of its
    own: at a casual table players are names, in which there may be spaces.
    """

    def record() -> None:
        fields = read_fields(request)
        lots = fields.get("lots")
        if isinstance(lots, str):
            named = lots.splitlines()
            tied = [player_id for player_id in link.table.players if player_id in named]
            seed, order = draw_lots(tied)
            record_flip_flop(table_id=link.table_id, order=order, by=link, seed=seed)
            return
        places = range(1, len(link.table.players) + 1)
        found = [fields.get(name) for name in ("order", *(f"order-{place}" for place in places))]
        if not all(each is None or isinstance(each, str) for each in found):
            raise ScoringError("malformed")
        order = [line for each in found if each for line in each.splitlines()]
        if len(set(order)) < len(order):
            raise ScoringError("twice_in_order")
        record_flip_flop(table_id=link.table_id, order=order, by=link)

    return _acted(request, link, record)


# ------------------------------------------------------------------------------------ inside


def _sheet(link: Link, number: int) -> Sheet:
    sheet = Sheet.objects.filter(table=link.table_id, number=number).first()
    if sheet is None:
        raise ScoringError("malformed")
    return sheet


def _begun(sheet: Sheet) -> dict[str, Any]:
    """Return what a device claims of a game to which it goes."""
    return {"game": sheet.number, "state": sheet.state}


def _write(request: LinkRequest, link: Link, sheet: Sheet, sent: Sent) -> WriteResult:
    if link.table.directed and needs_director(sent.entry):
        raise ScoringError("ruling_only_director")
    if sent.entry.get("action") == "end_game" and not sent.confirmed:
        raise EndsGame
    return write_entry(
        sheet_id=sheet.pk,
        client_id=sent.client_id,
        seen_version=sent.version,
        entry=sent.entry,
        author=author_of(request, link, sheet),
        device=request.device,
        confirmed=sent.confirmed,
        careful=True,
    )


def _void(request: LinkRequest, link: Link, sheet: Sheet, sent: Sent) -> WriteResult:
    return correct_entry(
        kind=RowKind.VOID,
        sheet_id=sheet.pk,
        client_id=sent.client_id,
        seen_version=sent.version,
        author=author_of(request, link, sheet),
        device=request.device,
    )


def _written(
    request: LinkRequest,
    link: Link,
    write: Callable[[LinkRequest, Link, Sheet, Sent], WriteResult],
    *,
    entry: bool,
) -> HttpResponse:
    sent: Sent | None = None
    seen: str | None = None
    try:
        sent = read_sent(request, entry=entry)
        sheet = _sheet(link, sent.game)
        counts = entry and _counts(request, link, sheet)
        if not counts:
            seen = _seen(request, link)
        state = write(request, link, sheet, sent).state
    except ScoringError as error:
        return _refusal(request, link, error, sent)
    if counts and read_fields(request)["counted"] == state:
        shown = link.table.revision
        link.table = Table.objects.get(pk=link.table_id)
        # Only this entry has been written, and the page draws all that it changes.
        if link.table.revision == shown + 1:
            return JsonResponse({"ok": True, **counted_answer(request, link)})
    return _done(request, link, seen, state, to_entry=True)


def _counts(request: LinkRequest, link: Link, sheet: Sheet) -> bool:
    """Return whether the page is up to date, has the lease, and draws what it has counted."""
    fields = read_fields(request)
    return (
        wants_json(request)
        and isinstance(fields.get("counted"), dict)
        and fields.get("seen") == fragment_etag(request, link)
        and sheet.lease_device == request.device
        and draws_all(link.table, sheet.state, fields["counted"])
    )


def _acted(
    request: LinkRequest, link: Link, act: Callable[[], Any], *, counted: bool = False
) -> HttpResponse:
    """Carry out ``act``; with ``counted`` its result may match what a device has predicted."""
    seen = _seen(request, link)
    try:
        done = act()
    except ScoringError as error:
        return _refusal(request, link, error, None)
    return _done(request, link, seen, done if counted else None, to_entry=counted)


def _seen(request: LinkRequest, link: Link) -> str | None:
    """Return the fragment that the script shows, before anything is written."""
    with suppress(ScoringError):
        if wants_json(request):
            return seen_html(request, link, read_fields(request).get("seen"))
    return None


def _done(
    request: LinkRequest,
    link: Link,
    seen: str | None,
    state: Mapping[str, Any] | None = None,
    *,
    to_entry: bool = False,
) -> HttpResponse:
    """Answer a completed action; ``state`` is the result, for comparison with the device's own."""
    if not wants_json(request):
        return HttpResponseRedirect(
            reverse("scoring:table_detail", args=[request.token]), status=303
        )
    link.table = Table.objects.get(pk=link.table_id)
    fields = read_fields(request)
    answer = fragment_answer(
        request,
        link,
        seen,
        has_text=bool(fields.get("kept", True)),
        counted=state is not None and fields.get("counted") == state,
        to_entry=to_entry,
    )
    return JsonResponse({"ok": True, **answer}, json_dumps_params=SHORT)


def _refusal(
    request: LinkRequest, link: Link, error: ScoringError, sent: Sent | None
) -> HttpResponse:
    """Answer with the problem and, for a script, the table as it is now.

    Without a script, a person gets the whole page again with the problem at the top. For a warning
    it includes a form that confirms the same entry under the same UUID.
    """
    names = _seat_names(link, sent)
    if wants_json(request):
        more: dict[str, object] = {}
        if isinstance(error, SheetConflict | LeaseTaken) or STATUS.get(error.code, 409) == 409:
            link.table = Table.objects.get(pk=link.table_id)
            more = fragment_answer(request, link, None)
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
