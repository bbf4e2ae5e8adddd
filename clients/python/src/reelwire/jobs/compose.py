"""Films made of several files, as jobs."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Callable, Union

from .. import protocol
from ..blob import path_text
from ..composition import AsyncComposition
from ..engine import AsyncEngine
from ..export_result import ExportResult
from ..metadata import ChapterLike, MetadataLike
from ..time_range import TimeRangeLike
from .exporting import export_options, frozen_options, refuse_client_compositor, written
from .frozen import frozen, thawed
from .job import Job, JobContext, absolute
from .output_paths import output_path, output_template
from .values import WrittenFile

__all__ = ["Compose"]

#: Files one after the other, each by its path or as the clip of a sequence; or a document.
SequenceLike = Union["Mapping[str, Any]", "Iterable[str | os.PathLike[str] | Mapping[str, Any]]"]


@dataclass(frozen=True, eq=False, repr=False)
class Compose(Job[WrittenFile]):
    """Exports a composition of files: ``Compose(["a.mp4", "b.mp4"], "Passthrough", "both.mp4")``.

    ``sequence`` is a list of paths, or of clips such as ``{"url": "a.mp4", "speed": 2}``; or a document: a
    sequence as ``Engine.assemble`` takes it, or the timeline of a composition. It names its files, so a worker
    gets no path: ``worker.run(job)``. Relative paths, also of ``output``, begin at the current folder of the
    process that makes the job. When it is done again it finds its file, as ``Export`` does, unless one of the
    sources has changed.
    """

    names_its_files = True

    #: The sequence or timeline.
    sequence: SequenceLike
    #: The preset; ``HighestQuality`` if there are no ``settings`` either.
    preset: str | None
    #: The new file.
    output: str | os.PathLike[str]
    #: The settings of video and audio, which override a preset or replace it.
    settings: protocol.ExportSettings | None = None
    #: The type of the file; it follows from the name's extension when left out.
    output_file_type: str | None = None
    #: The part of the composition; all of it when left out.
    time_range: TimeRangeLike | None = None
    #: The metadata of the file. Files of artwork are read at once.
    metadata: MetadataLike | None = None
    #: The chapters of the file.
    chapters: Iterable[ChapterLike] | None = None
    #: The size in bytes that the file should not exceed; it then ends earlier.
    file_length_limit: int | None = None
    #: True if the index comes before the media.
    should_optimize_for_network_use: bool | None = None
    #: The conversion of audio that is scaled in time.
    audio_time_pitch_algorithm: protocol.AudioTimePitchAlgorithm | None = None
    #: The trim mode of ``Passthrough``: ``"editList"``, ``"syncSample"``, or ``"smart"``.
    trim_mode: protocol.TrimMode | None = None
    #: True if encoded audio tracks become one: ``"mix"``, or ``"separate"``.
    audio_tracks: protocol.AudioTracks | None = None
    #: The way in which ``Passthrough`` joins the segments: ``{"audio": "copy"}``.
    joins: protocol.Joins | None = None
    #: An existing folder for the unfinished file; that of the new file when left out. It isn't part
    #: of the digest: the file is the same.
    directory_for_temporary_files: str | os.PathLike[str] | None = field(
        default=None, metadata={"is_work": False}
    )

    def __post_init__(self) -> None:
        if not isinstance(self.preset, (str, type(None))):
            raise TypeError(f"a preset is a name, not {self.preset!r}")
        if self.preset is None and self.settings is None:
            self._set(preset="HighestQuality")
        document = frozen(_located(_document(self.sequence), absolute), "a sequence")
        refuse_client_compositor(document.get("videoComposition"))
        folder = self.directory_for_temporary_files
        if folder is not None:
            self._set(directory_for_temporary_files=absolute(path_text(folder, "a folder")))
        self._set(
            sequence=document,
            output=output_template(self.output, has_source=False),
            **frozen_options(self),
        )

    @property
    def sources(self) -> tuple[str, ...]:
        """The files that it shows, each once."""
        return tuple(dict.fromkeys(each["url"] for each in _files(thawed(self.sequence))))

    async def perform(self, context: JobContext) -> WrittenFile:
        """The new file."""
        document = _located(thawed(self.sequence), context.local)

        async def export(path: str) -> ExportResult:
            async with await _composition(context.engine, document) as composition:
                return await composition.export(path, self.preset, **export_options(self, context))

        return await written(self, context, output_path(str(self.output)), self.sources, export)


async def _composition(engine: AsyncEngine, document: Any) -> AsyncComposition:
    if "tracks" in document:
        return await engine.composition(timeline=document)
    return await engine.assemble(document)


def _document(sequence: SequenceLike) -> dict[str, Any]:
    """The document of the sequence or timeline."""
    if isinstance(sequence, Mapping):
        if not {"clips", "tracks"} & set(sequence):
            raise ValueError("a sequence has clips, and a timeline has tracks and sources")
        return thawed(frozen(sequence, "a sequence"))  # type: ignore[no-any-return]
    if isinstance(sequence, (str, bytes)) or not isinstance(sequence, Iterable):
        raise TypeError(f"a sequence is a list of paths and clips, or a document, not {sequence!r}")
    clips = [
        {"url": path_text(clip, "a clip")} if isinstance(clip, (str, os.PathLike)) else clip
        for clip in sequence
    ]
    if not clips:
        raise ValueError("there are no clips")
    return {"clips": thawed(frozen(clips, "a sequence"))}


def _files(document: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """All members of a document that name a file."""
    sources = document.get("sources") or {}
    groups = [document.get(name) or () for name in ("clips", "overlays", "audio")]
    for group in (*groups, sources.values()):
        for member in group:
            if isinstance(member, dict) and "asset" in member:
                raise ValueError("a job has no assets: name the files by their url")
            if isinstance(member, dict) and member.get("url"):
                yield member


def _located(document: dict[str, Any], place: Callable[[str], str]) -> dict[str, Any]:
    """The document with the path of each file as ``place`` makes it."""
    for member in _files(document):
        member["url"] = place(member["url"])
    return document
