"""An event's picture, re-encoded from the upload so that nothing else in the file is kept."""

import hashlib
import io
import threading
import warnings

from django.core.files.base import File
from django.db import transaction
from django.utils.translation import gettext_lazy as _
from PIL import Image, ImageOps

from ...core.errors import Refused
from ...core.locks import lock_event
from ...core.log import By, record
from ...models import Event, EventPicture
from ...models.enums import LogAction

#: Limits on uploads, in bytes and pixels, and the size of the result.
MAX_BYTES, MAX_PIXELS = 8 * 2**20, 16_000_000
MAX_SIZE = (1600, 900)
FORMATS = ("JPEG", "PNG", "WEBP")
#: One picture at a time per process: unpacked, each takes up to 64 MB, and more while it is turned.
_one = threading.Lock()


def _drawn_anew(file: File) -> tuple[bytes, tuple[int, int]]:
    """Return an uploaded picture re-encoded as JPEG, and its size.

    Refused with ``too_large``, or ``no_picture`` if it is not a picture in one of these formats.
    """
    too_large = _("The picture has too many pixels: at most 16 million.")
    if (file.size or 0) > MAX_BYTES:
        raise Refused("too_large", _("The picture is too large: at most 8 MB."))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(file, formats=FORMATS) as found:
                if found.width * found.height > MAX_PIXELS:
                    raise Refused("too_large", too_large)
                small = found if found.mode in ("RGB", "RGBA", "L") else found.convert("RGBA")
                # A JPEG is decoded at a fraction of its size; which side is up is not known yet.
                small.thumbnail((MAX_SIZE[0], MAX_SIZE[0]))
                turned = ImageOps.exif_transpose(small).convert("RGBA")
    except Refused:
        raise
    except (Image.DecompressionBombWarning, Image.DecompressionBombError) as error:
        raise Refused("too_large", too_large) from error
    except Exception as error:
        # On damaged files the library raises all kinds of exceptions.
        raise Refused(
            "no_picture", _("This is not a picture: choose a JPEG, PNG or WebP.")
        ) from error
    turned.thumbnail(MAX_SIZE)
    ground = Image.new("RGB", turned.size, "white")
    ground.paste(turned, mask=turned.getchannel("A"))
    content = io.BytesIO()
    ground.save(content, "JPEG", quality=82, optimize=True, progressive=True)
    return content.getvalue(), ground.size


def set_picture(*, event: Event, file: File, by: By) -> EventPicture:
    """Set or replace the event's picture; the same one again changes nothing.

    It is drawn anew before anybody has to wait.
    """
    with _one:
        content, (width, height) = _drawn_anew(file)
    digest = hashlib.sha256(content).hexdigest()[:16]
    with transaction.atomic():
        event = lock_event(event)
        if same := EventPicture.objects.filter(event=event, digest=digest).first():
            return same
        picture, _made = EventPicture.objects.update_or_create(
            event=event,
            defaults={"content": content, "width": width, "height": height, "digest": digest},
        )
        record(LogAction.EVENT_CHANGED, event, by, after={"picture": digest})
    return picture


@transaction.atomic
def remove_picture(*, event: Event, by: By) -> None:
    """Remove the event's picture."""
    event = lock_event(event)
    if EventPicture.objects.filter(event=event).delete()[0]:
        record(LogAction.EVENT_CHANGED, event, by, after={"picture": None})
