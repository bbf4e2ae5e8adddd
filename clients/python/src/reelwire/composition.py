"""Compositions: assets made of parts of others."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, Union, cast

from . import protocol
from .asset import Asset, AsyncAsset
from .calls import BlockingCompositionCalls, CompositionCalls, CompositionInsertTimeRange
from .clips import AsyncClip, Clip, ClipLike, clips_of
from .frames import shown_times
from .keys import Values
from .portal import Face, blocking
from .reader_outputs import TINY, TrackOutput
from .remote import given
from .time import MediaTime, TimeLike
from .time_range import TimeRange, TimeRangeLike
from .track import AsyncTrack, Track, TrackLike
from .transport import Transport

__all__ = ["AsyncComposition", "Composition", "CompositionSegment", "composed", "created"]

A = TypeVar("A")

#: An argument of ``insert_time_ranges``: an asset, a clip of one, or a range, which stays empty.
ItemLike = Union[AsyncAsset, Asset, AsyncClip, Clip, TimeRange]


@dataclass(frozen=True)
class CompositionSegment(Generic[A]):
    """A part of a composition's track: a range of another track, presented in a range of this one.

    Its duration is that of ``target``, for any duration of ``source``: their ratio is its speed.
    """

    #: The range in which it is presented, on the composition's clock.
    target: TimeRange
    #: The part of the asset's track that is shown; ``None`` when nothing is.
    source: TimeRange | None = None
    #: The asset; ``None`` when nothing is shown, and where the asset is closed.
    asset: A | None = None
    #: The number of the asset's track; ``None`` for the first of the kind.
    track: int | None = None
    #: The asset's file, or its name, in answers.
    path: str | None = None
    #: How the part is played: ``"reverse"`` from its end, ``"freeze"`` the frame at its start throughout.
    playback: protocol.SegmentPlayback = "forward"

    @property
    def is_empty(self) -> bool:
        """True if it presents nothing."""
        return self.source is None

    def to_wire(self) -> protocol.CompositionSegmentInput:
        """The segment as the protocol writes it."""
        if self.source is not None and self.asset is None:
            raise ValueError(f"the asset of {self.path or self!r} is closed: open it again")
        source = "invalid" if self.source is None else self.source.to_wire()
        return given(  # type: ignore[no-any-return]
            asset=None if self.source is None else cast(Any, self.asset).handle,
            assetTrackID=None if self.source is None else self.track,
            timeMapping={"source": source, "target": self.target.to_wire()},
            playback=None if self.playback == "forward" else self.playback,
        )


class AsyncComposition(CompositionCalls, AsyncAsset):
    """An asset made of parts of others, in memory: ``await engine.composition(a[1:3] + b)``.

    It can be used like an asset. Objects that are made of it, such as its ``frames`` or a reader, show it
    as it was at that moment. An edit takes effect as a whole or not at all, and keys that were loaded before
    have to be loaded again after it, except the ``duration``, which each edit returns.
    """

    def __init__(self, transport: Transport, handle: str) -> None:
        # It has no file: messages name it by its handle.
        super().__init__(transport, handle, handle)
        self._revision = 0
        #: The parts of an imported document that aren't in it, each with its ``reason``.
        self.losses: list[protocol.ConversionLoss] = []

    @property
    def revision(self) -> int:
        """The number of edits that this object has made."""
        return self._revision

    @property
    def _request(self) -> protocol.AsyncRequest:
        return cast(protocol.AsyncRequest, self._send)

    async def _send(self, method: str, params: Any = None) -> Any:
        result = await self.transport.send_request(method, params)
        if method.startswith("composition/") and isinstance(result, dict) and "revision" in result:
            self._note(result)
        return result

    def _note(self, state: Any) -> None:
        """After an edit nothing that was loaded holds any more."""
        if state["revision"] > self._revision:
            self._revision = state["revision"]
            self._values = Values(repr(self.url), protocol.AssetKey)
            self._values_of_tracks = {}
            self._values.take({"duration": {"status": "loaded", "value": state["duration"]}})

    def _written_natural_size(self, given: tuple[float, float] | protocol.CanvasSize) -> Any:
        return _size(given) if isinstance(given, tuple) else given

    def _made_copy(self, result: protocol.CompositionCreateResult) -> AsyncComposition:
        return AsyncComposition(self.transport, result["composition"])

    async def append(self, clips: ClipLike) -> CompositionInsertTimeRange:
        """Inserts assets and parts of them at the end, in order; all of them, or none."""
        return await self.insert(clips)

    async def insert(
        self, clips: ClipLike, at: TimeLike | None = None
    ) -> CompositionInsertTimeRange:
        """Inserts assets and parts of them at a time, one after the other; all of them, or none.

        Content from ``at`` on is moved to after them; by default they are appended at the end. For a
        part of a single track use ``insert_time_range``, and ``insert_time_ranges`` for several.
        """
        listed = clips_of(clips)
        if len(listed) == 1 and listed[0].speed == 1:
            _require_same(self.transport, listed)
            return await self.insert_time_range(
                cast(Asset, listed[0].asset),
                time_range=listed[0].time_range,
                at=at,
                **listed[0]._insertion(),
            )
        # Several are one edit, as those of a composition of their own.
        async with await composed(self.transport, listed) as inserted:
            return await self.insert_time_range(inserted, at=at)

    def _written_items(self, given: ItemLike) -> Any:
        return _item(self.transport, given)

    def _made_segments(
        self, result: protocol.CompositionSegmentsResult
    ) -> list[CompositionSegment[AsyncAsset]]:
        return [self._segment(segment) for segment in result["segments"]]

    def _segment(self, wire: protocol.CompositionSegment) -> CompositionSegment[AsyncAsset]:
        source = wire["timeMapping"]["source"]
        return CompositionSegment(
            target=TimeRange.of(wire["timeMapping"]["target"]),
            source=None if isinstance(source, str) else TimeRange.of(source),
            asset=self.transport.assets.get(wire.get("asset", "")),
            track=wire.get("assetTrackID"),
            playback=wire.get("playback", "forward"),
            path=wire.get("path"),
        )

    def _written_segments(self, given: CompositionSegment[Any]) -> Any:
        if given.asset is not None:
            _require_same(self.transport, [given])
        return given.to_wire()

    @contextlib.asynccontextmanager
    async def _snapshot(self) -> AsyncIterator[AsyncAsset]:
        async with await self.copy() as snapshot:
            yield snapshot

    async def _numbered(self, track: AsyncTrack) -> tuple[int, list[MediaTime] | None]:
        # The samples of several parts have no numbers.
        times = await shown_times(await self.reader(TrackOutput(track.track_id, **TINY)))
        return len(times), times


class Composition(BlockingCompositionCalls, Asset):
    """An asset made of parts of others, in memory: ``engine.composition(a[1:3] + b)``.

    It can be used like an asset. Objects that are made of it, such as its ``frames`` or a reader, show it
    as it was at that moment. An edit takes effect as a whole or not at all; properties are the current ones.
    """

    _core: AsyncComposition

    append = blocking(AsyncComposition.append)
    insert = blocking(AsyncComposition.insert)

    def _value(self, key: str) -> Any:
        # Not the loaded values, which an edit by another client would make false.
        return self.load(key)[key]

    @property
    def revision(self) -> int:
        """The number of edits that this object has made."""
        return self._core.revision

    @property
    def losses(self) -> list[protocol.ConversionLoss]:
        """The parts of an imported document that aren't in it, each with its ``reason``."""
        return self._core.losses

    @property
    def tracks(self) -> list[Track]:
        """The tracks, in order."""
        return self._value("tracks")  # type: ignore[no-any-return]

    def copy(self) -> Composition:
        """A composition with the same tracks, which is edited on its own."""
        return Composition(self._parent, self._portal.call(self._core.copy))

    def segments(self, track: TrackLike) -> list[CompositionSegment[Asset]]:
        """A track's content, one segment after the other from zero on."""
        return [
            CompositionSegment(
                segment.target,
                segment.source,
                _face(self._parent, segment.asset),
                segment.track,
                segment.path,
                segment.playback,
            )
            for segment in self._portal.call(self._core.segments, track)
        ]


def _face(engine: Face, core: AsyncAsset | None) -> Asset | None:
    """The face that an asset has; another one where that is gone."""
    if core is None:
        return None
    face = core._face() if core._face is not None else None
    if face is not None:
        return face
    return Composition(engine, core) if isinstance(core, AsyncComposition) else Asset(engine, core)


def _item(transport: Transport, item: ItemLike) -> Any:
    """A part of a track, or nothing, as the protocol writes it."""
    if isinstance(item, TimeRange):
        return {"timeRange": item.to_wire()}
    clips = clips_of(item)
    if len(clips) != 1 or abs(clips[0].speed) != 1:
        raise ValueError(f"an item is one clip at its own speed, not {item!r}: scale it later")
    _require_same(transport, clips)
    part, insertion = clips[0].time_range, clips[0]._insertion()
    return given(
        asset=clips[0].asset.handle,
        timeRange=None if part is None else part.to_wire(),
        playback=insertion["playback"],
        speedRamp=insertion["speed_ramp"],
    )


def _require_same(transport: Transport, parts: Sequence[Any]) -> None:
    """Another engine has other handles."""
    for part in parts:
        if getattr(part.asset, "_core", part.asset).transport is not transport:
            raise ValueError(f"{part.asset!r} is of another engine: open it in the same one")


def _size(size: tuple[float, float]) -> protocol.Size:
    width, height = size
    return {"width": width, "height": height}


async def created(
    transport: Transport,
    natural_size: tuple[float, float] | None = None,
    timeline: protocol.CompositionTimelineInput | None = None,
) -> AsyncComposition:
    """Makes a composition without tracks, or of a timeline."""
    size = None if natural_size is None else _size(natural_size)
    result: Any = await transport.request(
        "composition/create", given(naturalSize=size, timeline=timeline)
    )
    return AsyncComposition(transport, result["composition"])


async def composed(
    transport: Transport,
    clips: ClipLike,
    natural_size: tuple[float, float] | None = None,
    tracks: protocol.TrackSelection | None = None,
) -> AsyncComposition:
    """Makes a composition of clips one after the other, of some of their tracks."""
    listed = clips_of(clips)
    _require_same(transport, listed)
    composition = await created(transport, natural_size)
    try:
        for clip in listed:
            inserted = await composition.insert_time_range(
                cast(Asset, clip.asset),
                time_range=clip.time_range,
                tracks=tracks,
                **clip._insertion(),
            )
            if abs(clip.speed) != 1:
                part: TimeRangeLike = inserted.time_range
                duration = inserted.time_range.duration.fraction / abs(clip.speed)
                await composition.scale_time_range(part, duration)
    except BaseException:
        await composition.close()
        raise
    return composition
