"""Pixels as PNG and Pillow images: the common operations of all images."""

from __future__ import annotations

import importlib
import io
import os
import struct
import sys
import zlib
from array import array
from collections.abc import Sequence
from typing import Any, NamedTuple

from .arrays import picture_forms
from .planes import Plane

__all__ = [
    "PILImage",
    "Raster",
    "is_file_format",
    "mime_bundle",
    "named_format",
    "packed",
    "save",
    "to_pil",
]

#: A ``PIL.Image.Image``; Pillow may be missing, so it has no better name here.
PILImage = Any

#: The formats of image files, by the extensions of their names.
_EXTENSIONS = {
    **{".jpg": "jpeg", ".jpeg": "jpeg", ".jpe": "jpeg", ".png": "png", ".webp": "webp"},
    **{".bmp": "bmp", ".gif": "gif", ".tif": "tiff", ".tiff": "tiff", ".avif": "avif"},
}
_FILES = ("jpeg", "png", "webp", "bmp")
#: PNG's type of colour, and the bits of a number.
_PNG = {
    **{"rgb24": (2, 8), "bgr24": (2, 8), "rgba": (6, 8), "bgra": (6, 8), "gray": (0, 8)},
    **{"rgb48le": (2, 16), "rgba64le": (6, 16), "gray16le": (0, 16)},
}
#: Pillow's mode, and how it calls the order of the bytes.
_PIL = {
    **{"rgb24": ("RGB", "RGB"), "bgr24": ("RGB", "BGR"), "rgba": ("RGBA", "RGBA")},
    **{"bgra": ("RGBA", "BGRA"), "gray": ("L", "L"), "gray16le": ("I;16", "I;16")},
    **{"rgb48le": ("RGB", "RGB;16L"), "rgba64le": ("RGBA", "RGBA;16L")},
}


class Raster(NamedTuple):
    """A picture as it lies in memory."""

    #: A file's format, such as ``jpeg``, or that of pixels, such as ``rgb24``.
    format: str
    width: int
    height: int
    data: memoryview
    #: Those of pixels; none of a file.
    planes: Sequence[Plane]


def is_file_format(format: str) -> bool:
    """True if it is the format of a file, not of pixels."""
    return format in _FILES


def named_format(path: str | os.PathLike[str]) -> str | None:
    """The format of image files whose names end as this one does."""
    return _EXTENSIONS.get(os.path.splitext(os.fspath(path))[1].lower())


def packed(raster: Raster) -> bytes:
    """The pixels without padding: each plane's rows one after the other."""
    forms = picture_forms(raster.format)
    if is_file_format(raster.format) or len(forms) != len(raster.planes):
        return bytes(raster.data)
    rows: list[memoryview] = []
    for form, plane in zip(forms, raster.planes):
        columns = -(-raster.width >> form.shift)
        length = columns * form.components * int(form.type[2:])
        if length == plane.bytes_per_row:
            rows.append(plane.data)
            continue
        for row in range(plane.height):
            start = row * plane.bytes_per_row
            rows.append(plane.data[start : start + length])
    return b"".join(rows)


def to_pil(raster: Raster) -> PILImage:
    """The picture as an image of Pillow's; 8 bits of each number in colour, all 16 in grey."""
    pillow: Any = importlib.import_module("PIL.Image")
    if is_file_format(raster.format):
        image = pillow.open(io.BytesIO(raster.data))
        image.load()
        return image
    if raster.format not in _PIL:
        raise _unfit(raster.format, "Pillow image")
    mode, order = _PIL[raster.format]
    (plane,) = raster.planes
    size = (raster.width, raster.height)
    return pillow.frombuffer(mode, size, plane.data, "raw", order, plane.bytes_per_row, 1)


def _to_png(raster: Raster) -> bytes:
    """The pixels as a PNG file."""
    if raster.format not in _PNG:
        raise _unfit(raster.format, "PNG")
    color, bits = _PNG[raster.format]
    pixels = bytearray(packed(raster))
    if raster.format in ("bgra", "bgr24"):
        size = 4 if raster.format == "bgra" else 3
        pixels[0::size], pixels[2::size] = pixels[2::size], pixels[0::size]
    if bits == 16:
        numbers = array("H", bytes(pixels))
        if sys.byteorder == "little":
            numbers.byteswap()
        # PNG's numbers begin with the high byte.
        pixels = bytearray(numbers.tobytes())
    length = len(pixels) // max(1, raster.height)
    # Each row begins with the number of its filter: none.
    rows = b"".join(
        b"\0" + pixels[start : start + length] for start in range(0, len(pixels), length)
    )
    header = struct.pack(">IIBBBBB", raster.width, raster.height, bits, color, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        for name, data in ((b"IHDR", header), (b"IDAT", zlib.compress(rows, 4)), (b"IEND", b""))
    )


def save(raster: Raster, path: str | os.PathLike[str]) -> None:
    """Writes an image to a file, which is overwritten, in the format of its extension.

    Pixels become a PNG file, or with Pillow another image file; with the extension of no image
    format the bytes are written unchanged.
    """
    name = os.fspath(path)
    wanted = named_format(name)
    if wanted in (None, raster.format):
        data: bytes | memoryview = raster.data
    elif is_file_format(raster.format):
        raise ValueError(
            f"the picture is {raster.format}, and {name!r} says {wanted}: "
            f"ask the engine for format={wanted!r}, or use to_pil().save()"
        )
    elif wanted == "png":
        data = _to_png(raster)
    else:
        to_pil(raster).save(name)
        return
    with open(name, "wb") as file:
        file.write(data)


def mime_bundle(raster: Raster) -> dict[str, bytes]:
    """The picture as notebooks show it, by its type: PNG or JPEG; empty when it is neither."""
    if raster.format == "jpeg":
        return {"image/jpeg": bytes(raster.data)}
    if raster.format == "png":
        return {"image/png": bytes(raster.data)}
    if raster.format in _PNG:
        return {"image/png": _to_png(raster)}
    if not is_file_format(raster.format):
        return {}
    try:
        image = to_pil(raster)
    except ImportError:
        return {}
    file = io.BytesIO()
    image.save(file, "png")
    return {"image/png": file.getvalue()}


def _unfit(format: str, what: str) -> TypeError:
    return TypeError(f'pixels of {format} are no {what}: ask the engine for format="rgb24"')
