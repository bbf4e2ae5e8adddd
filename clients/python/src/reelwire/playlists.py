"""Playlists of HTTP Live Streaming (RFC 8216): of segments, and of the variants of a presentation."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from .codec_strings import initialization_segment
from .time import MediaTime, TimeLike

__all__ = ["MediaPlaylist", "MultivariantPlaylist", "PlaylistSegment"]

#: The reasons are ``EXT-X-MAP`` for more than I-frames (6), and fragmented MP4 (7).
_VERSION = 7


@dataclass(frozen=True)
class PlaylistSegment:
    """A media segment of a playlist."""

    #: Its path, relative to the playlist.
    uri: str
    duration: Fraction
    #: In bytes.
    size: int


@dataclass
class MediaPlaylist:
    """The media segments of one rendition, in their order; ``str(playlist)`` is its text.

    It may grow: until ``ended`` is set, players ask for it again.
    """

    #: The initialization segment.
    initialization_uri: str | None = None
    segments: list[PlaylistSegment] = field(default_factory=list)
    #: True if nothing follows the last segment.
    ended: bool = False
    #: Names of codecs, and the size and channels of their tracks, as the initialization segment has them.
    codecs: list[str] = field(default_factory=list)
    resolution: tuple[int, int] | None = None
    channels: int | None = None
    #: The target duration in the file that was saved last; 0 before the first.
    _saved_target: int = field(default=0, repr=False, compare=False)

    def initialize(self, uri: str, data: bytes) -> None:
        """Reads the data for a multivariant playlist from the initialization segment."""
        self.initialization_uri = uri
        self.codecs, self.resolution, self.channels = initialization_segment(data)

    def append(self, uri: str, duration: TimeLike, size: int) -> None:
        """Takes the next media segment."""
        time = MediaTime.of(duration)
        self.segments.append(PlaylistSegment(uri, Fraction(time.value, time.timescale), size))

    @property
    def target_duration(self) -> int:
        """The longest duration in whole seconds, rounded as section 4.3.3.1 has it."""
        return max((_rounded(segment.duration) for segment in self.segments), default=1) or 1

    @property
    def average_bandwidth(self) -> int:
        """Bits a second over all segments."""
        duration = sum(segment.duration for segment in self.segments)
        size = sum(segment.size for segment in self.segments)
        return _ceiling(size * 8 / duration) if duration else 0

    @property
    def bandwidth(self) -> int:
        """The peak in bits a second.

        It is the largest of all runs of segments that last from half the target duration to one and a half
        of it (section 4.1); where no run does, of all segments alone.
        """
        low, high = Fraction(self.target_duration, 2), Fraction(3 * self.target_duration, 2)
        rates = []
        for start in range(len(self.segments)):
            size, duration = 0, Fraction(0)
            for segment in self.segments[start:]:
                size, duration = size + segment.size, duration + segment.duration
                if duration > high:
                    break
                if duration >= low:
                    rates.append(size * 8 / duration)
        if not rates:
            rates = [each.size * 8 / each.duration for each in self.segments if each.duration]
        return max(map(_ceiling, rates), default=0)

    def __str__(self) -> str:
        lines = [
            "#EXTM3U",
            f"#EXT-X-VERSION:{_VERSION}",
            f"#EXT-X-TARGETDURATION:{self.target_duration}",
            "#EXT-X-MEDIA-SEQUENCE:0",
            f"#EXT-X-PLAYLIST-TYPE:{'VOD' if self.ended else 'EVENT'}",
            "#EXT-X-INDEPENDENT-SEGMENTS",
        ]
        if self.initialization_uri is not None:
            lines.append(f"#EXT-X-MAP:URI={_quoted(self.initialization_uri)}")
        for segment in self.segments:
            lines += _entry(segment)
        if self.ended:
            lines.append("#EXT-X-ENDLIST")
        return "\n".join([*lines, ""])

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes it to a file in one step, so that a player never sees half of it."""
        _save(str(self), path)
        self._saved_target = self.target_duration

    def save_last(self, path: str | os.PathLike[str]) -> None:
        """Adds the last segment to the file that ``save`` wrote before that segment.

        The entry is appended by one write, so that a stream of any length costs its length. The whole is written where the
        head changes, which is where the segment exceeds the target duration, and where the file isn't there.
        """
        last = self.segments[-1]
        if _rounded(last.duration) > self._saved_target:
            return self.save(path)
        try:
            descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC)
        except FileNotFoundError:
            return self.save(path)
        try:
            os.write(descriptor, "\n".join([*_entry(last), ""]).encode())
        finally:
            os.close(descriptor)


def _entry(segment: PlaylistSegment) -> list[str]:
    return [f"#EXTINF:{float(segment.duration):.6f},", segment.uri]


@dataclass(frozen=True)
class _Audio:
    uri: str
    playlist: MediaPlaylist
    name: str
    language: str | None
    default: bool


@dataclass(frozen=True)
class _Variant:
    uri: str
    playlist: MediaPlaylist
    frame_rate: float | None


class MultivariantPlaylist:
    """The variants of a presentation, from which players choose; ``str(playlist)`` is its text.

    The playlists that it names are complete, or have the segments so far: their bit rates are those of
    their segments.
    """

    def __init__(self) -> None:
        self._variants: list[_Variant] = []
        self._audio: list[_Audio] = []

    def add(self, uri: str, playlist: MediaPlaylist, *, frame_rate: float | None = None) -> None:
        """Adds a variant: video, or all of a presentation without audio of its own."""
        self._variants.append(_Variant(uri, playlist, frame_rate))

    def add_audio(
        self,
        uri: str,
        playlist: MediaPlaylist,
        *,
        name: str,
        language: str | None = None,
        default: bool = False,
    ) -> None:
        """Adds audio that every variant can be played with."""
        self._audio.append(_Audio(uri, playlist, name, language, default))

    def __str__(self) -> str:
        lines = ["#EXTM3U", f"#EXT-X-VERSION:{_VERSION}", "#EXT-X-INDEPENDENT-SEGMENTS"]
        lines += [f"#EXT-X-MEDIA:{_attributes(_media(each))}" for each in self._audio]
        for variant in self._variants:
            lines += [f"#EXT-X-STREAM-INF:{_attributes(self._stream(variant))}", variant.uri]
        return "\n".join([*lines, ""])

    def _stream(self, variant: _Variant) -> list[tuple[str, str]]:
        playlist, audio = variant.playlist, [each.playlist for each in self._audio]
        # Played with the audio that needs most (section 4.3.4.2).
        peak = playlist.bandwidth + max((each.bandwidth for each in audio), default=0)
        average = max((each.average_bandwidth for each in audio), default=0)
        codecs = dict.fromkeys(
            codec for each in [playlist, *audio] for codec in each.codecs
        )
        attributes = [
            ("BANDWIDTH", str(peak)),
            ("AVERAGE-BANDWIDTH", str(playlist.average_bandwidth + average)),
        ]
        if codecs:
            attributes.append(("CODECS", _quoted(",".join(codecs))))
        if playlist.resolution is not None:
            attributes.append(("RESOLUTION", "{}x{}".format(*playlist.resolution)))
        if variant.frame_rate is not None:
            attributes.append(("FRAME-RATE", f"{variant.frame_rate:.3f}"))
        if audio:
            attributes.append(("AUDIO", _quoted("audio")))
        return attributes

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes it to a file in one step, so that a player never sees half of it."""
        _save(str(self), path)


def _media(audio: _Audio) -> list[tuple[str, str]]:
    attributes = [("TYPE", "AUDIO"), ("GROUP-ID", _quoted("audio")), ("NAME", _quoted(audio.name))]
    if audio.language is not None:
        attributes.append(("LANGUAGE", _quoted(audio.language)))
    attributes += [("DEFAULT", "YES" if audio.default else "NO"), ("AUTOSELECT", "YES")]
    if audio.playlist.channels:
        attributes.append(("CHANNELS", _quoted(str(audio.playlist.channels))))
    return [*attributes, ("URI", _quoted(audio.uri))]


def _attributes(attributes: Sequence[tuple[str, str]]) -> str:
    return ",".join(f"{name}={value}" for name, value in attributes)


def _quoted(text: str) -> str:
    """A quoted string, in which neither line ends nor quotes can be (section 4.2)."""
    if any(character in text for character in '"\r\n'):
        raise ValueError(f"{text!r} can't be in a playlist: it has a quote or the end of a line")
    return f'"{text}"'


def _rounded(duration: Fraction) -> int:
    """To the nearest whole second, halves up."""
    return int(duration + Fraction(1, 2))


def _ceiling(number: Fraction | float) -> int:
    return -int(-number // 1)


def _save(text: str, path: str | os.PathLike[str]) -> None:
    unfinished = f"{os.fspath(path)}.part"
    with open(unfinished, "w", encoding="utf-8", newline="\n") as file:
        file.write(text)
    os.replace(unfinished, path)
