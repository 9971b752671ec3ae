"""Pages opened by a link, without an account."""

from django.urls import path

from . import actions, correct, device, forgotten, merge, pages, recover, sync

app_name = "scoring"
urlpatterns = [
    path("<str:token>/", pages.table_detail, name="table_detail"),
    path("<str:token>/sync/", sync.table_sync, name="table_sync"),
    path("<str:token>/live/", pages.table_live, name="table_live"),
    path("<str:token>/device/", device.table_device, name="table_device"),
    path("<str:token>/worker.js", device.table_worker, name="table_worker"),
    path("<str:token>/app.webmanifest", device.table_manifest, name="table_manifest"),
    path("<str:token>/protocol.pdf", pages.table_protocol, name="table_protocol"),
    path("<str:token>/share/", pages.table_share, name="table_share"),
    path("<str:token>/entry/", actions.entry_create, name="entry_create"),
    path("<str:token>/take-back/", actions.entry_void, name="entry_void"),
    path(
        "<str:token>/games/<int:game>/<int:sequence>/", correct.entry_correct, name="entry_correct"
    ),
    path(
        "<str:token>/games/<int:game>/<int:sequence>/corrected/",
        correct.entry_corrected,
        name="entry_corrected",
    ),
    path(
        "<str:token>/games/<int:game>/deals/<int:deal>/forgotten/",
        forgotten.deal_forgotten,
        name="deal_forgotten",
    ),
    path(
        "<str:token>/games/<int:game>/deals/<int:deal>/inserted/",
        forgotten.deal_inserted,
        name="deal_inserted",
    ),
    path("<str:token>/chicago/", actions.chicago_declare, name="chicago_declare"),
    path("<str:token>/waiting/", merge.waiting_settle, name="waiting_settle"),
    path("<str:token>/kept/", recover.recover, name="recover"),
    path("<str:token>/seats/", actions.seats_confirm, name="seats_confirm"),
    path("<str:token>/next-game/", actions.game_open, name="game_open"),
    path("<str:token>/last-game/", actions.game_return, name="game_return"),
    path("<str:token>/lease/", actions.lease_take, name="lease_take"),
    path("<str:token>/call/", actions.call_create, name="call_create"),
    path("<str:token>/call-done/", actions.call_clear, name="call_clear"),
    path("<str:token>/slow/", actions.player_slow, name="player_slow"),
    path("<str:token>/sign/", actions.table_sign, name="table_sign"),
    path("<str:token>/accept/", actions.game_accept, name="game_accept"),
    path("<str:token>/pin/", actions.pin_choose, name="pin_choose"),
    path("<str:token>/object/", actions.objection_create, name="objection_create"),
    path("<str:token>/rulings/", actions.rulings_see, name="rulings_see"),
    path("<str:token>/flip-flop/", actions.flip_flop_create, name="flip_flop_create"),
]
