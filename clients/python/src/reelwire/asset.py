"""Assets: media files whose properties are loaded by key."""

from __future__ import annotations

import contextlib
import os
import weakref
from collections.abc import AsyncIterator, Iterable, Mapping
from typing import Any, Union, get_args

from . import protocol
from .asset_exports import AssetExports
from .asset_keys import AssetFacts
from .asset_metadata import AssetMetadata
from .arrays import Array, FloatArray
from .asset_reader import AssetReader, AsyncAssetReader
from .audio import audio_of
from .batch import batch_at
from .blob import DeliveryLike, delivery_to_wire
from .calls import BlockingAssetCalls
from .clips import AsyncClip, AsyncClips, Clip, Clips, Term, sliced
from .errors import DecodeFailedError, InvalidParamsError, NoSourceTrackError
from .export_job import ExportJob
from .export_session import ExportSession
from .frames import AsyncFrames, Frames, FrameSource, frame_count, shown_times
from .image_generator import AsyncImageGenerator, Image, ImageGenerator, image_or_first
from .keys import KeyState, Values
from .notebook import asset_html, shown_quietly
from .portal import Face, RemoteFace, blocking, making
from .reader_outputs import TINY, ReaderOutput, TrackOutput, VideoCompositionOutput
from .remote import OWN, given, unless_own
from .sample import Sample
from .sample_cursor import AsyncSampleCursor, SampleCursor
from .time import MediaTime, TimeLike
from .time_range import TimeRangeLike
from .track import AsyncTrack, Track, TrackLike, first_enabled
from .transport import Transport
from .wire import size_to_wire, time_range_to_wire, time_to_wire

__all__ = ["Asset", "AsyncAsset"]

OutputLike = Union[ReaderOutput, TrackLike, str]


class AsyncAsset(AssetFacts, AssetMetadata, AssetExports, Term[AsyncClip, AsyncClips]):
    """A media file. Its properties are there once they are loaded: ``await asset.load()``.

    ``asset[1:3]`` is a part of it, by times, and ``asset[1:3] + other`` are clips one after the
    other, which ``engine.composition`` takes.
    """

    #: The sync face that it has, as long as that is there.
    _face: weakref.ref[Asset] | None = None

    def __init__(self, transport: Transport, handle: str, url: str) -> None:
        super().__init__(transport, handle)
        self.url = url
        self._values = Values(repr(os.path.basename(url)), protocol.AssetKey)
        # Not the tracks themselves: a track keeps its asset, and both would wait for the collector.
        self._values_of_tracks: dict[int, Values] = {}
        transport.assets[handle] = self

    def __getitem__(self, times: slice) -> AsyncClip:
        """The part between two times, both of which are optional; no request is made.

        Raises ``TypeError`` for anything but a slice, and ``ValueError`` if the end isn't after
        the start. A part that reaches beyond the asset is refused when it becomes a composition;
        for a single image it may have any duration.
        """
        return AsyncClip(self, sliced(times))

    def _clips(self) -> list[AsyncClip]:
        return [AsyncClip(self)]

    def _sum(self, clips: Iterable[AsyncClip]) -> AsyncClips:
        return AsyncClips(clips)

    def values_of_track(self, track_id: int) -> Values:
        """The loaded properties of a track."""
        return self._values_of_tracks.setdefault(
            track_id, Values(f"track {track_id}", protocol.TrackKey)
        )

    @property
    def tracks(self) -> list[AsyncTrack]:
        """The tracks, in the order of the container."""
        return self._tracks(self._value("tracks"))

    def _tracks(self, tracks: Iterable[protocol.Track]) -> list[AsyncTrack]:
        return [AsyncTrack(self.transport, self, track) for track in tracks]

    async def load(self, *keys: str) -> dict[str, Any]:
        """Loads keys, by default all, and returns their values.

        ``"natural_size"`` and ``"naturalSize"`` are the same key. Raises the error of the first
        key that failed; the others stay loaded. When this is cancelled, so is the loading.
        """
        # They are others after an edit of a composition.
        values = self._values
        names = values.names(keys)
        params = given(
            asset=self.handle, keys=list(dict.fromkeys(names.values())), completion="response"
        )
        result: Any = await self._request("asset/loadValues", params)
        return self._shown(values.all_of(names, result["values"]))

    def _shown(self, values: dict[str, Any]) -> dict[str, Any]:
        if values.get("tracks") is not None:
            values["tracks"] = self._tracks(values["tracks"])
        return values

    async def status(self, *keys: str) -> dict[str, KeyState]:
        """The loading states of keys, without loading or waiting."""
        values = self._values
        names = values.names(keys)
        params = given(asset=self.handle, keys=list(dict.fromkeys(names.values())))
        result = await self._request("asset/valueStatus", params)
        taken = values.take(result["values"])
        return {key: taken[name] for key, name in names.items()}

    async def load_tracks(
        self,
        media_type: protocol.MediaType | None = None,
        media_characteristic: protocol.MediaCharacteristic | None = None,
        selection: protocol.TrackSelection | None = None,
    ) -> list[AsyncTrack]:
        """The tracks of a media type, with a characteristic, or of a selection, loaded if need be.

        A selection has the form of ``tracks`` of an export: ``{"include": [{"language": "de"}]}``.
        """
        result = await self._request(
            "asset/tracks",
            given(
                asset=self.handle, mediaType=media_type, mediaCharacteristic=media_characteristic,
                selection=selection,
            ),
        )
        return self._tracks(result["tracks"])

    async def load_track(self, track_id: int) -> AsyncTrack | None:
        """The track with a number, loaded if need be; ``None`` when there is none."""
        result = await self._request(
            "asset/tracks", given(asset=self.handle, trackID=track_id)
        )
        return next(iter(self._tracks(result["tracks"])), None)

    async def image_generator(
        self,
        *,
        tolerance: TimeLike | None = None,
        requested_time_tolerance_before: TimeLike | None = None,
        requested_time_tolerance_after: TimeLike | None = None,
        maximum_size: float | tuple[float, float] | None = None,
        width: float | None = None,
        height: float | None = None,
        applies_preferred_track_transform: bool | None = None,
        aperture_mode: protocol.ApertureMode | None = None,
        dynamic_range_policy: protocol.DynamicRangePolicy | None = None,
        deinterlacing: protocol.ImageDeinterlacing | None = None,
        video_composition: Mapping[str, Any] | None = OWN,
    ) -> AsyncImageGenerator:
        """Makes a generator of images.

        ``tolerance`` is for both sides; 0 returns the exact frames. Without any the engine may take
        the nearest frame that is fast to decode. ``maximum_size`` is (width, height), of which a side
        that is 0 is unlimited, or a number for the longer side; ``width`` and ``height``, or one of them,
        are the same. With a ``VideoComposition`` the images are its frames;
        ``None`` is for the first enabled track, even if a composition has its own.
        """
        before = _first(requested_time_tolerance_before, tolerance)
        after = _first(requested_time_tolerance_after, tolerance)
        result = await self._request(
            "imageGenerator/create",
            given(
                asset=self.handle,
                requestedTimeToleranceBefore=time_to_wire(before),
                requestedTimeToleranceAfter=time_to_wire(after),
                maximumSize=size_to_wire(maximum_size, width, height),
                appliesPreferredTrackTransform=applies_preferred_track_transform,
                apertureMode=aperture_mode,
                dynamicRangePolicy=dynamic_range_policy,
                deinterlacing=deinterlacing,
            )
            | unless_own(videoComposition=video_composition),
        )
        return AsyncImageGenerator(self.transport, result["imageGenerator"])

    async def image(
        self,
        time: TimeLike | None = None,
        *,
        tolerance: TimeLike = 0,
        maximum_size: float | tuple[float, float] | None = None,
        width: float | None = None,
        height: float | None = None,
        video_composition: Mapping[str, Any] | None = OWN,
        format: protocol.ImageFormat | None = None,
        quality: float | None = None,
        path: str | os.PathLike[str] | None = None,
    ) -> Image:
        """One upright image: the exact frame at a time, in memory or as a new file at ``path``.

        Without a time it is the first frame, and for 0, too, if the video begins later. The
        file has the ``format`` of its extension, such as ``.png``; in memory the default is ``jpeg``.

        For several images, or for shared memory, make an ``image_generator``; for frames by their
        numbers, ``frames``.
        """
        async with await self.image_generator(
            tolerance=tolerance,
            maximum_size=maximum_size,
            width=width,
            height=height,
            applies_preferred_track_transform=True,
            video_composition=video_composition,
        ) as generator:
            return await image_or_first(
                generator, time, format=format, quality=quality, delivery=path
            )

    async def frames(
        self,
        format: protocol.ImageFormat = "rgb24",
        *,
        maximum_size: float | tuple[float, float] | None = None,
        width: float | None = None,
        height: float | None = None,
        applies_preferred_track_transform: bool = True,
        aperture_mode: protocol.ApertureMode | None = None,
        dynamic_range_policy: protocol.DynamicRangePolicy | None = None,
        deinterlacing: protocol.ImageDeinterlacing | None = None,
        video_composition: Mapping[str, Any] | None = OWN,
        quality: float | None = None,
    ) -> AsyncFrames:
        """The frames of the first enabled video track as a sequence of images.

        ``len`` returns their number, ``frames[i]``, slices and loops return them in presentation
        order, and ``frames.at(seconds)`` the one that is presented at that time;
        ``frames[[3, 99, 7]]`` is one array of several. Upright, as pixels; ``maximum_size`` is that
        of ``image_generator``. For the first ``frames`` of an asset its file is scanned. With a
        ``video_composition`` they are its frames, which are made once, tiny, for their times.
        """
        async with self._snapshot() as asset:
            track = first_enabled(await asset.load_tracks("video"))
            if track is None:
                raise NoSourceTrackError(
                    f"{os.path.basename(self.url)!r} has no video track",
                    code=-11869,
                    hint="Load its tracks to see their types.",
                )
            generator = await asset.image_generator(
                tolerance=0,
                maximum_size=maximum_size,
                width=width,
                height=height,
                applies_preferred_track_transform=applies_preferred_track_transform,
                aperture_mode=aperture_mode,
                dynamic_range_policy=dynamic_range_policy,
                deinterlacing=deinterlacing,
                video_composition=video_composition,
            )
            try:
                if video_composition is OWN or video_composition is None:
                    count, times = await asset._numbered(track)
                else:
                    output = VideoCompositionOutput(video_composition=video_composition, **TINY)
                    times = await shown_times(await asset.reader(output))
                    count = len(times)
            except BaseException:
                await generator.close()
                raise
        source = FrameSource(generator, count, format, quality, times)
        return AsyncFrames(source, range(count))

    @contextlib.asynccontextmanager
    async def _snapshot(self) -> AsyncIterator[AsyncAsset]:
        """State that stays unchanged while several objects are made of it."""
        yield self

    async def _numbered(self, track: AsyncTrack) -> tuple[int, list[MediaTime] | None]:
        """The number of a track's frames, and their times if the engine doesn't number them."""
        async with await self.sample_cursor(track) as cursor:
            return await frame_count(cursor), None

    async def frames_at(
        self,
        times: Iterable[TimeLike],
        format: protocol.ImageFormat = "rgb24",
        *,
        tolerance: TimeLike = 0,
        maximum_size: float | tuple[float, float] | None = None,
        width: float | None = None,
        height: float | None = None,
        applies_preferred_track_transform: bool = True,
        aperture_mode: protocol.ApertureMode | None = None,
        dynamic_range_policy: protocol.DynamicRangePolicy | None = None,
        deinterlacing: protocol.ImageDeinterlacing | None = None,
        video_composition: Mapping[str, Any] | None = OWN,
    ) -> Array:
        """The frames that are presented at several times as one array of pixels.

        Frames × rows × columns × components, for ``rgb24`` of ``uint8``, in the order of the times;
        owned by the caller, writable. Each frame is decoded once, for any order. At 0 it is
        the first one, also if that is presented later; with a ``tolerance`` it may be the nearest that is
        fast to decode. Without one, a frame that can't be decoded is a ``DecodeFailedError``.
        ``frames()[[3, 99, 7]]`` is the same by numbers.
        """
        requirement = self._require_presented if MediaTime.of(tolerance) == 0 else None
        async with await self.image_generator(
            tolerance=tolerance,
            maximum_size=maximum_size,
            width=width,
            height=height,
            applies_preferred_track_transform=applies_preferred_track_transform,
            aperture_mode=aperture_mode,
            dynamic_range_policy=dynamic_range_policy,
            deinterlacing=deinterlacing,
            video_composition=video_composition,
        ) as generator:
            return await batch_at(generator, times, format, requirement)

    async def _require_presented(self, image: Image) -> None:
        """Raises an error for an image of another frame than the one that is presented at its time."""
        track = first_enabled(await self.load_tracks("video"))
        if track is None or image.sample_index is None or image.requested_time is None:
            return
        async with await self.sample_cursor(track, image.requested_time) as cursor:
            time = (await cursor.sample()).presentation_time
        if time != image.actual_time:
            raise DecodeFailedError(
                f"the frame at {time} can't be decoded: that of {image.actual_time} would be in its "
                "place",
                code=-11821,
                hint="The file is damaged there: choose another time, or give a tolerance.",
            )

    async def reader(
        self, *outputs: OutputLike, time_range: TimeRangeLike | None = None
    ) -> AsyncAssetReader:
        """Makes a reader of samples, with at least one output.

        An output is a ``TrackOutput``, an ``AudioMixOutput`` or a ``VideoCompositionOutput``; a
        track, its number or a media type alone stands for its samples as stored.
        """
        if not outputs:
            raise InvalidParamsError(
                "a reader needs an output", hint='Give "video", a track\'s number or a TrackOutput.'
            )
        wanted = [
            output if isinstance(output, get_args(ReaderOutput)) else TrackOutput(output)  # type: ignore[arg-type]
            for output in outputs
        ]
        result = await self._request(
            "assetReader/create",
            given(
                asset=self.handle,
                timeRange=time_range_to_wire(time_range),
                outputs=[output.to_wire() for output in wanted],
            ),
        )
        return AsyncAssetReader(self.transport, result, wanted)

    async def audio(
        self,
        track: TrackLike | None = None,
        *,
        sample_rate: int | None = None,
        channels: int | None = None,
        time_range: TimeRangeLike | None = None,
    ) -> FloatArray:
        """The audio as one array of ``float32``, channels × samples, owned by the caller.

        Of a track, by default the first enabled audio track; by default at its own rate and with its own
        channels: ``audio(sample_rate=16000, channels=1)`` is the input of Whisper. Sample
        ``n`` is at ``n / sample_rate`` seconds of the asset, or of ``time_range``: gaps of the track
        are silence, before its first sample too. It ends with the track. Without an audio track, or if the
        range begins after its end, there are no samples: the shape is ``(channels, 0)``.
        """
        return await audio_of(self, track, sample_rate, channels, time_range)

    async def _duration(self) -> MediaTime:
        return (await self.load("duration"))["duration"]  # type: ignore[no-any-return]

    async def _has_video(self) -> bool:
        return any(track.is_decodable for track in await self.load_tracks("video"))

    def _made_sample_cursor(self, result: protocol.SampleCursorCreateResult) -> AsyncSampleCursor:
        return AsyncSampleCursor(self.transport, result["sampleCursor"], Sample(result["sample"]))


class Asset(AssetFacts, BlockingAssetCalls, RemoteFace, Term[Clip, Clips]):
    """A media file. Its properties load themselves; ``load()`` gets several at once.

    ``asset[1:3]`` is a part of it, by times, and ``asset[1:3] + other`` are clips one after the
    other: ``(asset[1:3] + other).export("cut.mp4")``.
    """

    _core: AsyncAsset

    def __init__(self, parent: Face, core: AsyncAsset) -> None:
        Face.__init__(self, parent, core)
        self.url = core.url
        self._values = core._values
        core._face = weakref.ref(self)

    def __getitem__(self, times: slice) -> Clip:
        """The part between two times, both of which are optional; no request is made.

        Raises ``TypeError`` for anything but a slice, and ``ValueError`` if the end isn't after
        the start. A part that reaches beyond the asset is refused when it becomes a composition;
        for a single image it may have any duration.
        """
        return Clip(self, sliced(times))

    def _clips(self) -> list[Clip]:
        return [Clip(self)]

    def _sum(self, clips: Iterable[Clip]) -> Clips:
        return Clips(clips)

    def _value(self, key: str) -> Any:
        if key not in self._values:
            self._portal.call(self._core.load, key)
        return self._values.get(key)

    @property
    def tracks(self) -> list[Track]:
        """The tracks, in the order of the container."""
        self._value("tracks")
        return [Track(self, track) for track in self._core.tracks]

    def load(self, *keys: str) -> dict[str, Any]:
        """Loads keys, by default all, and returns their values.

        ``"natural_size"`` and ``"naturalSize"`` are the same key. Raises the error of the first
        key that failed; the others stay loaded. Ctrl-C cancels the loading.
        """
        values = self._portal.call(self._core.load, *keys)
        if values.get("tracks") is not None:
            values["tracks"] = [Track(self, track) for track in values["tracks"]]
        return values

    def load_tracks(
        self,
        media_type: protocol.MediaType | None = None,
        media_characteristic: protocol.MediaCharacteristic | None = None,
        selection: protocol.TrackSelection | None = None,
    ) -> list[Track]:
        """The tracks of a media type, with a characteristic, or of a selection, loaded if need be."""
        tracks = self._portal.call(
            self._core.load_tracks, media_type, media_characteristic, selection
        )
        return [Track(self, track) for track in tracks]

    def load_track(self, track_id: int) -> Track | None:
        """The track with a number, loaded if need be; ``None`` when there is none."""
        track = self._portal.call(self._core.load_track, track_id)
        return None if track is None else Track(self, track)

    status = blocking(AsyncAsset.status)
    artwork = blocking(AsyncAsset.artwork)
    chapters = blocking(AsyncAsset.chapters)
    image_generator = making(AsyncAsset.image_generator, ImageGenerator)
    image = blocking(AsyncAsset.image)
    export_session = making(AsyncAsset.export_session, ExportSession)
    export = blocking(AsyncAsset.export)
    start_export = making(AsyncAsset.start_export, ExportJob)
    preview = blocking(AsyncAsset.preview)
    frames = making(AsyncAsset.frames, Frames)
    frames_at = blocking(AsyncAsset.frames_at)
    reader = making(AsyncAsset.reader, AssetReader)
    audio = blocking(AsyncAsset.audio)
    sample_cursor = making(AsyncAsset.sample_cursor, SampleCursor)

    @shown_quietly
    def _repr_html_(self) -> str | None:
        return asset_html(self)


def _first(*times: TimeLike | None) -> TimeLike | None:
    return next((time for time in times if time is not None), None)
