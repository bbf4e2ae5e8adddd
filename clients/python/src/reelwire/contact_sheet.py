"""Contact sheets: many images of a video in one, with a map for web players."""

from __future__ import annotations

import os
from typing import Any

from . import protocol
from .blob import Blob
from .errors import OperationCancelledError, ReelwireError, error_from_wire
from .remote import Remote
from .time import MediaTime, TimeRange

__all__ = ["ContactSheet", "ContactSheetTile"]


class ContactSheetTile:
    """One image of a contact sheet; a black one has its ``error``."""

    def __init__(self, wire: protocol.ContactSheetTile) -> None:
        #: The place of the tile among all, from 0, row by row.
        self.index: int = wire["index"]
        #: What it stands for.
        self.time_range = TimeRange.of(wire["timeRange"])
        #: The time that its frame was asked for.
        self.requested_time = MediaTime.of(wire["requestedTime"])
        #: The presentation time of the frame that it shows.
        self.actual_time = MediaTime.of(wire["actualTime"]) if "actualTime" in wire else None
        #: The frame's place among all of the track, in presentation order.
        self.sample_index: int | None = wire.get("sampleIndex")
        #: Whether it is the frame that is shown at the requested time.
        self.is_exact: bool = wire.get("isExact", False)
        #: Its left edge in the sheet, in pixels.
        self.x: int = wire["x"]
        #: Its upper edge in the sheet, in pixels.
        self.y: int = wire["y"]
        self.width: int = wire["width"]
        self.height: int = wire["height"]
        #: Why it is black.
        self.error: ReelwireError | None = (
            error_from_wire(wire["error"]) if wire.get("error") else None
        )

    def __repr__(self) -> str:
        what = f"{self.error!r}" if self.error else f"{self.actual_time}"
        return f"<ContactSheetTile {self.index} at {self.x},{self.y}: {what}>"


class ContactSheet:
    """Many images of a video in one.

    ``web_vtt`` is the map that players want: a cue for each tile, with its place in the sheet.
    """

    def __init__(
        self, wire: protocol.ImageGeneratorDidFinishContactSheet | Any, owner: Remote
    ) -> None:
        image: protocol.Image = wire["image"]
        #: The bytes, wherever they are; rows of pixels are not padded.
        self.blob = Blob(image["blob"], owner)
        #: The width in pixels.
        self.width: int = image["width"]
        #: The height in pixels.
        self.height: int = image["height"]
        #: The format: a file's, such as ``jpeg``, or that of pixels, such as ``rgb24``.
        self.format: protocol.ImageFormat = image["format"]
        #: What pixels are: primaries, transfer function, range; None for a file's format.
        self.color: protocol.Color | None = image.get("color")
        #: The size of every tile, in pixels.
        self.tile_width: int = wire["tileWidth"]
        self.tile_height: int = wire["tileHeight"]
        #: The number of tiles in a row.
        self.columns: int = wire["columns"]
        #: The number of rows.
        self.rows: int = wire["rows"]
        #: The tiles, row by row.
        self.tiles = [ContactSheetTile(tile) for tile in wire["tiles"]]
        #: The map: the text of a WebVTT file.
        self.web_vtt: str = wire["webVTT"]
        #: The map's file, when the sheet was delivered to one.
        self.web_vtt_path: str | None = wire.get("webVTTPath")

    @property
    def data(self) -> memoryview:
        """The bytes."""
        return self.blob.data

    @property
    def path(self) -> str | None:
        """The file, when it was delivered to one."""
        return self.blob.path

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the sheet, without its map, to a file, which is overwritten."""
        self.blob.save(path)

    def release(self) -> None:
        """Lets go of the bytes."""
        self.blob.release()

    def __bytes__(self) -> bytes:
        return bytes(self.data)

    def __enter__(self) -> ContactSheet:
        return self

    def __exit__(self, *_: Any) -> None:
        self.release()

    def __repr__(self) -> str:
        where = f" {self.path}" if self.path else ""
        return (
            f"<ContactSheet {self.width}×{self.height} {self.format} "
            f"{self.columns}×{self.rows} tiles of {self.tile_width}×{self.tile_height}{where}>"
        )


def outcome(
    wire: protocol.ImageGeneratorDidFinishContactSheet | Any, owner: Remote
) -> ContactSheet:
    """The sheet, or the error that it ended with."""
    if wire["result"] == "succeeded":
        return ContactSheet(wire, owner)
    if wire.get("error"):
        raise error_from_wire(wire["error"])
    raise OperationCancelledError(
        "the contact sheet was cancelled", code=-11878, hint="Ask for it again."
    )
