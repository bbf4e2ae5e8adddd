"""Exports of a file, as jobs."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Awaitable, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Callable

from .. import protocol
from ..blob import path_text
from ..export_result import ExportResult
from ..export_session import AsyncExportSession
from ..metadata import ChapterLike, MetadataChangesLike, MetadataLike
from ..time_range import TimeRangeLike
from .exporting import export_options, frozen_options, refuse_client_compositor, written
from .job import Job, JobContext, absolute
from .output_paths import output_path, output_template
from .values import WrittenFile

__all__ = ["Export"]


@dataclass(frozen=True, eq=False, repr=False)
class Export(Job[WrittenFile]):
    """Exports a file to a new one: ``Export("MediumQuality", "small/{stem}.mp4")``.

    ``output`` is a path with fields of the source's: ``{stem}`` and ``{suffix}`` (``clip``, ``.mov``), ``{name}``
    (both), ``{parent}`` (the name of its folder), ``{folder}`` (the path of that), ``{hash}`` (of its path: 12
    digits). A relative one begins at the current folder of the process that makes the job. Its folder has to be
    there, and it must not be the source.

    An existing file is never touched: ``FileAlreadyExistsError``. But if this very job has made it
    of this source earlier, it is returned, and nothing is written; a hidden record in the folder of the file, such as
    ``.clip.mp4.reelwire.json``, shows it as long as neither of them is changed. (A source that isn't a file, but a
    URL, never counts as the same.) After an error, a cancel or a crash of an engine nothing of an unfinished
    file is left.
    """

    #: The preset; ``HighestQuality`` if there are no ``settings`` either.
    preset: str | None
    #: The new file.
    output: str | os.PathLike[str]
    #: The settings of video and audio, which override a preset or replace it.
    settings: protocol.ExportSettings | None = None
    #: The type of the file; it follows from the name's extension when left out.
    output_file_type: str | None = None
    #: The part of the asset; all of it when left out.
    time_range: TimeRangeLike | None = None
    #: The metadata of the file; that of the asset is kept when left out. Files of artwork are read at once.
    metadata: MetadataLike | None = None
    #: The changes of that metadata; the rest stays unchanged.
    metadata_changes: MetadataChangesLike | None = None
    #: The chapters of the file; those of the asset are kept when left out.
    chapters: Iterable[ChapterLike] | None = None
    #: The size in bytes that the file should not exceed; it then ends earlier.
    file_length_limit: int | None = None
    #: True if the index comes before the media.
    should_optimize_for_network_use: bool | None = None
    #: The volumes of the audio tracks over time.
    audio_mix: Mapping[str, Any] | None = None
    #: The compositing of the video tracks.
    video_composition: Mapping[str, Any] | None = None
    #: The conversion of audio that is scaled in time.
    audio_time_pitch_algorithm: protocol.AudioTimePitchAlgorithm | None = None
    #: The trim mode of ``Passthrough``: ``"editList"``, ``"syncSample"``, or ``"smart"``.
    trim_mode: protocol.TrimMode | None = None
    #: True if encoded audio tracks become one: ``"mix"``, or ``"separate"``.
    audio_tracks: protocol.AudioTracks | None = None
    #: An existing folder for the unfinished file; that of the new file when left out. It isn't part
    #: of the digest: the file is the same.
    directory_for_temporary_files: str | os.PathLike[str] | None = field(
        default=None, metadata={"is_work": False}
    )
    #: True if the source is scanned for an exact duration.
    prefer_precise_duration_and_timing: bool | None = None
    #: True if the existing part of a damaged source is exported.
    salvage: bool | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.preset, (str, type(None))):
            raise TypeError(f"a preset is a name, not {self.preset!r}")
        if self.preset is None and self.settings is None:
            self._set(preset="HighestQuality")
        refuse_client_compositor(self.video_composition)
        folder = self.directory_for_temporary_files
        if folder is not None:
            self._set(directory_for_temporary_files=absolute(path_text(folder, "a folder")))
        self._set(output=output_template(self.output), **frozen_options(self))

    async def perform(self, context: JobContext) -> WrittenFile:
        """The new file."""
        return await self.written(context, lambda session: session.export())

    async def written(
        self,
        context: JobContext,
        export: Callable[[AsyncExportSession], Awaitable[ExportResult]],
    ) -> WrittenFile:
        """The new file, which a session makes."""

        async def at(path: str) -> ExportResult:
            async with self.session(context, path) as session:
                return await export(session)

        return await written(self, context, self.output_for(context), [context.path], at)

    def output_for(self, context: JobContext) -> str:
        """The path of the new file, as the caller names it."""
        return output_path(str(self.output), context.path)

    @asynccontextmanager
    async def session(self, context: JobContext, path: str) -> AsyncIterator[AsyncExportSession]:
        """A session that exports the file to a path on this machine."""
        async with context.open(
            prefer_precise_duration_and_timing=self.prefer_precise_duration_and_timing,
            salvage=self.salvage,
        ) as asset:
            options = export_options(self, context)
            async with await asset.export_session(path, self.preset, **options) as session:
                yield session
