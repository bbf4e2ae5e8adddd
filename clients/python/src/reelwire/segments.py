"""Media segments of an asset writer, and the folder of a stream that they make."""

from __future__ import annotations

import os
from typing import Any, Callable, Union

from . import protocol
from .blob import Blob, absolute_path
from .playlists import MediaPlaylist
from .remote import Remote, given
from .time import MediaTime, TimeLike
from .wire import time_to_wire

__all__ = ["HLSFolder", "Segment", "Segments"]


#: Seconds that no packet of audio exceeds.
_PACKET = 0.15


class Segment:
    """A segment that a writer has made."""

    def __init__(self, wire: protocol.AssetWriterDidOutputSegment, owner: Remote) -> None:
        #: True if it is the one that each of the others needs before it.
        self.is_initialization = wire["segmentType"] == "initialization"
        #: Its number, from 0 on; ``None`` for the initialization segment.
        self.index: int | None = wire.get("index")
        #: Its report of each track: ``trackID``, ``mediaType``, ``earliestPresentationTime``, ``duration``.
        self.tracks: list[protocol.SegmentTrackReport] = wire.get("report", {"trackReports": []})[
            "trackReports"
        ]
        with Blob(wire["blob"], owner) as blob:
            #: Its bytes.
            self.data = bytes(blob)

    @property
    def duration(self) -> MediaTime:
        """The duration of its video, else the longest of its tracks; if another one continues after the end
        of the video, until that ends."""
        spans = [
            (track["mediaType"], MediaTime.of(track["earliestPresentationTime"]), MediaTime.of(track["duration"]))
            for track in self.tracks
        ]
        video = [(start, length) for kind, start, length in spans if kind == "video"]
        if not video:
            return max((length for _, _, length in spans), default=MediaTime(0, 1))
        start, length = video[0]
        end = max(other + duration for _, other, duration in spans)
        # A packet of audio may reach into the next segment.
        return end - start if (end - start - length).seconds > _PACKET else length

    def __repr__(self) -> str:
        what = "initialization" if self.is_initialization else f"{self.index} of {self.duration}"
        return f"<Segment {what} {len(self.data)} bytes>"


class Segments:
    """Media segments in place of a file: ``engine.asset_writer(Segments(take, 6), video=…)``.

    ``function`` is called with each ``Segment``, the initialization segment first, on the thread of the
    engine's messages: an exception of it fails the writing. A segment lasts at least ``interval`` seconds and
    ends before a sync sample; with ``"indefinite"`` it ends with ``writer.flush_segment()``.
    """

    def __init__(
        self,
        function: Callable[[Segment], Any],
        interval: TimeLike = 6,
        *,
        start: TimeLike | None = None,
        profile: protocol.SegmentProfile | None = None,
    ) -> None:
        self._function = function
        self._settings: dict[str, Any] = given(
            preferredOutputSegmentInterval="indefinite"
            if interval == "indefinite"
            else MediaTime.of(interval).to_wire(),
            initialSegmentStartTime=time_to_wire(start),
            profile=profile,
            delivery="shm",
        )

    def to_wire(self) -> dict[str, Any]:
        """The settings as the protocol writes them."""
        return self._settings

    def take(self, segment: Segment) -> None:
        """Takes a segment."""
        self._function(segment)

    def finish(self) -> None:
        """All segments were read."""


class HLSFolder(Segments):
    """The folder of a stream for HTTP Live Streaming: ``engine.asset_writer(HLSFolder("stream"), video=…)``.

    It has a file for each segment, and ``index.m3u8``, which grows with each, so that the stream can be played
    while it does. Files that exist are not touched: they are an error.
    """

    def __init__(
        self,
        folder: str | os.PathLike[str],
        interval: TimeLike = 6,
        *,
        name: str = "index",
        start: TimeLike | None = None,
    ) -> None:
        super().__init__(self._write, interval, start=start)
        #: The folder of the segments and the playlist.
        self.folder = absolute_path(folder, "a folder")
        #: The segments so far; for a ``MultivariantPlaylist``.
        self.playlist = MediaPlaylist()
        #: The name of the playlist's file, for a ``MultivariantPlaylist`` in the same folder.
        self.uri = f"{name}.m3u8"
        self._name = name
        os.makedirs(self.folder, exist_ok=True)
        if os.path.exists(self._path(self.uri)):
            raise FileExistsError(f"{self._path(self.uri)} exists already")

    def _path(self, name: str) -> str:
        return os.path.join(self.folder, name)

    def _write(self, segment: Segment) -> None:
        part = "init.mp4" if segment.is_initialization else f"{segment.index}.m4s"
        uri = f"{self._name}-{part}"
        with open(self._path(uri), "xb") as file:
            file.write(segment.data)
        if segment.is_initialization:
            self.playlist.initialize(uri, segment.data)
            return
        self.playlist.append(uri, segment.duration, len(segment.data))
        self.playlist.save_last(self._path(self.uri))

    def finish(self) -> None:
        self.playlist.ended = True
        self.playlist.save(self._path(self.uri))


#: The destination of a writer's output: to a new file, or to segments.
WriterOutput = Union[str, "os.PathLike[str]", Segments]
