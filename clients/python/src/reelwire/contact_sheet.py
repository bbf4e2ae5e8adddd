"""Contact sheets: many images of a video in one, with a map for web players."""

from __future__ import annotations

from typing import Any

from . import protocol
from .errors import ReelwireError, error_from_wire
from .picture import Picture
from .remote import Remote
from .time import MediaTime
from .time_range import TimeRange

__all__ = ["ContactSheet", "ContactSheetTile"]


class ContactSheetTile:
    """One image of a contact sheet; a black one has its ``error``."""

    def __init__(self, wire: protocol.ContactSheetTile) -> None:
        #: The place of the tile among all, from 0, row by row.
        self.index: int = wire["index"]
        #: The range of the video that the tile represents.
        self.time_range = TimeRange.of(wire["timeRange"])
        #: The time that its frame was asked for.
        self.requested_time = MediaTime.of(wire["requestedTime"])
        #: The presentation time of the frame that it shows.
        self.actual_time = MediaTime.of(wire["actualTime"]) if "actualTime" in wire else None
        #: The frame's place among all of the track, in presentation order.
        self.sample_index: int | None = wire.get("sampleIndex")
        #: True if it is the frame that is shown at the requested time.
        self.is_exact: bool = wire.get("isExact", False)
        #: Its left edge in the sheet, in pixels.
        self.x: int = wire["x"]
        #: Its upper edge in the sheet, in pixels.
        self.y: int = wire["y"]
        self.width: int = wire["width"]
        self.height: int = wire["height"]
        #: The reason if it is black.
        self.error: ReelwireError | None = (
            error_from_wire(wire["error"]) if wire.get("error") else None
        )

    def __repr__(self) -> str:
        what = f"{self.error!r}" if self.error else f"{self.actual_time}"
        return f"<ContactSheetTile {self.index} at {self.x},{self.y}: {what}>"


class ContactSheet(Picture):
    """Many images of a video in one.

    ``web_vtt`` is the map that players want: a cue for each tile, with its place in the sheet.
    """

    def __init__(
        self, wire: protocol.ImageGeneratorDidFinishContactSheet | Any, owner: Remote
    ) -> None:
        super().__init__(wire["image"], owner)
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

    def __repr__(self) -> str:
        return (
            f"<ContactSheet {self._facts()} "
            f"{self.columns}×{self.rows} tiles of {self.tile_width}×{self.tile_height}>"
        )
