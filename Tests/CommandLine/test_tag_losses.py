"""What exports lose of tags is listed, and what they move is right."""

from __future__ import annotations

import base64
import json
import struct
import subprocess
from pathlib import Path
from typing import Any, List

import pytest

from conftest import Program, ffmpeg

WEBP = base64.b64decode("UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==")
TONE: List[object] = ["-f", "lavfi", "-i", "sine=duration=1:sample_rate=48000"]


def probe(path: Path, *options: str) -> Any:
    command = ["ffprobe", "-v", "error", "-of", "json", "-show_format", "-show_streams", *options]
    return json.loads(subprocess.run([*command, str(path)], check=True, capture_output=True).stdout)


# Joins


def test_a_join_lists_what_it_takes_none_of(program: Program) -> None:
    (program.folder / "c.txt").write_text(
        ";FFMETADATA1\ntitle=Episode\nartist=One\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=500\ntitle=First\n"
    )
    ffmpeg(["-f", "lavfi", "-i", "color=c=red:s=64x48", "-frames:v", 1, program.folder / "cover.png"])
    ffmpeg([*TONE, "-i", program.folder / "c.txt", "-i", program.folder / "cover.png", "-map", 0, "-map", 2,
            "-map_metadata", 1, "-map_chapters", 1, "-c:a", "aac", "-c:v", "copy", "-disposition:v", "attached_pic",
            "-metadata:s:a", "language=deu", program.folder / "a.m4a"])  # fmt: skip
    ended = program("join", "a.m4a", "a.m4a", "-o", "out.m4a")
    ended = ended if ended.returncode == 0 else program("join", "a.m4a", "a.m4a", "out.m4a")
    assert ended.returncode == 0, ended.stderr
    listed = ended.stderr.decode()
    for what in ("chapters", "itsk/©nam", "itsk/©ART", "artwork", "language de"):
        assert what in listed, (what, listed)
    assert "a.m4a" in listed and "Lavf" not in listed


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
    # What only a copy of the whole has.
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
