"""The decoded audio of every track against `ffmpeg`'s, byte for byte, and ranges against linear reads.

Intended differences are listed, with their reasons, in docs/notes/sound-compared-with-ffmpeg.md.
REELWIRE_SEED draws other ranges than the usual ones, among which a listed difference may not show.
"""

from __future__ import annotations

import array
import os
import random
import subprocess
from fractions import Fraction
from pathlib import Path
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Tuple

import pytest

import differences
import oracle
from engine import CORPUS, ORDINARY, ROOT, Engine, EngineError, name, number

pytestmark = pytest.mark.skipif(not CORPUS.is_dir(), reason=f"no corpus at {CORPUS}")

ROWS, _ = differences.tables(ROOT / "docs" / "notes" / "sound-compared-with-ffmpeg.md")
SEED = os.environ.get("REELWIRE_SEED", "")
# Decoders' own formats: the protocol's name, ffmpeg's raw format, bytes and array's type code.
FORMATS: Dict[str, Tuple[str, str, int, str]] = {
    "u8": ("u8", "u8", 1, "B"),
    "s16": ("s16", "s16le", 2, "h"),
    "s32": ("s32", "s32le", 4, "i"),
    "flt": ("f32", "f32le", 4, "f"),
    "dbl": ("f64", "f64le", 8, "d"),
}
# Codecs from which the same samples come back that went in.
LOSSLESS = ("pcm_", "flac", "alac", "wavpack", "tta", "truehd", "mlp", "ape")
# Of each track.
RANGES = 20
# Half a step of 16 bits, as a part of full scale. In ranges it covers the memory that decoders with recursive
# filters may still have of the samples before.
ROUNDING = 0.5 / 32768


class Sound(NamedTuple):
    # The start of the first sample, on the asset's clock.
    start: Optional[Fraction]
    rate: int
    channels: int
    data: bytes
    # Buffers that don't begin where the one before ends.
    gaps: int
    # The reported losses.
    dropped: List[str]


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with Engine() as engine:
        yield engine
        assert engine.call("handle/list")["handles"] == []


def read(
    engine: Engine, asset: str, trackID: int, settings: Dict[str, Any], **range: Any
) -> Sound:
    """All audio of a track, or of a range of it."""
    made = engine.call(
        "assetReader/create",
        asset=asset,
        outputs=[{"type": "track", "trackID": trackID, "settings": settings}],
        **range,
    )
    reader, output = made["assetReader"], made["outputs"][0]
    start: Optional[Fraction] = None
    end: Optional[Fraction] = None
    rate = channels = gaps = 0
    parts: List[bytes] = []
    dropped: List[str] = []
    try:
        engine.call("assetReader/start", assetReader=reader)
        isAtEnd = False
        while not isAtEnd:
            answer = engine.call(
                "assetReader/nextSampleBuffers", output=output, maxCount=32, delivery="shm"
            )
            isAtEnd = answer["endOfStream"]
            dropped += [each["reason"] for each in answer.get("dropped", [])]
            for buffer in answer["sampleBuffers"]:
                audio, blob = buffer["audio"], buffer["blob"]
                time = number(buffer["presentationTime"])
                assert buffer["numSamples"] == audio["frames"] > 0
                assert number(buffer["duration"]) == Fraction(audio["frames"], audio["sampleRate"])
                if start is None:
                    start, rate, channels = time, audio["sampleRate"], audio["channels"]
                elif time != end:
                    gaps += 1
                    assert end is not None and time > end
                assert (rate, channels) == (audio["sampleRate"], audio["channels"])
                end = time + number(buffer["duration"])
                with open(blob["path"], "rb") as memory:
                    memory.seek(blob["offset"])
                    parts.append(memory.read(blob["size"]))
                engine.notify("blob/release", leases=[blob["lease"]])
    finally:
        engine.call("handle/close", handle=reader)
    return Sound(start, rate, channels, b"".join(parts), gaps, dropped)


def decoded_by_ffmpeg(path: Path, stream: Dict[str, Any], raw: str) -> bytes:
    command = ["ffmpeg", "-v", "quiet", "-nostdin", "-i", "file:" + str(path)]
    command += ["-map", f"0:{stream['index']}", "-f", raw, "-c:a", "pcm_" + raw, "-"]
    return subprocess.run(command, capture_output=True, check=False).stdout


def sound_of(path: Path) -> List[Dict[str, Any]]:
    streams = oracle.media_streams(oracle.facts(path).get("streams", []))
    return [s for s in streams if s["codec_type"] == "audio"]


def format_of(stream: Dict[str, Any]) -> Tuple[str, str, int, str]:
    return FORMATS[stream.get("sample_fmt", "fltp").rstrip("p")]


def isLossless(stream: Dict[str, Any]) -> bool:
    codec: str = stream["codec_name"]
    return codec.startswith(LOSSLESS)


def tracks_of(values: Dict[str, Any]) -> List[Dict[str, Any]]:
    return [t for t in values["tracks"]["value"] if t["mediaType"] == "audio"]


def largest_difference(ours: bytes, theirs: bytes, kind: str) -> float:
    """Of two samples, as a part of full scale."""
    a, b = array.array(kind, ours), array.array(kind, theirs)
    scale = {"B": 128, "h": 1 << 15, "i": 1 << 31}.get(kind, 1)
    return max((abs(x - y) for x, y in zip(a, b)), default=0) / scale


def without_padding(
    theirs: bytes, ours: Sound, path: Path, stream: Dict[str, Any], frame: int
) -> bytes:
    """ffmpeg's decode, up to the end that a movie states to the sample, as `ffprobe` has it.

    `ffmpeg` writes all samples of the last packet.
    """
    excess = (len(theirs) - len(ours.data)) // frame
    isMovie = oracle.facts(path)["format"]["format_name"].startswith("mov,")
    if not isMovie or not 0 < excess < 4096 or ours.start is None or "duration" not in stream:
        return theirs
    # An empty edit counts as a part of the duration, too.
    duration, start = float(stream["duration"]), max(0.0, float(stream.get("start_time", 0)))
    end = float(ours.start) + len(ours.data) / frame / ours.rate
    # A movie's edit list may count in 600ths of a second.
    isStated = any(abs(end - stated) <= 1 / 600 for stated in (duration, start + duration))
    return theirs[: len(ours.data)] if isStated else theirs


def compared(
    ours: bytes, theirs: bytes, tolerance: float, form: Any, frame: int
) -> List[differences.Difference]:
    """The differences of two stretches of audio: in length, or in samples by more than the tolerance."""
    if len(ours) != len(theirs):
        return [("length", len(ours) // frame, len(theirs) // frame)]
    if ours == theirs:
        return []
    difference = largest_difference(ours, theirs, form[3])
    return [("samples", difference, 0)] if difference > tolerance else []


@pytest.mark.parametrize("path", ORDINARY, ids=name)
def test_decoded_sound_is_ffmpegs(engine: Engine, path: Path) -> None:
    streams = sound_of(path)
    if not streams:
        pytest.skip("no sound")
    asset, values = engine.load(path, "tracks")
    found: List[differences.Difference] = []
    tracks = values["tracks"]["value"]
    try:
        for track in tracks_of(values):
            stream = oracle.stream_of(track, tracks, oracle.facts(path))
            form = format_of(stream)
            try:
                ours = read(engine, asset, track["trackID"], {"sampleFormat": form[0]})
            except EngineError as error:
                found.append(("error", error.data["name"], None))
                continue
            theirs = decoded_by_ffmpeg(path, stream, form[1])
            tolerance = 0 if isLossless(stream) else ROUNDING
            frame = form[2] * max(1, ours.channels)
            theirs = without_padding(theirs, ours, path, stream, frame)
            found += compared(ours.data, theirs, tolerance, form, frame)
            if ours.gaps:
                found.append(("gaps", ours.gaps, 0))
    finally:
        engine.call("handle/close", handle=asset)
    differences.check(path, [(f"sound {f}", a, b) for f, a, b in found], "sound ", ROWS)


@pytest.mark.parametrize("rate", [None, 32000], ids=["rate kept", "resampled"])
@pytest.mark.parametrize("path", ORDINARY, ids=name)
def test_ranges_are_cut_from_the_linear_read(
    engine: Engine, path: Path, rate: Optional[int]
) -> None:
    streams = sound_of(path)
    if not streams:
        pytest.skip("no sound")
    draw = random.Random(SEED + name(path))
    asset, values = engine.load(path, "tracks")
    track = tracks_of(values)[0]
    stream = oracle.stream_of(track, values["tracks"]["value"], oracle.facts(path))
    form = format_of(stream)
    settings: Dict[str, Any] = {"sampleFormat": form[0]}
    if rate is not None:
        settings["sampleRate"] = rate
    found: Dict[str, differences.Difference] = {}
    tolerance = 0 if isLossless(stream) else ROUNDING
    kind = "range" if rate is None else "resampled range"
    try:
        try:
            whole = read(engine, asset, track["trackID"], settings)
        except EngineError:
            pytest.skip("not decodable")
        if whole.start is None or whole.gaps:
            pytest.skip("no sound, or with gaps")
        frame = form[2] * whole.channels
        count = len(whole.data) // frame
        for _ in range(RANGES):
            first = draw.randrange(count)
            end = min(count, first + draw.randrange(1, 60_000))
            # Just below the sample: it is in the range, and the one before it is not.
            shift = Fraction(draw.randrange(100), 101)
            start = whole.start + Fraction(first - shift) / whole.rate
            stop = whole.start + Fraction(end - shift) / whole.rate
            span = wire(max(start, Fraction(0)), stop)
            cut = read(engine, asset, track["trackID"], settings, timeRange=span)
            expected = whole.data[first * frame : end * frame]
            for field, a, b in compared(cut.data, expected, tolerance, form, frame):
                found.setdefault(field, (field, f"{a} from {first} of {count}", b))
            if cut.start is not None and cut.start != whole.start + Fraction(first, whole.rate):
                found.setdefault("start", ("start", cut.start, first))
    finally:
        engine.call("handle/close", handle=asset)
    told = [(f"{kind} {field}", a, b) for field, a, b in found.values()]
    if SEED:
        assert not differences.unlisted_and_gone(path, told, kind + " ", ROWS)[0]
    else:
        differences.check(path, told, kind + " ", ROWS)


def wire(start: Fraction, end: Fraction) -> Dict[str, Any]:
    def time(value: Fraction) -> Dict[str, Any]:
        scale = 48000 * 147 * 101 * 2
        while value.denominator > scale or scale % value.denominator:
            assert value.denominator < 1 << 31, value
            scale = value.denominator
        return {"value": int(value * scale), "timescale": scale}

    return {"start": time(start), "duration": time(end - start)}


def test_xhe_aac_that_is_cut_short_is_reported(engine: Engine, tmp_path: Path) -> None:
    """FFmpeg from 7.1 on decodes it, and takes the file's end for the end of its samples; before, it decodes none."""
    whole = CORPUS / "hostile" / "mp_sine-3s-xhe-aac-44khz-mono.mp4"
    cut = tmp_path / "cut.mp4"
    cut.write_bytes(whole.read_bytes()[:5000])
    decode = ["ffmpeg", "-v", "quiet", "-i", whole, "-f", "s16le", "-"]
    frames = len(subprocess.run(decode, capture_output=True, check=False).stdout) // 2
    for path in (whole, cut):
        asset, _ = engine.load(path, "tracks")
        try:
            if not frames:
                with pytest.raises(EngineError):
                    read(engine, asset, 1, {"sampleFormat": "s16"})
                continue
            found = read(engine, asset, 1, {"sampleFormat": "s16"})
            # The edit list leaves out the encoder's delay and padding.
            assert len(found.data) // 2 in range(3 * 44_100 - 100, frames + 1) or path == cut
            assert ["is cut short" in reason for reason in found.dropped] == [True] * (path == cut)
        finally:
            engine.call("handle/close", handle=asset)
