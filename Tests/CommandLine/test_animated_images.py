"""Animated WebP and APNG, written and read, by Pillow's reading of them."""

from __future__ import annotations

import json
import struct
import subprocess
from pathlib import Path
from typing import List, Optional, Tuple

import pytest

from conftest import Program, ffmpeg
from waiting import HANG

Image = pytest.importorskip("PIL.Image", reason="Pillow reads and writes the animations")

SIZE = 64, 48
ALPHA = "format=rgba,geq=r='X*3':g='Y*4':b='N*16':a='mod(X*4+N*32,256)'"


def pillow(path: Path) -> List[Tuple[float, bytes]]:
    """The duration in milliseconds, and the pixels in RGBA, of each frame."""
    with Image.open(path) as image:
        frames = []
        for number in range(getattr(image, "n_frames", 1)):
            image.seek(number)
            image.load()
            frames.append((image.info.get("duration", 0), image.convert("RGBA").tobytes()))
        return frames


def raw(path: Path) -> List[bytes]:
    command = ["ffmpeg", "-nostdin", "-v", "error", "-i", str(path), "-fps_mode", "passthrough"]
    data = subprocess.check_output([*command, "-pix_fmt", "rgba", "-f", "rawvideo", "-"], timeout=HANG)
    size = SIZE[0] * SIZE[1] * 4
    return [data[start : start + size] for start in range(0, len(data), size)]


def clip(path: Path, rate: str = "10", frames: int = 8, alpha: bool = True) -> None:
    picture = f"color=s=64x48:r={rate},{ALPHA}" if alpha else f"testsrc2=s=64x48:r={rate}"
    ffmpeg(["-f", "lavfi", "-i", picture, "-frames:v", frames, "-c:v", "qtrle", path])


def visible(one: bytes, other: bytes) -> int:
    """The greatest difference of colours that can be seen, or of transparency."""
    worst = max((abs(a - b) for a, b in zip(one[3::4], other[3::4])), default=0)
    for place in range(0, len(one), 4):
        if one[place + 3]:
            worst = max(worst, *(abs(one[place + part] - other[place + part]) for part in range(3)))
    return worst


def delays(path: Path) -> List[Tuple[int, int]]:
    """The delays of an APNG, as its chunks have them."""
    data, place, found = path.read_bytes(), 8, []
    while place < len(data):
        size, name = struct.unpack(">I4s", data[place : place + 8])
        if name == b"fcTL":
            found.append(struct.unpack(">HH", data[place + 28 : place + 32]))
        place += 12 + size
    return found


def durations(path: Path) -> List[int]:
    """The durations of a WebP file's frames in milliseconds, as its chunks have them."""
    data, place, found = path.read_bytes(), 12, []
    while place < len(data):
        name, size = struct.unpack("<4sI", data[place : place + 8])
        if name == b"ANMF":
            found.append(int.from_bytes(data[place + 20 : place + 23], "little"))
        place += 8 + size + size % 2
    return found


@pytest.mark.parametrize("alpha", [True, False])
def test_apng_is_the_source(program: Program, alpha: bool) -> None:
    clip(program.folder / "a.mov", alpha=alpha)
    program.ok("export", "a.mov", "b.apng")
    made = pillow(program.folder / "b.apng")
    assert [pixels for _, pixels in made] == raw(program.folder / "a.mov")
    assert [duration for duration, _ in made] == [100] * 8
    with Image.open(program.folder / "b.apng") as image:
        assert image.info["loop"] == 0


def test_delays_of_apng_are_exact(program: Program) -> None:
    clip(program.folder / "a.mov", rate="30000/1001", alpha=False)
    program.ok("export", "a.mov", "b.apng")
    assert delays(program.folder / "b.apng") == [(1001, 30000)] * 8


def held(program: Program) -> None:
    """A clip whose last frame is shown for a second."""
    clip(program.folder / "a.mov", frames=3)
    ffmpeg(["-i", program.folder / "a.mov", "-vf", "tpad=stop_mode=clone:stop_duration=0.9", "-c:v", "qtrle",
            program.folder / "held.mov"])


def test_the_last_frame_of_a_webp_lasts_as_long_as_it_did(program: Program) -> None:
    held(program)
    program.ok("export", "held.mov", "b.webp")
    # Frames that are alike are one.
    assert durations(program.folder / "b.webp") == [100, 100, 1000]


@pytest.mark.parametrize("rate", ["10", "30000/1001", "60"])
def test_durations_of_webp_are_rounded_to_milliseconds(program: Program, rate: str) -> None:
    clip(program.folder / "a.mov", rate=rate)
    program.ok("export", "a.mov", "b.webp")
    numerator, _, denominator = rate.partition("/")
    ends = [round(1000 * number * int(denominator or 1) / int(numerator)) for number in range(9)]
    assert durations(program.folder / "b.webp") == [b - a for a, b in zip(ends, ends[1:])]


def test_webp_without_and_with_loss(program: Program) -> None:
    clip(program.folder / "a.mov")
    right = raw(program.folder / "a.mov")
    sizes = []
    for name, options, bound in (("b", ["--profile", "lossless"], 8), ("c", ["--quality", "1"], 40), ("d", [], 80)):
        program.ok("export", "a.mov", f"{name}.webp", *options)
        made = pillow(program.folder / f"{name}.webp")
        assert len(made) == 8
        # Transparency is never changed; of colours, only the nearly transparent by what players blend.
        for (_, one), other in zip(made, right):
            assert one[3::4] == other[3::4]
            solid = [place for place in range(0, len(other), 4) if other[place + 3] > 250]
            assert all(abs(one[p + c] - other[p + c]) <= bound for p in solid for c in range(3)), name
        sizes.append((program.folder / f"{name}.webp").stat().st_size)
    assert sizes[2] < sizes[1]
    with Image.open(program.folder / "b.webp") as image:
        assert image.info["loop"] == 0
    program.ok("export", "a.mov", "e.webp", "--no-alpha")
    assert all(set(pixels[3::4]) == {255} for _, pixels in pillow(program.folder / "e.webp"))
    assert facts(program, "e.webp")["tracks"][0]["formatDescriptions"][0]["video"]["containsAlphaChannel"] is False


def test_one_frame_is_a_picture(program: Program) -> None:
    clip(program.folder / "a.mov", frames=1)
    for name in ("b.webp", "b.apng"):
        program.ok("export", "a.mov", name)
        with Image.open(program.folder / name) as image:
            assert image.size == SIZE and getattr(image, "n_frames", 1) == 1


@pytest.mark.parametrize("preset", ["WebP", "APNG"])
def test_presets(program: Program, preset: str) -> None:
    clip(program.folder / "a.mov", alpha=False)
    program.ok("export", "a.mov", f"b.{preset.lower()}", "--preset", preset)
    assert len(pillow(program.folder / f"b.{preset.lower()}")) == 8


# Reading


def frame(program: Program, name: str, number: int) -> bytes:
    program.ok("image", name, "--frame", str(number), "--format", "rgba", "-o", "frame.raw")
    data = (program.folder / "frame.raw").read_bytes()
    (program.folder / "frame.raw").unlink()
    return data


def facts(program: Program, name: str) -> dict:
    return json.loads(program.ok("probe", name, "--json"))


def pictures() -> List["Image.Image"]:
    """Pictures of which parts are transparent, some alike in parts."""
    made = []
    for number in range(7):
        picture = Image.new("RGBA", SIZE, (0, 0, 0, 0))
        for x in range(40):
            for y in range(30):
                picture.putpixel((x + number, y), (6 * x, 8 * y, 30 * number, (x * 7 + number * 20) % 256))
        made.append(picture)
    return made


@pytest.mark.parametrize("options", [{"lossless": True}, {"lossless": True, "minimize_size": True}, {"quality": 80}],
                         ids=str)
def test_animated_webp_is_read(program: Program, options: dict) -> None:
    lengths = [40, 100, 7, 250, 30, 1000, 60]
    first, *rest = pictures()
    first.save(program.folder / "a.webp", save_all=True, append_images=rest, duration=lengths, loop=0, **options)
    right = pillow(program.folder / "a.webp")
    assert len(right) == 7
    facts_of = facts(program, "a.webp")
    assert facts_of["duration"]["value"] / facts_of["duration"]["timescale"] == pytest.approx(sum(lengths) / 1000)
    # libwebp makes chroma of full size in another way; colours of what is nearly transparent differ most.
    lossless = "lossless" in options

    def alike(one: bytes, other: bytes) -> bool:
        if lossless:
            return visible(one, other) <= 1
        solid = [place for place in range(0, len(one), 4) if one[place + 3] > 200]
        return sum(abs(one[p + c] - other[p + c]) for p in solid for c in range(3)) / len(solid) < 6

    # In an order that seeks back and forth.
    for number in (0, 5, 2, 6, 3, 1, 4):
        mine = frame(program, "a.webp", number)
        assert mine[3::4] == right[number][1][3::4], number
        assert alike(right[number][1], mine), number
    program.ok("export", "a.webp", "b.mkv", "--video-codec", "ffv1")
    command = ["ffprobe", "-v", "error", "-of", "json", "-show_entries", "packet=pts_time"]
    packets = json.loads(subprocess.check_output([*command, str(program.folder / "b.mkv")]))["packets"]
    starts = [sum(lengths[:number]) / 1000 for number in range(7)]
    assert [float(packet["pts_time"]) for packet in packets] == pytest.approx(starts)
    for number, pixels in enumerate(raw(program.folder / "b.mkv")):
        assert alike(right[number][1], pixels)
    program.ok("export", "a.webp", "c.webm")
    assert b"alpha" not in program("export", "a.webp", "d.webm").stderr


def test_opaque_animated_webp_is_read(program: Program) -> None:
    clip(program.folder / "a.mov", alpha=False)
    program.ok("export", "a.mov", "a.webp", "--profile", "lossless")
    assert facts(program, "a.webp")["tracks"][0]["formatDescriptions"][0]["video"]["containsAlphaChannel"] is False
    right = pillow(program.folder / "a.webp")
    for number in (7, 0, 4):
        assert visible(right[number][1], frame(program, "a.webp", number)) <= 1
    program.ok("export", "a.webp", "b.mp4")


def animation(canvas: Tuple[int, int], frames: List[Tuple[int, int, int, bytes]], claim: Optional[int] = None) -> bytes:
    """A WebP file of frames: their places, durations, and their images' chunks."""
    def chunk(name: bytes, body: bytes) -> bytes:
        return name + struct.pack("<I", len(body)) + body + b"\0" * (len(body) % 2)

    def three(number: int) -> bytes:
        return number.to_bytes(3, "little")

    body = bytearray(chunk(b"VP8X", bytes([0x12, 0, 0, 0]) + three(canvas[0] - 1) + three(canvas[1] - 1)))
    body += chunk(b"ANIM", bytes(6))
    for x, y, duration, image in frames:
        place = three(x // 2) + three(y // 2) + three(7) + three(7) + three(duration) + b"\2"
        body += chunk(b"ANMF", place + image)
    return b"RIFF" + struct.pack("<I", 4 + len(body) if claim is None else claim) + b"WEBP" + body


def image(program: Program, color: Tuple[int, int, int]) -> bytes:
    """The chunk of an 8 × 8 picture."""
    Image.new("RGB", (8, 8), color).save(program.folder / "one.webp", lossless=True)
    return (program.folder / "one.webp").read_bytes()[12:]


def test_frames_without_a_duration(program: Program) -> None:
    red, blue = image(program, (255, 0, 0)), image(program, (0, 0, 255))
    (program.folder / "a.webp").write_bytes(animation((8, 8), [(0, 0, 0, red), (0, 0, 50, blue), (0, 0, 0, red)]))
    value = facts(program, "a.webp")["duration"]
    assert value["value"] / value["timescale"] == pytest.approx(0.25)
    assert frame(program, "a.webp", 1)[:4] == bytes([0, 0, 255, 255])


def test_thousands_of_frames(program: Program) -> None:
    red, blue = image(program, (255, 0, 0)), image(program, (0, 0, 255))
    (program.folder / "a.webp").write_bytes(animation((16, 16), [(0, 8, 20, red), (8, 0, 20, blue)] * 3000))
    value = facts(program, "a.webp")["duration"]
    assert value["value"] / value["timescale"] == pytest.approx(120)
    pixels = frame(program, "a.webp", 5001)
    assert pixels[:4] == bytes(4) and pixels[8 * 4 : 9 * 4] == bytes([0, 0, 255, 255])


def test_hostile_animations(program: Program) -> None:
    red = image(program, (255, 0, 0))
    whole = animation((8, 8), [(0, 0, 50, red)] * 5)
    cases = {
        "huge": animation((1 << 24, 1 << 24), [(0, 0, 50, red)]),
        "large": animation((16383, 16383), [(0, 0, 50, red)]),
        "outside": animation((8, 8), [(2, 0, 50, red)]),
        "empty": animation((8, 8), []),
        "imageless": animation((8, 8), [(0, 0, 50, b"XXXX" + struct.pack("<I", 8) + bytes(8))]),
        "short": whole[:-20],
        "shorter": whole[:60],
        "header": whole[:26],
        "many": animation((8, 8), [(0, 0, 50, red)] * 100_001),
    }
    for name, data in cases.items():
        (program.folder / f"{name}.webp").write_bytes(data)
        ended = program("export", f"{name}.webp", f"{name}.mp4")
        message = ended.stderr.decode()
        assert ended.returncode not in (0, -6, -11) and name in message, (name, ended)
        assert not list(program.folder.glob(f"*{name}.mp4*"))
    # What is there of a file that is cut short can be had.
    ended = program("export", "short.webp", "rest.mov", "--video-codec", "png", "--salvage")
    assert ended.returncode == 0, ended.stderr
    command = ["ffprobe", "-v", "error", "-count_packets", "-show_entries", "stream=nb_read_packets", "-of", "csv=p=0"]
    assert subprocess.check_output([*command, str(program.folder / "rest.mov")]).split() == [b"4"]
    broken = bytearray(whole)
    place = broken.index(b"VP8L", 200)
    broken[place + 8 : place + 16] = b"\xff" * 8
    (program.folder / "broken.webp").write_bytes(broken)
    program("image", "broken.webp", "--frame", "2", "-o", "x.png")
    assert program("probe", "broken.webp").returncode == 0


@pytest.mark.parametrize("codec", ["webp", "apng"])
def test_parts_of_an_animation_are_refused(program: Program, codec: str) -> None:
    clip(program.folder / "a.mov", alpha=False)
    ended = program("export", "a.mov", f"b.{codec}", "--resume")
    assert ended.returncode != 0 and b"parts" in ended.stderr
    assert not list(program.folder.glob(f"*b.{codec}*"))


def test_a_copy_of_an_animation_is_refused(program: Program) -> None:
    red = image(program, (255, 0, 0))
    (program.folder / "a.webp").write_bytes(animation((8, 8), [(0, 0, 50, red)] * 3))
    ended = program("export", "a.webp", "b.mkv", "--preset", "Passthrough")
    assert ended.returncode != 0 and b"canvas" in ended.stderr
    assert not (program.folder / "b.mkv").exists()


def test_a_first_frame_that_restores_what_was_before(program: Program) -> None:
    """The first frame of a GIF is shown, though it is taken away again before the second one."""
    frames = [Image.new("P", SIZE, color) for color in (0, 1, 2)]
    for frame in frames:
        frame.putpalette([200, 30, 20, 20, 180, 40, 30, 60, 220])
    path = program.folder / "previous.gif"
    frames[0].save(path, save_all=True, append_images=frames[1:], duration=100, disposal=3, optimize=False)
    program.ok("image", "--all", "previous.gif", "-o", "previous%d.png")
    made = [pillow(program.folder / f"previous{number}.png")[0][1] for number in range(3)]
    assert made == raw(path)
    assert made[0][:4] == bytes([200, 30, 20, 255])
