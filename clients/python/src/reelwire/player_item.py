"""A player's presentation of an asset."""

from __future__ import annotations

import weakref
from collections.abc import Iterable, Mapping
from typing import Any, Callable, TypedDict, cast

from . import protocol
from .asset import AsyncAsset
from .calls import BlockingPlayerItemCalls, PlayerItemCalls
from .errors import error_from_wire
from .portal import Face, RemoteFace, blocking, making
from .remote import OWN, given, refuse_unknown, snake_to_camel, unless_own
from .time import MediaTime, TimeLike
from .transport import Transport
from .video_output import PLAYER_LEFT, AsyncVideoOutput, VideoOutput
from .wire import time_to_wire

__all__ = ["AsyncPlayerItem", "ItemOptions", "PlayerItem", "face", "new_item"]


#: The engine's default of the leases that an output may have outstanding.
_OUTSTANDING = 3


class AsyncPlayerItem(PlayerItemCalls):
    """The presentation of an asset in a player: which tracks, how loud, composed how, from where to where."""

    def __init__(self, transport: Transport, handle: str, asset: AsyncAsset) -> None:
        super().__init__(transport, handle)
        #: The asset that it presents.
        self.asset = asset
        self._outputs: weakref.WeakSet[AsyncVideoOutput] = weakref.WeakSet()
        self._players: weakref.WeakSet[Any] = weakref.WeakSet()
        #: The player that it was given to last.
        self._player: Callable[[], Any] = lambda: None
        #: True if it isn't in that any more.
        self._has_left = False
        #: The error because of which it can't be played.
        self._failure: Exception | None = None
        #: True if it was played to its end, and stayed there.
        self._is_at_end = False
        transport.playback.add(handle, self)

    def _deliver(self, method: str, params: Any) -> None:
        if method == "playerItem/didChange" and "status" in params["changes"]:
            error = params["changes"].get("error")
            self._failure = None if error is None else error_from_wire(error)
        if method in ("playerItem/didPlayToEndTime", "playerItem/didJump"):
            self._is_at_end = method == "playerItem/didPlayToEndTime"
        for listener in [*self._outputs, *self._players]:
            listener._deliver(method, params)

    def _fail(self, error: Exception) -> None:
        """Its outputs and players hear of it by themselves."""

    def _did_leave(self, player: Any) -> None:
        """Ends the loops over its pictures if that was its player: none are due before it is in one again."""
        if self._player() is player:
            self._has_left = True
            for output in list(self._outputs):
                output._deliver(PLAYER_LEFT, {})

    @property
    def _request(self) -> protocol.AsyncRequest:
        return cast(protocol.AsyncRequest, self._ask)

    async def _ask(self, method: str, params: Mapping[str, Any] | None = None) -> Any:
        return await self.transport.send_request(
            method, params, lambda result: self._note(method, result)
        )

    def _note(self, method: str, result: Any) -> None:
        """Notes that a step has left the end: the notification of that comes later than the answer."""
        player = self._player()
        if method.endswith("/step") and result["stepped"] and player is not None:
            player._leave_end()

    @property
    def _is_without_player(self) -> bool:
        """True if it isn't in the player that it was given to last, or that is closed."""
        player = self._player()
        return self._has_left or player is None or bool(player.closed)

    @property
    def _manual_player(self) -> Any:
        """Its player, if the clock of that is moved by the caller; ``None`` otherwise."""
        player = self._player()
        return player if player is not None and player._is_manual and not player.closed else None

    async def set(
        self,
        *,
        enabled_track_ids: Iterable[int] | None = OWN,
        video_composition: Mapping[str, Any] | None = OWN,
        audio_mix: Mapping[str, Any] | None = OWN,
        audio_time_pitch_algorithm: protocol.AudioTimePitchAlgorithm | None = None,
        forward_playback_end_time: TimeLike | None = None,
        reverse_playback_end_time: TimeLike | None = None,
    ) -> None:
        """Changes settings, at once and without a jump of time.

        ``None`` for a composition or mix is none, and for tracks those that are enabled in the file. An end time of
        ``"invalid"`` is that of the asset.
        """
        if enabled_track_ids is not OWN and enabled_track_ids is not None:
            enabled_track_ids = list(enabled_track_ids)
        params = given(
            playerItem=self.handle,
            audioTimePitchAlgorithm=audio_time_pitch_algorithm,
            forwardPlaybackEndTime=time_to_wire(forward_playback_end_time),
            reversePlaybackEndTime=time_to_wire(reverse_playback_end_time),
        ) | unless_own(
            enabledTrackIDs=enabled_track_ids,
            videoComposition=video_composition,
            audioMix=audio_mix,
        )
        await self._request("playerItem/set", params)

    async def video_output(
        self,
        *,
        pixel_format: protocol.ImageFormat | None = None,
        width: int | None = None,
        height: int | None = None,
        mode: protocol.VideoOutputMode | None = None,
        delivery: protocol.VideoOutputDelivery | None = None,
        quality: float | None = None,
        max_outstanding: int | None = None,
        aperture_mode: protocol.ApertureMode | None = None,
        dynamic_range_policy: protocol.DynamicRangePolicy | None = None,
    ) -> AsyncVideoOutput:
        """Makes an output of its pictures; ``bgra`` in shared memory unless something else is stated."""
        params = given(
            playerItem=self.handle,
            pixelFormat=pixel_format,
            width=width,
            height=height,
            mode=mode,
            delivery=delivery,
            quality=quality,
            maxOutstanding=max_outstanding,
            apertureMode=aperture_mode,
            dynamicRangePolicy=dynamic_range_policy,
        )
        handle = await self.transport.playback.make("videoOutput/create", params, "videoOutput")
        output = AsyncVideoOutput(self.transport, handle, self, max_outstanding or _OUTSTANDING)
        self._outputs.add(output)
        if self._failure is not None:
            # It sends no pictures, and reports that only once.
            output._fail(self._failure)
        elif self._has_left:
            output._deliver(PLAYER_LEFT, {})
        return output

    async def close(self) -> None:
        """Lets go of the item, and of its outputs, whose loops end; their frames stay. Closing again does nothing."""
        for output in list(self._outputs):
            output._end()
        await super().close()


class ItemOptions(TypedDict, total=False):
    """The options of a new item; absent ones have the engine's default."""

    #: The tracks that are presented; by default those that are enabled in the file.
    enabled_track_ids: Iterable[int]
    #: The video composition; ``None`` for none, even if the asset has its own.
    video_composition: Mapping[str, Any] | None
    #: The volumes of the tracks; ``None`` for their own volume.
    audio_mix: Mapping[str, Any] | None
    audio_time_pitch_algorithm: protocol.AudioTimePitchAlgorithm
    #: The time at which it begins.
    initial_time: TimeLike
    #: Its ends, played forward and backward.
    forward_playback_end_time: TimeLike
    reverse_playback_end_time: TimeLike
    #: The duration that is decoded ahead.
    preferred_forward_buffer_duration: TimeLike


async def new_item(asset: AsyncAsset, options: ItemOptions) -> AsyncPlayerItem:
    """Makes an item of an asset."""
    members: dict[str, Any] = dict(options)
    refuse_unknown("an item", members, ItemOptions.__annotations__)
    params: dict[str, Any] = {"asset": asset.handle}
    if (tracks := members.pop("enabled_track_ids", None)) is not None:
        params["enabledTrackIDs"] = list(tracks)
    for name, value in members.items():
        is_time = name.endswith(("_time", "_duration"))
        params[snake_to_camel(name)] = MediaTime.of(value).to_wire() if is_time else value
    transport = asset.transport
    handle = await transport.playback.make("playerItem/create", params, "playerItem")
    return AsyncPlayerItem(transport, handle, asset)


class PlayerItem(BlockingPlayerItemCalls, RemoteFace):
    """The presentation of an asset in a player: which tracks, how loud, composed how, from where to where."""

    _core: AsyncPlayerItem

    set = blocking(AsyncPlayerItem.set)
    video_output = making(AsyncPlayerItem.video_output, VideoOutput)

    @property
    def duration(self) -> MediaTime:
        """Its duration, ``indefinite`` until a player has loaded it."""
        return self.state().duration


def face(parent: Face, core: AsyncPlayerItem) -> PlayerItem:
    """The sync face of an item."""
    return PlayerItem(parent, core)
