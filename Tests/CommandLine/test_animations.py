"""GIFs whose frames state no delay, by ffprobe's reading of them, and shows of photos."""

from __future__ import annotations

import json
import struct
import subprocess
from pathlib import Path
from typing import Optional

import pytest

from conftest import Program, ffmpeg

# The delay that libavformat, like browsers, assumes for a frame without one, in hundredths of a second.
USUAL = 10


def gif(delays: list[Optional[int]]) -> bytes:
    """A GIF of 8 × 8 pixels; a frame whose delay is None has no graphic control extension at all."""
    colours = b"".join(struct.pack("BBB", 40 * number, 255 - 40 * number, 90) for number in range(4))
    data = b"GIF89a" + struct.pack("<HHBBB", 8, 8, 0x81, 0, 0) + colours
    for number, delay in enumerate(delays):
        if delay is not None:
            data += b"!\xf9\x04\0" + struct.pack("<H", delay) + b"\0\0"
        # Codes of 3 bits: the table is cleared after every pair.
        codes = [code for _ in range(32) for code in (4, number % 4, number % 4)] + [5]
        bits = sum(code << 3 * place for place, code in enumerate(codes))
        body = bits.to_bytes((3 * len(codes) + 7) // 8, "little")
        data += b"," + struct.pack("<HHHHB", 0, 0, 8, 8, 0) + b"\2" + bytes([len(body)]) + body + b"\0"
    return data + b";"


def times(path: Path) -> list[float]:
    command = ["ffprobe", "-v", "error", "-of", "json", "-show_entries", "packet=pts_time", str(path)]
    return [float(each["pts_time"]) for each in json.loads(subprocess.check_output(command))["packets"]]


def duration(program: Program, name: str) -> float:
    value = json.loads(program.ok("probe", name, "--json"))["duration"]
    return value["value"] / value["timescale"]


@pytest.mark.parametrize(
    "delays",
    [[None, 10, 10], [10, 20, None], [20, None, 30], [None, None, None], [None], [0, 5, 0], [1, 30, 2]],
    ids=str,
)
def test_all_frames_count(program: Program, delays: list[Optional[int]]) -> None:
    (program.folder / "a.gif").write_bytes(gif(delays))
    starts = times(program.folder / "a.gif")
    assert len(starts) == len(delays)
    lengths = [USUAL if delay is None or delay < 2 else delay for delay in delays]
    assert starts == pytest.approx([sum(lengths[:number]) / 100 for number in range(len(delays))])
    total = sum(lengths) / 100
    assert duration(program, "a.gif") == pytest.approx(total)
    program.ok("export", "a.gif", "a.mp4")
    assert times(program.folder / "a.mp4") == pytest.approx(starts)
    program.ok("join", "a.gif", "a.gif", "--preset", "HighestQuality", "-o", "twice.mp4")
    assert times(program.folder / "twice.mp4") == pytest.approx(starts + [total + start for start in starts])


@pytest.mark.parametrize("photos", [["a.jpg"], ["a.jpg", "b.png"], ["b.png", "a.jpg"]], ids=" ".join)
@pytest.mark.parametrize("transition", [None, 0.5])
def test_a_show_of_photos_has_video_range(
    program: Program, photos: list[str], transition: Optional[float]
) -> None:
    """As `stills` makes it: players assume limited range where a video doesn't state one. The grey is 128 of 255."""
    for name, options in (("a.jpg", ["-pix_fmt", "yuvj420p", "-q:v", 1]), ("b.png", [])):
        ffmpeg(["-f", "lavfi", "-i", "color=0x808080:s=64x48", "-frames:v", 1, *options, program.folder / name])
    document = [{"url": name, "duration": 1} for name in photos + photos]
    if transition:
        for clip in document[:-1]:
            clip["transition"] = {"duration": transition}
    (program.folder / "show.json").write_text(json.dumps({"clips": document}))
    program.ok("compose", "show.json", "-o", "show.mp4")
    program.ok("stills", *photos, "--duration", "1", "-o", "stills.mp4")
    for name in ("show.mp4", "stills.mp4"):
        path = str(program.folder / name)
        command = ["ffprobe", "-v", "error", "-show_entries", "stream=pix_fmt,color_range", "-of", "csv=p=0", path]
        # Of RGB nothing may be stated.
        assert subprocess.check_output(command).split()[0] in (b"yuv420p,tv", b"yuv420p,unknown"), name
        data = subprocess.check_output(["ffmpeg", "-v", "error", "-i", path, "-f", "rawvideo", "-"])
        assert abs(data[0] - (16 + 128 * 219 / 255)) <= 2, name


def plays(path: Path) -> Optional[int]:
    """The number of times that an animation is played, by its own bytes; 0 for ever again."""
    data = path.read_bytes()
    if data.startswith(b"GIF8"):
        # NETSCAPE2.0 counts the times after the first.
        place = data.find(b"NETSCAPE2.0")
        repeats = struct.unpack_from("<H", data, place + 13)[0] if place >= 0 else None
        return 1 if repeats is None else 0 if repeats == 0 else repeats + 1
    if data.startswith(b"\x89PNG"):
        return int(struct.unpack_from(">I", data, data.index(b"acTL") + 8)[0])
    return int(struct.unpack_from("<H", data, data.index(b"ANIM") + 12)[0])


@pytest.mark.parametrize("target", ["gif", "apng", "webp"])
@pytest.mark.parametrize("count", [0, 1, 2, 5])
@pytest.mark.parametrize("source", ["gif", "apng", "webp"])
def test_an_animation_is_played_as_often(program: Program, source: str, count: int, target: str) -> None:
    option = {
        "gif": ["-loop", str(-1 if count == 1 else max(count - 1, 0))],
        "apng": ["-plays", str(count), "-f", "apng"],
        "webp": ["-c:v", "libwebp_anim", "-loop", str(count)],
    }[source]
    ffmpeg(["-f", "lavfi", "-i", "testsrc2=duration=0.4:size=32x32:rate=10", *option, program.folder / f"in.{source}"])
    assert plays(program.folder / f"in.{source}") == count
    program.ok("export", f"in.{source}", f"out.{target}")
    assert plays(program.folder / f"out.{target}") == count


def test_a_copied_gif_is_played_as_often(program: Program) -> None:
    (program.folder / "once.gif").write_bytes(gif([10, 10]))
    program.ok("export", "once.gif", "copy.gif", "--preset", "Passthrough")
    assert plays(program.folder / "copy.gif") == 1
    # Other video is played for ever again.
    ffmpeg(["-i", program.folder / "once.gif", "-pix_fmt", "yuv420p", program.folder / "film.mp4"])
    program.ok("export", "film.mp4", "film.gif")
    assert plays(program.folder / "film.gif") == 0
