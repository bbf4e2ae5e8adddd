"""Any range of an audio mix equals that part of the whole, sample by sample; and volumes and sums are ffmpeg's.

The timelines are random, over files of the corpus; each is made of its number alone, which is its name here.
"""

from __future__ import annotations

import json
import subprocess
from fractions import Fraction
from pathlib import Path
from typing import Any, Dict, List, Optional

import numpy
import pytest

import oracle
from engine import CORPUS, Engine, EngineError, files, name
from test_composed_pictures import SEEDS
from timelines import Maker, Source, sources, span, wire

pytestmark = pytest.mark.skipif(not CORPUS.is_dir(), reason=f"no corpus at {CORPUS}")

RATE = 48000


@pytest.fixture(scope="module")
def audio(engine: Engine) -> List[Source]:
    return sources(engine, "audio")


def read(
    engine: Engine, asset: str, timeRange: Optional[Dict[str, Any]] = None
) -> "numpy.ndarray[Any, Any]":
    settings = {"sampleFormat": "f32", "sampleRate": RATE, "channels": 2}
    more = {} if timeRange is None else {"timeRange": timeRange}
    output = {"type": "audioMix", "settings": settings}
    with engine.reader(asset, output, **more) as (_, (samples,)):
        taken = [bytes(engine.read(made["blob"])) for made in engine.pull(samples)]
    return numpy.frombuffer(b"".join(taken), numpy.float32).reshape(-1, 2)


@pytest.mark.parametrize("seed", SEEDS)
def test_ranges_of_a_mix_are_of_the_whole(seed: int, engine: Engine, audio: List[Source]) -> None:
    maker = Maker(seed, audio)
    timeline = maker.audio()
    print(json.dumps(timeline.document))
    composition = engine.call("composition/create", timeline=timeline.document)["composition"]
    try:
        whole = read(engine, composition)
        assert len(whole) == -(-timeline.length * RATE // 1), (len(whole), timeline.length)
        for _ in range(5):
            start, end = sorted(maker.time(timeline) for _ in range(2))
            if start == end:
                continue
            part = read(engine, composition, span(start, end))
            # Samples n with start ≤ n/rate < end.
            first, last = (int(-(-time * RATE // 1)) for time in (start, end))
            assert len(part) == last - first, f"{start} to {end}"
            differing = numpy.argwhere((part != whole[first:last]).any(axis=1)).flatten()
            assert len(differing) == 0, (
                f"{start} to {end}: {len(differing)} of {last - first} samples from "
                f"{differing[0]} on, by {abs(part - whole[first:last]).max()}"
            )
    finally:
        engine.call("handle/close", handle=composition)


# Decoders without memory, so that samples are the same from any start.
LOSSLESS = [
    path
    for path in files("audio")
    if path.suffix in (".wav", ".flac", ".aiff", ".aif", ".wv") and path.stat().st_size < 4 << 20
]


def decoded(path: Path, form: str, *options: str) -> "numpy.ndarray[Any, Any]":
    command = ["ffmpeg", "-v", "error", "-i", f"file:{path}", *options, "-f", form, "-"]
    done = subprocess.run(command, check=True, capture_output=True)
    return numpy.frombuffer(done.stdout, {"f64le": numpy.float64, "f32le": numpy.float32}[form])


def samples(engine: Engine, asset: str, form: str, **mix: Any) -> "numpy.ndarray[Any, Any]":
    output = {"type": "audioMix", "settings": {"sampleFormat": form}, **mix}
    with engine.reader(asset, output) as (_, (buffers,)):
        taken = [bytes(engine.read(made["blob"])) for made in engine.pull(buffers)]
    return numpy.frombuffer(b"".join(taken), numpy.float64 if form == "f64" else numpy.float32)


@pytest.mark.parametrize("path", LOSSLESS, ids=name)
def test_volume_ramps_are_those_of_aeval(path: Path, engine: Engine) -> None:
    try:
        asset, values = engine.load(path, "tracks")
    except EngineError:
        pytest.skip("not opened")
    try:
        (track,) = values["tracks"]["value"][:1]
        plain = decoded(path, "f64le", "-map", "0:a:0")
        own = samples(engine, asset, "f64")
        if len(plain) != len(own) or (plain != own).any():
            pytest.skip("decoded otherwise: test_decoded_audio.py has why")
        rate = oracle.facts(path)["streams"][0]["sample_rate"]
        length = Fraction(len(plain), int(rate) * oracle.facts(path)["streams"][0]["channels"])
        start, end = length / 7, length * 5 / 9
        volume = [
            {"at": wire(Fraction(0)), "value": 0.75},
            {"from": 0.75, "to": 0.125, "timeRange": span(start, end)},
        ]
        mix = {"inputParameters": [{"trackID": track["trackID"], "volume": volume}]}
        t = f"(n/{rate}-{start.numerator}/{start.denominator})"
        over = end - start
        place = f"clip({t}*{over.denominator}/{over.numerator},0,1)"
        ramp = f"aeval=val(ch)*(0.75-0.625*{place}):c=same".replace(",", "\\,")
        wanted = decoded(path, "f64le", "-map", "0:a:0", "-af", f"aformat=sample_fmts=dbl,{ramp}")
        found = samples(engine, asset, "f64", audioMix=mix)
        assert len(found) == len(wanted)
        assert abs(found - wanted).max(initial=0) < 1e-9
    finally:
        engine.call("handle/close", handle=asset)


def test_a_mix_is_the_sum_of_amix(engine: Engine) -> None:
    """Of files of the same rate, with as many channels, for two that lie next to each other."""
    alike: Dict[Any, List[Path]] = {}
    for path in LOSSLESS:
        for stream in oracle.facts(path).get("streams", [])[:1]:
            if float(stream.get("duration", 0)) > Fraction(1, 2):
                key = (stream["sample_rate"], stream["channels"], stream.get("channel_layout"))
                alike.setdefault(key, []).append(path)
    pairs = [pair for group in alike.values() for pair in zip(group, group[1:])]
    assert pairs
    compared = 0
    for one, other in pairs:
        composition = engine.call("composition/create")["composition"]
        try:
            for path in (one, other):
                asset = engine.call("asset/open", url=str(path))["asset"]
                track = engine.call(
                    "composition/addTrack", composition=composition, mediaType="audio"
                )["trackID"]
                engine.call(
                    "composition/insertTimeRange",
                    composition=composition,
                    asset=asset,
                    trackID=track,
                )
                engine.call("handle/close", handle=asset)
            found = samples(engine, composition, "f32")
        finally:
            engine.call("handle/close", handle=composition)
        graph = "[0:a:0]aformat=sample_fmts=flt[a];[1:a:0]aformat=sample_fmts=flt[b];"
        graph += "[a][b]amix=inputs=2:normalize=0:duration=longest"
        wanted = decoded(one, "f32le", "-i", f"file:{other}", "-filter_complex", graph)
        apart = [decoded(path, "f32le", "-map", "0:a:0") for path in (one, other)]
        if max(map(len, apart)) != len(wanted):
            continue
        assert len(found) == len(wanted), (one, other)
        assert abs(found - wanted).max(initial=0) < 1e-6, (one, other)
        compared += 1
    assert compared
