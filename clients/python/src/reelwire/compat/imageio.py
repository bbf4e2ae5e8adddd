"""A plugin for imageio's third interface: ``imageio.v3.imread("a.mp4", plugin=ReelwirePlugin)``."""

from __future__ import annotations

import contextlib
import importlib
import os
import tempfile
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from .. import protocol
from ..asset import Asset
from ..asset_writer import AssetWriter
from ..engine import Engine
from ..errors import ReelwireError
from ..frame_data import is_picture, picture_form
from ..frames import Frames
from ..writer_inputs import RateLike, VideoInput
from .numbered_frames import FrameTimes, first_decodable, shared_engine

__all__ = ["ReelwirePlugin"]

Pixels = npt.NDArray[Any]


class ReelwirePlugin:
    """The frames of a video as imageio reads them, and a video of those that it writes.

    An image is a frame, by its number; ``...`` is all of them. A written video replaces a file of
    that name once it is complete, and not before.
    """

    _asset: Asset | None = None
    _writing: _Writing | None = None

    def __init__(self, request: Any, *, engine: Engine | None = None) -> None:
        """Raises imageio's ``InitializationError`` for a source that can't be read."""
        self._request = request
        self._engine = engine or shared_engine()
        self._frames: dict[str, Frames] = {}
        self._times: FrameTimes | None = None
        if request.mode.io_mode.value != "r":
            self._writing = _Writing(self._engine, request)
            return
        is_file = isinstance(request.filename, str) and os.path.isfile(request.filename)
        source = request.filename if is_file else request.get_file()
        try:
            self._asset = self._engine.open(source)
            self._of_format("rgb24")
        except ReelwireError as error:
            self._let_go()
            refused = importlib.import_module("imageio.core.request").InitializationError
            raise refused(str(error)) from error

    @property
    def request(self) -> Any:
        """The request that imageio got."""
        return self._request

    def _of_format(self, format: protocol.ImageFormat) -> Frames:
        if self._asset is None:
            raise ValueError("this file is being written")
        if format not in self._frames:
            self._frames[format] = self._asset.frames(format, aperture_mode="encodedPixels")
        return self._frames[format]

    def _number(self, index: int) -> int:
        count = len(self._of_format("rgb24"))
        if not -count <= index < count:
            raise ValueError(f"there is no frame {index} among {count}")
        return index % count

    def read(self, *, index: Any = ..., format: protocol.ImageFormat = "rgb24") -> Pixels:
        """The frame with a number, or for ``...`` all, as one array; ``ValueError`` without it."""
        frames = self._of_format(format)
        if index is None or index is ...:
            return frames.to_ndarray()
        with frames[self._number(index)] as image:
            return np.array(image.to_ndarray())

    def iter(self, *, format: protocol.ImageFormat = "rgb24") -> Iterator[Pixels]:
        """All frames, one after the other; those that follow are being made meanwhile."""
        images = self._of_format(format).images()
        with contextlib.closing(images):  # type: ignore[type-var]
            for image in images:
                with image:
                    yield np.array(image.to_ndarray())

    def properties(self, index: Any = ..., *, format: protocol.ImageFormat = "rgb24") -> Any:
        """The shape and the numbers of a frame, or for ``...`` of all, which aren't decoded."""
        frames = self._of_format(format)
        is_whole = index is None or index is ...
        with first_decodable(frames) if is_whole else frames[self._number(index)] as image:
            made = image.to_ndarray()
            shape, kind = tuple(made.shape), made.dtype
        properties = importlib.import_module("imageio.core.v3_plugin_api").ImageProperties
        if is_whole:
            count = len(frames)
            return properties((count, *shape), kind, n_images=count, is_batch=True)
        return properties(shape, kind)

    def metadata(self, index: Any = ..., exclude_applied: bool = True) -> dict[str, Any]:
        """The properties of the file, or of a frame: its time, its duration, whether it is a key frame.

        Unless ``exclude_applied``, that of the file has the ``transform`` by which frames are upright.
        """
        self._of_format("rgb24")
        assert self._asset is not None
        track = next(
            (each for each in self._asset.load_tracks("video") if each.is_enabled),
            self._asset.load_tracks("video")[0],
        )
        if index is not None and index is not ...:
            number = self._number(index)
            if self._times is None:
                with self._asset.sample_cursor(track) as cursor:
                    self._times = FrameTimes.of(cursor.samples("presentation"))
            start, end = self._times.starts[number], self._times.ends[number]
            is_key = number in self._times.keys
            return {"time": float(start), "duration": float(end - start), "key_frame": is_key}
        values = track.load("format_descriptions", "nominal_frame_rate", "preferred_transform")
        description: Any = next(iter(values["format_descriptions"] or ()), {})
        found = {str(item.common_key): item.value for item in self._asset.common_metadata}
        found["codec"] = description.get("codec")
        found["video_format"] = description.get("video", {}).get("pixelFormat")
        found["fps"] = values["nominal_frame_rate"]
        found["duration"] = self._asset.duration.seconds
        if not exclude_applied:
            found["transform"] = values["preferred_transform"]
        return found

    def write(
        self,
        ndimage: Any,
        *,
        is_batch: bool | None = None,
        fps: RateLike = 30,
        pixel_format: str | None = None,
        settings: Any = None,
    ) -> bytes | None:
        """Appends pictures: one, a list, or an array whose first dimension is that of the pictures.

        Without ``is_batch`` an array of (rows, columns), or of (rows, columns, 3 or 4), is one picture. ``fps``, ``pixel_format`` and ``settings`` are those of
        ``VideoInput``, and of the first call. The file is there once this is closed; for ``"<bytes>"`` it
        is returned, with all that was written.
        """
        if self._writing is None:
            raise ValueError("this file is being read")
        if is_batch is None:
            is_batch = not is_picture(ndimage)
        self._writing.append(ndimage if is_batch else [ndimage], fps, pixel_format, settings)
        if self._request.raw_uri != "<bytes>":
            return None
        self._writing.finish()
        with open(self._writing.path, "rb") as file:
            return file.read()

    def close(self) -> None:
        """Finishes the written video, and releases the file."""
        writing, self._writing = self._writing, None
        try:
            if writing is not None:
                writing.finish()
        finally:
            self._let_go()
            self._request.finish()

    def _let_go(self) -> None:
        for each in [*self._frames.values(), self._asset]:
            if each is not None:
                each.close()
        self._frames, self._asset = {}, None

    def __enter__(self) -> ReelwirePlugin:
        return self

    def __exit__(self, kind: Any, *_: Any) -> None:
        if kind is not None and self._writing is not None:
            self._writing.cancel()
        self.close()


class _Writing:
    """A file that is being written, in a folder of its own next to where it is to be."""

    def __init__(self, engine: Engine, request: Any) -> None:
        self._engine = engine
        #: The path of the new file.
        self.path = os.path.abspath(request.get_local_filename())
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._writer: AssetWriter | None = None

    def append(
        self, pictures: Any, fps: RateLike, pixel_format: str | None, settings: Any
    ) -> None:
        """Appends pictures; the first decides the size of all."""
        for picture in pictures:
            picture = np.ascontiguousarray(picture)
            if self._writer is None:
                form = picture_form(picture)
                size, known = (form.width, form.height), pixel_format or form.pixel_format
                video = VideoInput(size, known, frame_rate=fps, settings=settings)
                parent, name = os.path.split(self.path)
                self._folder = tempfile.TemporaryDirectory(prefix=".reelwire-", dir=parent)
                self._writer = self._engine.asset_writer(
                    os.path.join(self._folder.name, name), video=video
                )
            self._writer.video.append(picture)

    def finish(self) -> None:
        """Ends the file, which is there then."""
        if self._writer is None:
            return
        with contextlib.ExitStack() as ending:
            assert self._folder is not None
            ending.callback(self._folder.cleanup)
            ending.callback(self._writer.close)
            writer, self._writer = self._writer, None
            os.replace(os.fspath(writer.finish()), self.path)

    def cancel(self) -> None:
        """Discards the written video."""
        if self._writer is not None and self._folder is not None:
            self._writer.close()
            self._folder.cleanup()
        self._writer = None
