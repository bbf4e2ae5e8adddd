"""Outputs of capture sessions: files, samples and photos."""

from __future__ import annotations

import contextlib
import os
from collections.abc import AsyncIterator, Iterator
from typing import TYPE_CHECKING, Any, cast

from . import protocol
from .calls import BlockingCaptureOutputCalls, CaptureOutputCalls
from .errors import EngineClosedError, HandleClosedError, UnknownHandleError, WorkerDiedError
from .level_observer import AsyncLevelObserver, LevelObserver
from .playback import Events
from .portal import RemoteFace, blocking, iterating, making
from .recording import AsyncRecording, Recording, RecordingOptions, begun
from .remote import Remote, given
from .sample_buffer import SampleBuffer
from .time import MediaTime, TimeLike
from .transport import Transport
from .wire import time_to_wire
from .work import finished, require_success

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .capture_session import AsyncCaptureSession

__all__ = ["AsyncCaptureOutput", "CaptureOutput", "Photo"]

_REASONS = ("late", "outOfBuffers", "discontinuity")
#: The notification after which nothing comes.
_STOP = "captureSession/didStop"


class Photo(SampleBuffer):
    """A photo: ``photo.save("a.jpg")``, or ``numpy.asarray(photo)`` of one whose format is of pixels."""

    __slots__ = ()

    def __init__(self, wire: Any, owner: Remote, room: int | None = None) -> None:
        buffer = {
            "presentationTime": wire["time"],
            "duration": {"value": 0, "timescale": 1},
            "numSamples": 1,
            "attachments": {},
            **{name: wire[name] for name in ("image", "blob") if name in wire},
        }
        super().__init__(cast(protocol.SampleBuffer, buffer), owner, None, room)

    @property
    def time(self) -> MediaTime:
        """The frame's time on the session's clock."""
        return self.presentation_time


class AsyncCaptureOutput(CaptureOutputCalls):
    """An output of a capture session; ``async for`` returns the samples of one that isn't a file."""

    def __init__(
        self,
        session: AsyncCaptureSession,
        handle: str,
        type: protocol.CaptureOutputType,
        max_outstanding: int = 3,
    ) -> None:
        super().__init__(session.transport, handle)
        #: The use of the output.
        self.type = type
        #: The numbers of samples that it has missed so far, by the reason.
        self.dropped: dict[str, int] = dict.fromkeys(_REASONS, 0)
        self._session = session
        self._is_of_loop = False
        self._pushes = type == "preview"
        #: The number of frames that the caller may hold: one lease is left for the next one. Audio has no such limit.
        self._limit = None if type == "audioData" else max_outstanding - 1
        self._room = self._limit
        self._is_ending = False
        self._is_removed = False
        self._events = Events()
        self._recording: AsyncRecording | None = None
        self._level_observers: list[AsyncLevelObserver] = []
        self.transport.playback.add(handle, self)

    def _deliver(self, method: str, params: Any) -> None:
        if self._is_ending:
            self.transport.give_back(params)
        elif method == "captureOutput/didOutput":
            self._events.put(method, params)
        elif method == "captureOutput/didMeasureLevels":
            for observer in self._level_observers:
                observer._deliver(method, params)

    def _fail(self, error: Exception) -> None:
        self._events.end(error)
        for observer in self._level_observers:
            observer._end(error)

    def _keep_frames(self) -> None:
        """Makes its frames the caller's own, and those that still come: the engine is about to end their leases."""
        self._room = 0
        self.transport.shared_memory.detach(self)

    def _was_not_removed(self) -> None:
        """The request is refused that would have ended their leases."""
        self._room = 0 if self._is_ending else self._limit

    def _was_removed(self) -> None:
        """The session has it no more."""
        self._is_removed = True
        self._end()
        self._end_levels()

    def _end(self) -> None:
        """Ends the loops over it, before its leases end or after that."""
        self._is_ending = True
        self._events.end(HandleClosedError("the output is closed", hint="Add another one."))
        for params in self._events.untaken():
            self.transport.give_back(params)
        self._keep_frames()

    def _session_did_stop(self, run: int, error: Exception | None) -> None:
        """Ends the loops over it: nothing comes any more of this run of the session."""
        self._end_levels(error)
        if self._pushes and not self._is_ending:
            self._events.put(_STOP, {"run": run, "error": error})

    def _end_levels(self, error: Exception | None = None) -> None:
        """Ends the loops over levels, with the error because of which none come any more."""
        end = error or HandleClosedError(
            "the session has stopped", hint="Start it, and observe it again."
        )
        while self._level_observers:
            self._level_observers.pop()._end(end)

    async def record(
        self, output: str | os.PathLike[str], **options: Unpack[RecordingOptions]
    ) -> AsyncRecording:
        """Starts a recording into a new file. A running one ends without losing a sample."""
        recording = await begun(self, output, options)
        if self._recording is not None:
            self._recording._is_replaced = True
        self._recording = recording
        return recording

    async def next(self, max_count: int = 1, *, timeout: float = 1) -> list[SampleBuffer]:
        """The waiting samples, or the next one within ``timeout`` seconds; none is not an error.

        On a manual clock it doesn't wait.
        """
        return (await self._pulled(max_count, timeout))[0]

    async def _pulled(self, max_count: int, timeout: float) -> tuple[list[SampleBuffer], bool]:
        params = given(
            captureOutput=self.handle, maxCount=max_count, timeoutMs=round(timeout * 1000)
        )
        result = await self._request("captureOutput/nextSampleBuffers", params)
        self._count(result["dropped"])
        return self._buffers(result), result["isRunning"]

    def _buffers(self, wire: Any) -> list[SampleBuffer]:
        return [SampleBuffer(buffer, self, None, self._room) for buffer in wire["sampleBuffers"]]

    def _count(self, dropped: Any) -> None:
        for reason in _REASONS:
            self.dropped[reason] += dropped[reason]

    async def samples(self) -> AsyncIterator[SampleBuffer]:
        """The samples as they are captured, until the session stops; on a manual clock the waiting ones.

        The error that has stopped the session is raised.
        """
        try:
            while True:
                if self._pushes:
                    try:
                        method, params = await self._events.next()
                    except HandleClosedError:
                        return
                    if method == _STOP:
                        if params["run"] != self._session._run:
                            continue
                        if params["error"] is not None:
                            raise params["error"]
                        return
                    self._count(params["dropped"])
                    buffers, is_running = self._buffers(params), True
                else:
                    buffers, is_running = await self._pulled(1, 1)
                is_last = not buffers and (self._session.clock == "manual" or not is_running)
                # Nothing here refers to one that the caller doesn't use any more.
                while buffers:
                    yield buffers.pop(0)
                if is_last and not is_running and self._session.error is not None:
                    raise self._session.error
                if is_last:
                    return
        finally:
            if self._is_of_loop:
                await self.close()

    def __aiter__(self) -> AsyncIterator[SampleBuffer]:
        return self.samples()

    async def photo(
        self,
        format: protocol.ImageFormat | None = None,
        *,
        quality: float | None = None,
        width: int | None = None,
        delivery: protocol.VideoOutputDelivery | None = None,
    ) -> Photo:
        """Takes the next frame of a ``photo`` output; the format is ``jpeg`` when left out.

        On a manual clock it waits until another task has moved that to the frame.
        """
        params = given(
            captureOutput=self.handle,
            format=format,
            quality=quality,
            width=width,
            delivery=delivery,
        )
        end = await finished(self, "captureOutput/capturePhoto", params)
        require_success(end, "the photo")
        return Photo(end, self, 0 if self._is_ending else None)

    async def observe_levels(self, interval: TimeLike | None = None) -> AsyncLevelObserver:
        """An observer of the levels of audio, which come each 50 ms, or each ``interval``, from 10 ms on.

        Loop over it: the end of the session ends the loop, and its error is raised. Where there are several of one output, the last
        interval is that of all.
        """
        observer = AsyncLevelObserver(self)
        # The first levels may come with the answer.
        self._level_observers.append(observer)
        try:
            params = given(captureOutput=self.handle, interval=time_to_wire(interval))
            await self._request("captureOutput/observeLevels", params)
        except BaseException:
            self._level_observers.remove(observer)
            raise
        return observer

    async def _observed_no_more(self, observer: AsyncLevelObserver) -> None:
        if observer in self._level_observers:
            self._level_observers.remove(observer)
        if not self._level_observers:
            params = given(captureOutput=self.handle, isObserving=False)
            await self._request("captureOutput/observeLevels", params)

    async def close(self) -> None:
        """Takes the output from its session; a recording ends. Closing again does nothing."""
        if self._closed:
            return
        self._end_levels()
        session = self._session
        # Its leases end with it; the frames stay with the caller.
        self._end()
        # Its handle may have ended with the session, or with a worker process.
        with contextlib.suppress(UnknownHandleError, EngineClosedError, WorkerDiedError):
            if not (self._is_removed or session.closed) and self.transport.is_alive:
                params = {"captureSession": session.handle, "changes": [{"remove": self.handle}]}
                await self._request("captureSession/configure", cast(Any, params))
        await super().close()


class CaptureOutput(BlockingCaptureOutputCalls, RemoteFace):
    """An output of a capture session; ``for`` returns the samples of one that isn't a file."""

    _core: AsyncCaptureOutput

    record = making(AsyncCaptureOutput.record, Recording)
    next = blocking(AsyncCaptureOutput.next)
    samples = iterating(AsyncCaptureOutput.samples)
    photo = blocking(AsyncCaptureOutput.photo)
    observe_levels = making(AsyncCaptureOutput.observe_levels, LevelObserver)

    @property
    def type(self) -> protocol.CaptureOutputType:
        """The use of the output."""
        return self._core.type

    @property
    def dropped(self) -> dict[str, int]:
        """The numbers of samples that it has missed so far, by the reason."""
        return self._core.dropped

    def __iter__(self) -> Iterator[SampleBuffer]:
        return self.samples()
