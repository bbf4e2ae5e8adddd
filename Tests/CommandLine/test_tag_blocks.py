"""`reelwire tags` on containers whose tags are a block of their own: items that no option names stay as they are.

The blocks are written here by their specifications, and looked for in the file afterwards; ffprobe reads the
items that were set, and everything outside of the block is compared byte for byte."""

from __future__ import annotations

import base64
import json
import struct
import subprocess
from pathlib import Path
from typing import Any, Dict, List, Tuple

import pytest

from conftest import Program, ffmpeg

TONE: List[object] = ["-f", "lavfi", "-i", "sine=duration=0.5"]
WEBP = base64.b64decode("UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==")


def probe(path: Path, *options: str) -> Any:
    command = ["ffprobe", "-v", "error", "-of", "json", "-show_format", "-show_streams", *options]
    return json.loads(subprocess.run([*command, str(path)], check=True, capture_output=True).stdout)


def tags(path: Path) -> Dict[str, str]:
    shown = probe(path)
    found = {**shown["streams"][0].get("tags", {}), **shown["format"].get("tags", {})}
    return {name.lower(): value for name, value in found.items()}


def decoded(path: Path) -> str:
    command = ["ffmpeg", "-v", "error", "-i", str(path), "-map", "0:a", "-f", "hash", "-"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("blocks")
    bare: List[object] = ["-bitexact", "-map_metadata", "-1"]
    ffmpeg([*TONE, "-c:a", "libmp3lame", "-id3v2_version", 0, "-write_id3v1", 0, *bare, folder / "a.mp3"])
    ffmpeg([*TONE, "-c:a", "flac", *bare, folder / "a.flac"])
    ffmpeg([*TONE, "-c:a", "libopus", *bare, folder / "a.opus"])
    ffmpeg([*TONE, "-c:a", "libvorbis", *bare, folder / "a.ogg"])
    ffmpeg([*TONE, *bare, folder / "a.wav"])
    return folder


# ID3


def synchsafe(number: int) -> bytes:
    return bytes(number >> shift & 0x7F for shift in (21, 14, 7, 0))


def frame(version: int, name: str, content: bytes, flags: int = 0) -> bytes:
    if version == 2:
        return name.encode() + len(content).to_bytes(3, "big") + content
    size = synchsafe(len(content)) if version == 4 else struct.pack(">I", len(content))
    return name.encode() + size + struct.pack(">H", flags) + content


def id3(version: int, frames: List[bytes], padding: int = 0, flags: int = 0) -> bytes:
    body = b"".join(frames) + bytes(padding)
    return b"ID3" + bytes([version, 0, flags]) + synchsafe(len(body)) + body


RICH: Dict[int, List[bytes]] = {
    2: [
        frame(2, "TP1", b"\0One"), frame(2, "TCO", b"\0Rock"), frame(2, "POP", b"a@example.org\0\xc8\0\0\0\5"),
        frame(2, "COM", b"\1deu\xff\xfe\0\0\xff\xfeK\0\xe4\0"), frame(2, "XYZ", b"unknown"),
    ],
    3: [
        frame(3, "TPE1", b"\0One\0Two"), frame(3, "TYER", b"\0002019"), frame(3, "TDAT", b"\x000302"),
        frame(3, "POPM", b"a@example.org\0\xc8\0\0\0\5"), frame(3, "UFID", b"http://example.org\0id"),
        frame(3, "WXXX", b"\0home\0http://example.org"), frame(3, "COMM", b"\1deu\xff\xfe\0\0\xff\xfeK\0\xe4\0"),
        frame(3, "USLT", b"\0eng\0La la"), frame(3, "TXXX", b"\0Album Id\0xyz"),
        frame(3, "GEOB", b"\0text/plain\0name\0what\0bytes"), frame(3, "PRIV", b"owner\0\1\2\3"),
        frame(3, "TIT1", b"\0\x00\0\0\0", flags=0x80),
    ],
    4: [
        frame(4, "TPE1", b"\3One\0Two"), frame(4, "TCON", b"\3Rock\0Jazz"),
        frame(4, "POPM", b"a@example.org\0\xc8\0\0\0\5"), frame(4, "UFID", b"http://example.org\0id"),
        frame(4, "WXXX", b"\3home\0http://example.org"), frame(4, "COMM", b"\3deu\0Kommentar"),
        frame(4, "COMM", b"\3eng\0Comment"), frame(4, "USLT", b"\3eng\0La la"),
        frame(4, "TXXX", b"\3Album Id\0xyz"), frame(4, "MCDI", b"\0" * 300),
        frame(4, "TIT3", synchsafe(3) + b"\1\xff\0\xfe", flags=3),
    ],
}  # fmt: skip


@pytest.mark.parametrize("padding", [0, 200])
@pytest.mark.parametrize("version", RICH)
def test_frames_of_id3_stay(program: Program, plain: Path, version: int, padding: int) -> None:
    media = (plain / "a.mp3").read_bytes()
    path = program.folder / "a.mp3"
    before = id3(version, RICH[version], padding)
    path.write_bytes(before + media)
    program.ok("tags", "a.mp3", "--set", "album=Nächte", "--in-place")
    data = path.read_bytes()
    assert data[3] == version and data.endswith(media)
    # In their order, with nothing but the new frame after them.
    assert data[10:].startswith(b"".join(RICH[version]))
    assert tags(path)["album"] == "Nächte"
    if padding:
        assert len(data) == len(before + media)
    program.ok("tags", "a.mp3", "--remove", "album", "--in-place")
    rest = path.read_bytes()[10:]
    assert rest.startswith(b"".join(RICH[version])) and rest.endswith(media)
    assert "album" not in tags(path)


def test_values_of_one_frame(program: Program, plain: Path) -> None:
    path = program.folder / "a.mp3"
    path.write_bytes(id3(4, RICH[4]) + (plain / "a.mp3").read_bytes())
    shown = json.loads(program.ok("tags", "a.mp3", "--json"))
    assert [item["value"] for item in shown if item["key"] == "TPE1"] == ["One", "Two"]
    assert [item["value"] for item in shown if item["key"] == "TCON"] == ["Rock", "Jazz"]
    comments = [(item["extendedLanguageTag"], item["value"]) for item in shown if item["key"] == "COMM"]
    assert comments == [("de", "Kommentar"), ("en", "Comment")]
    assert {"POPM", "UFID", "WXXX", "MCDI"} <= {item["key"] for item in shown}
    program.ok("tags", "a.mp3", "--set", "artist=Three", "--in-place")
    assert tags(path)["artist"] == "Three" and b"One" not in path.read_bytes()


def test_a_tag_that_is_unsynchronised(program: Program, plain: Path) -> None:
    media = (plain / "a.mp3").read_bytes()
    path = program.folder / "a.mp3"
    frames = frame(3, "TIT2", b"\1\xff\xfeA\0") + frame(3, "PRIV", b"x\0\xff\xe0\xff\0\xff")
    body = frames.replace(b"\xff\0", b"\xff\0\0").replace(b"\xff\xe0", b"\xff\0\xe0")
    body = body.replace(b"\xff\xfe", b"\xff\0\xfe") + b"\0"
    path.write_bytes(b"ID3\3\0\x80" + synchsafe(len(body)) + body + media)
    assert "A" in program.ok("tags", "a.mp3")
    program.ok("tags", "a.mp3", "--set", "album=B", "--set", "artist=é", "--in-place")
    data = path.read_bytes()
    assert data[5] == 0x80 and data.endswith(media)
    # The whole tag at once, as the specification of 2.3 has it.
    rest = data[10 : -len(media)].replace(b"\xff\0", b"\xff")
    new = frame(3, "TALB", b"\0B") + frame(3, "TPE1", b"\1\xff\xfe\xe9\0")
    assert rest.rstrip(b"\0") == (frames + new).rstrip(b"\0")


@pytest.mark.parametrize("version", [2, 3, 4])
def test_dates_in_each_version(program: Program, plain: Path, version: int) -> None:
    path = program.folder / "a.mp3"
    path.write_bytes(id3(version, RICH[version]) + (plain / "a.mp3").read_bytes())
    program.ok("tags", "a.mp3", "--set", "date=2020-05-06", "--in-place")
    assert tags(path)["date"] == "2020-05-06"
    name = {2: b"TYE", 3: b"TYER", 4: b"TDRC"}[version]
    assert path.read_bytes().count(name) == 1


def test_an_extended_header_and_a_footer(program: Program, plain: Path) -> None:
    media = (plain / "a.mp3").read_bytes()
    path = program.folder / "a.mp3"
    body = synchsafe(6) + b"\1\0" + frame(4, "TIT2", b"\3Old") + frame(4, "POPM", b"a\0\1")
    header = b"\4\0\x50" + synchsafe(len(body))
    path.write_bytes(b"ID3" + header + body + b"3DI" + header + media)
    program.ok("tags", "a.mp3", "--set", "title=Longer than before", "--in-place")
    data = path.read_bytes()
    size = data[6] << 21 | data[7] << 14 | data[8] << 7 | data[9]
    assert data[5] == 0x50 and data[10 : 16] == synchsafe(6) + b"\1\0"
    assert data[10 + size : 20 + size] == b"3DI" + data[3:10]
    assert data[20 + size :] == media and frame(4, "POPM", b"a\0\1") in data
    assert tags(path)["title"] == "Longer than before"


def ape(items: List[Tuple[str, bytes]]) -> bytes:
    body = b"".join(struct.pack("<II", len(value), 0) + key.encode() + b"\0" + value for key, value in items)
    edge = struct.pack("<III", 2000, len(body) + 32, len(items))
    return (
        b"APETAGEX" + edge + struct.pack("<I", 0xA000_0000) + bytes(8) + body
        + b"APETAGEX" + edge + struct.pack("<I", 0x8000_0000) + bytes(8)
    )  # fmt: skip


def id3v1(title: bytes, artist: bytes) -> bytes:
    return b"TAG" + title.ljust(30, b"\0") + artist.ljust(30, b"\0") + bytes(30) + b"1999" + bytes(30) + b"\x11"


def test_tags_at_the_end(program: Program, plain: Path) -> None:
    media = (plain / "a.mp3").read_bytes()
    path = program.folder / "a.mp3"
    items = [("Title", b"Ape"), ("Artist", b"One\0Two"), ("REPLAYGAIN_TRACK_GAIN", b"-6.5 dB")]
    path.write_bytes(media + ape(items) + id3v1(b"Ape", b"One"))
    shown = program.ok("tags", "a.mp3")
    assert "Ape" in shown and "One" in shown and "Two" in shown and "-6.5 dB" in shown
    program.ok("tags", "a.mp3", "--set", "title=New", "--in-place")
    data = path.read_bytes()
    assert media + ape([("Title", b"New"), *items[1:]]) + id3v1(b"New", b"One") in data
    found = tags(path)
    # Programs that read ID3v2 read nothing else: all is there, too.
    assert found["title"] == "New" and found["replaygain_track_gain"] == "-6.5 dB"
    assert json.loads(program.ok("tags", "a.mp3", "--json"))[0]["keySpace"] == "id3"
    program.ok("tags", "a.mp3", "--remove", "title", "--in-place")
    assert path.read_bytes().endswith(media + ape(items[1:]) + id3v1(b"", b"One"))


# FLAC


def block(kind: int, content: bytes, last: bool = False) -> bytes:
    return struct.pack(">I", (0x80 if last else 0) << 24 | kind << 24 | len(content)) + content


def comments(*texts: str) -> bytes:
    packed = b"".join(struct.pack("<I", len(text.encode())) + text.encode() for text in texts)
    return struct.pack("<I", 4) + b"test" + struct.pack("<I", len(texts)) + packed


def picture(kind: int, mime: str, data: bytes) -> bytes:
    return (
        struct.pack(">II", kind, len(mime)) + mime.encode() + struct.pack(">I", 5) + b"title"
        + struct.pack(">IIIII", 1, 1, 24, 0, len(data)) + data
    )  # fmt: skip


def blocks(data: bytes) -> Tuple[List[Tuple[int, bytes]], bytes]:
    found, at, last = [], 4, False
    while not last:
        word = struct.unpack(">I", data[at : at + 4])[0]
        last, size = bool(word >> 31), word & 0xFF_FFFF
        found.append((word >> 24 & 0x7F, data[at + 4 : at + 4 + size]))
        at += 4 + size
    return found, data[at:]


CUE = b"1234567890123".ljust(128, b"\0") + struct.pack(">Q", 88200) + b"\x80" + bytes(258) + b"\2" + (
    struct.pack(">QB", 0, 1) + b"ABCDE1234567" + bytes(14) + b"\1" + struct.pack(">QB", 0, 1) + bytes(3)
    + struct.pack(">QB", 22050, 170) + bytes(12) + bytes(14) + b"\0"
)  # fmt: skip


@pytest.fixture
def rich_flac(program: Program, plain: Path) -> Path:
    found, frames = blocks((plain / "a.flac").read_bytes())
    path = program.folder / "a.flac"
    path.write_bytes(
        b"fLaC" + block(0, found[0][1]) + block(2, b"riffkept data") + block(5, CUE)
        + block(4, comments("ARTIST=One", "artist=Two", "ENCODER=x"))
        + block(6, picture(3, "image/webp", WEBP)) + block(6, picture(4, "image/png", b"\x89PNG"))
        + block(1, bytes(100), True) + frames
    )  # fmt: skip
    return path


def test_blocks_of_flac_stay(program: Program, rich_flac: Path) -> None:
    before = rich_flac.read_bytes()
    shown = program.ok("tags", "a.flac")
    assert shown.count("artist") == 2 and "image/webp" in shown
    program.ok("tags", "a.flac", "--set", "title=New", "--in-place")
    after = rich_flac.read_bytes()
    assert len(after) == len(before)
    old, new = blocks(before)[0], blocks(after)[0]
    assert [kind for kind, _ in new] == [kind for kind, _ in old] and blocks(after)[1] == blocks(before)[1]
    expected = comments("ARTIST=One", "artist=Two", "ENCODER=x", "TITLE=New")
    assert [b for k, b in new if k != 1] == [expected if k == 4 else b for k, b in old if k != 1]
    # More than the padding has room for.
    program.ok("tags", "a.flac", "--set", "comment=" + "x" * 500, "--remove", "cover", "--in-place")
    assert [kind for kind, _ in blocks(rich_flac.read_bytes())[0]] == [0, 2, 5, 4, 1]
    assert tags(rich_flac)["comment"] == "x" * 500
    program.ok("tags", "a.flac", "--set", "artist=Three", "--in-place")
    assert b"One" not in rich_flac.read_bytes() and b"artist=Two" not in rich_flac.read_bytes()


def test_chapters_do_not_replace_a_cue_sheet(program: Program, rich_flac: Path) -> None:
    before = rich_flac.read_bytes()
    (program.folder / "c.txt").write_text("CHAPTER01=00:00:00.000\nCHAPTER01NAME=All\n")
    assert "cue sheet" in program.fails(1, "tags", "a.flac", "--chapters", "c.txt", "--in-place")
    assert rich_flac.read_bytes() == before


@pytest.mark.parametrize("kind", ["flac", "ogg", "opus", "mp3"])
def test_covers_of_webp(program: Program, plain: Path, kind: str) -> None:
    (program.folder / "x.webp").write_bytes(WEBP)
    path = program.folder / f"a.{kind}"
    path.write_bytes((plain / f"a.{kind}").read_bytes())
    program.ok("tags", path.name, "--cover", "x.webp", "--in-place")
    assert f"image/webp, {len(WEBP)} bytes" in program.ok("tags", path.name)
    program.ok("tags", path.name, "--set", "title=New", "--in-place")
    assert f"image/webp, {len(WEBP)} bytes" in program.ok("tags", path.name)
    data = path.read_bytes()
    if kind in ("ogg", "opus"):
        assert b"METADATA_BLOCK_PICTURE=" in data
    else:
        assert WEBP in data
    program.ok("tags", path.name, "--remove", "cover", "--in-place")
    assert "webp" not in program.ok("tags", path.name)


# Ogg


def pages(data: bytes) -> List[Tuple[int, int, bytes]]:
    """The flags, the number and the content of each page."""
    found, at = [], 0
    while at < len(data):
        assert data[at : at + 4] == b"OggS"
        count = data[at + 26]
        size = sum(data[at + 27 : at + 27 + count])
        number = struct.unpack("<I", data[at + 18 : at + 22])[0]
        found.append((data[at + 5], number, data[at + 27 + count : at + 27 + count + size]))
        at += 27 + count + size
    return found


@pytest.mark.parametrize("length", [3, 100_000])
@pytest.mark.parametrize("kind", ["ogg", "opus"])
def test_comments_of_ogg(program: Program, plain: Path, kind: str, length: int) -> None:
    source = plain / f"a.{kind}"
    path = program.folder / f"a.{kind}"
    path.write_bytes(source.read_bytes())
    for text in ("artist=One", "title=Old"):
        program.ok("tags", path.name, "--set", text, "--in-place")
    program.ok("tags", path.name, "--set", "comment=" + "x" * length, "--in-place")
    found = tags(path)
    assert found["artist"] == "One" and found["title"] == "Old" and found["comment"] == "x" * length
    # Each page has its number, and ffmpeg, which verifies checksums, decodes the same as before.
    old, new = pages(source.read_bytes()), pages(path.read_bytes())
    assert [number for _, number, _ in new] == list(range(len(new)))
    headers = len(new) - len(old)
    assert headers == 0 if length == 3 else headers > 0
    assert [content for _, _, content in new[-1:]] == [content for _, _, content in old[-1:]]
    assert decoded(path) == decoded(source)
    program.ok("tags", path.name, "--remove", "comment", "--in-place")
    assert decoded(path) == decoded(source) and "comment" not in tags(path)


# RIFF


def chunk(name: bytes, content: bytes) -> bytes:
    return name + struct.pack("<I", len(content)) + content + bytes(len(content) % 2)


def chunks(data: bytes) -> List[Tuple[bytes, bytes]]:
    assert struct.unpack("<I", data[4:8])[0] == len(data) - 8
    found, at = [], 12
    while at < len(data):
        size = struct.unpack("<I", data[at + 4 : at + 8])[0]
        found.append((data[at : at + 4], data[at + 8 : at + 8 + size]))
        at += 8 + size + size % 2
    return found


BEXT = (
    b"Scene 1".ljust(256, b"\0") + b"Mixer".ljust(32, b"\0") + b"REF1".ljust(32, b"\0") + b"2024-05-06"
    + b"01:00:00" + struct.pack("<QH", 172_800_000, 1) + bytes(range(64)) + bytes(190) + b"A=PCM\r\n"
)  # fmt: skip


@pytest.fixture
def rich_wav(program: Program, plain: Path) -> Path:
    own = dict(chunks((plain / "a.wav").read_bytes()))
    body = (
        chunk(b"bext", BEXT) + chunk(b"fmt ", own[b"fmt "])
        + chunk(b"LIST", b"INFO" + chunk(b"IART", b"One\0") + chunk(b"IXYZ", b"own\0")) + chunk(b"data", own[b"data"])
        + chunk(b"iXML", b"<BWFXML><SCENE>1</SCENE></BWFXML>") + chunk(b"smpl", bytes(60)) + chunk(b"odd ", b"x")
        + chunk(b"id3 ", id3(3, [frame(3, "TIT2", b"\0Old"), frame(3, "POPM", b"a\0\1")]))
    )  # fmt: skip
    path = program.folder / "a.wav"
    path.write_bytes(b"RIFF" + struct.pack("<I", len(body) + 4) + b"WAVE" + body)
    return path


def test_chunks_of_riff_stay(program: Program, rich_wav: Path) -> None:
    old = chunks(rich_wav.read_bytes())
    program.ok("tags", "a.wav", "--set", "title=New", "--in-place")
    new = chunks(rich_wav.read_bytes())
    assert [name for name, _ in new] == [name for name, _ in old]
    for (name, before), (_, after) in zip(old, new):
        if name == b"LIST":
            assert after == before + chunk(b"INAM", b"New\0")
        elif name == b"id3 ":
            assert frame(3, "TIT2", b"\0New") in after and frame(3, "POPM", b"a\0\1") in after
        else:
            assert after == before, name
    assert tags(rich_wav)["title"] == "New"
    assert "Scene 1" in program.ok("tags", "a.wav")
    # A field of the broadcast extension, and an item that only ID3 has a place for.
    program.ok("tags", "a.wav", "--set", "originator=Me", "--set", "album_artist=Various", "--in-place")
    changed = dict(chunks(rich_wav.read_bytes()))
    assert changed[b"bext"] == BEXT.replace(b"Mixer".ljust(32, b"\0"), b"Me".ljust(32, b"\0"))
    assert b"Various" in changed[b"id3 "]
    program.ok("tags", "a.wav", "--clear", "--in-place")
    assert [name for name, _ in chunks(rich_wav.read_bytes())] == [b"fmt ", b"data", b"iXML", b"smpl", b"odd "]


# The impossible


def too_long(plain: Path) -> Dict[str, bytes]:
    mp3 = (plain / "a.mp3").read_bytes()
    flac, frames = blocks((plain / "a.flac").read_bytes())
    wav = (plain / "a.wav").read_bytes()
    many = struct.pack("<I", 4) + b"test" + b"\xff\xff\xff\x7f"
    return {
        "tag.mp3": b"ID3\4\0\0\x7f\x7f\x7f\x7f" + mp3,
        "ape.mp3": mp3 + b"APETAGEX" + struct.pack("<IIII", 2000, 60_000_000, 1 << 31, 1 << 31) + bytes(8),
        "count.flac": b"fLaC" + block(0, flac[0][1]) + block(4, many, True) + frames,
        "list.wav": wav[:12] + b"bext\xff\xff\xff\x7f" + wav[12:],
    }


@pytest.mark.parametrize("name", ["tag.mp3", "ape.mp3", "count.flac", "list.wav"])
def test_sizes_that_lie_are_refused(program: Program, plain: Path, name: str) -> None:
    path = program.folder / name
    path.write_bytes(too_long(plain)[name])
    before = path.read_bytes()
    complaint = program.fails(1, "tags", name, "--set", "title=X", "--in-place")
    assert name in complaint
    assert path.read_bytes() == before


@pytest.mark.parametrize("size", [0x7FFF_FFFF, 0xFFFF_FFFF, 200])
def test_a_frame_that_is_longer_than_its_tag(program: Program, plain: Path, size: int) -> None:
    media = (plain / "a.mp3").read_bytes()
    path = program.folder / "a.mp3"
    broken = frame(3, "TIT2", b"\0Old") + b"TALB" + struct.pack(">I", size) + b"\0\0abc"
    path.write_bytes(id3(3, [broken]) + media)
    program.ok("tags", "a.mp3", "--set", "title=New", "--in-place")
    data = path.read_bytes()
    assert data.endswith(media) and frame(3, "TIT2", b"\0New") in data and broken[-13:] in data


# Chapters


def test_chapters_of_mp3_stay_where_they_are(program: Program, plain: Path) -> None:
    media = (plain / "a.mp3").read_bytes()
    path = program.folder / "a.mp3"
    times = [(0, 200), (200, 500)]
    frames = [
        frame(4, "CHAP", f"ch{n}".encode() + b"\0" + struct.pack(">IIII", *span, 0xFFFFFFFF, 0xFFFFFFFF)
              + frame(4, "TIT2", b"\3One"))
        for n, span in enumerate(times)
    ]  # fmt: skip
    path.write_bytes(id3(4, frames) + media)
    for copy in range(3):
        shown = json.loads(program.ok("probe", "a.mp3", "--json"))
        starts = [chapter["timeRange"]["start"] for chapter in shown["chapters"]]
        assert [start["value"] / start["timescale"] for start in starts] == [0, 0.2]
        program.ok("tags", "a.mp3", "--set", f"album={copy}", "--in-place")
        assert path.read_bytes()[10:].startswith(b"".join(frames))
    # And into another container.
    program.ok("export", "a.mp3", "out.mka", "--preset", "Passthrough")
    found = probe(program.folder / "out.mka", "-show_chapters")["chapters"]
    assert [float(chapter["start_time"]) for chapter in found] == [0, 0.2]
    assert [float(chapter["end_time"]) for chapter in found] == [0.2, 0.5]

