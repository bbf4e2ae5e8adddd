"""Media selection: tracks that are alternatives, such as languages."""

from __future__ import annotations

from . import protocol
from .metadata import MetadataItem

__all__ = ["MediaSelectionGroup", "MediaSelectionOption"]


class MediaSelectionOption:
    """One of the options of a group."""

    def __init__(self, wire: protocol.MediaSelectionOption) -> None:
        #: The number of the track that it presents.
        self.track_id: int = wire["trackID"]
        #: ``video``, ``audio``, ``subtitle`` …
        self.media_type: protocol.MediaType = wire["mediaType"]
        #: The formats as four-character codes.
        self.media_sub_types: list[str] = wire["mediaSubTypes"]
        #: The traits of its media.
        self.media_characteristics: list[protocol.MediaCharacteristic] = wire[
            "mediaCharacteristics"
        ]
        #: True if this engine can decode it.
        self.is_playable: bool = wire["isPlayable"]
        #: The language by BCP 47.
        self.extended_language_tag: str | None = wire.get("extendedLanguageTag")
        #: The name for menus.
        self.display_name: str = wire["displayName"]
        #: The track's metadata that has a common key.
        self.common_metadata = [MetadataItem(item) for item in wire["commonMetadata"]]

    def __repr__(self) -> str:
        what = f"{self.media_type} {self.display_name!r}"
        return f"<MediaSelectionOption track {self.track_id} {what}>"


class MediaSelectionGroup:
    """Options of which one at a time is presented."""

    def __init__(self, wire: protocol.MediaSelectionGroup) -> None:
        #: The options, in the order of the container or of the languages that were asked for.
        self.options = [MediaSelectionOption(option) for option in wire["options"]]
        #: The track of the option that is presented by default; ``None`` when none is.
        self.default_track_id: int | None = wire.get("defaultTrackID")
        #: True if it is possible to present none of them.
        self.allows_empty_selection: bool = wire["allowsEmptySelection"]

    def __repr__(self) -> str:
        return f"<MediaSelectionGroup {self.options!r}>"
