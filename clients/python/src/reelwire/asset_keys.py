"""The keys of an asset as properties."""

from __future__ import annotations

import os
from typing import Any

from . import protocol
from .keys import ContainerFacts, Size, Values
from .metadata import MetadataItem
from .time import MediaTime

__all__ = ["AssetFacts"]

#: The common names of formats whose four-character codes are less known.
_CODECS = {
    **{"avc1": "h264", "avc3": "h264", "hvc1": "hevc", "hev1": "hevc", "vvc1": "vvc"},
    **{"dvh1": "hevc", "dvhe": "hevc", "av01": "av1", "vp08": "vp8", "vp09": "vp9"},
    **{"mp4v": "mpeg4", "mp1v": "mpeg1video", "mp2v": "mpeg2video", "s263": "h263"},
    **{"apch": "prores", "apcn": "prores", "apcs": "prores", "apco": "prores"},
    **{"ap4h": "prores", "ap4x": "prores", "ac-3": "ac3", "ec-3": "eac3", "vrbs": "vorbis"},
    **{"lpcm": "pcm", "sowt": "pcm", "twos": "pcm", "samr": "amr", "tx3g": "text"},
}


class AssetFacts:
    """The values that were loaded, by name."""

    #: The file.
    url: str
    _values: Values

    def _value(self, key: str) -> Any:
        return self._values.get(key)

    @property
    def duration(self) -> MediaTime:
        """The duration; exact if ``provides_precise_duration_and_timing``."""
        return self._value("duration")  # type: ignore[no-any-return]

    @property
    def provides_precise_duration_and_timing(self) -> bool:
        """True if the duration and timing are exact."""
        return bool(self._value("provides_precise_duration_and_timing"))

    @property
    def container_facts(self) -> ContainerFacts | None:
        """The format of the file, its size and bit rate, and whether it is cut short.

        ``None`` for an asset that is not one file.
        """
        return self._value("container_facts")  # type: ignore[no-any-return]

    @property
    def metadata(self) -> list[MetadataItem]:
        """All metadata, in the order of the container; ``load_metadata`` has large data too."""
        return self._value("metadata")  # type: ignore[no-any-return]

    @property
    def common_metadata(self) -> list[MetadataItem]:
        """The metadata that has a common key."""
        return self._value("common_metadata")  # type: ignore[no-any-return]

    @property
    def available_metadata_formats(self) -> list[str]:
        """The formats of its metadata, by AVFoundation's names."""
        return self._value("available_metadata_formats")  # type: ignore[no-any-return]

    @property
    def creation_date(self) -> MetadataItem | None:
        """The item with the date of creation; ``None`` when there is none."""
        return self._value("creation_date")  # type: ignore[no-any-return]

    @property
    def lyrics(self) -> str | None:
        """The text of its song; ``None`` without any."""
        return self._value("lyrics")  # type: ignore[no-any-return]

    @property
    def available_chapter_locales(self) -> list[str]:
        """The languages that its ``chapters`` have titles in; ``und`` where the file names none."""
        return self._value("available_chapter_locales")  # type: ignore[no-any-return]

    @property
    def is_playable(self) -> bool:
        """True if the engine can decode at least one video or audio track."""
        return bool(self._value("is_playable"))

    @property
    def is_readable(self) -> bool:
        """True if a reader can read it."""
        return bool(self._value("is_readable"))

    @property
    def is_exportable(self) -> bool:
        """True if an export session can export it."""
        return bool(self._value("is_exportable"))

    @property
    def is_composable(self) -> bool:
        """True if its tracks can be part of a composition."""
        return bool(self._value("is_composable"))

    @property
    def is_compatible_with_saved_photos_album(self) -> bool:
        """Always false: there is no photo library here."""
        return bool(self._value("is_compatible_with_saved_photos_album"))

    @property
    def is_compatible_with_air_play_video(self) -> bool:
        """Always false: there is no AirPlay here."""
        return bool(self._value("is_compatible_with_air_play_video"))

    @property
    def has_protected_content(self) -> bool:
        """True if its content is encrypted."""
        return bool(self._value("has_protected_content"))

    @property
    def can_contain_fragments(self) -> bool:
        """True if the movie may be extended by fragments."""
        return bool(self._value("can_contain_fragments"))

    @property
    def contains_fragments(self) -> bool:
        """True if the movie is extended by at least one fragment."""
        return bool(self._value("contains_fragments"))

    @property
    def overall_duration_hint(self) -> MediaTime:
        """The movie's duration with all its fragments; invalid if the file does not state it."""
        return self._value("overall_duration_hint")  # type: ignore[no-any-return]

    @property
    def preferred_transform(self) -> tuple[float, ...]:
        """The transform of the first video track: a, b, c, d, tx, ty."""
        return self._value("preferred_transform")  # type: ignore[no-any-return]

    @property
    def natural_size(self) -> Size:
        """The size of the first video track in pixels; zero when there is none."""
        return self._value("natural_size")  # type: ignore[no-any-return]

    @property
    def preferred_rate(self) -> float:
        """The rate it asks to be played at, usually 1."""
        return float(self._value("preferred_rate"))

    @property
    def preferred_volume(self) -> float:
        """The volume it asks to be played at, 0 to 1."""
        return float(self._value("preferred_volume"))

    @property
    def minimum_time_offset_from_live(self) -> MediaTime:
        """The minimum distance from live: always invalid, because a file is not live."""
        return self._value("minimum_time_offset_from_live")  # type: ignore[no-any-return]

    @property
    def track_groups(self) -> list[list[int]]:
        """The numbers of tracks that are alternatives, a list for each group."""
        return self._value("track_groups")  # type: ignore[no-any-return]

    @property
    def available_media_characteristics_with_media_selection_options(
        self,
    ) -> list[protocol.MediaCharacteristic]:
        """The characteristics with a ``media_selection_group``."""
        key = "available_media_characteristics_with_media_selection_options"
        return self._value(key)  # type: ignore[no-any-return]

    @property
    def preferred_media_selection(self) -> dict[protocol.MediaCharacteristic, int | None]:
        """The track that is presented by default for each characteristic; ``None`` for none."""
        return self._value("preferred_media_selection")  # type: ignore[no-any-return]

    @property
    def all_media_selections(self) -> list[dict[protocol.MediaCharacteristic, int | None]]:
        """Every choice of tracks for the characteristics, at most 1000."""
        return self._value("all_media_selections")  # type: ignore[no-any-return]

    @property
    def variants(self) -> list[protocol.AssetVariant]:
        """The variants of a stream: always empty, for a file has none."""
        return self._value("variants")  # type: ignore[no-any-return]

    def __repr__(self) -> str:
        facts = [repr(os.path.basename(self.url))]
        if "duration" in self._values:
            facts.append(_length(self._values.get("duration")))
        if "tracks" in self._values:
            tracks = self._values.get("tracks")
            size = next((track["naturalSize"] for track in tracks if "naturalSize" in track), None)
            facts.append(str(Size(**size)) if size else "")
            facts.append("+".join(_codec(track.get("mediaSubType")) for track in tracks))
        return f"<{type(self).__name__} {' '.join(fact for fact in facts if fact)}>"


def _length(time: MediaTime) -> str:
    """A duration as a short text: parts of a second only where they count."""
    return f"{time:.{1 if time.seconds >= 1 else 3}f} s" if time.is_numeric else str(time)


def _codec(code: str | None) -> str:
    """The name of a format by its four-character code."""
    if not code:
        return "?"
    return _CODECS.get(code, code.strip(" .").lower())
