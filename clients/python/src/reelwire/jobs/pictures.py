"""The common base of thumbnails and frames: the making of images, and their outputs."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ..image_generator import AsyncImageGenerator, Image
from .finished_files import write_picture
from .job import JobContext
from .output_paths import is_per_image, output_path, output_template
from .threads import last_in_thread
from .values import EncodedImage

__all__ = ["encoded", "generated", "picture_output", "placed"]


def picture_output(output: str | os.PathLike[str] | None, is_one: bool) -> str | None:
    """The template of pictures' files; a ``ValueError`` where several would have the same name."""
    if output is None:
        return None
    template = output_template(output, has_index=True)
    if not is_one and not is_per_image(template):
        raise ValueError(f"{str(output)!r} is one file: several need {{index}}, or {{index:03}}")
    return template


async def generated(
    generator: AsyncImageGenerator, format: Any, quality: float | None, **wanted: Any
) -> list[EncodedImage]:
    """The pictures of times or samples, in the order in which they are wanted."""
    made: list[EncodedImage] = []
    images = generator.images(format=format, quality=quality, delivery="shm", **wanted)
    try:
        async for image in images:
            made.append(encoded(image))
    finally:
        await images.aclose()  # type: ignore[attr-defined]
    return sorted(made, key=lambda image: image.index)


def encoded(image: Image) -> EncodedImage:
    """A picture with bytes of its own, so that shared memory is free for the next."""
    if image.error is not None:
        return EncodedImage(image.index, image.requested_time, error=image.error)
    made = EncodedImage(
        index=image.index,
        requested_time=image.requested_time,
        actual_time=image.actual_time,
        sample_index=image.sample_index,
        is_exact=image.is_exact,
        width=image.width,
        height=image.height,
        format=image.format,
        data=bytes(image.data),
    )
    image.release()
    return made


async def placed(
    images: Sequence[EncodedImage], template: str | None, context: JobContext
) -> list[EncodedImage]:
    """The pictures as files, where a job has an output; after an error none of them is new."""
    if template is None:
        return list(images)
    stopped = threading.Event()
    return await last_in_thread(_written, images, template, context, stopped, stop=stopped.set)


def _written(
    images: Sequence[EncodedImage], template: str, context: JobContext, stopped: threading.Event
) -> list[EncodedImage]:
    result: list[EncodedImage] = []
    new: list[str] = []
    try:
        for image in images:
            if image.data is None:
                result.append(image)
                continue
            if stopped.is_set():
                raise InterruptedError("the job was cancelled")
            path = output_path(template, context.path, image.index)
            if write_picture(path, context.local(path), image.data):
                new.append(context.local(path))
            result.append(replace(image, data=None, path=path))
    except BaseException:
        for local in new:
            with contextlib.suppress(OSError):
                os.unlink(local)
        raise
    return result
