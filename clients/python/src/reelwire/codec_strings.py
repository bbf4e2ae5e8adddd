"""The codecs of an MP4 file, as ``CODECS`` of playlists and media types name them (RFC 6381)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Callable, NamedTuple

__all__ = ["InitializationSegment", "initialization_segment"]

#: The bytes of a sample entry before its boxes (ISO/IEC 14496-12, 12.1.3 and 12.2.3).
_VISUAL, _AUDIO = 78, 28


class InitializationSegment(NamedTuple):
    """The information about the tracks at the start of a fragmented MP4 file."""

    #: Of each track whose codec has such a name, in their order: ``avc1.64001F``, ``mp4a.40.2``.
    codecs: list[str]
    #: The width and height of the first video track.
    size: tuple[int, int] | None
    #: The number of channels of the first audio track.
    channels: int | None


def initialization_segment(data: bytes) -> InitializationSegment:
    """Reads the movie box of an MP4 file, which an initialization segment is."""
    codecs, size, channels = [], None, None
    for movie in _find(data, b"moov"):
        for track in _find(movie, b"trak"):
            tables = [track]
            for part in (b"mdia", b"minf", b"stbl", b"stsd"):
                tables = [inner for table in tables for inner in _find(table, part)]
            # A full box with the number of entries, which are boxes.
            for kind, entry in (each for table in tables for each in _boxes(table[8:])):
                name = kind.decode("latin-1")
                codecs += _codec(name, entry)
                if name in _VIDEO_CODECS and size is None:
                    size = _number(entry[24:26]), _number(entry[26:28])
                elif name in _AUDIO_CODECS and channels is None:
                    channels = _number(entry[16:18])
    return InitializationSegment(codecs, size, channels)


def _number(data: bytes) -> int:
    return int.from_bytes(data, "big")


def _boxes(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """The boxes that follow one another in some bytes: their types and contents."""
    start = 0
    while start + 8 <= len(data):
        length, header = _number(data[start : start + 4]), 8
        if length == 1:
            length, header = _number(data[start + 8 : start + 16]), 16
        end = start + length if length else len(data)
        if end < start + header or end > len(data):
            return
        yield data[start + 4 : start + 8], data[start + header : end]
        start = end


def _find(data: bytes, kind: bytes) -> Iterator[bytes]:
    return (content for found, content in _boxes(data) if found == kind)


def _codec(name: str, entry: bytes) -> list[str]:
    """The name of a sample entry's codec; nothing where it has none that is known."""
    if name not in _VIDEO_CODECS and name not in _AUDIO_CODECS:
        return []
    kind, string = (_VIDEO_CODECS if name in _VIDEO_CODECS else _AUDIO_CODECS)[name]
    boxes = entry[_VISUAL if name in _VIDEO_CODECS else _AUDIO :]
    record = next(_find(boxes, kind), b"")
    return [string(name, record)] if record else []


def _avc(name: str, record: bytes) -> str:
    """ISO/IEC 14496-15, annex E.2: profile, constraints and level in hexadecimal."""
    return f"{name}.{record[1:4].hex().upper()}"


def _hevc(name: str, record: bytes) -> str:
    """ISO/IEC 14496-15, annex E.3."""
    space = ("", "A", "B", "C")[record[1] >> 6]
    tier = "H" if record[1] & 0x20 else "L"
    # The flags of compatible profiles, the first in the lowest bit.
    compatible = int(f"{_number(record[2:6]):032b}"[::-1], 2)
    constraints = record[6:12].rstrip(b"\0")
    parts = [name, f"{space}{record[1] & 0x1F}", f"{compatible:X}", f"{tier}{record[12]}"]
    return ".".join([*parts, *(f"{each:X}" for each in constraints)])


def _av1(name: str, record: bytes) -> str:
    """AV1 Codec ISO Media File Format Binding, section 5."""
    profile, level = record[1] >> 5, record[1] & 0x1F
    tier = "H" if record[2] & 0x80 else "M"
    depth = 8 if not record[2] & 0x40 else 12 if record[2] & 0x20 else 10
    return f"{name}.{profile}.{level:02}{tier}.{depth:02}"


def _vp9(name: str, record: bytes) -> str:
    """VP Codec ISO Media File Format Binding, section "Codecs Parameter String"."""
    profile, level, depth = record[4], record[5], record[6] >> 4
    return f"{name}.{profile:02}.{level:02}.{depth:02}"


def _mpeg4_audio(name: str, record: bytes) -> str:
    """The object type indication, and of MPEG-4 audio the audio object type."""
    content, kind = record[4:], b""
    # Descriptors in descriptors (ISO/IEC 14496-1, 7.2.6): 3 has 4, and that has 5.
    for tag, skipped in ((3, 3), (4, 13), (5, 0)):
        if not content or content[0] != tag:
            return name
        start = 1
        while content[start] & 0x80:
            start += 1
        content = content[start + 1 :]
        if tag == 4:
            kind = content[:1]
            if kind != b"\x40":
                return f"{name}.{kind.hex().upper()}"
        content = content[skipped:]
    object_type = content[0] >> 3
    if object_type == 31:
        object_type = 32 + (_number(content[:2]) >> 5 & 0x3F)
    return f"{name}.40.{object_type}"


def _plain(name: str, record: bytes) -> str:
    return name


_String = Callable[[str, bytes], str]
#: The box with a codec's configuration, and the function that makes its string, by sample entries.
_VIDEO_CODECS: dict[str, tuple[bytes, _String]] = {
    **dict.fromkeys(("avc1", "avc3"), (b"avcC", _avc)),
    **dict.fromkeys(("hvc1", "hev1"), (b"hvcC", _hevc)),
    "av01": (b"av1C", _av1),
    "vp09": (b"vpcC", _vp9),
}
_AUDIO_CODECS: dict[str, tuple[bytes, _String]] = {
    "mp4a": (b"esds", _mpeg4_audio),
    "Opus": (b"dOps", _plain),
    "fLaC": (b"dfLa", _plain),
    "ac-3": (b"dac3", _plain),
    "ec-3": (b"dec3", _plain),
}
