"""Pictures whose container doesn't state when they are shown: their order, and all that follows from it.

Frame n of a ramp has the luma 16 + 8 n, which is the oracle; its time is n/25 s.
"""

import json
import struct
import subprocess
from pathlib import Path
from typing import Any, Dict, List

import pytest
from conftest import Program, ffmpeg

RAMP = "color=black:s=64x48:r=25:d=1,geq=lum='16+8*N':cb=128:cr=128"
H264 = ["-c:v", "libx264", "-bf", 3, "-g", 12, "-x264-params", "b-pyramid=normal:open-gop=1"]
HEVC = ["-c:v", "libx265", "-x265-params", "log-level=none:keyint=12:min-keyint=12:open-gop=1"]
MPEG2 = ["-c:v", "mpeg2video", "-bf", 2, "-g", 12]
MPEG4 = ["-c:v", "mpeg4", "-bf", 2, "-g", 12]

FILES: Dict[str, List[Any]] = {
    "h264.avi": H264,
    "open.h264": H264,
    "open.hevc": HEVC,
    "xvid.avi": [*MPEG4, "-vtag", "XVID"],
    "mpeg4.m4v": [*MPEG4, "-f", "m4v"],
    "mpeg2.m2v": MPEG2,
    "mpeg1.m1v": ["-c:v", "mpeg1video", "-bf", 2, "-g", 12],
    "h264.asf": [*H264, "-f", "asf"],
    "mpeg4.asf": [*MPEG4, "-f", "asf"],
    "dvd.vob": [*MPEG2, "-f", "dvd"],
    "svcd.mpg": [*MPEG2, "-f", "svcd"],
    "vcd.mpg": ["-c:v", "mpeg1video", "-bf", 2, "-g", 12, "-f", "vcd"],
    "h264.mpg": [*H264, "-f", "mpeg"],
    "plain.avi": ["-c:v", "libx264", "-bf", 0],
}


@pytest.fixture(scope="module")
def ramps(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("ramps")
    for name, settings in FILES.items():
        ffmpeg(["-f", "lavfi", "-i", RAMP, "-threads", 1, *settings, folder / name])
    pack(folder / "mpeg4.m4v", folder / "packed.avi")
    return folder


def pack(source: Path, target: Path) -> None:
    """Puts each B picture into the chunk of the picture that is decoded before it, and an empty plane into its
    own place, as DivX 5 does. A B picture directly after another would be a third one in a chunk: it stays."""
    bytes_ = source.read_bytes()
    starts = [i for i in range(len(bytes_) - 4) if bytes_[i : i + 4] == b"\0\0\1\xb6"]
    head = bytes_[: starts[0]]
    # A group's header, where there is one, begins a picture.
    begins = [
        bytes_.rfind(b"\0\0\1\xb3", previous, start) if b"\0\0\1\xb3" in bytes_[previous:start] else start
        for previous, start in zip([0, *starts], starts)
    ]
    planes = [bytes_[a:b] for a, b in zip(begins, [*begins[1:], len(bytes_)])]
    kinds = [plane[plane.index(b"\0\0\1\xb6") + 4] >> 6 for plane in planes]
    chunks: List[bytes] = []
    place = 0
    while place < len(planes):
        if kinds[place] != 2 and kinds[place + 1 : place + 3] == [2, 2]:
            # The first B goes in front, the second stays where the empty plane would be for it.
            chunks += [planes[place] + planes[place + 1], planes[place + 2], b"\0\0\1\xb6\x50\x00\x7f"]
            place += 3
        else:
            chunks.append(planes[place])
            place += 1
    write_avi(target, b"XVID", [head + chunks[0], *chunks[1:]], keys={0})


def write_avi(target: Path, codec: bytes, chunks: List[bytes], keys: "set[int]") -> None:
    """Writes pictures of 64 × 48, 25 a second."""

    def chunk(name: bytes, body: bytes) -> bytes:
        return name + struct.pack("<I", len(body)) + body + b"\0" * (len(body) % 2)

    count = len(chunks)
    main = struct.pack("<14I", 40000, 0, 0, 0x10, count, 0, 1, 0, 64, 48, 0, 0, 0, 0)
    header = b"vids" + codec + struct.pack("<10I4H", 0, 0, 0, 1, 25, 0, count, 65536, 0, 0, 0, 0, 64, 48)
    format_ = struct.pack("<IiiHH", 40, 64, 48, 1, 24) + codec + struct.pack("<5I", 9216, 0, 0, 0, 0)
    track = chunk(b"LIST", b"strl" + chunk(b"strh", header) + chunk(b"strf", format_))
    headers = chunk(b"LIST", b"hdrl" + chunk(b"avih", main) + track)
    movie, index = b"movi", b""
    for number, body in enumerate(chunks):
        flags = 0x10 if number in keys else 0
        index += b"00dc" + struct.pack("<3I", flags, len(movie), len(body))
        movie += chunk(b"00dc", body)
    riff = b"AVI " + headers + chunk(b"LIST", movie) + chunk(b"idx1", index)
    target.write_bytes(chunk(b"RIFF", riff))


NAMES = [*FILES, "packed.avi"]


def frames_of(path: Path) -> List[int]:
    """The frames that ffmpeg decodes of a file, by their grey."""
    command = ["ffmpeg", "-v", "error", "-i", str(path), "-map", "0:v:0", "-fps_mode", "passthrough"]
    command += ["-f", "rawvideo", "-pix_fmt", "yuv420p", "-"]
    bytes_ = subprocess.run(command, check=True, capture_output=True).stdout
    size = 64 * 48 * 3 // 2
    return [nearest(bytes_[at : at + 64 * 48]) for at in range(0, len(bytes_), size)]


def nearest(luma: bytes) -> int:
    return round((sum(luma) / len(luma) - 16) / 8)


def times_of(path: Path) -> List[float]:
    """The presentation times of a file's pictures, in their order, counted from the first."""
    command = ["ffprobe", "-v", "error", "-select_streams", "v:0", "-show_entries"]
    command += ["packet=pts_time,dts_time", "-of", "json", str(path)]
    listing = subprocess.run(command, check=True, capture_output=True).stdout
    packets = json.loads(listing)["packets"]
    for packet in packets:
        # Of Matroska's first pictures FFmpeg doesn't know when they are decoded.
        assert float(packet.get("dts_time", "-inf")) <= float(packet["pts_time"])
    times = sorted(float(packet["pts_time"]) for packet in packets)
    return [round(time - times[0], 3) for time in times]


def ramp_times(count: int) -> List[float]:
    return [round(n / 25, 3) for n in range(count)]


def shown(program: Program, folder: Path, *places: str) -> "tuple[List[int], List[bool]]":
    """The frames of images, and whether they claim to be exact."""
    listing = program.ok("image", *places, "--format", "gray", "--json", "-o", "%d.gray", str(folder))
    images = [json.loads(line) for line in listing.splitlines()]
    levels = [(program.folder / f"{n}.gray").read_bytes() for n in range(len(places) // 2)]
    # From 16 … 235 to 0 … 255.
    frames = [round((sum(level) / len(level)) * 219 / 255 / 8) for level in levels]
    return frames, [image["isExact"] for image in images]


@pytest.mark.parametrize("name", NAMES)
def test_images_are_those_of_their_times(program: Program, ramps: Path, name: str) -> None:
    wanted = [12, 0, 24, 3, 17, 11, 13]
    places = [part for n in wanted for part in ("-t", f"{2 * n + 1}/50")]
    frames, exact = shown(program, ramps / name, *places)
    assert frames == wanted
    assert all(exact)


@pytest.mark.parametrize("name", NAMES)
def test_frames_are_numbered_in_the_order_in_which_they_are_shown(
    program: Program, ramps: Path, name: str
) -> None:
    places = [part for n in range(25) for part in ("--frame", str(n))]
    frames, exact = shown(program, ramps / name, *places)
    assert frames == list(range(25))
    assert all(exact)


@pytest.mark.parametrize("name", NAMES)
def test_exports_have_every_frame_at_its_time(program: Program, ramps: Path, name: str) -> None:
    program.ok("export", str(ramps / name), "encoded.mp4", "--video-codec", "h264")
    assert frames_of(program.folder / "encoded.mp4") == list(range(25))
    assert times_of(program.folder / "encoded.mp4") == ramp_times(25)


@pytest.mark.parametrize("extension", ["mp4", "mkv", "mov", "ts"])
@pytest.mark.parametrize("name", NAMES)
def test_copies_have_the_times_of_the_pictures(
    program: Program, ramps: Path, name: str, extension: str
) -> None:
    if extension == "ts" and name in ("xvid.avi", "mpeg4.m4v", "mpeg4.asf", "packed.avi"):
        pytest.skip("a transport stream doesn't hold MPEG-4 part 2")
    copy = f"copy.{extension}"
    program.ok("export", str(ramps / name), copy, "--preset", "Passthrough")
    assert frames_of(program.folder / copy) == list(range(25))
    assert times_of(program.folder / copy) == ramp_times(25)


@pytest.mark.parametrize("name", ["h264.avi", "open.hevc", "dvd.vob", "h264.asf", "xvid.avi"])
def test_trims_and_joins_follow_the_order(program: Program, ramps: Path, name: str) -> None:
    program.ok(
        *["export", str(ramps / name), "part.mp4", "--preset", "Passthrough"],
        *["--start", "0.6", "--duration", "0.2"],
    )
    assert frames_of(program.folder / "part.mp4") == [15, 16, 17, 18, 19]
    program.ok("join", str(ramps / name), str(ramps / name), "-o", "joined.mp4")
    assert frames_of(program.folder / "joined.mp4") == [*range(25), *range(25)]
    assert times_of(program.folder / "joined.mp4") == ramp_times(50)


@pytest.mark.parametrize("extension", ["ts", "mp4", "mkv"])
def test_smart_trims_follow_the_order(program: Program, tmp_path: Path, extension: str) -> None:
    """Pictures that are encoded anew stand before and after those that are copied, each at its time."""
    source, codec = tmp_path / "closed.avi", ["-c:v", "libx264", "-bf", 3, "-b_strategy", 0, "-g", 8]
    ffmpeg(["-f", "lavfi", "-i", RAMP, *codec, "-x264-params", "b-pyramid=normal", source])
    for number, (first, count) in enumerate([(3, 18), (9, 6), (8, 8), (1, 24), (6, 13)]):
        part = program.folder / f"{number}.{extension}"
        cut = ["--start", f"{first}/25", "--duration", f"{count}/25"]
        report = program.ok("export", str(source), str(part), "--preset", "Passthrough", "--trim", "smart", *cut)
        assert "begins at" not in report
        assert frames_of(part) == list(range(first, first + count))
        assert times_of(part) == ramp_times(count)
