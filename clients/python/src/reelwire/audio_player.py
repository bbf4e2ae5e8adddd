"""Players of the audio of one file or asset."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypedDict, Union, cast

from . import protocol
from .asset import Asset, AsyncAsset
from .blob import absolute_path
from .calls import AudioPlayerCalls, AudioPlayerMeters, BlockingAudioPlayerCalls
from .errors import error_from_wire
from .media_bytes import MediaLike
from .playback import Ending
from .player import Advance, AudioDevice
from .portal import RemoteFace, blocking
from .remote import Remote, given, refuse_unknown, snake_to_camel
from .time import MediaTime, TimeLike
from .transport import Transport
from .wire import time_to_wire

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = [
    "AsyncAudioPlayer",
    "AudioPlayer",
    "AudioPlayerMaking",
    "AudioPlayerOptions",
    "AudioSource",
]

#: A source of an audio player: a path or anything else that can be opened, or an asset.
AudioSource = Union[MediaLike, AsyncAsset, Asset]


class AsyncAudioPlayer(AudioPlayerCalls):
    """A player of audio: ``async with await engine.audio_player("a.wav") as player:``."""

    def __init__(self, transport: Transport, handle: str, duration: MediaTime) -> None:
        super().__init__(transport, handle)
        #: The duration of one pass.
        self.duration = duration
        #: The levels that were reported last, each ``meter_interval``; ``None`` before the first ones.
        self.levels: AudioPlayerMeters | None = None
        self._ending = Ending()
        #: The objects that were made for it, and are closed with it.
        self._made: list[Remote] = []
        transport.playback.add(handle, self)

    @property
    def _request(self) -> protocol.AsyncRequest:
        return cast(protocol.AsyncRequest, self._ask)

    async def _ask(self, method: str, params: Mapping[str, Any] | None = None) -> Any:
        # The notification that it plays comes after the answer, which the caller has by then.
        leave_end = (lambda _: self._ending.postpone()) if method.endswith("/play") else None
        return await self.transport.send_request(method, params, leave_end)

    def _deliver(self, method: str, params: Any) -> None:
        if method == "audioPlayer/didMeter":
            self.levels = AudioPlayerMeters(MediaTime.of(params["hostTime"]), params["channels"])
            return
        if method == "audioPlayer/didFinishPlaying":
            if (error := params.get("error")) is not None:
                self._ending.fail(error_from_wire(error))
            else:
                self._ending.reach()
        elif params["changes"].get("status") == "failed":
            self._ending.fail(error_from_wire(params["changes"]["error"]))
        elif params["changes"].get("isPlaying"):
            self._ending.postpone()

    def _fail(self, error: Exception) -> None:
        self._ending.fail(error)

    async def wait_until_ended(self, timeout: float | None = None) -> None:
        """Waits until all passes have been played.

        Raises the reason if it fails, and ``TimeoutError`` after ``timeout`` seconds.
        """
        await self._ending.wait(self, timeout)

    async def advance(self, by: TimeLike | None = None, *, to: TimeLike | None = None) -> Advance:
        """Moves a manual clock by a time, or to one: all that is due until then has happened afterwards."""
        params = given(audioPlayer=self.handle, by=time_to_wire(by), to=time_to_wire(to))
        result: protocol.AudioPlayerAdvanceClockResult = await self._request(
            "audioPlayer/advanceClock", params
        )
        return Advance(
            MediaTime.of(result["hostTime"]),
            MediaTime.of(result["time"]),
            result["revision"],
            result["notifications"],
        )

    async def close(self) -> None:
        """Ends the player, and the objects that were opened only for it; waiting callers are woken."""
        await super().close()
        self._ending.wake()
        while self._made:
            await self._made.pop().close()


class AudioPlayerOptions(TypedDict, total=False):
    """The options of a new audio player; absent ones have the engine's default."""

    #: ``"audio"``, ``"host"``, or ``"manual"``, which ``advance`` moves.
    clock: protocol.PlayerClock
    #: The destination of audio: a device, ``{"kind": "none"}``, or ``None`` for the default.
    audio_device: AudioDevice
    #: A new WAV file for the audio; it gets its name by ``finish_audio_file``.
    audio_file: str | os.PathLike[str]
    #: The passes after the first one; -1 for passes without an end.
    number_of_loops: int
    #: From -1, left, to 1, right.
    pan: float
    volume: float
    enable_rate: bool
    #: From 0.5 to 2, where ``enable_rate`` is true.
    rate: float
    is_metering_enabled: bool
    #: The time between two reports of ``levels``.
    meter_interval: TimeLike


class AudioPlayerMaking:
    """The part of an engine that makes audio players."""

    async def audio_player(
        self, source: AudioSource, **options: Unpack[AudioPlayerOptions]
    ) -> AsyncAudioPlayer:
        """Makes a player of the audio of a file or an asset: ``audio_player("a.wav")``; ``play()`` starts it."""
        members: dict[str, Any] = dict(options)
        refuse_unknown("an audio player", members, AudioPlayerOptions.__annotations__)
        if (file := members.pop("audio_file", None)) is not None:
            members["audio_device"] = {"kind": "file", "path": absolute_path(file, "an audio file")}
        if (interval := members.pop("meter_interval", None)) is not None:
            members["meter_interval"] = time_to_wire(interval)
        engine: Any = self
        made: list[Remote] = []
        asset = source._core if isinstance(source, Asset) else source
        if not isinstance(asset, AsyncAsset):
            asset = await engine.open(asset)
            made.append(asset)
        params = {snake_to_camel(name): value for name, value in members.items()}
        params |= given(asset=asset.handle)
        transport: Transport = engine.transport
        try:
            result = await transport.playback.made("audioPlayer/create", params, "audioPlayer")
        except BaseException:
            while made:
                await made.pop().close()
            raise
        duration = MediaTime.of(result["duration"])
        player = AsyncAudioPlayer(transport, result["audioPlayer"], duration)
        player._made = made
        return player


class AudioPlayer(BlockingAudioPlayerCalls, RemoteFace):
    """A player of audio: ``with engine.audio_player("a.wav") as player:``."""

    _core: AsyncAudioPlayer

    advance = blocking(AsyncAudioPlayer.advance)
    wait_until_ended = blocking(AsyncAudioPlayer.wait_until_ended)

    @property
    def duration(self) -> MediaTime:
        """The duration of one pass."""
        return self._core.duration

    @property
    def levels(self) -> AudioPlayerMeters | None:
        """The levels that were reported last, each ``meter_interval``; ``None`` before the first ones."""
        return self._core.levels
