"""Frames of a file by their numbers, as a job."""

from __future__ import annotations

import operator
import os
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from .. import protocol
from ..batch import numbers_of
from .fields import image_format, maximum_size_of
from .job import Job, JobContext
from .pictures import generated, picture_output, placed
from .values import EncodedImage

__all__ = ["Frames"]


class _Slice(NamedTuple):
    """A slice as a value that can be hashed and sent."""

    start: int | None
    stop: int | None
    step: int | None


@dataclass(frozen=True, eq=False, repr=False)
class Frames(Job[list[EncodedImage]]):
    """Takes frames by their numbers: ``Frames([3, 99, -1])``, ``Frames(slice(None, None, 30), "jpeg")``.

    Numbers count all frames in the order in which they are shown, and from the end where they are negative;
    a slice is as one of ``Asset.frames``. The pictures are in the order of the numbers. They are files in memory,
    PNG unless ``format`` or the extension of ``output`` is another: pixels would fill the memory of a scheduler.
    A number that the video doesn't have is an ``IndexError``, and a frame that can't be decoded is an error, and not
    another frame in its place. ``output`` is that of ``Thumbnails``.
    """

    #: The numbers.
    indices: Iterable[int] | slice
    #: ``png``, ``jpeg``, ``webp`` or ``bmp``.
    format: str | None = None
    #: The width in pixels; the height follows, unless it is set, too. They aren't enlarged.
    width: float | None = None
    #: The height in pixels.
    height: float | None = None
    #: (width, height), or a number for the longer side, instead of both.
    maximum_size: float | tuple[float, float] | None = None
    #: From 0 to 1, for ``jpeg`` and ``webp``.
    quality: float | None = None
    #: Their files; in memory when left out. ``{index}`` is the place among the numbers.
    output: str | os.PathLike[str] | None = None
    #: True if they are upright.
    applies_preferred_track_transform: bool = True
    #: The conversion of HDR.
    dynamic_range_policy: protocol.DynamicRangePolicy | None = None
    #: True if the existing part of a damaged file is treated as all of it.
    salvage: bool | None = None

    def __post_init__(self) -> None:
        indices = _indices(self.indices)
        is_one = not isinstance(indices, _Slice) and len(indices) == 1
        self._set(
            indices=indices,
            maximum_size=maximum_size_of(self.maximum_size, self.width, self.height),
            format=image_format(self.format, self.output, "png"),
            output=picture_output(self.output, is_one),
        )

    async def perform(self, context: JobContext) -> list[EncodedImage]:
        """The frames, in the order of their numbers."""
        async with context.open(salvage=self.salvage) as asset:
            async with await asset.frames(
                self.format,  # type: ignore[arg-type]
                maximum_size=self.maximum_size,
                width=self.width,
                height=self.height,
                applies_preferred_track_transform=self.applies_preferred_track_transform,
                dynamic_range_policy=self.dynamic_range_policy,
            ) as frames:
                numbers = self._numbers(len(frames))
                generator = frames._source.generator
                samples = list(dict.fromkeys(numbers))
                made = await generated(generator, self.format, self.quality, samples=samples)
        by_number = {samples[image.index]: _made(image) for image in made}
        images = [
            replace(by_number[number], index=place) for place, number in enumerate(numbers)
        ]
        return await placed(images, self.output, context)  # type: ignore[arg-type]

    def _numbers(self, count: int) -> list[int]:
        if isinstance(self.indices, _Slice):
            return list(range(count)[slice(*self.indices)])
        return numbers_of(self.indices, count)  # type: ignore[arg-type]


def _indices(indices: Any) -> tuple[int, ...] | _Slice:
    if isinstance(indices, _Slice):
        return indices
    if isinstance(indices, slice):
        bounds = (indices.start, indices.stop, indices.step)
        if indices.step is not None and operator.index(indices.step) == 0:
            raise ValueError("a slice's step isn't 0")
        return _Slice(*(None if bound is None else operator.index(bound) for bound in bounds))
    if isinstance(indices, (str, bytes)) or not isinstance(indices, Iterable):
        raise TypeError(f"frames are chosen by several numbers or a slice, not {indices!r}")
    listed = tuple(indices)
    if any(isinstance(number, bool) for number in listed):
        raise TypeError("frames are chosen by their numbers, not by True and False")
    if not listed:
        raise ValueError("no number is given")
    return tuple(operator.index(number) for number in listed)


def _made(image: EncodedImage) -> EncodedImage:
    """An image, unless it has an error, which is raised."""
    if image.error is not None:
        raise image.error
    return image
