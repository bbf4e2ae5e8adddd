"""Pictures in memory that the engine and this process have both mapped."""

from __future__ import annotations

import mmap
import os

from typing import Any

from . import protocol
from .arrays import Array, array, picture_forms, plane_layout

__all__ = ["PictureArray", "PictureMaps", "arrays_of"]

#: A picture: an array of rows, columns and numbers, or one for each plane where its format has several,
#: which the drawing code knows: there is no type that both share.
PictureArray = Any


class PictureMaps:
    """The memory that pictures lie in, each piece of it mapped once."""

    def __init__(self) -> None:
        self._maps: dict[tuple[str, bool], mmap.mmap] = {}

    def data(self, blob: protocol.SharedBlob, is_writable: bool = False) -> memoryview:
        """The bytes of a picture; to be written to where that is stated."""
        key = blob["path"], is_writable
        if key not in self._maps:
            access = mmap.ACCESS_WRITE if is_writable else mmap.ACCESS_READ
            flags = os.O_RDWR if is_writable else os.O_RDONLY
            descriptor = os.open(blob["path"], flags | os.O_CLOEXEC)
            try:
                self._maps[key] = mmap.mmap(descriptor, 0, access=access)
            finally:
                os.close(descriptor)
        start = blob["offset"]
        return memoryview(self._maps[key])[start : start + blob["size"]]

    def picture(
        self, image: protocol.ImageLayout, blob: protocol.SharedBlob, is_writable: bool = False
    ) -> PictureArray:
        """A picture as an array, or as one for each plane."""
        planes = arrays_of(image, self.data(blob, is_writable))
        return planes[0] if len(planes) == 1 else planes


def arrays_of(image: protocol.ImageLayout, data: memoryview) -> tuple[Array, ...]:
    """The planes of a picture as arrays that lie in its bytes."""
    forms = picture_forms(image["pixelFormat"])
    return tuple(
        array(
            data,
            plane_layout(
                form, image["width"], plane["height"], plane["bytesPerRow"], plane["offset"]
            ),
        )
        for form, plane in zip(forms, image["planes"])
    )
