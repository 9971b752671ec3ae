"""Organisers, events and their players, series."""

from rest_framework import serializers

from ...models.enums import EventStatus, SessionKind
from ...results.queries.phase import BEFORE, HEATS, OVER, PLAYOFFS
from .parts import DocumentField, OrganiserShape, PlayerRef, PointsField, page_of

DAY_KINDS = [("", ""), *SessionKind.choices]
PHASES = [(code, code) for code in (BEFORE, HEATS, PLAYOFFS, OVER)]


class DayShape(serializers.Serializer):
    """A day of the timetable, or a part of one."""

    name = serializers.CharField()
    kind = serializers.ChoiceField(choices=DAY_KINDS, help_text="What is played, if it is said.")
    doors_at = serializers.DateTimeField(allow_null=True)
    starts_at = serializers.DateTimeField()
    ends_at = serializers.DateTimeField(allow_null=True)
    places = serializers.IntegerField(allow_null=True)


class EventShape(serializers.Serializer):
    """An event in a list."""

    slug = serializers.CharField()
    name = serializers.CharField()
    organiser = OrganiserShape()
    venue = serializers.CharField()
    starts_on = serializers.DateField()
    ends_on = serializers.DateField()
    status = serializers.ChoiceField(choices=EventStatus.choices)
    page = serializers.URLField(help_text="The event's page for people.")
    address = serializers.URLField(help_text="The whole event, in this interface.")


class WholeEventShape(EventShape):
    """An event with its format, its timetable, and how far it is."""

    phase = serializers.ChoiceField(choices=PHASES)
    winners = serializers.ListField(child=serializers.CharField())
    rules = serializers.CharField(help_text="The rule set and its variants.")
    games_per_heat = serializers.IntegerField()
    advance_per_heat = serializers.IntegerField()
    ends_with_heats = serializers.BooleanField(help_text="Whether there are no play-offs.")
    game_points = DocumentField(help_text="By the size of the table, best place first.")
    tie_chain = serializers.ListField(child=serializers.CharField())
    contact = serializers.CharField()
    colour = serializers.CharField()
    timetable = DayShape(many=True)
    parts = DocumentField(help_text="The addresses of the event's other documents.")


class PlayerShape(PlayerRef):
    """A player who is here or has played."""

    club = serializers.CharField(help_text="Empty unless the name is public.")
    state = serializers.CharField(help_text="A code, such as waiting, playing or qualified.")
    heat = serializers.IntegerField(allow_null=True, help_text="The heat being played.")
    table = serializers.IntegerField(allow_null=True)
    entries = serializers.IntegerField()
    qualified_as = serializers.IntegerField(allow_null=True, help_text="The order of qualifying.")


class SeriesShape(serializers.Serializer):
    slug = serializers.CharField()
    name = serializers.CharField()
    organiser = OrganiserShape()
    starts_on = serializers.DateField()
    ends_on = serializers.DateField()
    is_finished = serializers.BooleanField()
    page = serializers.URLField()
    address = serializers.URLField()


class SeriesEventShape(serializers.Serializer):
    """An event of a series; results from elsewhere have no address."""

    number = serializers.IntegerField()
    name = serializers.CharField()
    slug = serializers.CharField(help_text="Empty for results from elsewhere.")
    is_over = serializers.BooleanField(help_text="Whether it counts.")


class GaveShape(serializers.Serializer):
    """What an event gave."""

    event = serializers.IntegerField(help_text="The number of the event in the series.")
    place = serializers.IntegerField()
    points = PointsField()
    dropped = serializers.BooleanField()


class SeriesRowShape(serializers.Serializer):
    place = serializers.IntegerField()
    shared = serializers.BooleanField()
    name = serializers.CharField()
    club = serializers.CharField()
    total = PointsField()
    events = GaveShape(many=True)
    can_win = serializers.BooleanField()
    most = PointsField(allow_null=True, help_text="The most points with which the player can end.")
    is_champion = serializers.BooleanField()


class WholeSeriesShape(SeriesShape):
    is_over = serializers.BooleanField()
    is_being_counted = serializers.BooleanField(
        help_text="Whether an event has changed and its places are counted anew."
    )
    events = SeriesEventShape(many=True)
    standing = SeriesRowShape(many=True)


OrganiserPageShape = page_of(OrganiserShape)
EventPageShape = page_of(EventShape)
PlayerPageShape = page_of(PlayerShape)
SeriesPageShape = page_of(SeriesShape)
