"""Assets: media files whose properties are loaded by key."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any, Callable, Union

from . import protocol
from .asset_keys import AssetFacts
from .asset_reader import AssetReader, AsyncAssetReader, AudioMixOutput, TrackOutput
from .blob import Blob, DeliveryLike, delivery_to_wire
from .errors import InvalidParamsError
from .export_session import AsyncExportSession, ExportResult, ExportSession
from .image_generator import AsyncImageGenerator, Image, ImageGenerator
from .keys import KeyState, Values
from .media_selection import MediaSelectionGroup
from .metadata import (
    MetadataItem,
    MetadataLike,
    TimedMetadataGroup,
    first_picture,
    metadata_to_wire,
)
from .portal import Face, RemoteFace, blocking, making
from .remote import Remote, Work, given
from .sample_cursor import AsyncSampleCursor, Sample, SampleCursor
from .time import MediaTime, TimeLike, TimeRange, TimeRangeLike
from .track import AsyncTrack, Track
from .transport import Transport
from .waveform import Waveform, outcome

__all__ = ["Asset", "AsyncAsset"]

OutputLike = Union[TrackOutput, AudioMixOutput, int, str]
TrackLike = Union[AsyncTrack, Track, int]
PathLike = Union[str, "os.PathLike[str]"]


class AsyncAsset(AssetFacts, Remote):
    """A media file. Its properties are there once they are loaded: ``await asset.load()``."""

    def __init__(self, transport: Transport, handle: str, url: str) -> None:
        super().__init__(transport, handle)
        self.url = url
        self._values = Values(repr(os.path.basename(url)), protocol.AssetKey)
        # Not the tracks themselves: a track keeps its asset, and both would wait for the collector.
        self._values_of_tracks: dict[int, Values] = {}

    def values_of_track(self, track_id: int) -> Values:
        """What was loaded of a track."""
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
        """Loads keys, all when none is given, and returns their values.

        ``"natural_size"`` and ``"naturalSize"`` are the same key. Raises the error of the first
        key that failed; the others stay loaded. When this is cancelled, so is the loading.
        """
        names = self._values.names(keys)
        params = given(
            asset=self.handle, keys=list(dict.fromkeys(names.values())), completion="response"
        )
        result: Any = await self.transport.request("asset/loadValues", params)
        return self._shown(self._values.all_of(names, result["values"]))

    def _shown(self, values: dict[str, Any]) -> dict[str, Any]:
        if values.get("tracks") is not None:
            values["tracks"] = self._tracks(values["tracks"])
        return values

    async def status(self, *keys: str) -> dict[str, KeyState]:
        """How far keys are, without loading or waiting."""
        names = self._values.names(keys)
        params = given(asset=self.handle, keys=list(dict.fromkeys(names.values())))
        result = await self.transport.request("asset/valueStatus", params)
        taken = self._values.take(result["values"])
        return {key: taken[name] for key, name in names.items()}

    async def cancel_loading(self) -> None:
        """Cancels the loading of all its keys and of its tracks'."""
        await self.transport.request("asset/cancelLoading", given(asset=self.handle))

    async def load_tracks(
        self,
        media_type: protocol.MediaType | None = None,
        media_characteristic: protocol.MediaCharacteristic | None = None,
    ) -> list[AsyncTrack]:
        """The tracks of a media type or with a characteristic, loaded if need be."""
        result = await self.transport.request(
            "asset/tracks",
            given(
                asset=self.handle, mediaType=media_type, mediaCharacteristic=media_characteristic
            ),
        )
        return self._tracks(result["tracks"])

    async def load_track(self, track_id: int) -> AsyncTrack | None:
        """The track with a number, loaded if need be; ``None`` when there is none."""
        result = await self.transport.request(
            "asset/tracks", given(asset=self.handle, trackID=track_id)
        )
        return next(iter(self._tracks(result["tracks"])), None)

    async def find_unused_track_id(self) -> int:
        """A number that none of its tracks has."""
        result = await self.transport.request("asset/findUnusedTrackID", given(asset=self.handle))
        return result["trackID"]

    async def load_metadata(
        self,
        track: TrackLike | None = None,
        *,
        format: str | None = None,
        identifier: str | None = None,
        key: str | None = None,
        key_space: str | None = None,
        common_key: str | None = None,
        preferred_languages: Iterable[str] | None = None,
        for_sharing: bool | None = None,
        delivery: DeliveryLike | None = None,
    ) -> list[MetadataItem]:
        """The metadata of the asset, or of a track, with the bytes of data however many.

        Each filter narrows the list; ``preferred_languages`` also sorts it, and ``for_sharing``
        leaves out what tells where the media was made or by whom it is used. A file's path as
        ``delivery`` needs a ``%d`` or ``%03d`` when several items have data.
        """
        result = await self.transport.request(
            "asset/metadata",
            given(
                asset=self.handle,
                trackID=None if track is None else _track_id(track),
                format=format,
                identifier=identifier,
                key=key,
                keySpace=key_space,
                commonKey=common_key,
                preferredLanguages=_list(preferred_languages),
                forSharing=for_sharing,
                delivery=delivery_to_wire(delivery),
            ),
        )
        return [MetadataItem(item, self) for item in result["metadata"]]

    async def artwork(self) -> Blob | None:
        """The first picture of its metadata, with the bytes of the file; ``None`` without one.

        For all of them use ``load_metadata(common_key="artwork")``.
        """
        return first_picture(await self.load_metadata(common_key="artwork"))

    async def chapters(
        self,
        title_locale: str | None = None,
        *,
        preferred_languages: Iterable[str] | None = None,
        artwork: bool = False,
        delivery: DeliveryLike | None = None,
    ) -> list[TimedMetadataGroup]:
        """The chapters in order of time, with their titles.

        ``title_locale`` is one of ``available_chapter_locales``, and gives only titles in it; of
        ``preferred_languages`` the first that there is counts, else the file's first. With
        ``artwork`` chapters that have pictures have them, as ``delivery`` says.
        """
        result = await self.transport.request(
            "asset/chapterMetadataGroups",
            given(
                asset=self.handle,
                titleLocale=title_locale,
                bestMatchingPreferredLanguages=_list(preferred_languages),
                containingItemsWithCommonKeys=["artwork"] if artwork else None,
                delivery=delivery_to_wire(delivery),
            ),
        )
        return [TimedMetadataGroup(group, self) for group in result["groups"]]

    async def media_selection_group(
        self,
        media_characteristic: protocol.MediaCharacteristic,
        *,
        playable: bool | None = None,
        with_media_characteristics: Iterable[protocol.MediaCharacteristic] | None = None,
        without_media_characteristics: Iterable[protocol.MediaCharacteristic] | None = None,
        preferred_languages: Iterable[str] | None = None,
    ) -> MediaSelectionGroup | None:
        """The options for ``"audible"``, ``"legible"`` or ``"visual"``; ``None`` without any.

        Each filter narrows the options; ``preferred_languages`` also sorts them.
        """
        result = await self.transport.request(
            "asset/mediaSelectionGroup",
            given(
                asset=self.handle,
                mediaCharacteristic=media_characteristic,
                playable=playable,
                withMediaCharacteristics=_list(with_media_characteristics),
                withoutMediaCharacteristics=_list(without_media_characteristics),
                preferredLanguages=_list(preferred_languages),
            ),
        )
        group = result.get("group")
        return None if group is None else MediaSelectionGroup(group)

    async def image_generator(
        self,
        *,
        tolerance: TimeLike | None = None,
        requested_time_tolerance_before: TimeLike | None = None,
        requested_time_tolerance_after: TimeLike | None = None,
        maximum_size: tuple[float, float] | None = None,
        applies_preferred_track_transform: bool | None = None,
        aperture_mode: protocol.ApertureMode | None = None,
        dynamic_range_policy: protocol.DynamicRangePolicy | None = None,
    ) -> AsyncImageGenerator:
        """Makes a generator of images.

        ``tolerance`` is for both sides; 0 gives the exact frames. Without any the engine may take
        the nearest frame that is quick to get. A side of ``maximum_size`` that is 0 is free.
        """
        before = _first(requested_time_tolerance_before, tolerance)
        after = _first(requested_time_tolerance_after, tolerance)
        result = await self.transport.request(
            "imageGenerator/create",
            given(
                asset=self.handle,
                requestedTimeToleranceBefore=_time(before),
                requestedTimeToleranceAfter=_time(after),
                maximumSize=_size(maximum_size),
                appliesPreferredTrackTransform=applies_preferred_track_transform,
                apertureMode=aperture_mode,
                dynamicRangePolicy=dynamic_range_policy,
            ),
        )
        return AsyncImageGenerator(self.transport, result["imageGenerator"])

    async def image(
        self,
        time: TimeLike,
        *,
        tolerance: TimeLike = 0,
        maximum_size: tuple[float, float] | None = None,
        format: protocol.ImageFormat | None = None,
        quality: float | None = None,
        path: PathLike | None = None,
    ) -> Image:
        """One upright image: the exact frame at a time, in memory or as a new file at ``path``.

        For several images, or for shared memory, make an ``image_generator``.
        """
        async with await self.image_generator(
            tolerance=tolerance, maximum_size=maximum_size, applies_preferred_track_transform=True
        ) as generator:
            return await generator.image(time, format=format, quality=quality, delivery=path)

    async def compatible_presets(self, output_file_type: str | None = None) -> list[str]:
        """The presets that can export it, to ``output_file_type`` or to any."""
        params = given(asset=self.handle, outputFileType=output_file_type)
        return (await self.transport.request("exportSession/compatiblePresets", params))["presets"]

    async def incompatible_presets(self, output_file_type: str | None = None) -> dict[str, str]:
        """Why the other presets can't export it, by their names."""
        params = given(asset=self.handle, outputFileType=output_file_type, explain=True)
        answer = await self.transport.request("exportSession/compatiblePresets", params)
        return {item["preset"]: item["reason"] for item in answer.get("incompatible") or []}

    async def compatible_file_types(self, preset: str) -> list[str]:
        """The types of files that a preset can export it to, ``Passthrough`` too."""
        params = given(asset=self.handle, preset=preset)
        answer = await self.transport.request("exportSession/compatibleFileTypes", params)
        return answer["fileTypes"]

    async def incompatible_file_types(self, preset: str) -> dict[str, str]:
        """Why a preset can't export it to the other types, by their names."""
        params = given(asset=self.handle, preset=preset, explain=True)
        answer = await self.transport.request("exportSession/compatibleFileTypes", params)
        return {item["fileType"]: item["reason"] for item in answer.get("incompatible") or []}

    async def export_session(
        self,
        output: PathLike,
        preset: str = "HighestQuality",
        *,
        output_file_type: str | None = None,
        time_range: TimeRangeLike | None = None,
        metadata: Iterable[MetadataLike] | None = None,
        file_length_limit: int | None = None,
        should_optimize_for_network_use: bool | None = None,
        trim_mode: protocol.TrimMode | None = None,
        directory_for_temporary_files: PathLike | None = None,
    ) -> AsyncExportSession:
        """Makes a session that exports it to a new file; an existing one is never touched.

        The file's type follows from its extension unless given. ``Passthrough`` copies samples,
        other presets encode them. The unfinished file lies in the folder of the new one, or in
        ``directory_for_temporary_files``; nothing of it is left, however the export ends.
        """
        result = await self.transport.request(
            "exportSession/create",
            given(
                asset=self.handle,
                preset=preset,
                outputURL=os.path.abspath(output),
                outputFileType=output_file_type,
                timeRange=None if time_range is None else TimeRange.of(time_range).to_wire(),
                metadata=metadata_to_wire(metadata),
                fileLengthLimit=file_length_limit,
                shouldOptimizeForNetworkUse=should_optimize_for_network_use,
                trimMode=trim_mode,
                directoryForTemporaryFiles=None
                if directory_for_temporary_files is None
                else os.path.abspath(directory_for_temporary_files),
            ),
        )
        return AsyncExportSession(self.transport, result, preset)

    async def export(
        self,
        output: PathLike,
        preset: str = "HighestQuality",
        *,
        time_range: TimeRangeLike | None = None,
        progress: Callable[[float], Any] | None = None,
        progress_interval: float | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> ExportResult:
        """Exports it to a new file; ``options`` are those of ``export_session``."""
        async with await self.export_session(
            output, preset, time_range=time_range, **(options or {})
        ) as session:
            return await session.export(progress=progress, progress_interval=progress_interval)

    async def reader(
        self, *outputs: OutputLike, time_range: TimeRangeLike | None = None
    ) -> AsyncAssetReader:
        """Makes a reader of samples, with at least one output.

        An output is a ``TrackOutput`` or an ``AudioMixOutput``; a track's number or a media type alone stands for its
        samples as stored.
        """
        if not outputs:
            raise InvalidParamsError(
                "a reader needs an output", hint='Give "video", a track\'s number or a TrackOutput.'
            )
        wanted = [
            output
            if isinstance(output, (TrackOutput, AudioMixOutput))
            else TrackOutput(output)  # type: ignore[arg-type]
            for output in outputs
        ]
        result = await self.transport.request(
            "assetReader/create",
            given(
                asset=self.handle,
                timeRange=None if time_range is None else TimeRange.of(time_range).to_wire(),
                outputs=[output.to_wire() for output in wanted],
            ),
        )
        return AsyncAssetReader(self.transport, result, wanted)

    async def sample_cursor(
        self, track: TrackLike, position: TimeLike = "first"
    ) -> AsyncSampleCursor:
        """Makes a cursor at a sample of a track.

        ``position`` is ``"first"`` or ``"last"`` in decode order, or a time: the sample that is
        shown then. The first cursor of an asset has its file scanned.
        """
        ends = ("first", "last")
        result = await self.transport.request(
            "sampleCursor/create",
            given(
                asset=self.handle,
                trackID=_track_id(track),
                position=position if position in ends else MediaTime.of(position).to_wire(),
            ),
        )
        return AsyncSampleCursor(self.transport, result["sampleCursor"], Sample(result["sample"]))

    async def waveform(
        self,
        count: int | None = None,
        track: TrackLike | None = None,
        *,
        time_range: TimeRangeLike | None = None,
        format: protocol.ImageFormat | None = None,
        width: int | None = None,
        height: int | None = None,
        color: str | None = None,
        background_color: str | None = None,
        quality: float | None = None,
        delivery: DeliveryLike | None = None,
        progress: Callable[[float], Any] | None = None,
    ) -> Waveform:
        """The extremes and the power of sound in ``count`` parts of equal length.

        Without ``track`` it is the first enabled audio track. With ``format``, such as ``"png"``,
        it is drawn, ``width`` pixels wide; colours are ``"#rrggbb"`` or ``"#rrggbbaa"``.
        ``progress`` is called with the part that is done, from 0 to 1; what it raises cancels.
        """
        params = given(
            asset=self.handle,
            trackID=None if track is None else _track_id(track),
            timeRange=None if time_range is None else TimeRange.of(time_range).to_wire(),
            count=count,
            format=format,
            width=width,
            height=height,
            color=color,
            backgroundColor=background_color,
            quality=quality,
            delivery=delivery_to_wire(delivery),
        )
        async with Work(self, "waveform/generate", params) as operation:
            while True:
                name, item = await operation.next()
                if name == operation.terminal:
                    return outcome(item, self)
                if progress is not None:
                    progress(item["progress"])


class Asset(AssetFacts, RemoteFace):
    """A media file. Its properties load themselves; ``load()`` gets several at once."""

    _core: AsyncAsset

    def __init__(self, parent: Face, core: AsyncAsset) -> None:
        Face.__init__(self, parent, core)
        self.url = core.url
        self._values = core._values

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
        """Loads keys, all when none is given, and returns their values.

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
    ) -> list[Track]:
        """The tracks of a media type or with a characteristic, loaded if need be."""
        tracks = self._portal.call(self._core.load_tracks, media_type, media_characteristic)
        return [Track(self, track) for track in tracks]

    def load_track(self, track_id: int) -> Track | None:
        """The track with a number, loaded if need be; ``None`` when there is none."""
        track = self._portal.call(self._core.load_track, track_id)
        return None if track is None else Track(self, track)

    status = blocking(AsyncAsset.status)
    cancel_loading = blocking(AsyncAsset.cancel_loading)
    find_unused_track_id = blocking(AsyncAsset.find_unused_track_id)
    load_metadata = blocking(AsyncAsset.load_metadata)
    artwork = blocking(AsyncAsset.artwork)
    chapters = blocking(AsyncAsset.chapters)
    media_selection_group = blocking(AsyncAsset.media_selection_group)
    image_generator = making(AsyncAsset.image_generator, ImageGenerator)
    image = blocking(AsyncAsset.image)
    compatible_presets = blocking(AsyncAsset.compatible_presets)
    incompatible_presets = blocking(AsyncAsset.incompatible_presets)
    compatible_file_types = blocking(AsyncAsset.compatible_file_types)
    incompatible_file_types = blocking(AsyncAsset.incompatible_file_types)
    export_session = making(AsyncAsset.export_session, ExportSession)
    export = blocking(AsyncAsset.export)
    reader = making(AsyncAsset.reader, AssetReader)
    sample_cursor = making(AsyncAsset.sample_cursor, SampleCursor)
    waveform = blocking(AsyncAsset.waveform)


def _first(*times: TimeLike | None) -> TimeLike | None:
    return next((time for time in times if time is not None), None)


def _time(time: TimeLike | None) -> Any:
    return None if time is None else MediaTime.of(time).to_wire()


def _size(size: tuple[float, float] | None) -> Any:
    return None if size is None else {"width": size[0], "height": size[1]}


def _track_id(track: TrackLike) -> int:
    return track if isinstance(track, int) else track.track_id


def _list(items: Iterable[str] | None) -> list[str] | None:
    return [items] if isinstance(items, str) else None if items is None else list(items)
