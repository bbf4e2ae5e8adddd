"""The formats to which an asset can be exported, and its exports."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from . import protocol
from .blob import absolute_path
from .export_job import AsyncExportJob
from .export_result import ExportResult
from .export_session import AsyncExportSession, ExportOptions, with_loudness
from .metadata import (
    ChapterLike,
    MetadataChangesLike,
    MetadataLike,
    chapters_to_wire,
    metadata_changes_to_wire,
    metadata_to_wire,
)
from .previews import MediaPreview
from .progress import ProgressLike
from .remote import OWN, Remote, given, unless_own
from .subtitles import SubtitlesLike, subtitles_to_wire
from .time import MediaTime, TimeLike
from .time_range import TimeRange, TimeRangeLike
from .wire import time_range_to_wire

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = ["AssetExports"]

#: The default duration of a preview, in seconds.
_PREVIEW = 10


class AssetExports(Remote):
    """The exports of an asset."""

    async def export_session(
        self,
        output: str | os.PathLike[str],
        preset: str | None = None,
        *,
        settings: protocol.ExportSettings | None = None,
        tracks: protocol.TrackSelection | None = None,
        output_file_type: str | None = None,
        time_range: TimeRangeLike | None = None,
        metadata: MetadataLike | None = None,
        metadata_changes: MetadataChangesLike | None = None,
        chapters: Iterable[ChapterLike] | None = None,
        chapters_from: protocol.ChapterSource | None = None,
        file_length_limit: int | None = None,
        should_optimize_for_network_use: bool | None = None,
        audio_mix: Mapping[str, Any] | None = OWN,
        video_composition: Mapping[str, Any] | None = OWN,
        subtitles: Iterable[SubtitlesLike] | None = None,
        audio_time_pitch_algorithm: protocol.AudioTimePitchAlgorithm | None = None,
        trim_mode: protocol.TrimMode | None = None,
        audio_tracks: protocol.AudioTracks | None = None,
        loudness: float | protocol.LoudnessTarget | None = None,
        joins: protocol.Joins | None = None,
        directory_for_temporary_files: str | os.PathLike[str] | None = None,
        replaces_source: bool | None = None,
    ) -> AsyncExportSession:
        """Makes a session that exports it to a new file; an existing one is never touched.

        By default the file's type follows from its extension. ``Passthrough`` copies samples,
        other presets encode them. ``settings`` override a preset, or replace it:
        ``{"video": {"width": 640}, "audio": None}``, where ``None`` omits that media type. ``tracks`` are
        numbers, ``{"languages": ["de"]}``, or rules: ``{"include": [{"mediaType": "video"},
        {"mediaType": "audio", "language": "de"}], "exclude": [{"codec": "flac"}]}``. With
        neither, the preset is ``HighestQuality``. The unfinished file is in the folder of the new one, or in
        ``directory_for_temporary_files``; nothing of it is left after any end of the export. The
        asset's metadata is retained unless ``metadata`` replaces it, for example by ``{"title": "Evening"}``;
        ``metadata_changes`` changes only the named items, for example ``{"set": {"title": "Evening"},
        "remove": ["comment"]}``. ``chapters`` are ``[(0, "First"), (12.5, "Second")]``; without them
        ``chapters_from="parts"`` is one for each part of a composition, and ``"none"`` is none. With
        ``replaces_source`` the file replaces the asset's own, which ``output`` names.

        ``audio_mix`` has the volumes of audio tracks over time, and makes them one track unless ``audio_tracks``
        is ``"separate"``. ``loudness`` is that of the encoded audio in LUFS, ``-16`` for example, or with the limit of its
        true peak ``{"integratedLoudness": -16, "truePeak": -2}``: it is measured first, and its dynamics are preserved; the
        result's ``loudness`` reports it. With a ``video_composition`` the file has one video track, of its frames.
        ``None`` uses neither, even if the asset is a composition with its own.

        ``subtitles`` are files of subtitles that become further tracks: ``["film.en.srt"]``, or with their properties
        ``[{"url": "film.ru.srt", "language": "ru", "characterSet": "windows-1251", "timeOffset": -1.5}]``. With
        ``"replaces"`` one takes the place of the track of that number.
        """
        if preset is None and settings is None:
            preset = "HighestQuality"
        settings = with_loudness(settings, loudness)
        if tracks is not None:
            settings = {**(settings or {}), "tracks": tracks}
        result = await self._request(
            "exportSession/create",
            given(
                asset=self.handle,
                preset=preset,
                settings=settings,
                outputURL=absolute_path(output, "an output"),
                outputFileType=output_file_type,
                timeRange=time_range_to_wire(time_range),
                metadata=metadata_to_wire(metadata),
                metadataChanges=metadata_changes_to_wire(metadata_changes),
                chapters=chapters_to_wire(chapters),
                chaptersFrom=chapters_from,
                fileLengthLimit=file_length_limit,
                shouldOptimizeForNetworkUse=should_optimize_for_network_use,
                subtitles=subtitles_to_wire(subtitles),
                audioTimePitchAlgorithm=audio_time_pitch_algorithm,
                trimMode=trim_mode,
                audioTracks=audio_tracks,
                joins=joins,
                directoryForTemporaryFiles=None
                if directory_for_temporary_files is None
                else absolute_path(directory_for_temporary_files, "a folder"),
                replacesSource=replaces_source,
            )
            | unless_own(audioMix=audio_mix, videoComposition=video_composition),
        )
        return AsyncExportSession(self.transport, result, preset)

    async def export(
        self,
        output: str | os.PathLike[str],
        preset: str | None = None,
        *,
        resume: bool | None = None,
        progress: ProgressLike = None,
        progress_interval: float | None = None,
        **options: Unpack[ExportOptions],
    ) -> ExportResult:
        """Exports it to a new file, which is complete when this returns.

        The options are those of ``export_session``: ``settings``, ``time_range``, ``metadata``, ``trim_mode`` …
        With ``resume`` it is made in parts, hidden files in its folder that stay when it is interrupted, and it
        continues with the existing ones. ``progress`` is called with the completed fraction, from 0 to 1, and an
        exception of it cancels the export; ``True`` shows it, with tqdm if that is installed, otherwise in one
        line of the terminal.
        """
        async with await self.export_session(output, preset, **options) as session:
            return await session.export(
                resume=resume, progress=progress, progress_interval=progress_interval
            )

    async def start_export(
        self,
        output: str | os.PathLike[str],
        preset: str | None = None,
        *,
        resume: bool | None = None,
        progress_interval: float | None = None,
        **options: Unpack[ExportOptions],
    ) -> AsyncExportJob:
        """Starts to export it to a new file; a loop over the job returns the completed fraction.

        The options are those of ``export_session``, and ``resume`` is that of ``export``.
        """
        session = await self.export_session(output, preset, **options)
        try:
            return await session._start(resume, progress_interval, owned=True)
        except BaseException:
            await session.close()
            raise

    async def preview(
        self, start: TimeLike = 0, end: TimeLike | None = None, *, maximum_bytes: int = 8 << 20
    ) -> MediaPreview:
        """A part of it as a small file in memory, which a notebook plays: ``asset.preview(1, 4)``.

        Without an ``end`` it is ten seconds, or the rest of the asset. H.264 and AAC in at most 640×480
        pixels, or only AAC if there is no video; it ends earlier if it would be larger than
        ``maximum_bytes``. Raises ``ValueError`` for an end that isn't after the start.
        """
        if maximum_bytes <= 0:
            raise ValueError(f"a preview has bytes, so its limit is not {maximum_bytes}")
        duration, begin = (await self._duration()), MediaTime.of(start)
        wanted = begin + _PREVIEW if end is None else MediaTime.of(end)
        last = min(wanted, duration) if duration.is_numeric else wanted
        if not begin < last:
            raise ValueError(f"there is nothing from {begin} to {last}")
        has_video = await self._has_video()
        preset, name = ("640x480", "preview.mp4") if has_video else ("AppleM4A", "preview.m4a")
        with tempfile.TemporaryDirectory(prefix="reelwire-preview-") as folder:
            path = os.path.join(folder, name)
            result = await self.export(
                path,
                preset,
                time_range=TimeRange.between(begin, last),
                metadata={},
                chapters=[],
                file_length_limit=maximum_bytes,
            )
            with open(path, "rb") as file:
                data = file.read()
        kind = "video/mp4" if has_video else "audio/mp4"
        return MediaPreview(data, kind, result.time_range or TimeRange.between(begin, last))

    async def _duration(self) -> MediaTime:
        """The duration."""
        raise NotImplementedError

    async def _has_video(self) -> bool:
        """True if it has video that can be decoded."""
        raise NotImplementedError
