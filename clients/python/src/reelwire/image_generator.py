"""Images of an asset: exact frames, thumbnails, series of them."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Iterable
from typing import Any, Callable

from . import protocol
from .arrays import Array, Layout, array, converted
from .blob import Blob, DeliveryLike, Plane, delivery_to_wire, only, picture_planes
from .contact_sheet import ContactSheet, outcome
from .errors import ReelwireError, error_from_wire
from .portal import RemoteFace, blocking, iterating
from .remote import Remote, Work, given
from .time import MediaTime, TimeLike, TimeRange, TimeRangeLike

__all__ = ["AsyncImageGenerator", "Image", "ImageGenerator"]

#: Bytes of a pixel in each plane, and by how much the planes after the first are smaller.
_RAW = {"rgb24": (3, 1), "rgba": (4, 1), "bgra": (4, 1), "gray": (1, 1), "yuv420p": (1, 2)}


class Image:
    """A generated image, or why there is none.

    An image of a series that failed has its ``error``; whatever asks for its bytes raises that.
    """

    def __init__(self, wire: protocol.ImageGeneratorDidGenerateImage | Any, owner: Remote) -> None:
        #: The place of its time in the series, from 0.
        self.index: int = wire.get("index", 0)
        #: The time that was asked for.
        self.requested_time = MediaTime.of(wire["requestedTime"])
        self._actual_time: Any = wire.get("actualTime")
        self._image: protocol.Image | None = wire.get("image")
        self._blob = Blob(self._image["blob"], owner) if self._image else None
        #: Why there is no image.
        self.error: ReelwireError | None = None
        if self._blob is None:
            error = wire.get("error") or _cancelled(self.requested_time)
            self.error = error_from_wire(error)

    def _wire(self) -> protocol.Image:
        if self._image is None:
            assert self.error is not None
            raise self.error
        return self._image

    @property
    def actual_time(self) -> MediaTime:
        """The presentation time of the frame that it shows."""
        self._wire()
        return MediaTime.of(self._actual_time)

    @property
    def width(self) -> int:
        """The width in pixels."""
        return self._wire()["width"]

    @property
    def height(self) -> int:
        """The height in pixels."""
        return self._wire()["height"]

    @property
    def format(self) -> protocol.ImageFormat:
        """The format: a file's, such as ``jpeg``, or that of pixels, such as ``rgb24``."""
        return self._wire()["format"]

    @property
    def blob(self) -> Blob:
        """The bytes, wherever they are."""
        self._wire()
        assert self._blob is not None
        return self._blob

    @property
    def data(self) -> memoryview:
        """The bytes; rows of pixels may be padded, see ``planes`` and ``packed``."""
        return self.blob.data

    @property
    def path(self) -> str | None:
        """The file, when it was delivered to one."""
        return self.blob.path

    @property
    def planes(self) -> list[Plane]:
        """The planes of a format of pixels; empty for the format of a file."""
        wire = self._wire()
        planes = wire.get("planes")
        return picture_planes(self.data, wire["format"], wire["width"], planes) if planes else []

    def to_ndarray(self) -> Array:
        """The pixels as a read-only NumPy array, rows × columns × components, without a copy.

        It has no third dimension for ``gray``, and one dimension for the bytes of a file's format.
        The planes of ``yuv420p`` are arrays of their own: ``image.planes[0].to_ndarray()``.
        """
        planes = self.planes
        if not planes:
            return array(self.data, Layout((len(self.data),), (1,), "|u1"))
        return only(planes, self.format).to_ndarray()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        return converted(self.to_ndarray(), dtype, copy)

    @property
    def color(self) -> protocol.Color | None:
        """What pixels are: primaries, transfer function, matrix, range; None for a file's format."""
        return self._wire().get("color")

    @property
    def chroma_location(self) -> str | None:
        """Where the chroma samples of YUV are, for example ``left``; None where nobody says it."""
        return self._wire().get("chromaLocation")

    def packed(self) -> bytes:
        """The pixels without padding: each plane's rows one after the other."""
        if self.format not in _RAW:
            return bytes(self.data)
        size, divisor = _RAW[self.format]
        rows = []
        for number, plane in enumerate(self.planes):
            part = divisor if number else 1
            length = -(-self.width // part) * size
            if length == plane.bytes_per_row:
                rows.append(plane.data)
                continue
            for row in range(plane.height):
                start = row * plane.bytes_per_row
                rows.append(plane.data[start : start + length])
        return b"".join(rows)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the bytes to a file, which is overwritten."""
        self.blob.save(path)

    def release(self) -> None:
        """Lets go of the bytes."""
        if self._blob is not None:
            self._blob.release()

    def __bytes__(self) -> bytes:
        return bytes(self.data)

    def __enter__(self) -> Image:
        return self

    def __exit__(self, *_: Any) -> None:
        self.release()

    def __repr__(self) -> str:
        if self._image is None:
            return f"<Image at {self.requested_time}: {self.error!r}>"
        where = f" {self.path}" if self.path else ""
        return (
            f"<Image {self.width}×{self.height} {self.format} at {self.actual_time} "
            f"{self.blob.size} bytes {self.blob.kind}{where}>"
        )


def _cancelled(time: MediaTime) -> protocol.ErrorObject:
    return {
        "code": -11878,
        "message": f"the image at {time} was cancelled",
        "data": {"name": "operationCancelled", "hint": "Ask for it again."},
    }


class AsyncImageGenerator(Remote):
    """Makes images of an asset's first enabled video track."""

    async def image(
        self,
        time: TimeLike,
        *,
        format: protocol.ImageFormat | None = None,
        quality: float | None = None,
        delivery: DeliveryLike | None = None,
    ) -> Image:
        """The image of one time.

        ``format`` is ``jpeg`` unless given; ``quality`` of 0 to 1 is for ``jpeg`` and ``webp``.
        ``delivery`` is ``"inline"``, ``"shm"``, or the path of a file to be made.
        """
        result = await self.transport.request(
            "imageGenerator/generateImage",
            given(
                imageGenerator=self.handle,
                time=MediaTime.of(time).to_wire(),
                format=format,
                quality=quality,
                delivery=delivery_to_wire(delivery),
            ),
        )
        return Image(result, self)

    async def images(
        self,
        times: Iterable[TimeLike],
        *,
        format: protocol.ImageFormat | None = None,
        quality: float | None = None,
        delivery: DeliveryLike | None = None,
    ) -> AsyncIterator[Image]:
        """The images of several times, in the order in which they are ready.

        ``index`` tells which time an image is of. A time without image gives one with an
        ``error``. Leaving the loop cancels the rest. A file's path has a ``%d`` or ``%03d``.
        """
        params = given(
            imageGenerator=self.handle,
            times=[MediaTime.of(time).to_wire() for time in times],
            format=format,
            quality=quality,
            delivery=delivery_to_wire(delivery),
        )
        if not params["times"]:
            return
        method = "imageGenerator/generateImages"
        async with Work(self, method, params) as operation:
            while True:
                name, item = await operation.next()
                if name == operation.terminal:
                    return
                yield Image(item, self)

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
        delivery: DeliveryLike | None = None,
        image_name: str | None = None,
        progress: Callable[[float], Any] | None = None,
    ) -> ContactSheet:
        """Many images in one, with a WebVTT map for web players.

        ``columns`` and ``rows``, or ``count``, tell how many tiles there are; each shows the
        middle of its part of the video, or of ``time_range``. ``times`` gives their times instead.
        With a file's path as ``delivery`` the map is written beside it: ``sheet.jpg`` comes with
        ``sheet.vtt``. ``image_name`` is what the map calls the sheet, a URL.

        ``progress`` is called with the part that is done, from 0 to 1. What it raises cancels the
        sheet.
        """
        params = given(
            imageGenerator=self.handle,
            columns=columns,
            rows=rows,
            count=count,
            times=None if times is None else [MediaTime.of(time).to_wire() for time in times],
            timeRange=None if time_range is None else TimeRange.of(time_range).to_wire(),
            tileWidth=tile_width,
            spacing=spacing,
            format=format,
            quality=quality,
            delivery=delivery_to_wire(delivery),
            imageName=image_name,
        )
        async with Work(self, "imageGenerator/contactSheet", params) as operation:
            while True:
                name, item = await operation.next()
                if name == operation.terminal:
                    return outcome(item, self)
                if progress is not None:
                    progress(item["completed"] / item["count"])

    async def cancel_all(self) -> None:
        """Cancels all outstanding images; the generator can be used again."""
        await self.transport.request("imageGenerator/cancelAll", given(imageGenerator=self.handle))

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._handle}{' closed' if self._closed else ''}>"


class ImageGenerator(RemoteFace):
    """Makes images of an asset's first enabled video track."""

    _core: AsyncImageGenerator

    image = blocking(AsyncImageGenerator.image)
    images = iterating(AsyncImageGenerator.images)
    contact_sheet = blocking(AsyncImageGenerator.contact_sheet)
    cancel_all = blocking(AsyncImageGenerator.cancel_all)
