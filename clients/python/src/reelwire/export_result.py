"""What is reported about an export: before it, while it runs, and at its end."""

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
        #: How ``Passthrough`` has cut: ``editList``, ``syncSample`` or ``smart``; ``None`` where
        #: all was copied or encoded.
        self.trim_mode: protocol.TrimMode | None = wire.get("trimMode")
        #: Why that is not the mode that was asked for; ``None`` where it is.
        self.trim_note: str | None = wire.get("trimNote")
        #: What was left out, each with its ``reason``.
        self.dropped: list[protocol.Dropped] = wire.get("dropped") or []
        #: What was measured of each audio track that has a ``loudness``, and what has become of it.
        self.loudness: list[protocol.AppliedLoudness] = wire.get("loudness") or []

    def __fspath__(self) -> str:
        return self.path

    def __repr__(self) -> str:
        size = "" if self.file_size is None else f" {self.file_size} bytes"
        trim = "" if self.trim_mode is None else f" cut by {self.trim_mode}"
        dropped = f" without {len(self.dropped)} things" if self.dropped else ""
        return f"<ExportResult {self.path!r}{size}{trim}{dropped}>"


class ExportStatus:
    """How far an export is."""

    def __init__(self, wire: protocol.ExportSessionStatusResult) -> None:
        #: ``unknown``, ``waiting``, ``exporting``, ``completed``, ``failed`` or ``cancelled``.
        self.status: protocol.ExportStatus = wire["status"]
        #: The part that is done, from 0 to 1.
        self.progress: float = wire["progress"]
        #: Why it failed or was cancelled.
        self.error: ReelwireError | None = (
            error_from_wire(wire["error"]) if wire.get("error") else None
        )

    def __repr__(self) -> str:
        return f"<ExportStatus {self.status} {self.progress:.0%}>"


class ExportPreflight:
    """What an export would do."""

    def __init__(self, wire: protocol.ExportSessionPreflightResult) -> None:
        #: The part of the asset that the file would show.
        self.time_range = TimeRange.of(wire["timeRange"])
        #: What would become of each track.
        self.tracks: list[protocol.PlannedTrack] = wire["tracks"]
        #: What would be left out, each with its ``reason``.
        self.dropped: list[protocol.Dropped] = wire["dropped"]

    def __repr__(self) -> str:
        fates = ", ".join(f"{track['mediaType']} {track['treatment']}" for track in self.tracks)
        return f"<ExportPreflight {fates}>"


class ExportEstimate:
    """How long and how large a file will be."""

    def __init__(self, wire: protocol.ExportSessionEstimateResult) -> None:
        #: How long.
        self.duration = MediaTime.of(wire["duration"])
        #: Its size in bytes.
        self.file_length: int = wire["fileLength"]
        maximum = wire.get("maximumDuration")
        #: How much of the asset fits into the session's limit of bytes, if there is one.
        self.maximum_duration = MediaTime.of(maximum) if maximum is not None else None

    def __repr__(self) -> str:
        return f"<ExportEstimate {float(self.duration):.3f} s {self.file_length} bytes>"


class Exporter(Remote):
    """What exports: how the requests that do are sent is its own."""

    async def _finished(
        self, method: str, params: Mapping[str, Any], progress: ProgressLike
    ) -> ExportResult:
        """Does an export, and returns its result."""
        raise NotImplementedError
