"""Ratings: what each game changed, so that any figure can be explained and made again."""

from django.db import models

from .heat import HeatGame
from .organiser import Organiser
from .people import Person, Registration


class GameRating(models.Model):
    """What one game changed in a player's rating.

    ``order`` counts the organiser's games in the order in which they ended. The rating itself is
    ``mu``, with the uncertainty ``sigma``.
    """

    organiser = models.ForeignKey(Organiser, models.CASCADE, related_name="game_ratings")
    order = models.PositiveIntegerField()
    game = models.ForeignKey(HeatGame, models.CASCADE, related_name="ratings")
    registration = models.ForeignKey(Registration, models.CASCADE, related_name="+")
    person = models.ForeignKey(Person, models.CASCADE, related_name="game_ratings")
    place = models.PositiveSmallIntegerField()
    mu_before = models.FloatField()
    sigma_before = models.FloatField()
    mu = models.FloatField()
    sigma = models.FloatField()

    class Meta:
        verbose_name = "rating of a game"
        verbose_name_plural = "ratings of games"
        ordering = ["organiser_id", "order", "place", "registration_id"]
        constraints = [
            models.UniqueConstraint(name="game_rating_once", fields=["game", "registration"]),
        ]
        indexes = [models.Index(fields=["organiser", "order"])]

    def __str__(self) -> str:
        return f"{self.order}: {self.mu:.2f} ± {self.sigma:.2f}"


class PlayerRating(models.Model):
    """A player's rating with an organiser after the last rated game."""

    organiser = models.ForeignKey(Organiser, models.CASCADE, related_name="ratings")
    person = models.OneToOneField(Person, models.CASCADE, related_name="rating")
    games = models.PositiveIntegerField()
    mu = models.FloatField()
    sigma = models.FloatField()
    #: ``mu`` less three times ``sigma``: the player is better than that, almost certainly.
    figure = models.FloatField()

    class Meta:
        verbose_name = "rating of a player"
        verbose_name_plural = "ratings of players"
        ordering = ["organiser_id", "-figure", "person_id"]

    def __str__(self) -> str:
        return f"{self.person}: {self.figure:.1f}"


class RatingState(models.Model):
    """The sum of the events' versions from which an organiser's ratings were made."""

    organiser = models.OneToOneField(Organiser, models.CASCADE, primary_key=True)
    version = models.BigIntegerField(default=0)

    def __str__(self) -> str:
        return str(self.organiser_id)
