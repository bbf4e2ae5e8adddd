"""The reports of an export: before it, while it runs, and at its end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from . import protocol
from .errors import ReelwireError, error_from_wire
from .progress import ProgressLike
from .remote import Remote
from .time import MediaTime
from .time_range import TimeRange

__all__ = ["ExportEstimate", "ExportPreflight", "ExportResult", "ExportStatus", "Exporter"]


class ExportResult:
    """The file that an export has made."""

    def __init__(self, wire: protocol.ExportSessionDidFinish | Any) -> None:
        #: The file.
        self.path: str = wire.get("outputURL", "")
        #: Its size in bytes.
        self.file_size: int | None = wire.get("fileSize")
        #: The part of the asset that it shows.
        self.time_range = TimeRange.of(wire["timeRange"]) if wire.get("timeRange") else None
        #: The trim mode of ``Passthrough``: ``editList``, ``syncSample`` or ``smart``; ``None`` where
        #: all was copied or encoded.
        self.trim_mode: protocol.TrimMode | None = wire.get("trimMode")
        #: The reason if that is not the requested mode; ``None`` otherwise.
        self.trim_note: str | None = wire.get("trimNote")
        #: The dropped items, each with its ``reason``.
        self.dropped: list[protocol.Dropped] = wire.get("dropped") or []
        #: The measurements of each audio track with a ``loudness``, and their results.
        self.loudness: list[protocol.AppliedLoudness] = wire.get("loudness") or []

    def __fspath__(self) -> str:
        return self.path

    def __repr__(self) -> str:
        size = "" if self.file_size is None else f" {self.file_size} bytes"
        trim = "" if self.trim_mode is None else f" cut by {self.trim_mode}"
        dropped = f" without {len(self.dropped)} things" if self.dropped else ""
        return f"<ExportResult {self.path!r}{size}{trim}{dropped}>"


class ExportStatus:
    """The state of an export."""

    def __init__(self, wire: protocol.ExportSessionStatusResult) -> None:
        #: ``unknown``, ``waiting``, ``exporting``, ``completed``, ``failed`` or ``cancelled``.
        self.status: protocol.ExportStatus = wire["status"]
        #: The part that is done, from 0 to 1.
        self.progress: float = wire["progress"]
        #: The reason if it failed or was cancelled.
        self.error: ReelwireError | None = (
            error_from_wire(wire["error"]) if wire.get("error") else None
        )

    def __repr__(self) -> str:
        return f"<ExportStatus {self.status} {self.progress:.0%}>"


class ExportPreflight:
    """The plan of an export."""

    def __init__(self, wire: protocol.ExportSessionPreflightResult) -> None:
        #: The part of the asset that the file would show.
        self.time_range = TimeRange.of(wire["timeRange"])
        #: The treatment of each track.
        self.tracks: list[protocol.PlannedTrack] = wire["tracks"]
        #: The items that would be dropped, each with its ``reason``.
        self.dropped: list[protocol.Dropped] = wire["dropped"]

    def __repr__(self) -> str:
        fates = ", ".join(f"{track['mediaType']} {track['treatment']}" for track in self.tracks)
        return f"<ExportPreflight {fates}>"


class ExportEstimate:
    """The estimated duration and size of a file."""

    def __init__(self, wire: protocol.ExportSessionEstimateResult) -> None:
        #: The duration.
        self.duration = MediaTime.of(wire["duration"])
        #: Its size in bytes.
        self.file_length: int = wire["fileLength"]
        maximum = wire.get("maximumDuration")
        #: The part of the asset that fits into the session's limit of bytes, if there is one.
        self.maximum_duration = MediaTime.of(maximum) if maximum is not None else None

    def __repr__(self) -> str:
        return f"<ExportEstimate {float(self.duration):.3f} s {self.file_length} bytes>"


class Exporter(Remote):
    """An object that exports; it defines the sending of the requests."""

    async def _finished(
        self, method: str, params: Mapping[str, Any], progress: ProgressLike
    ) -> ExportResult:
        """Does an export, and returns its result."""
        raise NotImplementedError
