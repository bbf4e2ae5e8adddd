"""Pictures that this process draws for the engine: effects with NumPy, OpenCV or Pillow."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Callable

from . import protocol
from .errors import ReelwireError
from .local_failures import report_local_failure
from .picture_maps import PictureArray, PictureMaps
from .time import MediaTime

if TYPE_CHECKING:
    from .transport import Transport

__all__ = ["CompositionFrame", "Compositor", "Compositors"]

_log = logging.getLogger("reelwire")


class CompositionFrame:
    """A picture to draw. Its arrays lie in shared memory, and are to be used during the call only."""

    def __init__(self, wire: protocol.VideoCompositionComposeFrame, maps: PictureMaps) -> None:
        #: The presentation time.
        self.time = MediaTime.of(wire["compositionTime"])
        #: The instruction of that time, unchanged.
        self.instruction: protocol.VideoCompositionInstruction = wire["instruction"]
        #: The tracks' frames at that time, by their IDs, the one on top first; not to be written to.
        self.sources: dict[int, PictureArray] = {}
        #: The start times of the tracks' frames.
        self.source_times: dict[int, MediaTime] = {}
        for source in wire["sources"]:
            self.sources[source["trackID"]] = maps.picture(source["image"], source["blob"])
            self.source_times[source["trackID"]] = MediaTime.of(source["time"])
        target = wire["target"]
        #: The frame to draw: all of it is to be written.
        self.target: PictureArray = maps.picture(
            target["image"], target["blob"], is_writable=True
        )
        #: The pixel format of all of them, such as ``"rgb24"``.
        self.pixel_format: str = target["image"]["pixelFormat"]

    def __repr__(self) -> str:
        return f"<CompositionFrame at {self.time} of tracks {list(self.sources)}>"


#: Draws a picture into its ``target``, or returns it as an array.
Compositor = Callable[[CompositionFrame], Any]


class Compositors:
    """The renderer of the frames that an engine requests: one after the other, on a separate thread."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self._function: Compositor | None = None
        self._maps = PictureMaps()
        self._worker: ThreadPoolExecutor | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    @contextlib.contextmanager
    def using(self, function: Compositor) -> Iterator[None]:
        """Draws with a function until the end of the block."""
        before, self._function = self._function, function
        try:
            yield
        finally:
            self._function = before

    def deliver(self, wire: protocol.VideoCompositionComposeFrame) -> None:
        """Takes a request, which comes on the event loop."""
        if self._worker is None:
            self._worker = ThreadPoolExecutor(1, thread_name_prefix="reelwire-compositor")
        loop = asyncio.get_running_loop()
        drawn = loop.run_in_executor(self._worker, self._draw, wire)
        task = loop.create_task(self._answer(wire["request"], drawn))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _draw(self, wire: protocol.VideoCompositionComposeFrame) -> None:
        """On the thread that draws."""
        if self._function is None:
            raise TypeError("no compositor is in use: `with engine.compositor(function):`")
        frame = CompositionFrame(wire, self._maps)
        result = self._function(frame)
        if result is None or result is frame.target:
            return
        if isinstance(frame.target, tuple):
            for plane, part in zip(frame.target, result):
                plane[...] = part
        else:
            frame.target[...] = result

    async def _answer(self, request: int, drawn: asyncio.Future[None]) -> None:
        answer: dict[str, Any] = {"request": request}
        try:
            await drawn
        except Exception as error:
            _log.debug("a picture can't be drawn", exc_info=error)
            answer["error"] = {"message": report_local_failure(error)}
        try:
            await self._transport.send_request("videoComposition/finishFrame", answer)
        except ReelwireError as error:
            _log.debug("a picture can't be delivered: %s", error)

    def end(self) -> None:
        """The engine has ended."""
        if self._worker is not None:
            self._worker.shutdown(wait=False, cancel_futures=True)
            self._worker = None
