"""Small pictures of a file, as a job."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction

from .. import protocol
from ..asset import AsyncAsset
from ..errors import NoImageAtTimeError, NoSourceTrackError
from ..image_generator import AsyncImageGenerator
from ..time import MediaTime, TimeLike
from ..time_range import TimeRange, TimeRangeLike
from ..track import first_enabled
from .fields import count_of, image_format, maximum_size_of, times_of
from .job import Job, JobContext
from .pictures import encoded, generated, picture_output, placed
from .values import EncodedImage

__all__ = ["Thumbnails"]


@dataclass(frozen=True, eq=False, repr=False)
class Thumbnails(Job[list[EncodedImage]]):
    """Makes images of times: ``Thumbnails(count=5, width=320)``, ``Thumbnails([0, "7/2"], width=320)``.

    With ``count`` they show the middles of ``count`` equal parts of the video, like the tiles of a contact sheet.
    Without a ``tolerance`` they are the nearest frames that are fast to decode; 0 gives the exact ones. A
    time without a frame gives an image with an ``error``; if all have one, the first is raised.

    They are JPEG files in memory, unless ``format`` or the extension of ``output`` is another. ``output`` is a
    path like that of ``Export``, with ``{index}`` or ``{index:03}`` in addition: the files are new ones, or have
    the same bytes already.
    """

    #: The times of the images.
    times: Iterable[TimeLike] | None = None
    #: The number of images, instead of times.
    count: int | None = None
    #: The width in pixels; the height follows, unless it is set, too. They aren't enlarged.
    width: float | None = None
    #: The height in pixels.
    height: float | None = None
    #: (width, height), or a number for the longer side, instead of both.
    maximum_size: float | tuple[float, float] | None = None
    #: The maximum distance of a frame from its time, before and after it.
    tolerance: TimeLike | None = None
    #: The range that ``count`` divides; by default all of the video.
    time_range: TimeRangeLike | None = None
    #: ``jpeg``, ``png``, ``webp`` or ``bmp``.
    format: str | None = None
    #: From 0 to 1, for ``jpeg`` and ``webp``.
    quality: float | None = None
    #: Their files; in memory when left out.
    output: str | os.PathLike[str] | None = None
    #: True if they are upright.
    applies_preferred_track_transform: bool = True
    #: The conversion of HDR.
    dynamic_range_policy: protocol.DynamicRangePolicy | None = None
    #: True if the index of all samples is used.
    prefer_precise_duration_and_timing: bool | None = None
    #: True if the existing part of a damaged file is treated as all of it.
    salvage: bool | None = None

    def __post_init__(self) -> None:
        if (self.times is None) == (self.count is None):
            raise TypeError("thumbnails have either times or a count")
        if self.times is not None:
            if self.time_range is not None:
                raise TypeError("a time_range is what count divides, and there are times")
            self._set(times=times_of(self.times))
        if self.count is not None:
            self._set(count=count_of(self.count, "count"))
        is_one = self.count == 1 or (self.times is not None and len(tuple(self.times)) == 1)
        size = maximum_size_of(self.maximum_size, self.width, self.height)
        self._set(
            maximum_size=size,
            tolerance=None if self.tolerance is None else MediaTime.of(self.tolerance),
            time_range=None if self.time_range is None else TimeRange.of(self.time_range),
            format=image_format(self.format, self.output, "jpeg"),
            output=picture_output(self.output, is_one),
        )

    async def perform(self, context: JobContext) -> list[EncodedImage]:
        """The pictures, in the order of their times."""
        async with context.open(
            prefer_precise_duration_and_timing=self.prefer_precise_duration_and_timing,
            salvage=self.salvage,
        ) as asset:
            times = self.times if self.count is None else await self._middles(asset, self.count)
            async with await asset.image_generator(
                tolerance=self.tolerance,
                maximum_size=self.maximum_size,
                width=self.width,
                height=self.height,
                applies_preferred_track_transform=self.applies_preferred_track_transform,
                dynamic_range_policy=self.dynamic_range_policy,
            ) as generator:
                images = await generated(generator, self.format, self.quality, times=times)
                images = [await self._first_for_zero(image, generator) for image in images]
        if all(image.error is not None for image in images):
            raise images[0].error  # type: ignore[misc]
        return await placed(images, self.output, context)  # type: ignore[arg-type]

    async def _first_for_zero(
        self, image: EncodedImage, generator: AsyncImageGenerator
    ) -> EncodedImage:
        """The first picture for the time 0, where none is shown yet."""
        if not isinstance(image.error, NoImageAtTimeError) or image.requested_time != 0:
            return image
        first = encoded(await generator.image(format=self.format, quality=self.quality))  # type: ignore[arg-type]
        return replace(
            first, index=image.index, requested_time=image.requested_time, is_exact=False
        )

    async def _middles(self, asset: AsyncAsset, count: int) -> list[MediaTime]:
        """The middle of each part of the video."""
        track = first_enabled(await asset.load_tracks("video"))
        if track is None:
            raise NoSourceTrackError(
                f"{os.path.basename(asset.url)!r} has no video track",
                code=-11869,
                hint="Load its tracks to see their types.",
            )
        whole: TimeRange = (await track.load("time_range"))["time_range"]
        part = whole if self.time_range is None else whole.intersection(TimeRange.of(self.time_range))
        if part.is_empty or not part.duration.is_numeric:
            raise NoImageAtTimeError(
                f"the wanted range has nothing of the video track of {os.path.basename(asset.url)!r}",
                code=-11832,
                hint=f"The track runs over {whole}: choose a range within it.",
            )
        start, duration = part.start.fraction, part.duration.fraction
        places = range(1, 2 * count, 2)
        return [MediaTime.of(start + duration * Fraction(each, 2 * count)) for each in places]
