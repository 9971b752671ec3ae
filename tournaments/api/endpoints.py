"""The addresses under ``/api/v1/``."""

from django.urls import path, re_path

from .views import desk, public

app_name = "api"

_EVENT = "events/<slug:slug>/"
_HEAT = f"{_EVENT}heats/<int:number>/"
_PLAYER = f"{_EVENT}registrations/<int:number>/"

urlpatterns = [
    path("organisers/", public.Organisers.as_view(), name="organisers"),
    path("organisers/<slug:organiser>/", public.Organiser.as_view(), name="organiser"),
    path("events/", public.Events.as_view(), name="events"),
    path(_EVENT, public.Event.as_view(), name="event"),
    path(f"{_EVENT}players/", public.Players.as_view(), name="players"),
    path(f"{_EVENT}players/<int:number>/", public.Player.as_view(), name="player"),
    path(f"{_EVENT}heats/", public.Heats.as_view(), name="heats"),
    path(_HEAT, public.OneHeat.as_view(), name="heat"),
    path(f"{_HEAT}games/", public.Games.as_view(), name="games"),
    path(f"{_HEAT}games/<int:game>/", public.OneGame.as_view(), name="game"),
    path(f"{_EVENT}draws/", public.Draws.as_view(), name="draws"),
    path(f"{_EVENT}draws/<int:number>/", public.OneDraw.as_view(), name="draw"),
    path(f"{_EVENT}standings/", public.Standings.as_view(), name="standings"),
    path(f"{_EVENT}qualified/", public.Qualified.as_view(), name="qualified"),
    path(f"{_EVENT}play-offs/", public.Playoffs.as_view(), name="playoffs"),
    path(f"{_EVENT}result/", public.Result.as_view(), name="result"),
    path(f"{_EVENT}statistics/", public.Statistics.as_view(), name="statistics"),
    path(f"{_EVENT}document/", public.EventDocument.as_view(), name="document"),
    path("series/", public.SeriesList.as_view(), name="series"),
    path("series/<slug:series>/", public.OneSeries.as_view(), name="one_series"),
    path(f"{_EVENT}registrations/", desk.Registrations.as_view(), name="registrations"),
    path(f"{_EVENT}registrations/new/", desk.Register.as_view(), name="register"),
    path(f"{_PLAYER}withdraw/", desk.Withdraw.as_view(), name="withdraw"),
    path(f"{_PLAYER}check-in/", desk.CheckIn.as_view(), name="check_in"),
    path(f"{_PLAYER}payments/", desk.Payments.as_view(), name="payments"),
    path(f"{_EVENT}staff/document/", desk.StaffDocument.as_view(), name="staff_document"),
    # Whatever else is asked, line breaks included.
    re_path(r"[\s\S]*", public.Nothing.as_view()),
]
