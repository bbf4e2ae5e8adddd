"""Exports of an asset to a new file."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any, TypedDict

from . import protocol
from .calls import BlockingExportSessionCalls, ExportSessionCalls
from .export_job import AsyncExportJob, ExportJob
from .export_result import ExportResult
from .metadata import ChapterLike, MetadataChangesLike, MetadataLike
from .portal import RemoteFace, blocking, making
from .progress import ProgressLike, reporting
from .remote import given
from .subtitles import SubtitlesLike
from .time_range import TimeRangeLike
from .transport import Transport
from .work import Work, finished, require_success

__all__ = ["AsyncExportSession", "ExportOptions", "ExportSession"]

_EXPORT = "exportSession/export"


class ExportOptions(TypedDict, total=False):
    """The options of ``export_session``, ``export`` and ``start_export``, in addition to the file and preset."""

    #: The settings of video and audio, which override a preset or replace it.
    settings: protocol.ExportSettings | None
    #: The tracks to take: their numbers, ``{"languages": ["de"]}``, or rules with ``include`` and
    #: ``exclude``. A join takes these of each of its files.
    tracks: protocol.TrackSelection | None
    #: The type of the file; it follows from the name's extension when left out.
    output_file_type: str | None
    #: The part of the asset; all of it when left out.
    time_range: TimeRangeLike | None
    #: The metadata of the file, artwork included: items, or values by their common keys; that of the
    #: asset is kept when left out.
    metadata: MetadataLike | None
    #: The changes of that metadata; the rest stays unchanged.
    metadata_changes: MetadataChangesLike | None
    #: The chapters of the file; those of the asset are kept when left out.
    chapters: Iterable[ChapterLike] | None
    #: The source of chapters without ``chapters``: ``"files"``, ``"parts"`` or ``"none"``.
    chapters_from: protocol.ChapterSource | None
    #: The size in bytes that the file should not exceed; it then ends earlier.
    file_length_limit: int | None
    #: True if the index comes before the media, so that playing can start before the end arrives.
    should_optimize_for_network_use: bool | None
    #: The volumes of the audio tracks over time; ``None`` for their own volume.
    audio_mix: Mapping[str, Any] | None
    #: The compositing of the video tracks; ``None`` for the first enabled track.
    video_composition: Mapping[str, Any] | None
    #: Files of subtitles that become further tracks.
    subtitles: Iterable[SubtitlesLike] | None
    #: The conversion of audio that is scaled in time: ``"spectral"``, ``"timeDomain"`` or ``"varispeed"``.
    audio_time_pitch_algorithm: protocol.AudioTimePitchAlgorithm | None
    #: The trim mode of ``Passthrough``: ``"editList"``, ``"syncSample"``, or ``"smart"``.
    trim_mode: protocol.TrimMode | None
    #: True if encoded audio tracks become one: ``"mix"``, usual for a composition, or ``"separate"``.
    audio_tracks: protocol.AudioTracks | None
    #: The loudness of the encoded audio, in LUFS, or with the limit of its true peak.
    loudness: float | protocol.LoudnessTarget | None
    #: The way in which ``Passthrough`` joins the segments of a composition: ``{"audio": "copy"}``.
    joins: protocol.Joins | None
    #: An existing folder for the unfinished file; that of the new file when left out.
    directory_for_temporary_files: str | os.PathLike[str] | None
    #: True if the file takes the place of the asset's own, when it is complete.
    replaces_source: bool | None


def with_loudness(
    settings: protocol.ExportSettings | None, loudness: float | protocol.LoudnessTarget | None
) -> protocol.ExportSettings | None:
    """The settings, with audio that becomes as loud."""
    if loudness is None:
        return settings
    target = loudness if isinstance(loudness, Mapping) else {"integratedLoudness": float(loudness)}
    audio: Any = (settings or {}).get("audio", {})
    if audio is None:
        raise ValueError("a loudness is one of the audio, which the settings leave out")
    changed: Any = {**(settings or {}), "audio": {**audio, "loudness": target}}
    made: protocol.ExportSettings = changed
    return made


def _part(item: Any) -> float:
    return float(item["progress"])


class AsyncExportSession(ExportSessionCalls):
    """Exports an asset once."""

    def __init__(
        self, transport: Transport, wire: protocol.ExportSessionCreateResult, preset: str | None
    ) -> None:
        super().__init__(transport, wire["exportSession"])
        #: The preset; None where settings take its place.
        self.preset = preset
        #: The type that the file will have, for example ``mp4``.
        self.output_file_type: str = wire["outputFileType"]
        #: The types that the preset can export the asset to.
        self.supported_file_types: list[str] = wire["supportedFileTypes"]

    async def export(
        self,
        *,
        resume: bool | None = None,
        progress: ProgressLike = None,
        progress_interval: float | None = None,
    ) -> ExportResult:
        """Exports; the file is complete when this returns, and no part of it is left after an error.

        With ``resume`` it is made in parts, hidden files in the folder of the new one. They stay after an error, a
        cancel or a crash of a process, and the next such export continues from there; they are removed when the
        file is complete. That is for exports that encode a file's video at a constant quality.

        ``progress`` is called with the completed fraction, from 0 to 1, at most every
        ``progress_interval`` seconds (0.1), and an exception of it cancels the export. ``True`` shows
        the progress, with tqdm if that is installed, otherwise in one line of the terminal.
        """
        params = self._params(progress_interval) | given(resume=resume)
        return await self._finished(_EXPORT, params, progress)

    async def _finished(
        self, method: str, params: Mapping[str, Any], progress: ProgressLike
    ) -> ExportResult:
        with reporting(progress, f"export to {self.output_file_type}", _part) as on_item:
            if on_item is None:
                params = {**params, "progressInterval": 0.0}
            end = await finished(self, method, params, on_item)
            require_success(end, "the export", "No file was left behind.")
        return ExportResult(end)

    async def start(
        self, *, resume: bool | None = None, progress_interval: float | None = None
    ) -> AsyncExportJob:
        """Starts the export, and returns once that has begun; ``resume`` is that of ``export``."""
        return await self._start(resume, progress_interval, owned=False)

    async def _start(
        self, resume: bool | None, progress_interval: float | None, *, owned: bool
    ) -> AsyncExportJob:
        """The session ends with the job when it is ``owned`` by it."""
        work = Work(self, _EXPORT, given(resume=resume) | self._params(progress_interval))
        operation = await work.begin()
        close = self.close if owned else None
        return AsyncExportJob(work, operation, self.output_file_type, self.cancel, close)

    def _params(self, progress_interval: float | None) -> Any:
        return given(exportSession=self.handle, progressInterval=progress_interval)

    def __repr__(self) -> str:
        closed = " closed" if self._closed else ""
        return (
            f"<{type(self).__name__} {self._handle} {self.preset} "
            f"to {self.output_file_type}{closed}>"
        )


class ExportSession(BlockingExportSessionCalls, RemoteFace):
    """Exports an asset once."""

    _core: AsyncExportSession

    export = blocking(AsyncExportSession.export)
    start = making(AsyncExportSession.start, ExportJob)

    @property
    def preset(self) -> str | None:
        """The preset; None where settings take its place."""
        return self._core.preset

    @property
    def output_file_type(self) -> str:
        """The type that the file will have, for example ``mp4``."""
        return self._core.output_file_type

    @property
    def supported_file_types(self) -> list[str]:
        """The types that the preset can export the asset to."""
        return self._core.supported_file_types
