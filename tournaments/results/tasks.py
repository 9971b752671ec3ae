"""The work of results outside requests: to play what chance is counted from, to draw pictures."""

import hashlib
from datetime import timedelta

from django.utils import translation

from engine.bots.chance import GAMES, SEED, count
from scoring.pictures.png import png, source_of

from ..core.queue import Kind
from ..models import Job
from .commands import add_simulated, forget_shared, store_shared
from .drawing import GROUND, shared_picture
from .queries.chance import unknown_chances
from .queries.share import changed_events, missing_of, told_of, wanted_of

#: Games of one step, so that a killed worker loses seconds.
STEP = 20


def simulate(job: Job) -> None:
    """Play, for each rules and number of players that were played here, what is missing."""
    steps = [
        (rules, players, first)
        for rules, players, done in unknown_chances()
        for first in range(done, GAMES, STEP)
    ]
    for rules, players, first in job.each(steps):
        # Played before the transaction, which others wait for.
        came = count(players, STEP, SEED, rules, first)
        add_simulated(rules=rules, players=players, first=first, games=STEP, came=came)


def draw_shared(job: Job) -> None:
    """Draw the pictures to share of what has changed, each in every language."""
    events = changed_events()
    parts = [(event, *each) for event in events for each in missing_of(event)]
    for event, wanted, language in job.each(parts):
        with translation.override(language):
            told = told_of(event, wanted)
        if told is None:
            continue
        source = source_of(shared_picture(told), GROUND)
        digest = hashlib.sha256(source.encode()).hexdigest()[:32]
        # The same in another language, or as it was: drawing takes longest.
        same = event.shared_pictures.filter(digest=digest).first()
        content = bytes(same.content) if same else png(source)
        store_shared(event=event, wanted=wanted, language=language, digest=digest, content=content)
    for event in events:
        forget_shared(event=event, kept=wanted_of(event))


KINDS = (
    Kind("chance", simulate, every=timedelta(minutes=5)),
    Kind("share", draw_shared, every=timedelta(seconds=15)),
)
