"""The frames of a video as a sequence of images."""

from __future__ import annotations

import asyncio
import bisect
import warnings
from collections import deque
from collections.abc import AsyncIterator, Coroutine, Iterable, Iterator, Sequence
from typing import Any, TypeVar, overload

from . import protocol
from .arrays import Array, converted
from .asset_reader import AsyncAssetReader
from .batch import batch_at, batch_of, numbers_of
from .contact_sheet import ContactSheet
from .image_generator import AsyncImageGenerator, Image, image_or_first
from .notebook import frames_html, shown_quietly
from .portal import ClosableFace, Face, blocking, iterating
from .remote import OfThisProcess
from .sample_cursor import AsyncSampleCursor
from .time import MediaTime, TimeLike

__all__ = ["AsyncFrames", "FrameSource", "Frames", "frame_count", "shown_times"]

F = TypeVar("F", bound="AsyncFrames")

#: More samples than any track has: a step by this number leads to an end.
_FAR = 2**31 - 1
#: The number of frames that a loop requests at a time, and their approximate bytes.
_MAXIMUM, _MAXIMUM_BYTES = 32, 32 << 20
#: The number of frames of them in a notebook.
_STRIP = 8


class FrameSource:
    """The source of a track's frames, and their number."""

    def __init__(
        self,
        generator: AsyncImageGenerator,
        count: int,
        format: protocol.ImageFormat,
        quality: float | None,
        times: Sequence[MediaTime] | None = None,
    ) -> None:
        """``times`` are those of the frames where the engine doesn't number them."""
        self.generator = generator
        self.format = format
        #: The number of frames.
        self.count = count
        self._quality = quality
        self._times = times
        #: The size of the last frame in bytes.
        self._size = 0

    def fitting(self, count: int) -> int:
        """At most ``count`` frames, limited to those that are not too much at a time."""
        return max(1, min(count, _MAXIMUM, _MAXIMUM_BYTES // max(1, self._size)))

    async def images(self, places: Sequence[int]) -> deque[Image]:
        """Frames in the order of their places; one that cannot be had has its ``error``."""
        made: dict[int, Image] = {}
        times, samples = self._times_of(places), places if self._times is None else None
        async for image in self.generator.images(
            times,
            samples=samples,
            format=self.format,
            quality=self._quality,
            delivery="shm",
            ordered=False,
        ):
            made[image.index] = image
        result: deque[Image] = deque()
        for index, place in enumerate(places):
            image = made.pop(index)
            if image.error is None:
                self._size = image.blob.size
            image.index = place
            result.append(image)
        return result

    async def warn_of_lack(self) -> None:
        """Warns if the file lacks frames after the last one: it is cut short or damaged there."""
        if self._times is not None:
            return
        after = self.generator.images(samples=[self.count], format="gray", delivery="shm")
        async for image in after:
            if image.error is not None and image.error.data.get("stage") == "read":
                warnings.warn(f"frames are missing: {image.error.message}", RuntimeWarning)

    def _times_of(self, places: Iterable[int]) -> list[MediaTime] | None:
        return None if self._times is None else [self._times[place] for place in places]

    async def array(self, places: Sequence[int]) -> Array:
        """Frames in the order of their places, as one array of pixels."""
        times = self._times_of(places)
        if times is not None:
            return await batch_at(self.generator, times, self.format)
        return await batch_of(self.generator, places, self.format)

    async def image_at(self, time: TimeLike) -> Image:
        """The frame that is shown at a time."""
        image = await image_or_first(
            self.generator, time, format=self.format, quality=self._quality, delivery="shm"
        )
        self._size = image.blob.size
        if self._times is None:
            image.index = -1 if image.sample_index is None else image.sample_index
        else:
            image.index = bisect.bisect(self._times, image.actual_time) - 1
        return image

    async def strip(self, places: Sequence[int]) -> ContactSheet:
        """Some frames in one picture."""
        times = self._times_of(places)
        if times is None:
            times = []
            for place in places:
                with _whole((await self.images([place])).popleft()) as image:
                    times.append(image.actual_time)
        return await self.generator.contact_sheet(
            len(places), times=times, tile_width=120, spacing=2, format="jpeg"
        )

    async def close(self) -> None:
        await self.generator.close()


async def frame_count(cursor: AsyncSampleCursor) -> int:
    """The number of a track's frames, by a cursor at any of its samples.

    Through the last one: a cursor may begin at a sample that is not presented.
    """
    await cursor.step(_FAR, "presentation")
    return 1 - await cursor.step(-_FAR, "presentation")


async def shown_times(reader: AsyncAssetReader) -> list[MediaTime]:
    """The presentation times of a reader's frames; the reader is closed after that."""
    times = []
    async with reader:
        async for sample in reader.outputs[0].samples():
            times.append(sample.presentation_time)
            sample.release()
    return times


def _whole(image: Image) -> Image:
    """An image, unless it has an error, which is raised."""
    if image.error is not None:
        raise image.error
    return image


def _begun(images: Coroutine[Any, Any, deque[Image]]) -> asyncio.Task[deque[Image]]:
    """A task for frames that may never be taken: its error isn't reported then."""
    task = asyncio.ensure_future(images)
    task.add_done_callback(lambda ended: ended.cancelled() or ended.exception())
    return task


class _AsyncLoop(AsyncIterator[Image]):
    """An iteration over frames that continues after one that can't be had."""

    def __init__(self, images: AsyncIterator[Image]) -> None:
        self._images = images

    async def __anext__(self) -> Image:
        return _whole(await self._images.__anext__())

    async def aclose(self) -> None:
        """Ends the iteration."""
        await self._images.aclose()  # type: ignore[attr-defined]


class _Loop(Iterator[Image]):
    """An iteration over frames that continues after one that can't be had."""

    def __init__(self, images: Iterator[Image]) -> None:
        self._images = images

    def __next__(self) -> Image:
        return _whole(next(self._images))

    def close(self) -> None:
        """Ends the iteration."""
        self._images.close()  # type: ignore[attr-defined]


class AsyncFrames(OfThisProcess):
    """The frames of a video: ``len``, ``await frames[i]``, slices, ``async for``.

    A frame is an ``Image``: ``Image.index`` is its place among all of the video. A slice makes
    no requests: it is a sequence itself, with the same engine objects. ``await frames[[3, 99]]``
    is one array of several frames, and so is ``await frames[10:200:10].to_ndarray()``.
    """

    def __init__(self, source: FrameSource, places: range) -> None:
        self._source = source
        self._places = places

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, index: int) -> Coroutine[Any, Any, Image]: ...
    @overload
    def __getitem__(self: F, index: slice) -> F: ...
    @overload
    def __getitem__(self, index: Iterable[int]) -> Coroutine[Any, Any, Array]: ...
    def __getitem__(
        self: F, index: int | slice | Iterable[int]
    ) -> F | Coroutine[Any, Any, Image] | Coroutine[Any, Any, Array]:
        if isinstance(index, slice):
            return type(self)(self._source, self._places[index])
        return self.several(index) if isinstance(index, Iterable) else self.get(index)

    async def get(self, index: int) -> Image:
        """The frame at a place, from the end when it is negative."""
        try:
            place = self._places[index]
        except IndexError:
            raise IndexError(f"there is no frame {index} among {len(self)}") from None
        return _whole((await self._source.images(range(place, place + 1))).popleft())

    async def several(self, indices: Iterable[int]) -> Array:
        """The frames at several places as one array of pixels, in the order of the places.

        Frames × rows × columns × components, for ``rgb24`` of ``uint8``; owned by the caller,
        writable. Each frame is decoded once, for any order and number of repetitions.
        """
        places = [self._places[index] for index in numbers_of(indices, len(self))]
        return await self._source.array(places)

    async def to_ndarray(self) -> Array:
        """All of them as one array of pixels: frames × rows × columns × components.

        Warns like ``images``.
        """
        array = await self.several(range(len(self)))
        await self._warn_of_lack()
        return array

    async def _warn_of_lack(self) -> None:
        last = self._source.count - 1
        if last < 0 or last in self._places:
            await self._source.warn_of_lack()

    async def at(self, time: TimeLike) -> Image:
        """The frame that is shown at a time of the video, also when it is not of this slice.

        At 0 it is the first one, also where that is shown later.
        """
        return await self._source.image_at(time)

    def images(self) -> AsyncIterator[Image]:
        """All frames; while the caller works on some, those that follow are being made.

        Raises the error of a frame that can't be decoded, ``DecodeFailedError``, in its place; the
        iterator continues with the next frame. A ``RuntimeWarning`` after the last frame of a file that is
        cut short states it.
        """
        return _AsyncLoop(self._each())

    async def _each(self) -> AsyncIterator[Image]:
        """All frames; one that can't be had has its ``error``."""
        source, rest = self._source, self._places
        step = 1
        task = _begun(source.images(rest[:step])) if rest else None
        rest = rest[step:]
        try:
            while task is not None:
                ready = await task
                task = None
                # The first is there soon; then more at a time, which is faster.
                step = source.fitting(step * 2)
                if rest:
                    task = _begun(source.images(rest[:step]))
                    rest = rest[step:]
                while ready:
                    yield ready.popleft()
            await self._warn_of_lack()
        finally:
            if task is not None:
                task.cancel()
                await asyncio.wait([task])

    def _shown_places(self) -> list[int]:
        """The numbers of those that a notebook shows, which are spread over all of them."""
        count = min(len(self), _STRIP)
        return [self._places[len(self) * step // count] for step in range(count)]

    async def _strip(self) -> ContactSheet:
        """A few of them in one picture."""
        return await self._source.strip(self._shown_places())

    def __aiter__(self) -> AsyncIterator[Image]:
        return self.images()

    @property
    def closed(self) -> bool:
        """True if it was closed."""
        return self._source.generator.closed

    async def close(self) -> None:
        """Releases the source of the frames, also of those of its slices; images stay."""
        await self._source.close()

    async def __aenter__(self: F) -> F:
        return self

    async def __aexit__(self, *_: Any) -> None:
        await self.close()

    def __repr__(self) -> str:
        count, whole = len(self), self._source.count
        part = "" if count == whole else f" of {whole}"
        closed = " closed" if self.closed else ""
        return f"<{type(self).__name__} {count}{part} {self._source.format}{closed}>"


class Frames(ClosableFace, Sequence[Image]):
    """The frames of a video: ``len``, ``frames[i]``, slices, ``for``.

    A frame is an ``Image``: ``Image.index`` is its place among all of the video. A slice makes
    no requests: it is a sequence itself, with the same engine objects. ``frames[[3, 99, 7]]``
    is one array of several frames, and so is ``numpy.asarray(frames[10:200:10])``.
    """

    _core: AsyncFrames

    get = blocking(AsyncFrames.get)
    several = blocking(AsyncFrames.several)
    to_ndarray = blocking(AsyncFrames.to_ndarray)
    at = blocking(AsyncFrames.at)
    _each = iterating(AsyncFrames._each)

    def __init__(self, parent: Face, core: AsyncFrames) -> None:
        Face.__init__(self, parent, core)

    def images(self) -> Iterator[Image]:
        """All frames; while the caller works on some, those that follow are being made.

        Raises the error of a frame that can't be decoded, ``DecodeFailedError``, in its place; the
        iterator continues with the next frame. A ``RuntimeWarning`` after the last frame of a file that is
        cut short states it.
        """
        return _Loop(self._each())

    def __len__(self) -> int:
        return len(self._core)

    @overload
    def __getitem__(self, index: int) -> Image: ...
    @overload
    def __getitem__(self, index: slice) -> Frames: ...
    @overload
    def __getitem__(self, index: Iterable[int]) -> Array: ...
    def __getitem__(self, index: int | slice | Iterable[int]) -> Image | Frames | Array:
        if isinstance(index, slice):
            return Frames(self, self._core[index])
        return self.several(index) if isinstance(index, Iterable) else self.get(index)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        if copy is False:
            raise ValueError("frames are an array only once they are decoded, which is a copy")
        return converted(self.to_ndarray(), dtype, None)

    def __iter__(self) -> Iterator[Image]:
        return self.images()

    def __reversed__(self) -> Iterator[Image]:
        return iter(self[::-1])

    @shown_quietly
    def _repr_html_(self) -> str | None:
        with self._portal.call(self._core._strip) as strip:
            return frames_html(self, strip, self._core._shown_places())
