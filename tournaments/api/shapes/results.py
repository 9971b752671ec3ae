"""Standings, who is qualified, the play-offs, the result, and what came up."""

from rest_framework import serializers

from .parts import PlayerRef, PointsField, page_of

SECTIONS = [(code, code) for code in ("final", "round", "absent", "heats", "last", "still_in")]
MARKS = [(code, code) for code in ("", "lucky_loser", "replacement", "by_hand")]


class StandingShape(PlayerRef):
    """A player's line of the standing, with the best closed heat so far."""

    state = serializers.CharField()
    state_text = serializers.CharField()
    qualified_as = serializers.IntegerField(allow_null=True)
    entries = serializers.IntegerField()
    entries_left = serializers.IntegerField(allow_null=True, help_text="Null without a limit.")
    heat_now = serializers.IntegerField(allow_null=True)
    table_now = serializers.IntegerField(allow_null=True)
    best_heat = serializers.IntegerField(allow_null=True)
    game_points = PointsField(allow_null=True)
    share = PointsField(allow_null=True, help_text="Of an average player's points at that table.")
    place = serializers.IntegerField(allow_null=True, help_text="Of that heat among the best.")


class StandingsShape(serializers.Serializer):
    """The whole standing of the qualifying, in its order."""

    players = StandingShape(many=True)


class QualifiedShape(PlayerRef):
    order = serializers.IntegerField()
    club = serializers.CharField()
    heat = serializers.IntegerField(allow_null=True)
    qualified_at = serializers.DateTimeField()
    no_show = serializers.BooleanField()


QualifiedPageShape = page_of(QualifiedShape)


class BracketSeatShape(PlayerRef):
    place = serializers.IntegerField(allow_null=True)
    game_points = PointsField(allow_null=True)
    goes_on = serializers.BooleanField()
    disqualified = serializers.BooleanField()
    mark = serializers.ChoiceField(choices=MARKS)


class BracketTableShape(serializers.Serializer):
    title = serializers.CharField()
    heat = serializers.IntegerField(allow_null=True)
    table = serializers.IntegerField(allow_null=True)
    status = serializers.CharField()
    size = serializers.IntegerField()
    seats = BracketSeatShape(many=True)


class NoShowShape(serializers.Serializer):
    name = serializers.CharField()
    instead = serializers.CharField()


class RoundShape(serializers.Serializer):
    title = serializers.CharField()
    is_final = serializers.BooleanField()
    is_planned = serializers.BooleanField()
    advance = serializers.IntegerField()
    when = serializers.CharField()
    tables = BracketTableShape(many=True)
    waiting = PlayerRef(many=True)
    absent = NoShowShape(many=True)


class PlayoffsShape(serializers.Serializer):
    has_begun = serializers.BooleanField()
    is_over = serializers.BooleanField()
    champions = PlayerRef(many=True)
    rounds = RoundShape(many=True)


class RankedShape(PlayerRef):
    place = serializers.IntegerField(allow_null=True, help_text="Null while still in.")
    shared = serializers.BooleanField()
    club = serializers.CharField()
    section = serializers.ChoiceField(choices=SECTIONS)
    how_far = serializers.CharField()
    why = serializers.CharField()
    game_points = PointsField(allow_null=True)
    share = PointsField(allow_null=True)
    score_points = serializers.IntegerField(allow_null=True)
    asterisks = serializers.IntegerField(allow_null=True)
    heat = serializers.IntegerField(allow_null=True)


class ResultShape(serializers.Serializer):
    is_final = serializers.BooleanField()
    winners = PlayerRef(many=True)
    players = RankedShape(many=True)


class CameShape(serializers.Serializer):
    """How often something came, and how often by chance; null where that is not known."""

    code = serializers.CharField()
    label = serializers.CharField()
    came = serializers.IntegerField()
    expected = serializers.FloatField(allow_null=True)


class StatisticsShape(serializers.Serializer):
    games = serializers.IntegerField()
    deals = serializers.IntegerField()
    hands = CameShape(many=True)
    chicagos = CameShape(many=True)
