"""Capture sessions: cameras, microphones and screens into files, samples and photos."""

from __future__ import annotations

import os
import weakref
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, Union

from . import protocol
from .calls import BlockingCaptureSessionCalls, CaptureOutputLevels, CaptureSessionCalls
from .capture_output import AsyncCaptureOutput, CaptureOutput, Photo
from .errors import DeviceNotConnectedError, ReelwireError, error_from_wire
from .level_observer import AsyncLevelObserver, LevelObserver
from .playback import Ending
from .portal import RemoteFace, blocking, making
from .recording import AsyncRecording, Recording, RecordingOptions
from .remote import Remote, given
from .time import TimeLike
from .transport import Transport
from .work import finished

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = [
    "AsyncCaptureSession",
    "CaptureConfiguration",
    "CaptureMaking",
    "CaptureSession",
    "DeviceLike",
]

#: A device: its ID, true or ``"default"`` for the default one, or the members of a change that adds it.
DeviceLike = Union[str, bool, "protocol.CaptureChangeInput", None]

#: The types of files that hold audio alone, by their extensions.
_AUDIO_FILES = ("wav", "flac", "m4a", "mp3", "ogg", "oga", "opus", "aac", "mka")


class CaptureConfiguration(NamedTuple):
    """The result of ``configure`` of a capture session."""

    #: The inputs that were added.
    inputs: list[str]
    #: The outputs that were added.
    outputs: list[AsyncCaptureOutput]
    #: All connections of the session.
    connections: list[protocol.CaptureConnection]
    #: The formats of all inputs.
    resolved: list[protocol.ResolvedFormat]


class AsyncCaptureSession(CaptureSessionCalls):
    """A capture session: ``async with await engine.capture(synthetic=True) as session:``."""

    def __init__(self, transport: Transport, handle: str, clock: protocol.CaptureClock) -> None:
        super().__init__(transport, handle)
        #: The clock, which all of its times are on.
        self.clock = clock
        #: The reason if it has stopped automatically; ``None`` otherwise.
        self.error: ReelwireError | None = None
        #: True while it runs.
        self.is_running = False
        #: True while an input brings nothing.
        self.is_interrupted = False
        self._ending = Ending()
        #: The number of its starts.
        self._run = 0
        self._outputs: dict[str, AsyncCaptureOutput] = {}
        self._roles: dict[str, AsyncCaptureOutput] = {}
        #: Those of loops, too, whose frames stay with the caller.
        self._all_outputs: weakref.WeakSet[AsyncCaptureOutput] = weakref.WeakSet()
        transport.playback.add(handle, self)

    def _deliver(self, method: str, params: Any) -> None:
        if method == "captureSession/didFail":
            self.error = error_from_wire(params["error"])
        elif method == "captureSession/didStop":
            self._did_stop()
        elif method == "captureSession/didChange":
            self.is_running = params.get("isRunning", self.is_running)
            self.is_interrupted = params.get("isInterrupted", self.is_interrupted)

    def _did_stop(self) -> None:
        self._ending.reach()
        for output in list(self._all_outputs):
            output._session_did_stop(self._run, self.error)

    def _fail(self, error: Exception) -> None:
        self.is_running = False
        self._ending.fail(error)

    async def wait_until_stopped(self, timeout: float | None = None) -> None:
        """Waits until it has stopped, also automatically, as when its last device is unplugged.

        ``error`` is the reason. Raises ``TimeoutError`` after ``timeout`` seconds.
        """
        await self._ending.wait(self, timeout)

    async def close(self) -> None:
        """Ends its recordings, stops it, and lets go of its devices."""
        for output in list(self._all_outputs):
            output._end()
        await super().close()
        self._ending.wake()
        for output in list(self._all_outputs):
            output._session_did_stop(self._run, None)

    async def start(self) -> None:
        """Starts all inputs. Raises the reason if it fails."""
        self._ending.postpone()
        self._run += 1
        self.error = None
        end = await finished(self, "captureSession/start", {"captureSession": self.handle})
        if (error := end.get("error")) is not None:
            raise error_from_wire(error)

    async def stop(self) -> None:
        """Ends recordings and stops all inputs."""
        await finished(self, "captureSession/stop", {"captureSession": self.handle})
        self._did_stop()

    async def configure(
        self, changes: Iterable[protocol.CaptureChangeInput], *, dry_run: bool = False
    ) -> CaptureConfiguration:
        """Changes inputs, outputs and connections: all changes, or none; also while it runs.

        ``[{"add": "input", "device": "synthetic:1"}, {"add": "output", "type": "movieFile"}]``.
        ``dry_run`` returns the result without making the changes.
        """
        asked = list(changes)
        params = given(captureSession=self.handle, changes=asked, dryRun=dry_run)
        removed = set() if dry_run else {change["remove"] for change in asked if "remove" in change}
        leaving = [output for output in self._all_outputs if output._handle in removed]
        for output in leaving:
            output._keep_frames()
        try:
            result = await self.transport.playback.made_all(
                "captureSession/configure", params, "outputs"
            )
        except BaseException:
            for output in leaving:
                output._was_not_removed()
            raise
        added = [change for change in asked if change.get("add") == "output"]
        outputs = [
            self._made(handle, change) for handle, change in zip(result["outputs"], added)
        ]
        for output in leaving:
            self._outputs.pop(output._handle, None)
            output._was_removed()
        return CaptureConfiguration(
            result["inputs"], outputs, result["connections"], result["resolved"]
        )

    def _made(self, handle: str, change: protocol.CaptureChangeInput) -> AsyncCaptureOutput:
        output = AsyncCaptureOutput(self, handle, change["type"], change.get("maxOutstanding", 3))
        output._pushes = change.get("mode", "pull") == "push" or output.type == "preview"
        self._outputs[handle] = output
        self._all_outputs.add(output)
        return output

    async def add_output(
        self,
        type: protocol.CaptureOutputType,
        *,
        settings: protocol.CaptureSettingsInput | None = None,
        mode: protocol.VideoOutputMode | None = None,
        max_outstanding: int | None = None,
        always_discards_late_video_frames: bool | None = None,
    ) -> AsyncCaptureOutput:
        """Adds an output: a ``movieFile`` that records, ``videoData`` that is looped over …"""
        change = given(
            add="output",
            type=type,
            settings=settings,
            mode=mode,
            maxOutstanding=max_outstanding,
            alwaysDiscardsLateVideoFrames=always_discards_late_video_frames,
        )
        return (await self.configure([change])).outputs[0]

    async def record(
        self, output: str | os.PathLike[str], **options: Unpack[RecordingOptions]
    ) -> AsyncRecording:
        """Records all inputs into a new file: ``record("out.mp4")``, until ``stop()`` of the returned recording.

        If such a recording is running already, it ends, and no sample is lost between them.
        """
        extension = os.path.splitext(os.fspath(output))[1][1:]
        kind = str(options.get("file_type") or extension).lower()
        role: protocol.CaptureOutputType = "audioFile" if kind in _AUDIO_FILES else "movieFile"
        return await (await self._role(role)).record(output, **options)

    async def frames(
        self,
        *,
        width: int | None = None,
        height: int | None = None,
        pixel_format: protocol.ImageFormat = "rgb24",
        max_frame_rate: float | None = None,
    ) -> AsyncCaptureOutput:
        """The frames as they are captured: ``numpy.asarray(frame)`` of each is an array.

        Loop over the result: the newest frame is next, and its ``dropped`` counts the missed ones. The end
        of the loop ends the output; frames that are in use stay.
        """
        settings: Any = given(
            width=width, height=height, pixelFormat=pixel_format, maxFrameRate=max_frame_rate
        )
        return await self._looped("videoData", settings)

    async def audio(
        self,
        *,
        sample_rate: int | None = None,
        channels: int | None = None,
        sample_format: str | None = None,
    ) -> AsyncCaptureOutput:
        """The audio as it is captured: ``numpy.asarray(block)`` of each is frames × channels.

        Loop over the result. Up to two seconds of it are queued.
        """
        settings: Any = given(
            sampleRate=sample_rate, channels=channels, sampleFormat=sample_format
        )
        return await self._looped("audioData", settings)

    async def _looped(self, type: protocol.CaptureOutputType, settings: Any) -> AsyncCaptureOutput:
        output = await self.add_output(type, settings=settings or None)
        # The loop's own, and not the session's: an output that isn't looped over any more is closed.
        del self._outputs[output.handle]
        output._is_of_loop = True
        return output

    async def photo(
        self,
        format: protocol.ImageFormat | None = None,
        *,
        quality: float | None = None,
        width: int | None = None,
    ) -> Photo:
        """Takes the next frame as a photo, a JPEG file unless there is a format."""
        return await (await self._role("photo")).photo(format, quality=quality, width=width)

    async def levels(self) -> CaptureOutputLevels:
        """The levels of the audio over the last 50 ms; without channels before the first sample."""
        return await (await self._role("audioFile")).levels()

    async def observe_levels(self, interval: TimeLike | None = None) -> AsyncLevelObserver:
        """An observer of the levels of the audio, which come each 50 ms, or each ``interval``.

        Loop over it: ``async for levels in observer``, until the session stops. The error that has stopped
        it is raised.
        """
        return await (await self._role("audioFile")).observe_levels(interval)

    async def _role(self, type: protocol.CaptureOutputType) -> AsyncCaptureOutput:
        """The session's own output of a type, which is added when it is first needed."""
        output = self._roles.get(type)
        if output is None or output.closed or output.handle not in self._outputs:
            output = self._roles[type] = await self.add_output(type)
        return output


class CaptureMaking:
    """The part of an engine that makes capture sessions."""

    async def capture(
        self,
        *,
        camera: DeviceLike = None,
        microphone: DeviceLike = None,
        screen: DeviceLike = None,
        synthetic: bool | protocol.CaptureSettingsInput | None = None,
        preset: protocol.CapturePreset | None = None,
        clock: protocol.CaptureClock | None = None,
        start: bool = True,
    ) -> AsyncCaptureSession:
        """Makes a capture session of devices, and starts it: ``capture(camera=True, microphone=True)``.

        A device is ``True`` for the default one, an ID of ``devices()``, or a change that adds an input.
        ``synthetic`` is a device that is there everywhere, or the settings of one. With the clock ``manual``
        time moves by ``advance_clock``.
        """
        engine: Any = self
        changes: list[Any] = []
        devices: dict[protocol.CaptureMediaType, DeviceLike] = {
            "video": camera,
            "audio": microphone,
            "screen": screen,
        }
        for kind, device in devices.items():
            if device is not None and device is not False:
                changes.append(await _addition(engine, kind, device))
        if synthetic is not None and synthetic is not False:
            settings = dict(synthetic) if isinstance(synthetic, Mapping) else None
            changes.append(given(add="input", device="synthetic:1", settings=settings))
        transport: Transport = engine.transport
        params = given(preset=preset, clock=clock)
        handle = await transport.playback.make("captureSession/create", params, "captureSession")
        session = AsyncCaptureSession(transport, handle, clock or "host")
        try:
            if changes:
                await session.configure(changes)
            if start and changes:
                await session.start()
        except BaseException:
            await session.close()
            raise
        return session


async def _addition(engine: Any, kind: protocol.CaptureMediaType, device: DeviceLike) -> Any:
    """A change that adds an input of a device."""
    if isinstance(device, Mapping):
        return {"add": "input", **device}
    if isinstance(device, str) and device != "default":
        return {"add": "input", "device": device}
    found: protocol.CaptureDevicesResult = await engine.devices(media_type=kind)
    there = [each for each in found["devices"] if each["transport"] != "synthetic"]
    if not there:
        what = {"video": "camera", "audio": "microphone", "screen": "screen"}[kind]
        reasons = "; ".join(each["reason"] for each in found["unavailable"])
        raise DeviceNotConnectedError(
            f"there is no {what}", code=-11814, hint=reasons or "Choose one of engine.devices()."
        )
    chosen = next((each for each in there if each["isDefault"]), there[0])
    return {"add": "input", "device": chosen["uniqueID"]}


class CaptureSession(BlockingCaptureSessionCalls, RemoteFace):
    """A capture session: ``with engine.capture(synthetic=True) as session:``."""

    _core: AsyncCaptureSession

    start = blocking(AsyncCaptureSession.start)
    stop = blocking(AsyncCaptureSession.stop)
    wait_until_stopped = blocking(AsyncCaptureSession.wait_until_stopped)
    add_output = making(AsyncCaptureSession.add_output, CaptureOutput)
    record = making(AsyncCaptureSession.record, Recording)
    frames = making(AsyncCaptureSession.frames, CaptureOutput)
    audio = making(AsyncCaptureSession.audio, CaptureOutput)
    photo = blocking(AsyncCaptureSession.photo)
    levels = blocking(AsyncCaptureSession.levels)
    observe_levels = making(AsyncCaptureSession.observe_levels, LevelObserver)

    def configure(
        self, changes: Iterable[protocol.CaptureChangeInput], *, dry_run: bool = False
    ) -> CaptureConfiguration:
        """Changes inputs, outputs and connections: all changes, or none; also while it runs.

        ``[{"add": "input", "device": "synthetic:1"}, {"add": "output", "type": "movieFile"}]``.
        ``dry_run`` returns the result without making the changes.
        """
        made = self._portal.call(self._core.configure, changes, dry_run=dry_run)
        outputs: Any = [CaptureOutput(self, output) for output in made.outputs]
        return made._replace(outputs=outputs)

    @property
    def clock(self) -> protocol.CaptureClock:
        """The clock, which all of its times are on."""
        return self._core.clock

    @property
    def error(self) -> ReelwireError | None:
        """The reason if it has stopped automatically; ``None`` otherwise."""
        return self._core.error

    @property
    def is_running(self) -> bool:
        """True while it runs."""
        return self._core.is_running

    @property
    def is_interrupted(self) -> bool:
        """True while an input brings nothing."""
        return self._core.is_interrupted
