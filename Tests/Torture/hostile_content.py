"""H10 to H14, H20: bombs, absurd times, odd metadata, lying headers, protected media."""

from __future__ import annotations

import struct
import subprocess
import zlib
from pathlib import Path
from typing import Any, Dict, Iterator, List, Tuple

from checks import MEGABYTE, Alive, Effort, Memory, close_all
from rows import Run, Skipped, expect, row
from server import Checked, Server, Shared
from steps import Steps, error_name

from hostile_inputs import REFUSAL, status, written
from waiting import HANG


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width: int, height: int, depth: int, color: int, data: bytes) -> bytes:
    head = struct.pack(">IIBBBBB", width, height, depth, color, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", head)
        + chunk(b"IDAT", zlib.compress(data))
        + chunk(b"IEND", b"")
    )


def bombs() -> Dict[str, bytes]:
    side = 65535
    bmp = b"BM" + struct.pack("<IHHI", 200, 0, 0, 54)
    bmp += struct.pack("<IiiHHIIiiII", 40, side, side, 1, 24, 0, 0, 1, 1, 0, 0) + bytes(100)
    gif = b"GIF89a" + struct.pack("<HHBBB", side, side, 0x80, 0, 0) + bytes(6)
    gif += b"," + struct.pack("<HHHHB", 0, 0, side, side, 0) + b"\x02\x02\x4c\x01\x00;"
    tags = [
        (256, 4, side),
        (257, 4, side),
        (258, 3, 8),
        (259, 3, 1),
        (262, 3, 1),
        (273, 4, 8),
        (277, 3, 1),
        (278, 4, side),
        (279, 4, 100),
    ]
    tiff = b"II*\0" + struct.pack("<I", 8) + struct.pack("<H", len(tags))
    tiff += b"".join(struct.pack("<HHII", tag, kind, 1, value) for tag, kind, value in tags) + bytes(104)
    webp = b"VP8L" + struct.pack("<I", 16) + b"\x2f" + struct.pack("<I", 16383 | 16383 << 14) + bytes(11)
    webp = b"RIFF" + struct.pack("<I", len(webp) + 4) + b"WEBP" + webp
    return {
        "65535.png": png(side, side, 8, 6, bytes(100)),
        "30000.png": png(30000, 8000, 8, 6, bytes(100)),
        "16000-real.png": png(16000, 16000, 1, 0, bytes(2001 * 16000)),
        "65535.bmp": bmp,
        "65535.gif": gif,
        "65535.tiff": tiff,
        "16384.webp": webp,
    }


@row("H10", "pixel bombs", quick=True)
def pixel_bombs(run: Run) -> None:
    for name, data in bombs().items():
        path = written(run, name, data)
        # An engine each: a peak of the one before hides none.
        with Server() as engine:
            run.case(name, bomb, run, engine, path)


def bomb(run: Run, engine: Checked, path: Path) -> None:
    status(engine, path)
    memory = Memory(engine)
    steps = Steps(engine, path, run.folder)
    steps.open()
    effort = Effort(engine)
    outcome = steps.step("image", steps.image)
    steps.close(steps.asset)
    run.count(outcome)
    expect(outcome != "ok", "an image of a bomb")
    effort.check(*REFUSAL)
    memory.check(64 * MEGABYTE)


@row("H11", "little in, much out: sizes, counts and rates without end", quick=True)
def little_in(run: Run) -> None:
    with Server() as engine:
        asset = engine.call("asset/open", url=str(run.media.good))["asset"]
        generator = engine.call("imageGenerator/create", asset=asset)["imageGenerator"]
        huge: List[Tuple[str, Dict[str, Any]]] = [
            ("imageGenerator/contactSheet", {"imageGenerator": generator, "columns": 10**9, "rows": 10**9}),
            ("imageGenerator/contactSheet", {"imageGenerator": generator, "count": 2**53}),
            (
                "imageGenerator/contactSheet",
                {"imageGenerator": generator, "columns": 9, "rows": 9, "tileWidth": 10**9},
            ),
            ("waveform/generate", {"asset": asset, "count": 10**9}),
            ("waveform/generate", {"asset": asset, "width": 10**6, "height": 10**6}),
            ("exportSession/create", export_params(run, asset, {"video": {"frameRate": 10**6}})),
            ("exportSession/create", export_params(run, asset, {"video": {"width": 10**6, "height": 10**6}})),
            ("exportSession/create", export_params(run, asset, {"audio": {"sampleRate": 10**9}})),
            ("exportSession/create", export_params(run, asset, {"audio": {"channels": 10**6}})),
            ("resource/allocate", {"resource": "resource:1", "size": 2**50}),
        ]
        for number, (method, params) in enumerate(huge):
            run.case(f"{method} {number}", is_refused_request, run, engine, method, params)
        run.case("an image 100000 wide", enlarged, engine, asset)
        run.case("a reader's picture 100000 wide", huge_picture, run, engine, asset)
        run.case("500,000 times", many_times, engine, generator)
        close_all(engine)
        run.case("alive", Alive(run.media.good).check, engine)


def export_params(run: Run, asset: str, settings: Dict[str, Any]) -> Dict[str, Any]:
    return {"asset": asset, "settings": settings, "outputURL": str(run.folder / "huge.mp4")}


def is_refused_request(run: Run, engine: Checked, method: str, params: Dict[str, Any]) -> None:
    memory = Memory(engine)
    completion = {} if method.endswith(("create", "allocate")) else {"completion": "response"}
    name, result = engine.attempt(method, **params, **completion)
    if name == "ok":
        expect("error" in result, f"it succeeds: {str(result)[:200]}")
        name = error_name(result["error"])
    run.count(name)
    memory.check(64 * MEGABYTE)


def enlarged(engine: Checked, asset: str) -> None:
    maximum = {"width": 100000, "height": 100000}
    made = engine.call("imageGenerator/create", asset=asset, maximumSize=maximum)["imageGenerator"]
    image = engine.call("imageGenerator/generateImage", imageGenerator=made)["image"]
    expect((image["width"], image["height"]) == (160, 120), f"{image['width']}x{image['height']}")


def huge_picture(run: Run, engine: Checked, asset: str) -> None:
    memory = Memory(engine)
    settings = {"pixelFormat": "rgb24", "width": 100000, "height": 100000}
    output = {"type": "track", "mediaType": "video", "settings": settings}
    name, made = engine.attempt("assetReader/create", asset=asset, outputs=[output])
    if name == "ok":
        name, _ = engine.attempt("assetReader/start", assetReader=made["assetReader"])
    if name == "ok":
        name, _ = engine.attempt("assetReader/nextSampleBuffers", output=made["outputs"][0])
    run.count(name)
    expect(name != "ok", "a picture of 30 GB")
    memory.check(64 * MEGABYTE)


def many_times(engine: Checked, generator: str) -> None:
    """They may be refused, or begun: then they can be cancelled, and memory is bounded."""
    memory = Memory(engine)
    times = [0] * 500_000
    name, made = engine.attempt(
        "imageGenerator/generateImages",
        imageGenerator=generator,
        times=times,
        delivery={"kind": "file", "path": "/nonexistent/%d.jpg"},
    )
    if name == "ok":
        engine.call("imageGenerator/cancelAll", imageGenerator=generator)
        ended = engine.operation(made["operation"], 60)
        expect(ended["succeeded"] + ended["failed"] + ended["cancelled"] == len(times), str(ended))
    memory.check(700 * MEGABYTE)


EXTREMES: List[Any] = [
    0,
    -1,
    1,
    2**31 - 1,
    2**31,
    -(2**31),
    2**53 - 1,
    -(2**53) + 1,
    2**63 - 1,
    -(2**63),
    10**30,
    1.5,
    1e18,
    -1e18,
    1e308,
    "0",
    "9223372036854775807",
    "-9223372036854775808",
    "NaN",
    "inf",
    "1e400",
    "1/0",
    "0/0",
    "-0",
    "",
    None,
    "+infinity",
    "-infinity",
    "indefinite",
    "invalid",
    "99:99:99.999",
    "1/-3",
    True,
    [],
    {},
]


def random_time(numbers: Any) -> Any:
    if numbers.random() < 0.3:
        return numbers.choice(EXTREMES)
    scales = EXTREMES if numbers.random() < 0.3 else [1, 600, 90000, 2**31 - 1]
    values = (
        EXTREMES
        if numbers.random() < 0.3
        else [0, -1, 12345, 2**53 - 1, "9223372036854775807", "-9223372036854775808"]
    )
    time: Dict[str, Any] = {"value": numbers.choice(values), "timescale": numbers.choice(scales)}
    if numbers.random() < 0.3:
        time["epoch"] = numbers.choice(EXTREMES)
    return time


@row("H12", "absurd times, in arithmetic and in requests", quick=True)
def absurd_times(run: Run) -> None:
    with Server() as engine:
        document = engine.call("rpc.discover")
        methods = [
            method for method in document["methods"] if method["name"].startswith(("time/", "timeRange/"))
        ]
        asset = engine.call("asset/open", url=str(run.media.good))["asset"]
        generator = engine.call("imageGenerator/create", asset=asset)["imageGenerator"]
        for number in range(run.amount(10, 100)):
            run.case(f"batch {number}", time_batch, run, engine, methods, f"batch {number}")
        for number in range(run.amount(60, 600)):
            name = f"request {number}"
            run.case(name, time_request, run, engine, asset, generator, name)
        close_all(engine)
        run.case("alive", Alive(run.media.good).check, engine)


def time_batch(run: Run, engine: Checked, methods: List[Dict[str, Any]], name: str) -> None:
    """A hundred requests for arithmetic; each is answered."""
    numbers = run.random(name)
    ids = []
    for _ in range(100):
        method = numbers.choice(methods)
        params = {param["name"]: time_value(numbers, param["name"]) for param in method["params"]}
        ids.append(engine.send(method["name"], **params))
    for answer in engine.settle(ids).values():
        run.count(str(answer["error"]["data"]["name"]) if "error" in answer else "ok")
        expect("result" in answer or answer["error"]["code"] != -32603, str(answer)[:300])
    engine.check_counts()


def time_value(numbers: Any, name: str) -> Any:
    if "range" in name.lower() or name in ("a", "b", "of", "from", "to") and numbers.random() < 0.5:
        return {"start": random_time(numbers), "duration": random_time(numbers)}
    return random_time(numbers)


def time_request(run: Run, engine: Checked, asset: str, generator: str, name: str) -> None:
    numbers = run.random(name)
    span = {"start": random_time(numbers), "duration": random_time(numbers)}
    requests: List[Tuple[str, Dict[str, Any]]] = [
        ("imageGenerator/generateImage", {"imageGenerator": generator, "time": random_time(numbers)}),
        (
            "imageGenerator/generateImages",
            {"imageGenerator": generator, "times": [random_time(numbers)], "completion": "response"},
        ),
        (
            "imageGenerator/contactSheet",
            {
                "imageGenerator": generator,
                "columns": 2,
                "rows": 1,
                "timeRange": span,
                "completion": "response",
            },
        ),
        ("waveform/generate", {"asset": asset, "count": 4, "timeRange": span, "completion": "response"}),
        (
            "assetReader/create",
            {"asset": asset, "timeRange": span, "outputs": [{"type": "track", "mediaType": "video"}]},
        ),
        ("sampleCursor/create", {"asset": asset, "trackID": 1, "position": random_time(numbers)}),
        (
            "exportSession/create",
            {
                "asset": asset,
                "preset": "Passthrough",
                "timeRange": span,
                "outputURL": str(run.folder / f"{name}.mp4"),
            },
        ),
    ]
    method, params = numbers.choice(requests)
    outcome, made = engine.attempt(method, **params)
    run.count(outcome)
    if outcome == "ok" and method == "exportSession/create":
        run.count(engine.attempt("exportSession/preflight", exportSession=made["exportSession"])[0])
    if outcome == "ok" and method == "assetReader/create":
        engine.attempt("assetReader/start", assetReader=made["assetReader"])
        run.count(engine.attempt("assetReader/nextSampleBuffers", output=made["outputs"][0])[0])
    expect(outcome != "internalError", f"{method} {params}")
    engine.check_counts()
    for kind in ("exportSession", "assetReader", "sampleCursor"):
        if outcome == "ok" and kind in made:
            engine.call("handle/close", handle=made[kind])


def id3(frames: List[Tuple[bytes, bytes]]) -> bytes:
    def safe(size: int) -> bytes:
        return bytes((size >> shift) & 0x7F for shift in (21, 14, 7, 0))

    body = b"".join(name + safe(len(data)) + b"\0\0" + data for name, data in frames)
    return b"ID3\x04\0\0" + safe(len(body)) + body


TAGS: Dict[str, List[Tuple[bytes, bytes]]] = {
    "not-utf8": [(b"TIT2", b"\x03\xff\xfe\x80\xc3(")],
    "nul": [(b"TIT2", b"\x03a\0b\0c\0")],
    "long": [(b"TIT2", b"\x03" + b"x" * 130_000), (b"COMM", b"\x03eng\0" + b"\xc3\xa9" * 400_000)],
    "odd-keys": [
        (b"TXXX", b"\x03\x01\x02\x7f\x1b[31m\0value"),
        (b"TXXX", b"\x03\0"),
        (b"\xff\xff\xff\xff", b"\x03x"),
    ],
    "override": [
        (b"TIT2", "\x03invoice\u202egpj.exe".encode()),
        (b"TPE1", "\x03\ufeff\u2028\u2029\U0010ffff".encode()),
    ],
    "surrogates": [(b"TIT2", b"\x01\xff\xfe\x00\xd8\x41\x00"), (b"TALB", b"\x03\xed\xa0\x80")],
    "many": [(b"TXXX", b"\x03key%d\0value" % number) for number in range(5000)],
    "prototype": [(b"TXXX", b"\x03__proto__\0x"), (b"TXXX", b"\x03constructor\0x")],
}


@row("H13", "attacks by metadata: the answer is always strict UTF-8 JSON", quick=True)
def metadata_attacks(run: Run) -> None:
    stream = run.media["small.mp3"].read_bytes()
    with Server() as engine:
        for name, frames in TAGS.items():
            path = written(run, f"{name}.mp3", id3(frames) + stream)
            run.case(name, metadata_case, run, engine, path)
        run.case("129 chapters", chapters, run, engine)


def metadata_case(run: Run, engine: Checked, path: Path) -> None:
    asset = engine.call("asset/open", url=str(path))["asset"]
    keys = ["metadata", "commonMetadata", "availableMetadataFormats", "duration"]
    keys = [key for key in keys if key in engine.keys("AssetKey")]
    values = engine.call("asset/loadValues", asset=asset, keys=keys, completion="response")["values"]
    expect(values["duration"]["status"] == "loaded", str(values["duration"])[:200])
    expect(values["metadata"]["status"] == "loaded", str(values["metadata"])[:200])
    engine.attempt("asset/metadata", asset=asset)
    engine.call("handle/close", handle=asset)
    engine.check_counts()
    # The same through a copy, which writes the metadata that it has read.
    steps = Steps(engine, path, run.folder)
    steps.open()
    run.count(steps.step("copy", steps.export, "Passthrough", "mkv"))
    steps.close(steps.asset)


def chapters(run: Run, engine: Checked) -> None:
    lines = [";FFMETADATA1"]
    for number in range(129):
        lines += [
            "[CHAPTER]",
            "TIMEBASE=1/1000",
            f"START={number * 10}",
            f"END={number * 10 + 10}",
            f"title=\u202e{number}\u0001",
        ]
    text = run.folder / "chapters.txt"
    text.write_text("\n".join(lines) + "\n")
    path = run.folder / "chapters.mkv"
    made = subprocess.run(
        [
            "ffmpeg",
            "-v",
            "error",
            "-i",
            str(run.media.good),
            "-i",
            str(text),
            "-map_metadata",
            "1",
            "-c",
            "copy",
            str(path),
        ],
        capture_output=True,
        timeout=HANG,
    )
    expect(made.returncode == 0, made.stderr.decode())
    asset = engine.call("asset/open", url=str(path))["asset"]
    groups = engine.call("asset/chapterMetadataGroups", asset=asset, languages=["und", "en"])
    engine.call("handle/close", handle=asset)
    count = len(next(value for value in groups.values() if isinstance(value, list)))
    expect(count == 129, f"{count} chapters")


def lying(run: Run) -> Iterator[Tuple[str, bytes]]:
    """Headers that state far more than there is."""
    wav = bytearray(run.media["small.wav"].read_bytes())
    at = wav.index(b"data") + 4
    for size in (0xFFFFFFFF, 0xFFFFFFF0, 0x7FFFFFFF):
        yield f"data-{size:x}.wav", bytes(wav[:at] + struct.pack("<I", size) + wav[at + 4 :])
    movie = run.media["fast.mp4"].read_bytes()
    for box, offset in ((b"mvhd", 20), (b"mdhd", 20), (b"tkhd", 24)):
        changed = bytearray(movie)
        at = movie.index(box)
        changed[at + offset : at + offset + 4] = struct.pack(">I", 0x7FFFFFFF)
        yield f"{box.decode()}.mp4", bytes(changed)
    for box, offset in ((b"stts", 8), (b"stsz", 12), (b"stsc", 8), (b"stco", 8), (b"ctts", 8)):
        changed = bytearray(movie)
        at = movie.index(box)
        changed[at + offset : at + offset + 4] = struct.pack(">I", 0x0FFFFFFF)
        yield f"{box.decode()}-count.mp4", bytes(changed)
    flac = bytearray(run.media["small.flac"].read_bytes())
    flac[21] |= 0x0F
    flac[22:26] = b"\xff\xff\xff\xff"
    yield "samples.flac", bytes(flac)


@row("H14", "lying headers: errors, and no loop", quick=True)
def lying_headers(run: Run) -> None:
    server, folder = Shared(run), run.subfolder("out")

    def case(name: str, data: bytes) -> None:
        steps = Steps(server(), written(run, name, data), folder, count=run.count)
        memory = Memory(server())
        try:
            steps.all(transcodes=False)
            memory.check(300 * MEGABYTE)
        except Exception:
            server.drop()
            raise
        outcomes = dict(steps.outcomes)
        expect(outcomes.get("image 1000000.0") != "ok", "an image far behind the end")

    for name, data in lying(run):
        run.case(name, case, name, data)
    run.case("alive", lambda: Alive(run.media.good).check(server()))


@row("H20", "protected media: contentIsProtected, and metadata is readable", quick=True)
def protected_media(run: Run) -> None:
    path = run.folder / "protected.mp4"
    key = "0123456789abcdef0123456789abcdef"
    made = subprocess.run(
        [
            "ffmpeg",
            "-v",
            "error",
            "-i",
            str(run.media.good),
            "-c",
            "copy",
            "-encryption_scheme",
            "cenc-aes-ctr",
            "-encryption_key",
            key,
            "-encryption_kid",
            key,
            "-metadata",
            "title=secret",
            str(path),
        ],
        capture_output=True,
        timeout=HANG,
    )
    if made.returncode:
        raise Skipped("this ffmpeg doesn't encrypt")
    with Server() as engine:
        for file in [path, *(each for each in run.media.hostile() if "clearkey" in each.name)]:
            run.case(file.name, protected, run, engine, file)


def protected(run: Run, engine: Checked, path: Path) -> None:
    _, values = engine.load(path, "duration", "metadata", "hasProtectedContent", "tracks")
    failed = {key: error_name(value["error"]) for key, value in values.items() if "error" in value}
    # Of others' files, some can't be opened without their keys.
    canFail = path.name != "protected.mp4" and set(failed.values()) == {"contentIsProtected"}
    expect(not failed or canFail, f"keys of protected media: {failed}")
    expect(failed or values["hasProtectedContent"]["value"] is True, "it isn't protected")
    steps = Steps(engine, path, run.folder, count=run.count)
    steps.open()
    outcomes = {
        "image": steps.step("image", steps.image),
        "reader": steps.step("reader", steps.read, "video", {"pixelFormat": "rgb24"}),
        "transcode": steps.step("transcode", steps.export, "LowQuality", "mp4"),
    }
    close_all(engine)
    wrong = {step: outcome for step, outcome in outcomes.items() if outcome != "contentIsProtected"}
    expect(not wrong, str(wrong))
