"""Draws, heats and games."""

from rest_framework import serializers

from scoring.enums import SheetStatus

from ...models.enums import DrawStatus, HeatStatus, SeatStatus, StageKind
from .parts import DocumentField, PlayerRef, PointsField, page_of


class StageShape(serializers.Serializer):
    kind = serializers.ChoiceField(choices=StageKind.choices)
    number = serializers.IntegerField()
    title = serializers.CharField()


class GameResultShape(serializers.Serializer):
    """A player's result in a finished game."""

    game = serializers.IntegerField()
    place = serializers.IntegerField()
    game_points = PointsField()
    score = serializers.IntegerField()
    executed = serializers.BooleanField()
    asterisks = serializers.IntegerField()
    status = serializers.ChoiceField(choices=SeatStatus.choices)


class HeatPlayerShape(PlayerRef):
    """A player of a heat, with the result so far; null before a game is finished."""

    place = serializers.IntegerField(allow_null=True)
    game_points = PointsField(allow_null=True)
    penalty = PointsField(allow_null=True)
    score_points = serializers.IntegerField(allow_null=True)
    asterisks = serializers.IntegerField(allow_null=True)
    games = GameResultShape(many=True)
    advances = serializers.BooleanField()
    disqualified = serializers.BooleanField()
    why = serializers.CharField(help_text="What put the player ahead of the next one.")


class HeatShape(serializers.Serializer):
    number = serializers.IntegerField()
    title = serializers.CharField()
    stage = StageShape()
    status = serializers.ChoiceField(choices=HeatStatus.choices)
    table = serializers.IntegerField(allow_null=True, help_text="The table in the room.")
    draw = serializers.IntegerField(allow_null=True)
    games_planned = serializers.IntegerField()
    advance = serializers.IntegerField(help_text="How many players go on.")
    doors_at = serializers.DateTimeField(allow_null=True)
    starts_at = serializers.DateTimeField(allow_null=True)
    ends_at = serializers.DateTimeField(allow_null=True)
    opened_at = serializers.DateTimeField(allow_null=True)
    finished_at = serializers.DateTimeField(allow_null=True)
    players = HeatPlayerShape(many=True, help_text="The best first, once a game is finished.")
    page = serializers.URLField()
    address = serializers.URLField()


class GameShape(serializers.Serializer):
    """A game in a list."""

    heat = serializers.IntegerField()
    number = serializers.IntegerField()
    status = serializers.ChoiceField(choices=SheetStatus.choices)
    started_at = serializers.DateTimeField(allow_null=True)
    finished_at = serializers.DateTimeField(allow_null=True)
    last_entry_at = serializers.DateTimeField(allow_null=True)
    address = serializers.URLField()


class SeatShape(PlayerRef):
    """A seat of a game; players are named by their seat, from 0, in facts and entries."""

    seat = serializers.IntegerField()
    score = serializers.IntegerField()
    executed = serializers.BooleanField()
    asterisks = serializers.IntegerField()
    status = serializers.ChoiceField(choices=SeatStatus.choices)
    winner = serializers.BooleanField()
    places = serializers.ListField(
        child=serializers.IntegerField(),
        allow_null=True,
        help_text="The first and the last of the places that are shared, once it is finished.",
    )
    game_points = PointsField(allow_null=True)


class EntryShape(serializers.Serializer):
    """A line of the sheet that counts, as in a game record, and what it did."""

    entry = DocumentField()
    at = serializers.DateTimeField(allow_null=True)
    scores = serializers.ListField(child=serializers.IntegerField())
    facts = serializers.ListField(
        child=DocumentField(), help_text="As docs/formats/facts.md describes them."
    )


class DealShape(serializers.Serializer):
    number = serializers.IntegerField()
    dealer = serializers.IntegerField(help_text="A seat, from 0.")
    scores = serializers.ListField(child=serializers.IntegerField())
    entries = EntryShape(many=True)


class WholeGameShape(GameShape):
    """A game deal by deal."""

    rules = serializers.CharField()
    win = serializers.CharField(allow_null=True, help_text="How it was won.")
    seats = SeatShape(many=True)
    deals = DealShape(many=True)


class DrawnTableShape(serializers.Serializer):
    title = serializers.CharField()
    heat = serializers.IntegerField(allow_null=True)
    players = PlayerRef(many=True)


class DrawShape(serializers.Serializer):
    """A draw in a list."""

    number = serializers.IntegerField()
    stage = StageShape()
    status = serializers.ChoiceField(choices=DrawStatus.choices)
    method = serializers.CharField()
    seed = serializers.CharField()
    made_at = serializers.DateTimeField()
    address = serializers.URLField()


class WholeDrawShape(DrawShape):
    """A draw with its tables, and with all that is needed to repeat it."""

    tables = DrawnTableShape(many=True)
    repeat = DocumentField(help_text="The data of the script that repeats the draw.")
    can_be_repeated = serializers.BooleanField()


GamePageShape = page_of(GameShape)
DrawPageShape = page_of(DrawShape)
HeatPageShape = page_of(
    HeatShape,
    since=serializers.CharField(
        help_text="What to ask `since` with the next time, to be told what has changed."
    ),
)
