"""The frames of a video as a sequence of images."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Coroutine, Iterator, Sequence
from typing import Any, TypeVar, overload

from . import protocol
from .blob import DeliveryLike
from .image_generator import AsyncImageGenerator, Image, image_or_first
from .portal import ClosableFace, Face, blocking, iterating
from .remote import OfThisProcess
from .sample_cursor import AsyncSampleCursor
from .time import MediaTime, TimeLike

__all__ = ["AsyncFrames", "FrameSource", "Frames", "frames_of"]

F = TypeVar("F", bound="AsyncFrames")

#: Further than any track is long: a step by as many samples leads to an end.
_FAR = 2**31 - 1
#: How many times are asked for at once.
_BLOCK = 512
#: How many frames a loop asks for at a time, and about how many bytes.
_MAXIMUM, _MAXIMUM_BYTES = 32, 32 << 20


class FrameSource:
    """What makes the frames of a track: its times by a cursor, its images by a generator."""

    def __init__(
        self,
        generator: AsyncImageGenerator,
        cursor: AsyncSampleCursor,
        format: protocol.ImageFormat,
        quality: float | None,
    ) -> None:
        self.generator = generator
        self.format = format
        #: The number of frames.
        self.count = 0
        self._quality = quality
        self._cursor = cursor
        self._turn = asyncio.Lock()
        #: The presentation times by the number of their block.
        self._blocks: dict[int, list[MediaTime]] = {}
        #: The size of the last frame in bytes.
        self._size = 0

    async def measure(self) -> None:
        """Finds out how many frames there are."""
        async with self._turn:
            self.count = 1 + await self._rewind()

    async def _rewind(self) -> int:
        """Goes to the first frame; how many there are behind it.

        By way of the last one: a cursor may begin at a sample that is not shown, and counts from
        there.
        """
        await self._cursor.step(_FAR, "presentation")
        return -await self._cursor.step(-_FAR, "presentation")

    async def time(self, place: int) -> MediaTime:
        """When a frame is presented."""
        number, rest = divmod(place, _BLOCK)
        async with self._turn:
            if number not in self._blocks:
                cursor = self._cursor
                await self._rewind()
                await cursor.step(number * _BLOCK, "presentation")
                samples, _ = await cursor.read(_BLOCK, "presentation")
                self._blocks[number] = [sample.presentation_time for sample in samples]
            return self._blocks[number][rest]

    def delivery(self, count: int) -> DeliveryLike:
        """Shared memory, unless the caller holds a good part of it: then copies, which are free."""
        transport = self.generator.transport
        held = sum(lent.size for lent in transport.lent.values())
        room = transport.shared_memory_limit // 4
        return "shm" if held + count * self._size < room else "inline"

    def fitting(self, count: int) -> int:
        """So many frames, or as many as are not too much at a time."""
        return max(1, min(count, _MAXIMUM, _MAXIMUM_BYTES // max(1, self._size)))

    async def images(self, places: range) -> deque[Image]:
        """Frames in the order of their places; raises the error of one that cannot be had."""
        times = [await self.time(place) for place in places]
        made: dict[int, Image] = {}
        async for image in self._made(times):
            made[image.index] = image
        result: deque[Image] = deque()
        for index, place in enumerate(places):
            image = made.pop(index)
            self._size = image.blob.size  # Raises what is wrong with it.
            image.index = place
            result.append(image)
        return result

    def _made(self, times: list[MediaTime]) -> AsyncIterator[Image]:
        return self.generator.images(
            times, format=self.format, quality=self._quality, delivery=self.delivery(len(times))
        )

    async def image_at(self, time: TimeLike) -> Image:
        """The frame that is shown at a time."""
        image = await image_or_first(
            self.generator,
            time,
            format=self.format,
            quality=self._quality,
            delivery=self.delivery(1),
        )
        self._size = image.blob.size
        image.index = -1 if image.sample_index is None else image.sample_index
        return image

    async def close(self) -> None:
        await self._cursor.close()
        await self.generator.close()


class AsyncFrames(OfThisProcess):
    """The frames of a video: ``len``, ``await frames[i]``, slices, ``async for``.

    A frame is an ``Image`` whose ``index`` is its place among all of the video. A slice makes
    nothing: it is a sequence itself, with the same engine objects behind it.
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
    def __getitem__(self: F, index: int | slice) -> F | Coroutine[Any, Any, Image]:
        if isinstance(index, slice):
            return type(self)(self._source, self._places[index])
        return self.get(index)

    async def get(self, index: int) -> Image:
        """The frame at a place, from the end when it is negative."""
        try:
            place = self._places[index]
        except IndexError:
            raise IndexError(f"there is no frame {index} among {len(self)}") from None
        return (await self._source.images(range(place, place + 1))).popleft()

    async def at(self, time: TimeLike) -> Image:
        """The frame that is shown at a time of the video, also when it is not of this slice.

        At 0 it is the first one, also where that is shown later.
        """
        return await self._source.image_at(time)

    async def images(self) -> AsyncIterator[Image]:
        """All frames; while the caller works on some, those that follow are being made."""
        source, rest = self._source, self._places
        step = 1
        task = asyncio.ensure_future(source.images(rest[:step])) if rest else None
        rest = rest[step:]
        try:
            while task is not None:
                ready = await task
                task = None
                # The first is there soon; then more at a time, which is faster.
                step = source.fitting(step * 2)
                if rest:
                    task = asyncio.ensure_future(source.images(rest[:step]))
                    rest = rest[step:]
                while ready:
                    yield ready.popleft()
        finally:
            if task is not None:
                task.cancel()
                await asyncio.wait([task])
                if not task.cancelled():
                    task.exception()

    def __aiter__(self) -> AsyncIterator[Image]:
        return self.images()

    @property
    def closed(self) -> bool:
        """Whether it was closed."""
        return self._source.generator.closed

    async def close(self) -> None:
        """Lets go of what makes the frames, also those of its slices; images stay."""
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


async def frames_of(source: FrameSource) -> AsyncFrames:
    """All frames of a source."""
    try:
        await source.measure()
    except BaseException:
        await source.close()
        raise
    return AsyncFrames(source, range(source.count))


class Frames(ClosableFace, Sequence[Image]):
    """The frames of a video: ``len``, ``frames[i]``, slices, ``for``.

    A frame is an ``Image`` whose ``index`` is its place among all of the video. A slice makes
    nothing: it is a sequence itself, with the same engine objects behind it.
    """

    _core: AsyncFrames

    get = blocking(AsyncFrames.get)
    at = blocking(AsyncFrames.at)
    images = iterating(AsyncFrames.images)

    def __init__(self, parent: Face, core: AsyncFrames) -> None:
        Face.__init__(self, parent, core)

    def __len__(self) -> int:
        return len(self._core)

    @overload
    def __getitem__(self, index: int) -> Image: ...
    @overload
    def __getitem__(self, index: slice) -> Frames: ...
    def __getitem__(self, index: int | slice) -> Image | Frames:
        if isinstance(index, slice):
            return Frames(self, self._core[index])
        return self.get(index)

    def __iter__(self) -> Iterator[Image]:
        return self.images()

    def __reversed__(self) -> Iterator[Image]:
        return iter(self[::-1])
