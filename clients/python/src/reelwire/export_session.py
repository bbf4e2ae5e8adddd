"""Exports of an asset to a new file."""

from __future__ import annotations

from typing import Any, Callable

from . import protocol
from .errors import OperationCancelledError, ReelwireError, error_from_wire
from .portal import RemoteFace, blocking
from .remote import Remote, Work, given
from .time import MediaTime, TimeRange
from .transport import Transport

__all__ = [
    "AsyncExportSession",
    "ExportEstimate",
    "ExportPreflight",
    "ExportResult",
    "ExportSession",
    "ExportStatus",
]


class ExportResult:
    """The file that an export has made."""

    def __init__(self, wire: protocol.ExportSessionDidFinish | Any) -> None:
        #: The file.
        self.path: str = wire.get("outputURL", "")
        #: Its size in bytes.
        self.file_size: int | None = wire.get("fileSize")
        #: The part of the asset that it shows.
        self.time_range = TimeRange.of(wire["timeRange"]) if wire.get("timeRange") else None
        #: The tracks that were left out, each with its ``reason``.
        self.dropped: list[protocol.Dropped] = wire.get("dropped") or []

    def __fspath__(self) -> str:
        return self.path

    def __repr__(self) -> str:
        size = "" if self.file_size is None else f" {self.file_size} bytes"
        dropped = f" without {len(self.dropped)} things" if self.dropped else ""
        return f"<ExportResult {self.path!r}{size}{dropped}>"


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
        most = wire.get("maximumDuration")
        #: How much of the asset fits into the session's limit of bytes, if there is one.
        self.maximum_duration = MediaTime.of(most) if most is not None else None

    def __repr__(self) -> str:
        return f"<ExportEstimate {float(self.duration):.3f} s {self.file_length} bytes>"


class AsyncExportSession(Remote):
    """Exports an asset once."""

    def __init__(
        self, transport: Transport, wire: protocol.ExportSessionCreateResult, preset: str
    ) -> None:
        super().__init__(transport, wire["exportSession"])
        #: The preset.
        self.preset = preset
        #: The type that the file will have, for example ``mp4``.
        self.output_file_type: str = wire["outputFileType"]
        #: The types that the preset can export the asset to.
        self.supported_file_types: list[str] = wire["supportedFileTypes"]

    async def export(
        self,
        *,
        progress: Callable[[float], Any] | None = None,
        progress_interval: float | None = None,
    ) -> ExportResult:
        """Exports; the file is there when this returns, and no part of it after an error.

        ``progress`` is called with the part that is done, from 0 to 1, at most every
        ``progress_interval`` seconds (0.1). What it raises cancels the export.
        """
        if progress is None:
            progress_interval = 0.0
        params = given(exportSession=self.handle, progressInterval=progress_interval)
        async with Work(self, "exportSession/export", params) as operation:
            while True:
                name, item = await operation.next()
                if name == operation.terminal:
                    return _outcome(item)
                if progress is not None:
                    progress(item["progress"])

    async def preflight(self) -> ExportPreflight:
        """What the export would do, and leave out, without doing it."""
        params = given(exportSession=self.handle)
        return ExportPreflight(await self.transport.request("exportSession/preflight", params))

    async def estimate(self) -> ExportEstimate:
        """How long and how large the file will be; of constant quality, half or twice as large."""
        params = given(exportSession=self.handle)
        return ExportEstimate(await self.transport.request("exportSession/estimate", params))

    async def status(self) -> ExportStatus:
        """How far it is; it never waits for the export."""
        params = given(exportSession=self.handle)
        return ExportStatus(await self.transport.request("exportSession/status", params))

    async def cancel(self) -> None:
        """Cancels the export, which then raises ``OperationCancelledError`` and leaves no file."""
        await self.transport.request("exportSession/cancel", given(exportSession=self.handle))

    def __repr__(self) -> str:
        closed = " closed" if self._closed else ""
        return (
            f"<{type(self).__name__} {self._handle} {self.preset} "
            f"to {self.output_file_type}{closed}>"
        )


def _outcome(wire: protocol.ExportSessionDidFinish | Any) -> ExportResult:
    if wire["status"] == "completed":
        return ExportResult(wire)
    if wire.get("error"):
        raise error_from_wire(wire["error"])
    if wire["status"] == "cancelled":
        raise OperationCancelledError(
            "the export was cancelled", code=-11878, hint="No file was left behind."
        )
    raise ReelwireError(f"the export ended as {wire['status']}")


class ExportSession(RemoteFace):
    """Exports an asset once."""

    _core: AsyncExportSession

    export = blocking(AsyncExportSession.export)
    preflight = blocking(AsyncExportSession.preflight)
    estimate = blocking(AsyncExportSession.estimate)
    status = blocking(AsyncExportSession.status)
    cancel = blocking(AsyncExportSession.cancel)

    @property
    def preset(self) -> str:
        """The preset."""
        return self._core.preset

    @property
    def output_file_type(self) -> str:
        """The type that the file will have, for example ``mp4``."""
        return self._core.output_file_type

    @property
    def supported_file_types(self) -> list[str]:
        """The types that the preset can export the asset to."""
        return self._core.supported_file_types
