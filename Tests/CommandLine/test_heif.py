"""HEIC and AVIF files whose picture is a grid of tiles, put together here of tiles that ffmpeg encodes and decodes."""

from __future__ import annotations

import json
import struct
import subprocess
from pathlib import Path
from typing import Any, Iterator, NamedTuple, Optional

import pytest

from conftest import Program, ffmpeg

TILE = 64, 48
ENCODERS = {
    "hevc": ["-c:v", "libx265", "-x265-params", "log-level=none"],
    "av1": ["-c:v", "libaom-av1", "-cpu-used", 8, "-crf", 20],
}


class Coded(NamedTuple):
    type: str
    configuration: bytes
    tiles: list[bytes]
    """The samples, row after row."""
    pixels: list[bytes]
    """What ffmpeg decodes of each, yuv420p."""


def boxes(data: bytes) -> Iterator[tuple[str, bytes]]:
    place = 0
    while place + 8 <= len(data):
        size, name = struct.unpack(">I4s", data[place : place + 8])
        yield name.decode("latin1"), data[place + 8 : place + size]
        place += size


def child(data: bytes, *names: str) -> bytes:
    for name in names:
        data = next(payload for type, payload in boxes(data) if type == name)
    return data


def box(name: str, *parts: bytes) -> bytes:
    payload = b"".join(parts)
    return struct.pack(">I4s", len(payload) + 8, name.encode()) + payload


def full(name: str, *parts: bytes, version: int = 0, flags: int = 0) -> bytes:
    return box(name, struct.pack(">I", version << 24 | flags), *parts)


def code(folder: Path, codec: str, columns: int, rows: int) -> Coded:
    tiles, pixels, configuration, type = [], [], b"", ""
    for number in range(columns * rows):
        x, y = number % columns * TILE[0], number // columns * TILE[1]
        path = folder / f"{codec}-{number}.mp4"
        crop = f"testsrc2=s={columns * TILE[0]}x{rows * TILE[1]}:d=1,crop={TILE[0]}:{TILE[1]}:{x}:{y}"
        ffmpeg(["-f", "lavfi", "-i", crop, "-frames:v", 1, "-pix_fmt", "yuv420p", *ENCODERS[codec], path])
        data = path.read_bytes()
        table = child(data, "moov", "trak", "mdia", "minf", "stbl", "stsd")[8:]
        (type, entry) = next(boxes(table))
        configuration = child(entry[78:], "hvcC" if codec == "hevc" else "av1C")
        tiles.append(child(data, "mdat"))
        decoded = ["ffmpeg", "-v", "error", "-i", str(path), "-f", "rawvideo", "-pix_fmt", "yuv420p", "-"]
        pixels.append(subprocess.check_output(decoded))
    return Coded("hvc1" if codec == "hevc" else "av01", configuration, tiles, pixels)


def heif(
    coded: Coded, columns: int, rows: int, size: tuple[int, int], *, order: Optional[list[int]] = None,
    turn: Optional[int] = None, references: Optional[int] = None, gap: int = 0, brand: bytes = b"",
) -> bytes:
    """Item 1 is the grid, in `idat`; the tiles are the items from 2 on, stored in `order`. Without columns: item 2 is
    the picture, and the others are unrelated to it."""
    count = len(coded.tiles)
    brand = brand or (b"heic" if coded.type == "hvc1" else b"avif")
    ftyp = box("ftyp", brand, bytes(4), b"mif1", brand)
    order = order or list(range(count))
    grid = struct.pack(">BBBBHH", 0, 0, rows - 1, columns - 1, *size) if columns else b""
    items = [(1, "grid")] * bool(columns) + [(number + 2, coded.type) for number in range(count)]
    name = "hvcC" if coded.type == "hvc1" else "av1C"

    def ispe(width: int, height: int) -> bytes:
        return full("ispe", struct.pack(">II", width, height))

    properties = [box(name, coded.configuration), ispe(*TILE), ispe(*size), box("irot", bytes([turn or 0]))]
    first = [3] + [4] * (turn is not None)
    links = {1: first} if columns else {}
    for number in range(count):
        links[number + 2] = [1, 2] + ([4] if not columns and turn is not None else [])
    ipma = b"".join(struct.pack(">HB", item, len(own)) + bytes(own) for item, own in links.items())

    def meta(start: int) -> bytes:
        places, place = {}, start
        for number in order:
            places[number] = place
            place += len(coded.tiles[number]) + gap
        iloc = struct.pack(">BBH", 0x44, 0, len(items))
        if columns:
            iloc += struct.pack(">HHHHII", 1, 1, 0, 1, 0, len(grid))
        for number in range(count):
            iloc += struct.pack(">HHHHII", number + 2, 0, 0, 1, places[number], len(coded.tiles[number]))
        infe = [full("infe", struct.pack(">HH4s", item, 0, type.encode()), b"\0", version=2) for item, type in items]
        used = range(count if references is None else references)
        dimg = struct.pack(">HH", 1, len(used)) + b"".join(struct.pack(">H", number + 2) for number in used)
        return full(
            "meta", full("hdlr", bytes(4), b"pict", bytes(13)), full("pitm", struct.pack(">H", items[0][0])),
            full("iloc", iloc, version=1), full("iinf", struct.pack(">H", len(items)), *infe),
            *([full("iref", box("dimg", dimg))] if columns else []),
            box("iprp", box("ipco", *properties), full("ipma", struct.pack(">I", len(links)), ipma)),
            *([box("idat", grid)] if columns else []),
        )

    start = len(ftyp) + len(meta(0)) + 8
    data = b"".join(coded.tiles[number] + bytes(gap) for number in order)
    return ftyp + meta(start) + box("mdat", data)


def together(coded: Coded, columns: int, size: tuple[int, int]) -> bytes:
    """The planes of the tiles side by side, cut to the size."""
    result = b""
    for across, down, offset in ((1, 1, 0), (2, 2, TILE[0] * TILE[1]), (2, 2, TILE[0] * TILE[1] * 5 // 4)):
        width, height = TILE[0] // across, TILE[1] // down
        for y in range((size[1] + down - 1) // down):
            row = b""
            for column in range(columns):
                tile = coded.pixels[y // height * columns + column]
                row += tile[offset + y % height * width : offset + (y % height + 1) * width]
            result += row[: (size[0] + across - 1) // across]
    return result


def pixels(program: Program, name: str) -> bytes:
    program.ok("image", name, "--format", "yuv420p", "-o", "out.raw")
    data = (program.folder / "out.raw").read_bytes()
    (program.folder / "out.raw").unlink()
    return data


@pytest.mark.parametrize("codec", ["hevc", "av1"])
def test_tiles_are_one_picture(program: Program, codec: str) -> None:
    coded = code(program.folder, codec, 3, 2)
    for name, size, options in [
        ("exact.heic", (192, 96), {}),
        # The last column and row reach beyond the picture.
        ("cut.heic", (150, 70), {}),
        ("shuffled.heic", (192, 96), {"order": [4, 1, 5, 0, 3, 2], "gap": 7}),
    ]:
        (program.folder / name).write_bytes(heif(coded, 3, 2, size, **options))
        assert pixels(program, name) == together(coded, 3, size), name
        assert "%d × %d" % size in program.ok("probe", name)
    (program.folder / "turned.heic").write_bytes(heif(coded, 3, 2, (192, 96), turn=1))
    program.ok("image", "turned.heic", "-o", "turned.png")
    command = ["ffprobe", "-v", "error", "-show_entries", "stream=width,height", "-of", "csv=p=0"]
    assert subprocess.check_output([*command, str(program.folder / "turned.png")]).split() == [b"96,192"]
    # It is encoded, and shown for as long as is asked; it can't be copied.
    program.ok("stills", "exact.heic", "cut.heic", "-o", "show.mp4")
    assert "grid" in program.fails(1, "export", "exact.heic", "copied.mp4", "--preset", "Passthrough")
    assert not (program.folder / "copied.mp4").exists()


def test_a_single_picture(program: Program) -> None:
    coded = code(program.folder, "hevc", 1, 1)
    (program.folder / "one.heic").write_bytes(heif(coded, 0, 0, TILE))
    assert pixels(program, "one.heic") == coded.pixels[0]
    program.ok("export", "one.heic", "copied.mp4", "--preset", "Passthrough")
    assert pixels(program, "copied.mp4") == coded.pixels[0]


def test_a_grid_that_is_wrong_is_refused(program: Program) -> None:
    """Never a tile in place of the picture."""
    coded = code(program.folder, "av1", 2, 2)
    whole = heif(coded, 2, 2, (128, 96))
    for name, data, message in [
        ("few.avif", heif(coded, 2, 2, (128, 96), references=3), "don't agree"),
        ("none.avif", heif(coded, 2, 2, (128, 96), references=0), "no tiles"),
        ("short.avif", whole[:-100], "lies outside the file"),
        ("large.avif", heif(coded, 2, 2, (60000, 60000)), "60000 × 60000"),
        ("kind.avif", whole.replace(b"grid", b"iovl"), "iovl"),
        ("wide.avif", heif(coded, 2, 2, (140, 96)), "don't make a picture"),
    ]:
        (program.folder / name).write_bytes(data)
        assert message in program.fails(1, "image", name, "-o", "out.png"), name
        assert not (program.folder / "out.png").exists()


@pytest.mark.parametrize("codec", ["hevc", "av1"])
def test_further_items_are_no_tracks(program: Program, codec: str) -> None:
    """A thumbnail, for example: FFmpeg 7 makes a stream of each."""
    coded = code(program.folder, codec, 2, 1)
    (program.folder / "two.heif").write_bytes(heif(coded, 0, 0, TILE))
    assert [track["trackID"] for track in tracks(program, "two.heif")] == [1]
    assert pixels(program, "two.heif") == coded.pixels[0]


def test_pictures_of_other_kinds_are_refused(program: Program) -> None:
    """With any brand: FFmpeg 7 shows the items that the picture is derived from, one by one."""
    coded = code(program.folder, "av1", 2, 1)
    for brand in (b"avif", b"mif1", b"msf1", b"MiHE", b"avio"):
        data = heif(coded, 2, 1, (128, 48), brand=brand)
        for kind in (b"iden", b"iovl", b"tmap", b"jpeg"):
            (program.folder / "derived.heif").write_bytes(data.replace(b"grid", kind))
            for command in (["probe", "derived.heif"], ["image", "derived.heif", "-o", "out.png"]):
                assert f"the kind '{kind.decode()}'" in program.fails(1, *command), (brand, kind)


def test_an_animation_is_one_track(program: Program) -> None:
    """Its first picture is an item, too, of which FFmpeg 7 makes a stream of its own."""
    source = ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=10:d=0.5", "-pix_fmt", "yuv420p", *ENCODERS["av1"]]
    ffmpeg([*source, program.folder / "moving.avif"])
    (track,) = tracks(program, "moving.avif")
    assert track["trackID"] == 1 and track["nominalFrameRate"] == 10


def tracks(program: Program, name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(program.ok("probe", name, "--json"))["tracks"]
    return found
