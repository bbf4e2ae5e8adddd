"""Many pictures as one array."""

from __future__ import annotations

import operator
from collections.abc import Coroutine, Hashable, Iterable, Sequence
from typing import Any, Callable, Generic, TypeVar

from . import protocol
from .arrays import Array, picture_forms
from .errors import NoImageAtTimeError
from .image_generator import AsyncImageGenerator, Image
from .time import MediaTime, TimeLike

__all__ = ["batch_at", "batch_of", "numbers_of"]

H = TypeVar("H", bound=Hashable)
#: Raises an error for an inexact image that isn't of the wanted frame.
Requirement = Callable[[Image], Coroutine[Any, Any, None]]


def numbers_of(numbers: Iterable[Any], count: int) -> list[int]:
    """Places among ``count`` frames, from the end where they are negative."""
    result = []
    for number in numbers:
        if isinstance(number, bool):
            raise TypeError("frames are chosen by their numbers, not by True and False")
        place = operator.index(number)
        if not -count <= place < count:
            raise IndexError(f"there is no frame {place} among {count}")
        result.append(place % count)
    return result


async def batch_of(
    generator: AsyncImageGenerator, samples: Sequence[int], format: protocol.ImageFormat
) -> Array:
    """The frames with these numbers in the order of the numbers."""
    return await _Batch(generator, samples, format).filled(lambda wanted: {"samples": wanted})


async def batch_at(
    generator: AsyncImageGenerator,
    times: Iterable[TimeLike],
    format: protocol.ImageFormat,
    requirement: Requirement | None = None,
) -> Array:
    """The frames that are shown at these times, in the order of the times."""
    wanted = [MediaTime.of(time) for time in times]
    return await _Batch(generator, wanted, format, requirement).filled(lambda wanted: {"times": wanted})


class _Batch(Generic[H]):
    """One array of pictures that come in any order: each goes to its places, and is let go of."""

    def __init__(
        self,
        generator: AsyncImageGenerator,
        wanted: Sequence[H],
        format: protocol.ImageFormat,
        requirement: Requirement | None = None,
    ) -> None:
        if len(picture_forms(format)) != 1:
            raise TypeError(f"pictures as {format} are no array: take rgb24, gray or the like")
        self._generator = generator
        self._format = format
        self._count = len(wanted)
        self._requirement = requirement
        #: The positions of each wanted frame in the array, which may be several.
        self._places: dict[H, list[int]] = {}
        for place, each in enumerate(wanted):
            self._places.setdefault(each, []).append(place)

    async def filled(self, request: Callable[[list[H]], Any]) -> Array:
        """The array, by the arguments of ``images`` for the wanted frames."""
        wanted = list(self._places)
        images = self._generator.images(
            **request(wanted), format=self._format, delivery="shm", ordered=False
        )
        result: Array | None = None
        try:
            async for image in images:
                key = wanted[image.index]
                shown = await self._shown(image)
                result = self._array(result, shown)
                first, *others = self._places[key]
                result[first] = shown.to_ndarray()
                for other in others:
                    result[other] = result[first]
                shown.release()
        finally:
            await images.aclose()  # type: ignore[attr-defined]
        return self._array(None, await self._first()) if result is None else result

    async def _shown(self, image: Image) -> Image:
        """The image of the wanted frame, if no other has replaced it."""
        # Where no frame may be shown yet, the first is.
        if isinstance(image.error, NoImageAtTimeError) and image.requested_time == 0:
            return await self._first()
        if image.error is None and not image.is_exact and self._requirement is not None:
            await self._requirement(image)
        return image

    async def _first(self) -> Image:
        return await self._generator.image(format=self._format, delivery="shm")

    def _array(self, known: Array | None, image: Image) -> Array:
        """The array, which the first picture decides the form of."""
        picture = image.to_ndarray()
        if known is None:
            import numpy

            return numpy.empty((self._count, *picture.shape), picture.dtype)
        if picture.shape != known.shape[1:]:
            shapes = sorted((known.shape[1:], picture.shape))
            sizes = [f"{shape[1]} × {shape[0]}" for shape in shapes]
            raise ValueError(
                f"the frames are {sizes[0]} and {sizes[1]}, which is no one array: ask for them one "
                "by one"
            )
        return known
