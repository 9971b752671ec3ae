"""Uploaded pictures, re-encoded so that nothing else in the file is kept."""

import hashlib
import io
import threading
import warnings

from django.core.files.base import File
from django.utils.translation import gettext_lazy as _
from PIL import Image, ImageOps

from .errors import Refused

#: Limits on uploads, in bytes and pixels, and the size of the result.
MAX_BYTES, MAX_PIXELS = 8 * 2**20, 16_000_000
MAX_SIZE = (1600, 900)
FORMATS = ("JPEG", "PNG", "WEBP")
#: One picture at a time per process: unpacked, each takes up to 64 MB, and more while it is turned.
_one = threading.Lock()


def drawn_anew(file: File) -> tuple[bytes, tuple[int, int], str]:
    """Return an uploaded picture re-encoded as JPEG, its size, and its digest.

    Refused with ``too_large``, or ``no_picture`` if it is not a picture in one of these formats.
    """
    with _one:
        return _redrawn(file)


def _redrawn(file: File) -> tuple[bytes, tuple[int, int], str]:
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
    digest = hashlib.sha256(content.getvalue()).hexdigest()[:16]
    return content.getvalue(), ground.size, digest
