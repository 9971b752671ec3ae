"""Pages opened by a link, without an account."""

from django.urls import path

from . import correct, forgotten, pages, shell, sync

app_name = "scoring"
urlpatterns = [
    path("<str:token>/", pages.table_detail, name="table_detail"),
    path("<str:token>/sync/", sync.table_sync, name="table_sync"),
    path("<str:token>/worker.js", shell.table_worker, name="table_worker"),
    path("<str:token>/app.webmanifest", shell.table_manifest, name="table_manifest"),
    path("<str:token>/read/", pages.table_read, name="table_read"),
    path("<str:token>/live/", pages.table_live, name="table_live"),
    path("<str:token>/share/", pages.table_share, name="table_share"),
    path("<str:token>/protocol.pdf", pages.table_protocol, name="table_protocol"),
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
]
