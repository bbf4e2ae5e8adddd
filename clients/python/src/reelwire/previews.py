"""Short parts of assets as files in memory, which notebooks play."""

from __future__ import annotations

import os
from typing import Any

from .notebook import player_html, shown_quietly
from .time_range import TimeRange

__all__ = ["MediaPreview"]


class MediaPreview:
    """A part of an asset as a small file in memory, which a notebook plays."""

    def __init__(self, data: bytes, mime_type: str, time_range: TimeRange) -> None:
        #: The file.
        self.data = data
        #: ``video/mp4`` or ``audio/mp4``.
        self.mime_type = mime_type
        #: The part of the asset that is in it; it is shorter where that would be too many bytes.
        self.time_range = time_range

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the file, in place of another of that name."""
        with open(path, "wb") as file:
            file.write(self.data)

    def __bytes__(self) -> bytes:
        return self.data

    @shown_quietly
    def _repr_html_(self) -> str | None:
        return player_html(self.data, self.mime_type)

    def __repr__(self) -> str:
        start, end = self.time_range.start, self.time_range.end
        return f"<MediaPreview {start} to {end} {self.mime_type} {len(self.data)} bytes>"

    def __reduce__(self) -> Any:
        return MediaPreview, (self.data, self.mime_type, self.time_range)
