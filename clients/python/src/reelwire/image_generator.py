"""Images of an asset: exact frames, thumbnails, series of them."""

from __future__ import annotations

import operator
import os
from collections.abc import AsyncIterator, Iterable
from typing import Any

from . import protocol
from .blob import DeliveryLike, delivery_to_wire
from .calls import BlockingImageGeneratorCalls, ImageGeneratorCalls
from .errors import NoImageAtTimeError, ReelwireError, error_from_wire
from .picture import Picture
from .portal import RemoteFace, blocking, iterating
from .remote import Remote, given
from .time import MediaTime, TimeLike
from .work import Work

__all__ = ["AsyncImageGenerator", "Image", "ImageGenerator", "image_or_first"]


class Image(Picture):
    """A generated image, or the reason why there is none.

    A failed image of a series has its ``error``; any access to its bytes raises that.
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
        #: True if it is the frame that is shown at the requested time, or has the requested number.
        self.is_exact: bool = wire.get("isExact") or False
        #: The reason why there is no image.
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


def _time(wire: protocol.Time | None) -> MediaTime | None:
    return None if wire is None else MediaTime.of(wire)


def _place(image: Image) -> str:
    """The position of an image in a series."""
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

    def _made_image(self, result: protocol.ImageGeneratorGenerateImageResult) -> Image:
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
        images are of exactly these. ``index`` is the position of an image's time or number among the requested
        ones. One without image yields one with an ``error``. Leaving the loop cancels the rest.
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
