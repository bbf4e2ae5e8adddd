"""Recorders of the audio of one device into one file."""

from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING, Any

from . import protocol
from .blob import absolute_path
from .calls import AudioRecorderCalls, BlockingAudioRecorderCalls
from .errors import OperationNotAllowedError, ReelwireError, error_from_wire
from .portal import RemoteFace, blocking
from .remote import given
from .time import MediaTime, TimeLike
from .wire import time_to_wire

if TYPE_CHECKING:
    from .operation import Operation
    from .transport import Transport

__all__ = ["AsyncAudioRecorder", "AudioRecorder", "AudioRecorderMaking", "RecordedAudio"]


class RecordedAudio:
    """The result of a recorder."""

    def __init__(self, path: str, wire: protocol.AudioRecorderDidFinishRecording) -> None:
        #: The file.
        self.path = path
        #: The duration of its content.
        self.duration = MediaTime.of(wire["recordedDuration"])
        #: The channels that the file can't hold, each with its ``reason``.
        self.losses: list[protocol.Dropped] = wire.get("dropped") or []
        error = wire.get("error")
        #: The reason if it wasn't completed, such as a device that was unplugged; ``None`` otherwise.
        self.error: ReelwireError | None = error_from_wire(error) if error else None

    @property
    def successfully(self) -> bool:
        """True if the recording was completed as requested."""
        return self.error is None

    def __repr__(self) -> str:
        state = f" {type(self.error).__name__}" if self.error else ""
        return f"<RecordedAudio {self.path!r} {self.duration}{state}>"


class AsyncAudioRecorder(AudioRecorderCalls):
    """A recorder of audio: ``async with await engine.audio_recorder("a.wav") as recorder:``."""

    def __init__(self, transport: Transport, handle: str, path: str) -> None:
        super().__init__(transport, handle)
        #: The file that it makes.
        self.path = path
        self._end: _End | None = None

    async def record(
        self, *, at_host_time: TimeLike | None = None, for_duration: TimeLike | None = None
    ) -> None:
        """Starts recording, or continues after a pause.

        ``at_host_time`` is the time of the clock of the first sample, and after ``for_duration`` it stops
        automatically. An existing file is never replaced.
        """
        params = given(
            audioRecorder=self.handle,
            atHostTime=time_to_wire(at_host_time),
            forDuration=time_to_wire(for_duration),
        )
        # A continued recording has the end of the paused one.
        self._end = _End(await self.transport.start("audioRecorder/record", params))

    async def stop(self) -> RecordedAudio | None:
        """Completes the file, releases the device, and returns the result of the recording.

        That is ``None`` if nothing has been recorded yet. Raises the error of a recording whose
        file is empty.
        """
        await self._request("audioRecorder/stop", given(audioRecorder=self.handle))
        return None if self._end is None else await self.wait_until_finished()

    async def wait_until_finished(self, timeout: float | None = None) -> RecordedAudio:
        """Waits until the recording has ended, such as after its duration, and returns its result.

        Raises the error of one whose file is empty, and ``TimeoutError`` after ``timeout`` seconds.
        """
        if self._end is None:
            raise OperationNotAllowedError(
                "nothing has been recorded", code=-11862, hint="Start it with record()."
            )
        recorded = RecordedAudio(self.path, await asyncio.wait_for(self._end.params(), timeout))
        if recorded.error is not None and recorded.duration == MediaTime(0, 1):
            raise recorded.error
        return recorded


class _End:
    """The end of an operation, which is read once, for any number of waiting callers."""

    def __init__(self, operation: Operation) -> None:
        self._operation = operation
        self._taken: Any = None
        self._turn = asyncio.Lock()

    async def params(self) -> protocol.AudioRecorderDidFinishRecording:
        async with self._turn:
            while self._taken is None:
                method, params = await self._operation.next()
                if method == self._operation.terminal:
                    self._taken = params
        end: protocol.AudioRecorderDidFinishRecording = self._taken
        return end


class AudioRecorderMaking:
    """The part of an engine that makes recorders of audio."""

    async def audio_recorder(
        self,
        output: str | os.PathLike[str],
        device: str | None = None,
        *,
        settings: protocol.AudioEncoding | None = None,
        clock: protocol.CaptureClock | None = None,
        device_settings: protocol.CaptureSettingsInput | None = None,
    ) -> AsyncAudioRecorder:
        """Makes a recorder of audio into a new file: ``audio_recorder("a.wav")``; ``record()`` starts it.

        ``device`` is an ID of ``devices("audio")``, else the default microphone; a device of this machine needs
        ``allow_capture``, and ``"synthetic:1"`` is there everywhere. The type of the file is that of its
        extension, and ``settings`` are how audio is encoded, such as ``{"codec": "aac"}``. Nothing is made
        or opened before ``prepare_to_record()`` or ``record()``.
        """
        engine: Any = self
        path = absolute_path(output, "a recording")
        params = given(
            url=path, device=device, settings=settings, clock=clock, deviceSettings=device_settings
        )
        transport: Transport = engine.transport
        made: protocol.AudioRecorderCreateResult = await transport.request(
            "audioRecorder/create", params
        )
        return AsyncAudioRecorder(transport, made["audioRecorder"], path)


class AudioRecorder(BlockingAudioRecorderCalls, RemoteFace):
    """A recorder of audio: ``with engine.audio_recorder("a.wav") as recorder:``."""

    _core: AsyncAudioRecorder

    record = blocking(AsyncAudioRecorder.record)
    stop = blocking(AsyncAudioRecorder.stop)
    wait_until_finished = blocking(AsyncAudioRecorder.wait_until_finished)

    @property
    def path(self) -> str:
        """The file that it makes."""
        return self._core.path
