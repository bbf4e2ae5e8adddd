"""The tags that exports lose are listed, and the ones that they move are right."""

from __future__ import annotations

import base64
import json
import re
import struct
import subprocess
from pathlib import Path
from typing import Any, List, Tuple

import pytest

from conftest import Program, ffmpeg

WEBP = base64.b64decode("UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==")
TONE: List[object] = ["-f", "lavfi", "-i", "sine=duration=1:sample_rate=48000"]


def probe(path: Path, *options: str) -> Any:
    command = ["ffprobe", "-v", "error", "-of", "json", "-show_format", "-show_streams", *options]
    return json.loads(subprocess.run([*command, str(path)], check=True, capture_output=True).stdout)


# Joins


def test_a_join_takes_over_what_all_of_its_files_have(program: Program) -> None:
    (program.folder / "c.txt").write_text(
        ";FFMETADATA1\ntitle=Episode\nartist=One\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=500\ntitle=First\n"
    )
    ffmpeg(["-f", "lavfi", "-i", "color=c=red:s=64x48", "-frames:v", 1, program.folder / "cover.png"])
    ffmpeg([*TONE, "-i", program.folder / "c.txt", "-i", program.folder / "cover.png", "-map", 0, "-map", 2,
            "-map_metadata", 1, "-map_chapters", 1, "-c:a", "aac", "-c:v", "copy", "-disposition:v", "attached_pic",
            "-metadata:s:a", "language=deu", program.folder / "a.m4a"])  # fmt: skip
    ended = program("join", "a.m4a", "a.m4a", "-o", "out.m4a")
    assert ended.returncode == 0, ended.stderr
    lost = [line for line in ended.stderr.decode().splitlines() if "left out" in line]
    # Half of each file is in no chapter.
    assert [line.split(":")[1].strip() for line in lost] == ["chapters end"]
    found = probe(program.folder / "out.m4a")
    assert found["format"]["tags"]["artist"] == "One"
    assert found["streams"][0]["tags"]["language"] == "deu"
    assert any(stream["disposition"]["attached_pic"] for stream in found["streams"])


# Parts of a broadcast wave


def chunk(name: bytes, content: bytes) -> bytes:
    return name + struct.pack("<I", len(content)) + content + bytes(len(content) % 2)


@pytest.fixture
def broadcast(program: Program) -> Path:
    ffmpeg([*TONE, "-bitexact", program.folder / "plain.wav"])
    data = (program.folder / "plain.wav").read_bytes()
    fields = b"Scene".ljust(338, b"\0") + struct.pack("<QH", 172_800_000, 1) + bytes(254)
    body = data[12:] + chunk(b"bext", fields) + chunk(b"iXML", b"<BWFXML/>") + chunk(b"smpl", bytes(36))
    path = program.folder / "a.wav"
    path.write_bytes(b"RIFF" + struct.pack("<I", len(body) + 4) + b"WAVE" + body)
    return path


@pytest.mark.parametrize(("start", "reference"), [("0.25", 172_812_000), ("0", 172_800_000)])
def test_the_time_reference_of_a_part(program: Program, broadcast: Path, start: str, reference: int) -> None:
    ended = program("export", "a.wav", "out.wav", "--preset", "Passthrough", "--start", start, "--duration", "0.5")
    assert ended.returncode == 0, ended.stderr
    found = probe(program.folder / "out.wav")["format"]["tags"]
    assert found["time_reference"] == str(reference)
    # As FFmpeg names the description.
    assert found["comment"] == "Scene"
    # Chunks that only a copy of the whole has.
    assert b"riff/iXML" in ended.stderr and b"riff/smpl" in ended.stderr


def test_the_time_reference_at_another_rate(program: Program, broadcast: Path) -> None:
    ended = program("export", "a.wav", "out.wav", "--start", "0.5", "--sample-rate", "24000")
    assert ended.returncode == 0, ended.stderr
    found = probe(program.folder / "out.wav")["format"]["tags"]
    assert found["time_reference"] == str((172_800_000 + 24_000) // 2)


# Pictures


def test_webp_covers_where_there_is_a_place(program: Program) -> None:
    (program.folder / "x.webp").write_bytes(WEBP)
    ffmpeg([*TONE, "-c:a", "aac", program.folder / "a.m4a"])
    ffmpeg([*TONE, "-c:a", "flac", program.folder / "a.mka"])
    ended = program("tags", "a.m4a", "--cover", "x.webp", "-o", "out.m4a")
    assert ended.returncode == 0 and b"left out: artwork image/webp" in ended.stderr
    assert "webp" in program.fails(1, "tags", "a.m4a", "--cover", "x.webp", "--in-place")
    program.ok("tags", "a.mka", "--cover", "x.webp", "--in-place")
    program.ok("tags", "a.mka", "--set", "title=New", "--in-place")
    assert f"image/webp, {len(WEBP)} bytes" in program.ok("tags", "a.mka")
    files = [stream for stream in probe(program.folder / "a.mka")["streams"] if stream["codec_type"] == "attachment"]
    assert [stream["tags"]["mimetype"] for stream in files] == ["image/webp"]


# Movies


def test_boxes_that_are_not_understood_are_listed(program: Program) -> None:
    ffmpeg([*TONE, "-c:a", "aac", program.folder / "a.m4a"])
    with open(program.folder / "a.m4a", "ab") as file:
        file.write(struct.pack(">I", 8 + 16 + 5) + b"uuid" + bytes(range(16)) + b"<xmp>")
    ended = program("tags", "a.m4a", "--set", "title=New", "-o", "out.m4a")
    assert ended.returncode == 0 and b"left out: metadata uuid" in ended.stderr
    before = (program.folder / "a.m4a").read_bytes()
    assert "uuid" in program.fails(1, "tags", "a.m4a", "--set", "title=New", "--in-place")
    assert (program.folder / "a.m4a").read_bytes() == before


def atom(name: bytes, content: bytes) -> bytes:
    return struct.pack(">I4s", len(content) + 8, name) + content


def inserted(data: bytes, path: List[bytes], extra: bytes) -> bytes:
    """A movie whose index is at its end, with a box more at the end of the first one of that path."""
    result, offset, isDone = b"", 0, False
    while offset + 8 <= len(data):
        size, name = struct.unpack_from(">I4s", data, offset)
        content = data[offset + 8 : offset + size]
        if name == path[0] and not isDone:
            content = content + extra if len(path) == 1 else inserted(content, path[1:], extra)
            isDone = True
        result += atom(name, content)
        offset += size
    return result


META = atom(b"meta", bytes(4) + atom(b"hdlr", bytes(8) + b"ID32" + bytes(13)) + atom(b"ID32", b"\0\0\0\0\x15\xc7ID3"))


@pytest.mark.parametrize(
    ("path", "extra", "listed"),
    [
        ([], atom(b"XYZa", b"mine"), "XYZa"),
        ([b"moov"], atom(b"XYZb", b"mine"), "moov/XYZb"),
        ([b"moov"], atom(b"uuid", bytes(16) + b"mine"), "moov/uuid"),
        ([b"moov", b"trak"], atom(b"XYZc", b"mine"), "moov/trak/XYZc"),
        ([b"moov", b"trak"], atom(b"uuid", bytes(16) + b"mine"), "moov/trak/uuid"),
        ([b"moov"], META, "moov/meta/ID32"),
        ([b"moov", b"trak"], META, "moov/trak/meta/ID32"),
        ([b"moov", b"trak"], atom(b"free", b"nothing"), None),
        ([b"moov"], atom(b"skip", b"nothing"), None),
        ([], atom(b"wide", b""), None),
    ],
)
def test_boxes_at_all_levels_are_listed(program: Program, path: List[bytes], extra: bytes, listed: Any) -> None:
    ffmpeg([*TONE, "-c:a", "aac", program.folder / "plain.m4a"])
    data = (program.folder / "plain.m4a").read_bytes()
    (program.folder / "a.m4a").write_bytes(inserted(data, path, extra) if path else data + extra)
    for arguments in (["tags", "a.m4a", "--set", "title=New", "-o", "b.m4a"],
                      ["export", "a.m4a", "c.m4a", "--preset", "Passthrough"]):  # fmt: skip
        ended = program(*arguments)
        assert ended.returncode == 0, ended.stderr
        notes = ended.stderr.decode()
        assert f"left out: metadata {listed}" in notes if listed else "left out" not in notes


# Matroska


def element(identifier: int, content: bytes) -> bytes:
    name = identifier.to_bytes((identifier.bit_length() + 7) // 8, "big")
    return name + (len(content) | 1 << 56).to_bytes(8, "big") + content


def simple(name: str, *content: bytes) -> bytes:
    return element(0x67C8, element(0x45A3, name.encode()) + b"".join(content))


def text(value: str) -> bytes:
    return element(0x4487, value.encode())


def test_tags_of_matroska_that_are_not_understood_are_listed(program: Program) -> None:
    # A live file has no list of elements and a segment of no length, so that tags can follow.
    ffmpeg([*TONE, "-c:a", "flac", "-metadata", "title=Old", "-f", "matroska", program.folder / "plain.mka"])
    data = (program.folder / "plain.mka").read_bytes()
    segment = data.index(b"\x18\x53\x80\x67")
    length = struct.unpack_from(">Q", data, segment + 4)[0] & (1 << 56) - 1
    tags = element(0x1254C367, element(0x7373, element(0x63C0, b"")
        + simple("ARTIST", text("One"), simple("SORT_WITH", text("Uno")))
        + simple("ARTIST", text("Two")) + simple("PHOTO", element(0x4485, b"\xff\xd8"))
        + simple("PLAIN", text("kept"))))  # fmt: skip
    head = data[:segment] + b"\x18\x53\x80\x67" + struct.pack(">Q", length + len(tags) | 1 << 56)
    body = data[segment + 12 :]
    # The first element is the list of elements: tags come before it, and are found where they stand.
    (program.folder / "a.mka").write_bytes(head + tags + body)
    ended = program("export", "a.mka", "b.mka", "--preset", "Passthrough")
    assert ended.returncode == 0, ended.stderr
    notes = ended.stderr.decode()
    for name in ("ARTIST", "ARTIST/SORT_WITH", "PHOTO"):
        assert re.search(rf"left out: metadata (.*, )?{re.escape(name)}[,:]", notes), (name, notes)
    assert "PLAIN" not in notes
    assert probe(program.folder / "b.mka")["format"]["tags"]["PLAIN"] == "kept"


# Several values


def with_comments(program: Program, texts: List[bytes]) -> None:
    """A FLAC file with such comments, `a.flac`."""
    ffmpeg([*TONE, "-c:a", "flac", program.folder / "plain.flac"])
    data = (program.folder / "plain.flac").read_bytes()
    # After the stream's own block of 38 bytes (RFC 9639, section 8).
    comments = struct.pack("<II", 0, len(texts)) + b"".join(struct.pack("<I", len(t)) + t for t in texts)
    size = int.from_bytes(data[43:46], "big")
    assert data[42] & 0x7F == 4
    block = bytes([data[42]]) + len(comments).to_bytes(3, "big") + comments
    (program.folder / "a.flac").write_bytes(data[:42] + block + data[46 + size :])


@pytest.mark.parametrize("target", ["mka", "wav"])
def test_values_that_become_one_are_listed(program: Program, target: str) -> None:
    with_comments(program, [b"ARTIST=One", b"ARTIST=Two"])
    ended = program("export", "a.flac", f"b.{target}")
    assert ended.returncode == 0, ended.stderr
    assert "2 values are written as one" in ended.stderr.decode()
    program.ok("export", "a.flac", "b.m4a")
    shown = program.ok("tags", "b.m4a")
    assert "One" in shown and "Two" in shown and ";" not in shown


VALUES = {
    "ARTIST": ["One", "Two", "Drei Größen"],
    "ALBUMARTIST": ["A", "B"],
    "GENRE": ["Jazz; Swing", "Blues"],
    "COMPOSER": ["Eine", "x" * 3000],
    "SOMETHING": ["1", "2", "3", "4"],
    "TITLE": ["Alone"],
}


def comments_of(packet: bytes) -> List[Tuple[str, str]]:
    """A list of comments (Vorbis I, 5.2.1)."""
    (length,) = struct.unpack_from("<I", packet)
    (count,) = struct.unpack_from("<I", packet, 4 + length)
    place, found = 8 + length, []
    for _ in range(count):
        (length,) = struct.unpack_from("<I", packet, place)
        name, value = packet[place + 4 : place + 4 + length].decode().split("=", 1)
        found.append((name.upper(), value))
        place += 4 + length
    return found


def checksum(page: bytes) -> int:
    """Of a page of Ogg (RFC 3533, section 6)."""
    value = 0
    for byte in page[:22] + bytes(4) + page[26:]:
        value ^= byte << 24
        for _ in range(8):
            value = (value << 1 ^ (0x104C11DB7 if value >> 31 else 0)) & 0xFFFFFFFF
    return value


def ogg_comments(data: bytes) -> List[Tuple[str, str]]:
    """The second packet's, after a look at all pages: their checksums and numbers."""
    packets, place, number, isOpen = [b""], 0, 0, False
    while place < len(data):
        count = data[place + 26]
        lacing = data[place + 27 : place + 27 + count]
        page = data[place : place + 27 + count + sum(lacing)]
        assert page[:4] == b"OggS" and struct.unpack_from("<I", page, 18) == (number,)
        assert struct.unpack_from("<I", page, 22) == (checksum(page),)
        body = 27 + count
        for size in lacing:
            packets[-1] += page[body : body + size]
            body += size
            if size < 255:
                packets.append(b"")
        place, number = place + len(page), number + 1
    # Of FLAC it is a block of its metadata, with the block's header (Ogg mapping of FLAC, 1.0.1).
    start = 8 if packets[1].startswith(b"OpusTags") else 4 if packets[0].startswith(b"\x7fFLAC") else 7
    return comments_of(packets[1][start:])


def flac_comments(data: bytes) -> List[Tuple[str, str]]:
    place = 4
    while data[place] & 0x7F != 4:
        place += 4 + int.from_bytes(data[place + 1 : place + 4], "big")
    return comments_of(data[place + 4 :])


def id3_texts(data: bytes) -> List[Tuple[str, str]]:
    """The texts of a tag of ID3v2.4."""
    assert data[:4] == b"ID3\x04"
    size = sum((byte & 0x7F) << shift for byte, shift in zip(data[6:10], (21, 14, 7, 0)))
    names = {"TPE1": "ARTIST", "TPE2": "ALBUMARTIST", "TCON": "GENRE", "TCOM": "COMPOSER", "TIT2": "TITLE"}
    place, found = 10, []
    while data[place]:
        name = data[place : place + 4].decode()
        length = sum((byte & 0x7F) << shift for byte, shift in zip(data[place + 4 : place + 8], (21, 14, 7, 0)))
        encoding, text = data[place + 10], data[place + 11 : place + 10 + length]
        if name.startswith("T"):
            texts = text.decode({0: "latin-1", 1: "utf-16", 3: "utf-8"}[encoding]).rstrip("\0").split("\0")
            key = texts.pop(0).upper() if name == "TXXX" else names.get(name, name)
            found += [(key, each) for each in texts]
        place += 10 + length
    # The rest is padding, and the frames of audio begin at the tag's stated end.
    assert not any(data[place : 10 + size]) and data[10 + size] == 0xFF
    return found


@pytest.mark.parametrize(
    "target, options",
    [("flac", []), ("flac", ["--start", "0.2"]), ("ogg", []), ("opus", []), ("oga", ["--audio-codec", "vorbis"]),
     ("oga", ["--audio-codec", "flac"]), ("mp3", [])],
)  # fmt: skip
def test_several_values_of_a_tag_are_kept(program: Program, target: str, options: List[str]) -> None:
    with_comments(
        program, [f"{name}={value}".encode() for name, values in VALUES.items() for value in values]
    )
    # Another name than that of the source, so that it is no copy of the whole.
    ended = program("export", "a.flac", f"b.{target}", *options)
    assert ended.returncode == 0, ended.stderr
    assert b"written as one" not in ended.stderr
    data = (program.folder / f"b.{target}").read_bytes()
    found = (
        flac_comments(data) if data.startswith(b"fLaC") else id3_texts(data) if target == "mp3"
        else ogg_comments(data)
    )  # fmt: skip
    for name, values in VALUES.items():
        assert [value for key, value in found if key == name] == values, name
    decoded = subprocess.run(
        ["ffmpeg", "-nostdin", "-v", "error", "-i", str(program.folder / f"b.{target}"), "-f", "null", "-"],
        check=True, capture_output=True,
    )  # fmt: skip
    assert decoded.stderr == b""
    shown = program.ok("tags", f"b.{target}")
    assert all(value in shown for values in VALUES.values() for value in values)


# Names


def test_names_that_are_probably_not_meant(program: Program) -> None:
    ffmpeg([*TONE, "-c:a", "libmp3lame", "-metadata", "artist=One", program.folder / "a.mp3"])
    ended = program("tags", "a.mp3", "--set", "titel=X", "--remove", "composer", "--set", "album=Y", "-o", "b.mp3")
    assert ended.returncode == 0
    notes = ended.stderr.decode()
    assert "'titel'" in notes and "did you mean title?" in notes and "'composer'" in notes and "album" not in notes
    ended = program("tags", "a.mp3", "--set", "title=X", "--remove", "artist", "-o", "c.mp3")
    assert b"'" not in ended.stderr.replace(b"c.mp3", b"")


def test_brands_are_no_tags(program: Program) -> None:
    ffmpeg([*TONE, "-c:a", "aac", "-metadata", "title=X", program.folder / "a.mp4"])
    ffmpeg(["-i", program.folder / "a.mp4", "-c", "copy", program.folder / "a.mkv"])
    for name in ("a.mp4", "a.mkv"):
        shown = program.ok("tags", name).lower() + program.ok("tags", name, "--json").lower()
        assert "x" in shown
        for brand in ("major_brand", "minor_version", "compatible_brands", "lavf"):
            assert brand not in shown
        assert "brand" not in program.ok("probe", name).lower()


# Before publication


def tags_of(facts: Any) -> "set[str]":
    return {value for stream in facts["streams"] for value in stream.get("tags", {}).values()}


def test_texts_of_tracks_and_attachments_are_cleared(program: Program) -> None:
    """The fonts of ASS stay and are listed; languages and dispositions stay."""
    (program.folder / "s.ass").write_text(
        "[Script Info]\nScriptType: v4.00+\n\n[V4+ Styles]\nFormat: Name, Fontname, Fontsize\n"
        "Style: Default,Some,20\n\n[Events]\nFormat: Layer, Start, End, Style, Text\n"
        "Dialogue: 0,0:00:00.00,0:00:01.00,Default,Hello\n"
    )
    (program.folder / "some.ttf").write_bytes(b"a font")
    (program.folder / "notes.txt").write_bytes(b"secret notes")
    (program.folder / "c.txt").write_text(
        ";FFMETADATA1\ntitle=secret\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=1000\ntitle=First\n"
    )
    ffmpeg([*TONE, "-i", program.folder / "s.ass", "-i", program.folder / "c.txt", "-map", 0, "-map", 1,
            "-map_metadata", 2, "-c:s", "copy", "-c:a", "aac", "-metadata:s:a", "title=secret",
            "-metadata:s:a", "ARTIST=secret", "-metadata:s:a", "handler_name=secret",
            "-metadata:s:a", "language=deu", "-metadata:s:s", "language=eng", "-disposition:a", "default+comment",
            "-attach", program.folder / "some.ttf", "-attach", program.folder / "notes.txt",
            "-metadata:s:t", "mimetype=text/plain", "-metadata:s:t:0", "mimetype=font/ttf",
            program.folder / "a.mkv"])  # fmt: skip
    assert b"secret" in (program.folder / "a.mkv").read_bytes()
    ended = program("tags", "a.mkv", "--clear", "-o", "out.mkv")
    assert ended.returncode == 0, ended.stderr
    assert b"secret" not in (program.folder / "out.mkv").read_bytes()
    streams = probe(program.folder / "out.mkv")["streams"]
    assert [each["codec_type"] for each in streams] == ["audio", "subtitle", "attachment"]
    assert streams[2]["tags"]["filename"] == "some.ttf"
    assert [each["tags"]["language"] for each in streams[:2]] == ["ger", "eng"]
    assert streams[0]["disposition"]["comment"] == 1
    stays = [line.strip() for line in ended.stderr.decode().splitlines() if "stays: " in line]
    assert [line.split(": ")[1] for line in stays] == ["attachment some.ttf", "chapters"]
    # The removal is no loss.
    ended = program("tags", "a.mkv", "--clear", "--in-place")
    assert ended.returncode == 0, ended.stderr
    assert b"secret" not in (program.folder / "a.mkv").read_bytes()


def test_devices_of_tracks_are_cleared(program: Program) -> None:
    ffmpeg(["-f", "lavfi", "-i", "testsrc=s=64x48:d=1", *TONE, "-c:v", "mpeg4", "-c:a", "aac",
            program.folder / "plain.mov"])  # fmt: skip
    ffmpeg(["-i", program.folder / "plain.mov", "-c", "copy", "-metadata:s:v", "encoder=Phone 15",
            "-metadata:s:a", "handler_name=Phone of A", "-metadata:s:a", "language=fra",
            program.folder / "a.mov"])  # fmt: skip
    assert {"Phone 15", "Phone of A"} <= tags_of(probe(program.folder / "a.mov"))
    for out in ("out.mov", "out.mp4"):
        ended = program("tags", "a.mov", "--clear", "-o", out)
        assert ended.returncode == 0, ended.stderr
        assert b"Phone" not in (program.folder / out).read_bytes()
        assert "fra" in tags_of(probe(program.folder / out))
    # Only an empty list clears.
    ended = program("tags", "a.mov", "--set", "title=New", "-o", "kept.mov")
    assert ended.returncode == 0, ended.stderr
    assert {"Phone 15", "Phone of A"} <= tags_of(probe(program.folder / "kept.mov"))


def test_chunks_that_stay_are_listed(program: Program, broadcast: Path) -> None:
    ended = program("tags", "a.wav", "--clear", "-o", "out.wav")
    assert ended.returncode == 0, ended.stderr
    assert b"Scene" not in (program.folder / "out.wav").read_bytes()
    assert b"  stays: metadata riff/iXML, riff/smpl: " in ended.stderr
