"""An event's picture, re-encoded from the upload and kept in the database."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from .event import Event


class EventPicture(models.Model):
    """A JPEG of limited size; ``digest`` is part of its address."""

    event = models.OneToOneField(Event, models.CASCADE, related_name="picture")
    content = models.BinaryField()
    width = models.PositiveSmallIntegerField()
    height = models.PositiveSmallIntegerField()
    digest = models.CharField(max_length=16)

    class Meta:
        verbose_name = _("picture")
        verbose_name_plural = _("pictures")

    def __str__(self) -> str:
        return str(self.event)
