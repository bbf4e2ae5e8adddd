"""Waveforms of real files against the samples that the ffmpeg command decodes.

The parts are computed here anew, in exact fractions, from ffmpeg's samples and the time that ffprobe reports
for the first of them.
"""

from __future__ import annotations

import json
import math
import subprocess
import sys
from array import array
from fractions import Fraction
from operator import mul
from pathlib import Path
from typing import Any, Dict, Iterator, List, Tuple

import pytest

import oracle
from engine import CORPUS, Engine, number

pytestmark = pytest.mark.skipif(not CORPUS.is_dir(), reason=f"no corpus at {CORPUS}")

#: Audio without gaps, of many codecs: AAC with and without priming, lossless, PCM of all kinds.
FILES = [
    "audio/ax_bbb_1ch_8kHz_aac_lc.m4a",
    "audio/ax_bbb_6ch_8kHz_opus.ogg",
    "audio/ax_bear-alac.mka",
    "audio/ax_bear-id3.mp3",
    "audio/ax_bear-vbr-xing-header.mp3",
    "audio/ax_bear.flac",
    "audio/ax_bear.opus",
    "audio/ax_bear_vorbis.ogg",
    "audio/ax_long_edit_list_audioonly.mp4",
    "audio/ax_sample.ac3",
    "audio/ax_sample.wav",
    "audio/ax_sample_ima_adpcm.wav",
    "audio/tl_mac-399.ape",
    "audio/ax_sample_8bit.wav",
    "audio/ax_sample_alac.mp4",
    "audio/ax_sample_audio_only_15s.mp4",
    "audio/ax_sample_float32.wav",
    "audio/ax_sine.aac",
    "audio/ax_sine_24le.wav",
    "audio/mg_silence-44-s.wv",
    "audio/tc_sine_mono_s32.wav",
    "audio/tl_alaw.wav",
    "audio/tl_opus.m4a",
]
LOSSLESS = ("alac", "ape", "flac", "pcm_alaw", "pcm_f32le", "pcm_s16le", "pcm_s24le", "pcm_u8")
#: The time of the first frame is rounded to milliseconds, those of the others aren't.
UNEVEN = ("ax_hdr10-av1.mp4",)
#: The number of videos with audio.
VIDEOS = 6


def videos() -> List[str]:
    """The first small ones that have audio of one piece."""
    found: List[str] = []
    for path in sorted((CORPUS / "video").glob("*.mp4")) + sorted((CORPUS / "video").glob("*.mkv")):
        if len(found) == VIDEOS:
            break
        if path.stat().st_size > 3_000_000:
            continue
        probed = oracle.facts(path)
        kinds = [stream.get("codec_type") for stream in probed.get("streams", [])]
        if kinds.count("audio") == 1 and "video" in kinds:
            found.append(str(path.relative_to(CORPUS)))
    return found


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with Engine() as engine:
        yield engine
        assert engine.call("handle/list")["handles"] == []


def decoded(path: Path, stream: Dict[str, Any]) -> Tuple[List["array[float]"], Fraction]:
    """ffmpeg's samples of a stream by channel, and the time of the first one on its own clock."""
    channels = stream["channels"]
    raw = subprocess.run(
        ["ffmpeg", "-nostdin", "-v", "error", "-i", str(path), "-map", f"0:{stream['index']}"]
        + ["-f", "f32le", "-c:a", "pcm_f32le", "-"],
        check=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ).stdout
    samples = array("f", raw[: len(raw) // (4 * channels) * 4 * channels])
    if sys.byteorder == "big":
        samples.byteswap()
    frames = json.loads(
        subprocess.run(
            ["ffprobe", "-v", "error", "-select_streams", str(stream["index"]), "-show_frames"]
            + ["-show_entries", "frame=pts,best_effort_timestamp,nb_samples", "-of", "json"]
            + [str(path)],
            check=True,
            stdout=subprocess.PIPE,
        ).stdout
    )["frames"]
    assert sum(frame["nb_samples"] for frame in frames) * channels == len(samples)
    # The first frame of which anything is left: a frame that is trimmed away has no samples.
    first = frames[0]
    ticks = first.get("best_effort_timestamp", first.get("pts", 0))
    return [samples[channel::channels] for channel in range(channels)], ticks * Fraction(
        stream["time_base"]
    )


def parts(
    samples: "array[float]", first: Fraction, rate: int, start: Fraction, length: Fraction, n: int
) -> List[Tuple[float, float, float]]:
    def place(part: int) -> int:
        return math.ceil((start + length * part / n - first) * rate)

    result = []
    for part in range(n):
        lower, upper = place(part), place(part + 1)
        if lower == upper and lower > 0:
            lower -= 1
        chosen = samples[max(0, lower) : max(0, upper)]
        if chosen:
            power = math.fsum(map(mul, chosen, chosen)) / len(chosen)
            result.append((min(chosen), max(chosen), math.sqrt(power)))
        else:
            result.append((0.0, 0.0, 0.0))
    return result


def check(engine: Engine, path: Path) -> None:
    probed = oracle.facts(path)
    stream = next(s for s in probed["streams"] if s.get("codec_type") == "audio")
    channels, first = decoded(path, stream)
    rate = int(stream["sample_rate"])
    first -= oracle.origin(probed)
    asset, _ = engine.load(path, "tracks")
    try:
        whole = engine.call(
            "waveform/generate", asset=asset, count=101, completion="response"
        )
        spans: List[Any] = [(whole, 101)]
        length = number(whole["timeRange"]["duration"])
        inside = {
            "start": {"value": int(length * 1001 / 3), "timescale": 1001},
            "duration": {"value": max(1, int(length * 1001 / 4)), "timescale": 1001},
        }
        # Where times are coarser than samples, reading from the middle on may be a sample off.
        isFine = Fraction(stream["time_base"]) * rate <= 1 and path.name not in UNEVEN
        for count in (37, 20_000) if isFine else ():
            made = engine.call(
                "waveform/generate",
                asset=asset,
                timeRange=inside,
                count=count,
                completion="response",
            )
            spans.append((made, count))
        for made, count in spans:
            assert made["result"] == "succeeded", made.get("error")
            assert made["sampleRate"] == rate
            assert len(made["channels"]) == len(channels)
            start = number(made["timeRange"]["start"])
            duration = number(made["timeRange"]["duration"])
            for ours, samples in zip(made["channels"], channels):
                theirs = parts(samples, first, rate, start, duration, count)
                # A lossy decoder that begins in the middle needs some time to be exact.
                exact = made is whole or stream["codec_name"] in LOSSLESS
                for place, (low, high, power) in enumerate(theirs):
                    mine = (ours["min"][place], ours["max"][place], ours["rms"][place])
                    close = 1e-9 if exact else 5e-3
                    assert mine[0] == (low if exact else pytest.approx(low, abs=close)), place
                    assert mine[1] == (high if exact else pytest.approx(high, abs=close)), place
                    assert mine[2] == pytest.approx(power, abs=close), place
    finally:
        engine.call("handle/close", handle=asset)


@pytest.mark.parametrize("path", FILES)
def test_waveforms_of_sound(engine: Engine, path: str) -> None:
    check(engine, CORPUS / path)


@pytest.mark.parametrize("path", videos() if CORPUS.is_dir() else [])
def test_waveforms_of_videos(engine: Engine, path: str) -> None:
    check(engine, CORPUS / path)
