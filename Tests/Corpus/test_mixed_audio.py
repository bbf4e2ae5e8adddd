"""Any range of an audio mix is what the whole has there, sample by sample.

The timelines are random, over files of the corpus; each is made of its number alone, which is its name here.
"""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any, Dict, Iterator, List, Optional

import numpy
import pytest

from engine import CORPUS, Engine, number
from test_composed_pictures import SEEDS
from timelines import Maker, Source, sources, span

pytestmark = pytest.mark.skipif(not CORPUS.is_dir(), reason=f"no corpus at {CORPUS}")

RATE = 48000


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with Engine() as engine:
        yield engine
        assert engine.call("handle/list")["handles"] == []
        assert engine.call("engine/stats")["leases"] == 0


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
