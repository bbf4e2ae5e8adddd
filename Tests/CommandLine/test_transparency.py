"""Transparency that VP8 and VP9 have in a stream of their own, by libvpx's reading of it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from conftest import Program, ffmpeg
from waiting import HANG

SIZE = 64, 48
FRAMES = 12
DECODERS = {"vp8": "libvpx", "vp9": "libvpx-vp9"}


def make(path: Path, codec: str, interval: int = 5) -> None:
    """A picture whose transparency moves by 8 columns from frame to frame, with sync samples at that interval."""
    picture = "format=rgba,geq=r=200:g=100:b=50:a='mod(X*4+N*32,256)'"
    options = ["-c:v", DECODERS[codec], "-pix_fmt", "yuva420p", "-auto-alt-ref", 0, "-g", interval, "-b:v", "1M"]
    source = ["-f", "lavfi", "-i", f"color=s=64x48:r=10:d={FRAMES / 10},{picture}"]
    ffmpeg([*source, *options, "-metadata:s:v", "alpha_mode=1", path])


def planes(path: Path, decoder: str = "") -> list[bytes]:
    """The transparency of each frame, as ffmpeg reads it."""
    command = ["ffmpeg", "-nostdin", "-v", "error", *(["-c:v", decoder] if decoder else []), "-i", str(path)]
    command += ["-vf", "format=yuva420p,extractplanes=a", "-f", "rawvideo", "-"]
    data = subprocess.check_output(command, timeout=HANG)
    size = SIZE[0] * SIZE[1]
    return [data[start : start + size] for start in range(0, len(data), size)]


def alpha(program: Program, name: str, number: int) -> bytes:
    program.ok("image", name, "--frame", str(number), "--format", "rgba", "-o", f"{number}.raw")
    data = (program.folder / f"{number}.raw").read_bytes()
    (program.folder / f"{number}.raw").unlink()
    return data[3::4]


@pytest.mark.parametrize("codec", ["vp8", "vp9"])
def test_images_have_it(program: Program, codec: str) -> None:
    make(program.folder / "a.webm", codec)
    right = planes(program.folder / "a.webm", DECODERS[codec])
    assert len(right) == FRAMES and len(set(right)) > 6
    for number in (0, 7, 3, 11):
        assert alpha(program, "a.webm", number) == right[number], number


def test_exports_keep_it_or_list_it(program: Program) -> None:
    make(program.folder / "a.webm", "vp9")
    right = planes(program.folder / "a.webm", "libvpx-vp9")
    program.ok("export", "a.webm", "kept.mov", "--preset", "AppleProRes4444LPCM")
    made = planes(program.folder / "kept.mov")
    assert len(made) == FRAMES
    assert max(abs(a - b) for one, other in zip(made, right) for a, b in zip(one, other)) <= 2
    program.ok("export", "a.webm", "copied.webm", "--preset", "Passthrough")
    assert planes(program.folder / "copied.webm", "libvpx-vp9") == right
    for codec, name in (("vp9", "lost.webm"), ("h264", "lost.mp4")):
        ended = program("export", "a.webm", name, "--video-codec", codec)
        assert ended.returncode == 0 and b"alpha" in ended.stderr, ended.stderr
        command = ["ffprobe", "-v", "error", "-show_entries", "stream_tags", str(program.folder / name)]
        assert b"alpha_mode" not in subprocess.check_output(command).lower()


def test_what_is_damaged_or_missing_is_opaque(program: Program) -> None:
    """The data that Matroska adds to one sample isn't transparency, that of another is damaged; the rest is
    as it was."""
    make(program.folder / "a.webm", "vp8")
    data = bytearray((program.folder / "a.webm").read_bytes())
    # BlockMore, of which BlockAdditional holds the bytes: the number after BlockAddID is 1.
    places = [place for place in range(len(data) - 3) if data[place : place + 3] == b"\xee\x81\x01"]
    assert len(places) == FRAMES
    data[places[11] + 2] = 4
    (program.folder / "missing.webm").write_bytes(data)
    right = planes(program.folder / "a.webm", "libvpx")
    assert alpha(program, "missing.webm", 10) == right[10]
    assert set(alpha(program, "missing.webm", 11)) == {255}
    start = data.index(b"\xa5", places[10])
    data[start + 3 : start + 12] = bytes(9)
    (program.folder / "damaged.webm").write_bytes(data)
    assert len(alpha(program, "damaged.webm", 10)) == SIZE[0] * SIZE[1]
    assert alpha(program, "damaged.webm", 9) == right[9]


def test_the_writer_lists_it(program: Program) -> None:
    for name, picture in (("clear.png", "format=rgba,colorchannelmixer=aa=0.5"), ("plain.png", "format=rgb24")):
        ffmpeg(["-f", "lavfi", "-i", f"color=red:s=64x48,{picture}", "-frames:v", 1, program.folder / name])
    ended = program("stills", "plain.png", "clear.png", "-o", "lost.mp4")
    assert ended.returncode == 0 and b"alpha" in ended.stderr, ended.stderr
    assert b"alpha" not in program("stills", "plain.png", "-o", "plain.mp4").stderr
    assert b"alpha" in program("export", "clear.png", "lost.mov").stderr


def elements(data: bytes) -> list[tuple[bytes, bytes]]:
    """The EBML elements of a level, by their identifiers (RFC 8794, section 6)."""
    found, place = [], 0
    while place < len(data):
        length = 9 - data[place].bit_length()
        name = data[place : place + length]
        place += length
        length = 9 - data[place].bit_length()
        size = int.from_bytes(data[place : place + length], "big") & (1 << 7 * length) - 1
        place += length
        if size == (1 << 7 * length) - 1:
            size = len(data) - place
        found.append((name, data[place : place + size]))
        place += size
    return found


def element(name: bytes, payload: bytes) -> bytes:
    return name + (1 << 56 | len(payload)).to_bytes(8, "big") + payload


SEGMENT, INFO, TRACKS, CLUSTER = (bytes.fromhex(name) for name in ("18538067", "1549A966", "1654AE6B", "1F43B675"))
BLOCK_GROUP, ADDITIONS = b"\xa0", b"\x75\xa1"


def test_sync_samples_are_those_of_both_streams(program: Program) -> None:
    """The pictures have a key frame every five, their transparency has one at the start: decoding from the
    sixth frame on needs the transparency of those before."""
    make(program.folder / "often.webm", "vp9")
    make(program.folder / "once.webm", "vp9", interval=100)

    def groups(name: str) -> list[list[tuple[bytes, bytes]]]:
        segment = next(data for id, data in elements((program.folder / name).read_bytes()) if id == SEGMENT)
        clusters = [data for id, data in elements(segment) if id == CLUSTER]
        assert len(clusters) == 1
        return [elements(data) for id, data in elements(clusters[0]) if id == BLOCK_GROUP]

    data = (program.folder / "often.webm").read_bytes()
    header, segment = elements(data)[0], elements(data)[1][1]
    blocks = b""
    for often, once in zip(groups("often.webm"), groups("once.webm")):
        other = next(payload for id, payload in once if id == ADDITIONS)
        parts = [(id, other if id == ADDITIONS else payload) for id, payload in often]
        blocks += element(BLOCK_GROUP, b"".join(element(*part) for part in parts))
    kept = b"".join(element(id, payload) for id, payload in elements(segment) if id in (INFO, TRACKS))
    cluster = element(CLUSTER, element(b"\xe7", b"\0") + blocks)
    (program.folder / "mixed.webm").write_bytes(element(*header) + element(SEGMENT, kept + cluster))
    right = planes(program.folder / "mixed.webm", "libvpx-vp9")
    assert len(right) == FRAMES and right == planes(program.folder / "once.webm", "libvpx-vp9")
    for number in (11, 6, 5, 0):
        assert alpha(program, "mixed.webm", number) == right[number], number
