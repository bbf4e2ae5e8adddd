"""The making of players and of their items, from files, assets and items."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, TypedDict, Union

from . import protocol
from .asset import Asset, AsyncAsset
from .blob import absolute_path
from .media_bytes import MediaLike
from .player import AsyncPlayer, AudioDevice
from .player_item import AsyncPlayerItem, ItemOptions, PlayerItem, new_item
from .remote import Remote, refuse_unknown, snake_to_camel

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = ["PlayerMaking", "PlayerOptions", "PlayerSource"]

#: A source of a player: a path or anything else that can be opened, an asset, or an item.
PlayerSource = Union[MediaLike, AsyncAsset, Asset, AsyncPlayerItem, PlayerItem]


class PlayerOptions(TypedDict, total=False):
    """The options of a new player; absent ones have the engine's default."""

    #: ``"audio"``, ``"host"``, or ``"manual"``, which ``advance`` moves.
    clock: protocol.PlayerClock
    #: The destination of audio: a device, ``{"kind": "none"}``, or ``None`` for the default.
    audio_device: AudioDevice
    #: A new WAV file for the audio; it gets its name by ``finish_audio_file``.
    audio_file: str | os.PathLike[str]
    #: ``{"sampleRate": 48000, "channels": 2}``
    audio_format: protocol.PlayerAudioFormat
    action_at_item_end: protocol.ActionAtItemEnd
    automatically_waits_to_minimize_stalling: bool
    volume: float
    is_muted: bool
    default_rate: float


class PlayerMaking:
    """The part of an engine that makes players."""

    async def player(
        self, source: PlayerSource | None = None, **options: Unpack[PlayerOptions]
    ) -> AsyncPlayer:
        """Makes a player of a file, of an asset, or of an item: ``player("a.mp4")``; ``play()`` starts it."""
        sources = [] if source is None else [source]
        return await _new_player(self, sources, False, options)

    async def queue_player(
        self, sources: Iterable[PlayerSource] = (), **options: Unpack[PlayerOptions]
    ) -> AsyncPlayer:
        """Makes a player of several files, assets or items, which play one after the other without a gap."""
        return await _new_player(self, sources, True, options)

    async def player_item(
        self, source: PlayerSource, **options: Unpack[ItemOptions]
    ) -> AsyncPlayerItem:
        """Makes an item for a player: a presentation of a file or an asset."""
        return await _item(self, source, options, [])


async def _new_player(
    engine: Any, sources: Iterable[PlayerSource], is_queue: bool, options: PlayerOptions
) -> AsyncPlayer:
    members: dict[str, Any] = dict(options)
    refuse_unknown("a player", members, PlayerOptions.__annotations__)
    if (file := members.pop("audio_file", None)) is not None:
        members["audio_device"] = {"kind": "file", "path": absolute_path(file, "an audio file")}
    made: list[Remote] = []
    items = [await _item(engine, source, {}, made) for source in sources]
    params = {snake_to_camel(name): value for name, value in members.items()}
    params |= {"items": [item.handle for item in items], "isQueue": is_queue}
    handle = await engine.transport.playback.make("player/create", params, "player")
    is_manual = options.get("clock") == "manual"
    player = AsyncPlayer(engine.transport, handle, items, is_queue=is_queue, is_manual=is_manual)
    player._made = made
    return player


async def _item(
    engine: Any, source: PlayerSource, options: ItemOptions, made: list[Remote]
) -> AsyncPlayerItem:
    """The item of a source, and the objects that were made for it."""
    core = source._core if isinstance(source, (Asset, PlayerItem)) else source
    if isinstance(core, AsyncPlayerItem):
        return core
    if not isinstance(core, AsyncAsset):
        core = await engine.open(core)
        made.append(core)
    item = await new_item(core, options)
    made.append(item)
    return item
