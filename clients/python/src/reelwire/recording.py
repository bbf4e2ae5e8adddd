"""Recordings of capture outputs: their growing files, and their results."""

from __future__ import annotations

import asyncio
import contextlib
import os
from typing import TYPE_CHECKING, Any, TypedDict, TypeVar

from . import protocol
from .blob import absolute_path
from .errors import OperationNotAllowedError, ReelwireError, error_from_wire
from .metadata import MetadataLike, metadata_to_wire
from .operation import Operation
from .portal import ClosableFace, blocking
from .remote import OfThisProcess, given, refuse_unknown, snake_to_camel
from .time import MediaTime, TimeLike
from .wire import time_to_wire

if TYPE_CHECKING:
    from .calls import CaptureOutputCalls, CaptureOutputRecordingState

__all__ = ["AsyncRecording", "Recording", "RecordingOptions", "RecordingResult"]

R = TypeVar("R", bound="AsyncRecording")


class RecordingOptions(TypedDict, total=False):
    """The options of a recording; absent ones have the engine's default."""

    #: The type of the file, where its extension isn't that of one.
    file_type: str
    #: The encoding of video; ``None`` omits it.
    video: protocol.VideoTreatment | None
    #: The encoding of audio; ``None`` omits it.
    audio: protocol.AudioTreatment | None
    metadata: MetadataLike
    #: The duration at which it ends, exactly.
    max_recorded_duration: TimeLike
    #: The bytes that the file has at most.
    max_recorded_file_size: int
    #: The bytes that stay free on the disk.
    min_free_disk_space_limit: int
    #: The time between two fragments; ``"invalid"`` for a file that is complete or absent.
    movie_fragment_interval: TimeLike


async def begun(
    output: CaptureOutputCalls, file: str | os.PathLike[str], options: RecordingOptions
) -> AsyncRecording:
    """A recording of an output into a new file."""
    members: dict[str, Any] = dict(options)
    refuse_unknown("a recording", members, RecordingOptions.__annotations__)
    settings = {name: members.pop(name) for name in ("video", "audio") if name in members}
    for name in ("max_recorded_duration", "movie_fragment_interval"):
        if (time := members.get(name)) is not None:
            members[name] = time if time == "invalid" else time_to_wire(time)
    members["metadata"] = metadata_to_wire(members.get("metadata"))
    params = {snake_to_camel(name): value for name, value in members.items()}
    path = absolute_path(file, "a recording")
    wire = given(
        captureOutput=output.handle, outputURL=path, settings=settings or None, **params
    )
    operation = await output.transport.start("captureOutput/startRecording", wire)
    return AsyncRecording(output, operation, path)


class RecordingResult:
    """The result of a recording whose file can be used."""

    def __init__(self, wire: protocol.CaptureOutputDidFinishRecording) -> None:
        #: The file.
        self.path: str = wire["outputURL"]
        self.status: protocol.RecordingStatus = wire["status"]
        #: The duration of the longest track.
        self.duration = MediaTime.of(wire["recordedDuration"])
        #: In bytes.
        self.size: int = wire["recordedFileSize"]
        #: The samples of each track that were written, dropped and inserted; and by how much its device's clock is fast.
        self.tracks: list[protocol.RecordedTrack] = wire["tracks"]
        #: True if it is a movie that isn't in fragments.
        self.is_plain_movie: bool = wire["isPlainMovie"]
        #: The metadata, pixels and channels that the file can't hold, each with its ``reason``.
        self.losses: list[protocol.Dropped] = wire.get("dropped") or []
        error = wire.get("error")
        #: The reason if it has ended automatically, such as at a limit; ``None`` if it was stopped.
        self.error: ReelwireError | None = error_from_wire(error) if error else None

    @property
    def dropped(self) -> int:
        """The number of frames and samples of all tracks that are missing, for any reason."""
        return sum(
            track["dropped"]["late"]
            + track["dropped"]["outOfBuffers"]
            + track["dropped"]["discontinuity"]
            for track in self.tracks
        )

    def __repr__(self) -> str:
        state = f" {type(self.error).__name__}" if self.error else ""
        return f"<RecordingResult {self.path!r} {self.duration} {self.size} bytes{state}>"


class AsyncRecording(OfThisProcess):
    """A running recording: ``await recording.stop()`` ends it. So does the end of an ``async with``."""

    def __init__(self, output: CaptureOutputCalls, operation: Operation, path: str) -> None:
        #: The file, which is there from the first sample on.
        self.path = path
        #: The time of the session's clock that is its zero, as far as it is known.
        self.start_time: MediaTime | None = None
        #: True if another recording of the output has replaced it.
        self._is_replaced = False
        self._output = output
        self._operation = operation
        self._end: Any = None
        self._turn = asyncio.Lock()
        self._closed = False

    @property
    def done(self) -> bool:
        """True if the recording has ended."""
        return self._operation.ended

    @property
    def closed(self) -> bool:
        """True if it was closed."""
        return self._closed

    async def pause(self) -> None:
        """Skips the samples that are captured from now on, of all tracks alike."""
        await self._output.pause_recording()

    async def resume(self) -> None:
        """Continues after a pause, in the same file."""
        await self._output.resume_recording()

    async def stop(self) -> RecordingResult:
        """Ends the recording, and waits for the end of its file; the samples that were captured until now are in it.

        If the recording has ended automatically, or another one has replaced it, it only waits.
        Raises the reason if the file isn't usable.
        """
        if not (self.done or self._is_replaced):
            # It may have ended automatically: at a limit, or with its device.
            with contextlib.suppress(OperationNotAllowedError):
                await self._output.stop_recording()
        return await self.result()

    async def result(self) -> RecordingResult:
        """Waits until the recording has ended, automatically or by ``stop()`` of another task."""
        async with self._turn:
            while self._end is None:
                method, params = await self._operation.next()
                if method == "captureOutput/didStartRecording":
                    self.start_time = MediaTime.of(params["startTime"])
                elif method == self._operation.terminal:
                    self._end = params
        if not self._end["recordingSuccessfullyFinished"]:
            error = self._end.get("error")
            raise error_from_wire(error) if error else ReelwireError("the recording has failed")
        return RecordingResult(self._end)

    async def state(self) -> CaptureOutputRecordingState:
        """One moment of it: its duration and its size so far."""
        return await self._output.recording_state()

    async def close(self) -> None:
        """Ends the recording, and ignores its errors. Closing again does nothing."""
        if not self._closed:
            self._closed = True
            await self.stop()

    async def __aenter__(self: R) -> R:
        return self

    async def __aexit__(self, *_: Any) -> None:
        await self.close()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.path!r}{' done' if self.done else ''}>"


class Recording(ClosableFace):
    """A running recording: ``recording.stop()`` ends it. So does the end of a ``with``."""

    _core: AsyncRecording

    pause = blocking(AsyncRecording.pause)
    resume = blocking(AsyncRecording.resume)
    stop = blocking(AsyncRecording.stop)
    result = blocking(AsyncRecording.result)
    state = blocking(AsyncRecording.state)

    @property
    def path(self) -> str:
        """The file, which is there from the first sample on."""
        return self._core.path

    @property
    def start_time(self) -> MediaTime | None:
        """The time of the session's clock that is its zero, as far as it is known."""
        return self._core.start_time

    @property
    def done(self) -> bool:
        """True if the recording has ended."""
        return self._core.done
