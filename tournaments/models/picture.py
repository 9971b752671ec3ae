"""An event's picture: made anew from what was uploaded, kept with everything else."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from .event import Event


class EventPicture(models.Model):
    """A JPEG of bounded size; ``digest`` names it in its address."""

    event = models.OneToOneField(Event, models.CASCADE, related_name="picture")
    content = models.BinaryField()
    width = models.PositiveSmallIntegerField()
    height = models.PositiveSmallIntegerField()
    digest = models.CharField(max_length=16)

    class Meta:
        verbose_name = _("picture")
        verbose_name_plural = _("pictures")

    def __str__(self) -> str:
        """Return whose it is."""
        return str(self.event)
