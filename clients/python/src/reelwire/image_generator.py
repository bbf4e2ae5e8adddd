"""Images of an asset: exact frames, thumbnails, series of them."""

from __future__ import annotations

import operator
import os
from collections.abc import AsyncIterator, Iterable
from typing import Any

from . import protocol
from .blob import DeliveryLike, delivery_to_wire
from .calls import BlockingImageGeneratorCalls, ImageGeneratorCalls
from .contact_sheet import ContactSheet
from .errors import NoImageAtTimeError, ReelwireError, error_from_wire
from .picture import Picture
from .portal import RemoteFace, blocking, iterating
from .progress import ProgressLike, reporting
from .remote import Remote, given
from .time import MediaTime, TimeLike
from .time_range import TimeRangeLike
from .wire import time_range_to_wire, time_to_wire
from .work import Work, finished, require_success

__all__ = ["AsyncImageGenerator", "Image", "ImageGenerator", "image_or_first"]


class Image(Picture):
    """A generated image, or why there is none.

    An image of a series that failed has its ``error``; whatever asks for its bytes raises that.
    """

    def __init__(self, wire: protocol.ImageGeneratorDidGenerateImage | Any, owner: Remote) -> None:
        super().__init__(wire.get("image"), owner)
        #: The place of its time or number in the series, from 0.
        self.index: int = wire.get("index", 0)
        #: The time that was asked for; that of the frame where none was, and ``None`` where there
        #: is no such frame.
        self.requested_time = _time(wire.get("requestedTime"))
        self._actual_time: Any = wire.get("actualTime")
        #: The frame's place among all of the track, in presentation order; ``None`` where the file
        #: has no presentation times.
        self.sample_index: int | None = wire.get("sampleIndex")
        #: Whether it is the frame that is shown at the requested time, or has the requested number.
        self.is_exact: bool = wire.get("isExact") or False
        #: Why there is no image.
        self.error: ReelwireError | None = None
        if self._image is None:
            self.error = error_from_wire(wire.get("error") or _cancelled(self))

    def _absence(self) -> Exception:
        assert self.error is not None
        return self.error

    @property
    def actual_time(self) -> MediaTime:
        """The presentation time of the frame that it shows."""
        self._wire()
        return MediaTime.of(self._actual_time)

    def __repr__(self) -> str:
        if self._image is None:
            return f"<Image {_place(self)}: {self.error!r}>"
        bytes_ = f"{self.blob.size} bytes {self.blob.kind}"
        return f"<Image {self.index}: {self._facts()} at {self.actual_time} {bytes_}>"


def _part(item: Any) -> float:
    return float(item["completed"] / item["count"])


def _time(wire: protocol.Time | None) -> MediaTime | None:
    return None if wire is None else MediaTime.of(wire)


def _place(image: Image) -> str:
    """Which of a series an image is."""
    time = image.requested_time
    return f"number {image.index}" if time is None else f"at {time}"


def _cancelled(image: Image) -> protocol.ErrorObject:
    return {
        "code": -11878,
        "message": f"the image {_place(image)} was cancelled",
        "data": {"name": "operationCancelled", "hint": "Ask for it again."},
    }


class AsyncImageGenerator(ImageGeneratorCalls):
    """Makes images of an asset's first enabled video track."""

    async def image(
        self,
        time: TimeLike | None = None,
        *,
        format: protocol.ImageFormat | None = None,
        quality: float | None = None,
        path: str | os.PathLike[str] | None = None,
        delivery: DeliveryLike | None = None,
    ) -> Image:
        """The image of one time; without a time the first frame, whenever it is shown.

        ``path`` is that of a file to be made; ``delivery`` is one too, or ``"inline"`` or ``"shm"``. ``format`` is
        what the path ends in unless given, else ``jpeg``; ``quality`` of 0 to 1 is for ``jpeg``
        and ``webp``.
        """
        result = await self._request(
            "imageGenerator/generateImage",
            given(
                imageGenerator=self.handle,
                time=time_to_wire(time),
                format=format,
                quality=quality,
                delivery=delivery_to_wire(delivery, path),
            ),
        )
        return Image(result, self)

    async def images(
        self,
        times: Iterable[TimeLike] | None = None,
        *,
        samples: Iterable[int] | None = None,
        format: protocol.ImageFormat | None = None,
        quality: float | None = None,
        path: str | os.PathLike[str] | None = None,
        delivery: DeliveryLike | None = None,
        ordered: bool | None = None,
    ) -> AsyncIterator[Image]:
        """The images of several times, in the order of the times.

        ``samples`` are the numbers of frames instead of times, as ``sample_index`` counts them: the
        images are of exactly these. ``index`` is the place of an image's time or number among those
        asked for. One without image gives one with an ``error``. Leaving the loop cancels the rest.
        A file's path has a ``%d`` or ``%03d``.

        With ``ordered=False`` each image comes as soon as it is ready, which is also the default for
        ``delivery="shm"``: an image that waits there holds memory that the engine needs for the rest.
        """
        if (times is None) == (samples is None):
            raise TypeError("images() takes either times or samples")
        params = given(
            imageGenerator=self.handle,
            times=None if times is None else [MediaTime.of(time).to_wire() for time in times],
            samples=None if samples is None else [operator.index(number) for number in samples],
            format=format,
            quality=quality,
            delivery=delivery_to_wire(delivery, path),
        )
        if not params.get("times") and not params.get("samples"):
            return
        method = "imageGenerator/generateImages"
        if ordered is None:
            ordered = params.get("delivery") != "shm"
        waiting: dict[int, Image] = {}
        due = 0
        async with Work(self, method, params) as operation:
            while True:
                name, item = await operation.next()
                if name == operation.terminal:
                    return
                image = Image(item, self)
                if not ordered:
                    yield image
                    continue
                waiting[image.index] = image
                while due in waiting:
                    yield waiting.pop(due)
                    due += 1

    async def contact_sheet(
        self,
        columns: int | None = None,
        rows: int | None = None,
        *,
        count: int | None = None,
        times: Iterable[TimeLike] | None = None,
        time_range: TimeRangeLike | None = None,
        tile_width: int | None = None,
        spacing: int | None = None,
        format: protocol.ImageFormat | None = None,
        quality: float | None = None,
        path: str | os.PathLike[str] | None = None,
        delivery: DeliveryLike | None = None,
        image_name: str | None = None,
        progress: ProgressLike = None,
    ) -> ContactSheet:
        """Many images in one, with a WebVTT map for web players.

        ``columns`` and ``rows``, or ``count``, set how many tiles there are; each shows the
        middle of its part of the video, or of ``time_range``. ``times`` gives their times instead.
        With a file's path, as ``path`` or ``delivery``, the map is written beside it: ``sheet.jpg``
        comes with ``sheet.vtt``. ``image_name`` is what the map calls the sheet, a URL.

        ``progress`` is called with the part that is done, from 0 to 1, and what it raises cancels
        the sheet; ``True`` shows it.
        """
        params = given(
            imageGenerator=self.handle,
            columns=columns,
            rows=rows,
            count=count,
            times=None if times is None else [MediaTime.of(time).to_wire() for time in times],
            timeRange=time_range_to_wire(time_range),
            tileWidth=tile_width,
            spacing=spacing,
            format=format,
            quality=quality,
            delivery=delivery_to_wire(delivery, path),
            imageName=image_name,
        )
        with reporting(progress, "contact sheet", _part) as on_item:
            end = await finished(self, "imageGenerator/contactSheet", params, on_item)
            require_success(end, "the contact sheet")
        return ContactSheet(end, self)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._handle}{' closed' if self._closed else ''}>"


async def image_or_first(
    generator: AsyncImageGenerator, time: TimeLike | None, **options: Any
) -> Image:
    """The image of a time, of the first frame for 0, where no frame may be shown yet."""
    try:
        return await generator.image(time, **options)
    except NoImageAtTimeError:
        if time is None or MediaTime.of(time) != MediaTime.of(0):
            raise
    image = await generator.image(**options)
    image.requested_time = MediaTime.of(time)
    image.is_exact = image.actual_time == image.requested_time
    return image


class ImageGenerator(BlockingImageGeneratorCalls, RemoteFace):
    """Makes images of an asset's first enabled video track."""

    _core: AsyncImageGenerator

    image = blocking(AsyncImageGenerator.image)
    images = iterating(AsyncImageGenerator.images)
    contact_sheet = blocking(AsyncImageGenerator.contact_sheet)
