"""The planes of pictures and of audio."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from . import protocol
from .arrays import Array, Layout, array, converted, picture_forms, plane_layout

__all__ = ["Plane", "only", "picture_planes"]


class Plane:
    """One plane of a picture or of audio: a part of a blob.

    It is an array for all users of the array interface: ``numpy.asarray(plane)`` has the shape
    (rows, columns), with a third dimension if a pixel is several numbers.
    """

    __slots__ = ("_layout", "bytes_per_row", "data", "height")

    def __init__(
        self, data: memoryview, bytes_per_row: int, height: int, layout: Layout | None = None
    ) -> None:
        self.data = data
        #: The distance from one row to the next; the length of the plane for audio.
        self.bytes_per_row = bytes_per_row
        #: The number of rows; 1 for audio.
        self.height = height
        self._layout = layout

    @property
    def __array_interface__(self) -> dict[str, Any]:
        if self._layout is None:
            raise AttributeError("the form of this plane is not known")
        return self._layout.interface(self.data)

    def to_ndarray(self) -> Array:
        """A read-only NumPy array of the plane; it holds the bytes, without a copy."""
        if self._layout is None:
            raise TypeError("the form of this plane is not known: use its data")
        return array(self.data, self._layout)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        return converted(self.to_ndarray(), dtype, copy)

    def __repr__(self) -> str:
        return f"<Plane {self.height} rows of {self.bytes_per_row} bytes>"


def picture_planes(
    data: memoryview, pixel_format: str, width: int, planes: Iterable[protocol.Plane]
) -> list[Plane]:
    """The planes of a picture."""
    forms = picture_forms(pixel_format)
    result = []
    for number, item in enumerate(planes):
        offset, step, height = item["offset"], item["bytesPerRow"], item["height"]
        layout = plane_layout(forms[number], width, height, step) if forms else None
        result.append(Plane(data[offset : offset + step * height], step, height, layout))
    return result


def only(planes: list[Plane], what: str) -> Plane:
    """The plane of an object with one."""
    if len(planes) != 1:
        raise TypeError(
            f"{what} has {len(planes)} planes: make arrays of .planes[0] and the others"
        )
    return planes[0]
