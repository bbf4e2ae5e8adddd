"""Transparency that VP8 and VP9 have in a stream of their own, by libvpx's reading of it."""

from __future__ import annotations

import json
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
    command += ["-vf", "extractplanes=a", "-pix_fmt", "gray", "-f", "rawvideo", "-"]
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
    for codec, name, options in (
        ("vp9", "lost.webm", ["--no-alpha"]),
        ("vp9", "plain.webm", ["--pixel-format", "yuv420p"]),
        ("vp9", "lost.mp4", []),
        ("h264", "coded.mp4", []),
    ):
        ended = program("export", "a.webm", name, "--video-codec", codec, *options)
        assert ended.returncode == 0 and b"alpha" in ended.stderr, ended.stderr
        command = ["ffprobe", "-v", "error", "-show_entries", "stream_tags", str(program.folder / name)]
        assert b"alpha_mode" not in subprocess.check_output(command).lower()


@pytest.mark.parametrize("target", ["b.webm", "b.mkv"])
@pytest.mark.parametrize("codec", ["vp8", "vp9"])
def test_vp8_and_vp9_are_written_with_it(program: Program, codec: str, target: str) -> None:
    make(program.folder / "a.webm", "vp9")
    right = planes(program.folder / "a.webm", "libvpx-vp9")
    ended = program("export", "a.webm", target, "--video-codec", codec, "--quality", "1")
    assert ended.returncode == 0 and b"left out" not in ended.stderr, ended.stderr
    made = planes(program.folder / target, DECODERS[codec])
    assert len(made) == FRAMES
    for one, other in zip(made, right):
        assert sum(abs(a - b) for a, b in zip(one, other)) / len(one) < 4
    assert alpha(program, target, 7) == made[7]
    # A copy has it too, and so has a part of one.
    program.ok("export", target, "copied.webm", "--preset", "Passthrough")
    assert planes(program.folder / "copied.webm", DECODERS[codec]) == made
    program.ok("export", target, "part.mkv", "--preset", "Passthrough", "--end", "0.5")
    assert planes(program.folder / "part.mkv", DECODERS[codec])[:5] == made[:5]


def test_it_stays_without_loss(program: Program) -> None:
    make(program.folder / "a.webm", "vp9")
    right = planes(program.folder / "a.webm", "libvpx-vp9")
    for name, codec in (("b.mkv", "ffv1"), ("b.mov", "qtrle"), ("c.mov", "png")):
        program.ok("export", "a.webm", name, "--video-codec", codec)
        assert planes(program.folder / name) == right, codec
    # ProRes takes the profile that has it.
    program.ok("export", "a.webm", "d.mov", "--video-codec", "prores")
    assert max(abs(a - b) for one, other in zip(planes(program.folder / "d.mov"), right)
               for a, b in zip(one, other)) <= 2
    command = ["ffprobe", "-v", "error", "-show_entries", "stream=profile", "-of", "csv=p=0"]
    assert b"4444" in subprocess.check_output([*command, str(program.folder / "d.mov")])
    program.ok("export", "a.webm", "e.mov", "--video-codec", "prores", "--no-alpha")
    assert b"Standard" in subprocess.check_output([*command, str(program.folder / "e.mov")])


def test_settings_that_contradict_each_other_are_refused(program: Program) -> None:
    make(program.folder / "a.webm", "vp9")
    message = program.fails(2, "export", "a.webm", "b.webm", "--pixel-format", "yuva420p", "--no-alpha")
    assert "--no-alpha" in message
    message = program.fails(2, "export", "a.webm", "b.mp4", "--video-codec", "vp9", "--pixel-format", "yuva420p")
    assert "--pixel-format" in message and "mp4" in message
    assert "--no-alpha" in program.fails(2, "export", "a.webm", "b.gif", "--no-alpha")


def test_the_writer_keeps_it(program: Program) -> None:
    ffmpeg(["-f", "lavfi", "-i", "color=red:s=64x48,format=rgba,colorchannelmixer=aa=0.5", "-frames:v", 1,
            program.folder / "clear.png"])
    program.ok("stills", "clear.png", "-o", "kept.mov", "--video-codec", "png")
    assert set(planes(program.folder / "kept.mov")[0]) <= {127, 128}


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


def test_a_composition_over_nothing_is_transparent(program: Program) -> None:
    """A picture in one half of a frame whose background is transparent, and the same over black."""
    ffmpeg(["-f", "lavfi", "-i", "color=red:s=32x48:r=10:d=0.5", "-c:v", "qtrle", program.folder / "red.mov"])
    for name, background in (("clear", [0, 0, 0, 0]), ("black", [0, 0, 0, 1])):
        document = {
            "version": 1,
            "sources": {"s1": {"url": "red.mov"}},
            "tracks": [{"trackID": 1, "mediaType": "video", "segments": [
                {"source": "s1", "trackID": 1, "timeMapping": {
                    "source": {"start": 0, "duration": 0.5}, "target": {"start": 0, "duration": 0.5}}}]}],
            "videoComposition": {
                "frameDuration": "1/10", "renderSize": {"width": 64, "height": 48},
                "instructions": [{"timeRange": {"start": 0, "duration": 0.5}, "backgroundColor": background,
                                  "layerInstructions": [{"trackID": 1}]}],
            },
        }
        (program.folder / f"{name}.json").write_text(json.dumps(document))
        program.ok("compose", f"{name}.json", "-o", f"{name}.mov", "--video-codec", "png")
    made = planes(program.folder / "clear.mov")
    assert len(made) == 5
    row = made[0][:64]
    assert row[:31] == b"\xff" * 31 and row[33:] == bytes(31)
    command = ["ffprobe", "-v", "error", "-show_entries", "stream=pix_fmt", "-of", "csv=p=0"]
    assert b"rgb24" in subprocess.check_output([*command, str(program.folder / "black.mov")])


def moving_gif(path: Path, control: bytes, first: bytes = b"\0\0\0\0\x40\0\x30\0") -> None:
    """A GIF of two frames: packed fields of their control extensions, and the place of the first."""
    ffmpeg(["-f", "lavfi", "-i", "testsrc2=size=64x48:rate=10:duration=0.2", "-gifflags", "-transdiff-offsetting", path])
    data = bytearray(path.read_bytes())
    places = [n for n in range(len(data)) if data[n : n + 3] == b"!\xf9\4" and data[n + 7 : n + 9] == b"\0,"]
    assert len(places) == 2
    for place, packed in zip(places, control):
        data[place + 3] = packed
    data[places[0] + 9 : places[0] + 17] = first
    path.write_bytes(data)


# Packed fields: 1 for a transparent colour, 4 for frames that stay, 8 for frames that are cleared.
@pytest.mark.parametrize(
    "control,first,opaque",
    [
        (b"\4\4", b"\0\0\0\0\x40\0\x30\0", True),
        (b"\0\0", b"\0\0\0\0\x40\0\x30\0", True),
        (b"\4\5", b"\0\0\0\0\x40\0\x30\0", True),
        (b"\4\x08", b"\0\0\0\0\x40\0\x30\0", True),
        (b"\5\4", b"\0\0\0\0\x40\0\x30\0", False),
        (b"\x08\5", b"\0\0\0\0\x40\0\x30\0", False),
        (b"\4\4", b"\1\0\0\0\x3f\0\x30\0", False),
    ],
)
def test_a_gif_without_transparency_gets_none(program: Program, control: bytes, first: bytes, opaque: bool) -> None:
    path = program.folder / "in.gif"
    moving_gif(path, control, first)
    if opaque:
        assert all(set(plane) == {255} for plane in planes(path))
    program.ok("export", "in.gif", "out.webm")
    shown = ["ffprobe", "-v", "error", "-show_entries", "stream_tags=alpha_mode", "-of", "csv=p=0"]
    mode = subprocess.check_output([*shown, str(program.folder / "out.webm")], text=True).strip()
    assert mode == ("" if opaque else "1")


@pytest.mark.parametrize(
    "pixels,codec,target,lost",
    [
        ("yuva444p10le", "ffv1", "out.webm", "8 bits a component, of 10"),
        ("yuv420p10le", "ffv1", "out.mp4", "8 bits a component, of 10"),
        ("rgb48be", "png", "out.mp4", "8 bits a component, of 16"),
        ("yuv420p10le", "ffv1", "out.webm", ""),
        ("yuva420p", "ffv1", "out.webm", ""),
    ],
)
def test_a_lower_bit_depth_is_listed(program: Program, pixels: str, codec: str, target: str, lost: str) -> None:
    source = ["-f", "lavfi", "-i", "testsrc2=size=64x48:rate=10:duration=0.5"]
    ffmpeg([*source, "-c:v", codec, "-pix_fmt", pixels, program.folder / "in.mkv"])
    dropped = json.loads(program.ok("export", "in.mkv", target, "--json")).get("dropped", [])
    reasons = [item["reason"] for item in dropped if (item["item"], item.get("key")) == ("color", "depth")]
    assert [lost in reason for reason in reasons] == ([True] if lost else [])
