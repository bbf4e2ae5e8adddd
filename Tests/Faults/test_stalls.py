"""Decoders that take a packet and never come back: they aren't cancelled, and they would keep their slots for good."""

from __future__ import annotations

import os
import struct
import zlib
from pathlib import Path
from typing import List

import pytest

from engine import Engine, EngineError
from support import DECODE, STALL, FaultyEngine, ffmpeg
from waiting import eventually


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> List[Path]:
    folder = tmp_path_factory.mktemp("stalls")
    files = [folder / f"{number}.mp4" for number in range(2)]
    for file in files:
        ffmpeg("-f", "lavfi", "-i", "testsrc2=s=64x48:d=2", str(file))
    return files


def loaded(engine: Engine, files: List[Path]) -> List[str]:
    """Opened, and looked into: libavformat decodes some pictures of a file then."""
    assets = [str(engine.call("asset/open", url=str(file))["asset"]) for file in files]
    for asset in assets:
        engine.call("asset/tracks", asset=asset)
    return assets


def image_of(engine: Engine, asset: str) -> "tuple[str, int]":
    """Requests an image of one second; returns the generator and the request."""
    generator = engine.call(
        "imageGenerator/create", asset=asset, requestedTimeToleranceBefore=0,
        requestedTimeToleranceAfter=0,
    )["imageGenerator"]  # fmt: skip
    return generator, engine.send("imageGenerator/generateImage", imageGenerator=generator, time=1)


@pytest.mark.parametrize("number", (1, 6))
def test_a_decoder_that_never_comes_back_ends_its_process(
    files: List[Path], shared: Path, number: int
) -> None:
    """It isn't cancelled, and it would have its slot for good; the others don't notice."""
    with FaultyEngine(shared, "--worker-stall", "0.5") as engine:
        asset, other = loaded(engine, files[:2])
        engine.fail(DECODE, STALL, forever=True)
        requests = [image_of(engine, asset)[1] for _ in range(number)]
        for request in requests:
            with pytest.raises(EngineError, match="never returned") as info:
                engine.result(request)
            assert info.value.data["name"] == "workerDied"
            assert info.value.data["stage"] == "generateImage"
            assert info.value.data["path"] == str(files[0])
        assert engine.heal()
        assert engine.call("engine/stats")["isolation"]["deaths"] == 1
        assert engine.result(image_of(engine, other)[1])["actualTime"]["value"] is not None
        # The file is suspected and not refused: it works when the decoder does.
        [again] = loaded(engine, files[:1])
        assert "image" in engine.result(image_of(engine, again)[1])
        for entry in reversed(engine.call("handle/list")["handles"]):
            engine.call("handle/close", handle=entry["handle"])
        assert engine.call("handle/list")["handles"] == []


def test_without_isolation_a_decoder_that_never_comes_back_keeps_no_slot(
    files: List[Path], shared: Path
) -> None:
    """Its thread is lost, and its request is answered when it is cancelled; other work continues."""
    with FaultyEngine(shared, "--no-isolation", "--worker-stall", "0.5") as engine:
        asset, other = loaded(engine, files[:2])
        engine.fail(DECODE, STALL, forever=True)
        requests = [image_of(engine, asset)[1] for _ in range(os.cpu_count() or 1)]
        waiting = image_of(engine, other)[1]
        # All slots are in use, then one more decoder runs in a slot that was given up.
        eventually("one decoder more", lambda: engine.faults.fired > len(requests))
        for request in (*requests, waiting):
            engine.notify("$/cancelRequest", id=request)
            assert "cancelled" in str(pytest.raises(EngineError, engine.result, request).value).lower()
        assert engine.heal()


def damaged_apng() -> bytes:
    """Three pictures, of which the second can't be inflated and the third is drawn over it.

    Two of FFmpeg's threads wait for each other there, for ever.
    """

    def chunk(name: bytes, content: bytes) -> bytes:
        checksum = zlib.crc32(name + content)
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", checksum)

    def control(sequence: int) -> bytes:
        # From the corner on, 1/50 s, left as it is, blended over the present contents.
        return chunk(b"fcTL", struct.pack(">5I2H2B", sequence, 128, 64, 0, 0, 1, 50, 0, 1))

    picture = zlib.compress(b"".join(b"\0" + bytes([number, 90, 160, 255] * 128) for number in range(64)), 9)
    broken = picture[:2] + b"\0\0\xff\xff\0\0\x0c" + picture[9:]
    return b"".join(
        [
            b"\x89PNG\r\n\x1a\n",
            chunk(b"IHDR", struct.pack(">2I5B", 128, 64, 8, 6, 0, 0, 0)),
            chunk(b"acTL", struct.pack(">2I", 3, 0)),
            control(0) + chunk(b"IDAT", picture),
            control(1) + chunk(b"fdAT", struct.pack(">I", 2) + broken),
            control(3) + chunk(b"fdAT", struct.pack(">I", 4) + picture),
            chunk(b"IEND", b""),
        ]
    )


def test_damaged_apng_is_decoded_by_one_thread(tmp_path: Path) -> None:
    """The right picture is ffmpeg's with `-threads 1`: the first one, and nothing of the second."""
    path = tmp_path / "damaged.png"
    path.write_bytes(damaged_apng())
    with Engine() as engine:
        [asset] = loaded(engine, [path])
        requests = [
            engine.send(
                "imageGenerator/generateImage",
                imageGenerator=engine.call("imageGenerator/create", asset=asset)["imageGenerator"],
                time=0.02 * number,
            )
            for number in range(6)
        ]
        # Each is answered, with a picture or with an error that names the problem.
        for request in requests:
            try:
                assert "image" in engine.result(request)
            except EngineError as error:
                assert error.data["name"] in ("undecodableMediaData", "decodeFailed", "noImageAtTime")
        if "isolation" in engine.call("engine/stats"):
            assert engine.call("engine/stats")["isolation"]["deaths"] == 0
