"""The work of series outside requests: to take in what has changed in their events."""

import hashlib
from datetime import timedelta

from django.conf import settings
from django.utils import translation

from scoring.pictures.png import png, source_of

from ..core.queue import Kind
from ..core.versions import series_version
from ..models import Job, Series
from ..results.drawing import GROUND, shared_picture
from .commands.summaries import store_picture, summarise
from .drawing import told_of
from .queries.changed import changed_events


def refresh(job: Job) -> None:
    """Write the summaries of the events that have changed, each in a transaction of its own.

    Then draw the pictures to share of the series that look different now.
    """
    for event in job.each(list(changed_events())):
        summarise(event=event)
    for series in Series.objects.filter(is_public=True).select_related("organiser"):
        _draw(series)


def _draw(series: Series) -> None:
    # Read first: what is written meanwhile makes the picture an old one, which nobody is shown.
    version = series_version(series)
    rows = {row.language: row for row in series.pictures.defer("content")}
    for language, _name in settings.LANGUAGES:
        row = rows.get(language)
        if row is not None and row.version == version:
            continue
        with translation.override(language):
            source = source_of(shared_picture(told_of(series)), GROUND)
        digest = hashlib.sha256(source.encode()).hexdigest()[:32]
        # Drawing takes longest.
        content = None if row is not None and row.digest == digest else png(source)
        store_picture(
            series=series, language=language, version=version, digest=digest, content=content
        )


KINDS = (Kind("season", refresh, every=timedelta(seconds=15)),)
