"""Random timelines over files of the corpus, each made of a number alone."""

from __future__ import annotations

import random
import re
from fractions import Fraction
from pathlib import Path
from typing import Any, Dict, List, NamedTuple, Tuple

from engine import ROOT, Engine, EngineError, files, number

Wire = Dict[str, Any]

# Larger pictures and files only take longer.
MOST_PIXELS = 1280 * 800
MOST_BYTES = 4 << 20
# The decode of these depends on its start. FFmpeg's decoder has to know that an old x264 has made
# the 4:4:4 of the first, which its first sample alone states; of the second it can't decode the other picture; and
# the audio of the others has noise that the decoder makes up, as in docs/notes/sound-compared-with-ffmpeg.md.
NOT_REPEATABLE = {
    "im_cockatoo.mp4",
    "pi_mode_16bit.png",
    "ax_hdr10-av1.mp4",
    "ax_sample_eac3.mp4",
    "ax_sample_sef_slow_motion.mp4",
}
NOISE = re.compile(r"^\|([^|]*)\|[^|]*`range samples`", re.MULTILINE)


def is_noisy(path: Path) -> bool:
    """True if the notes on audio list a file whose samples differ with the start of decoding."""
    notes = (ROOT / "docs" / "notes" / "sound-compared-with-ffmpeg.md").read_text()
    named = [pattern for row in NOISE.findall(notes) for pattern in re.findall(r"`([^`]+)`", row)]
    return any(path.match(pattern) for pattern in named)


# Their headers state more than there is.
SHORTER = {
    "ax_test-cbr-info-header-trailing-garbage.mp3",
    "tc_nasa_13013.mp4.audio.mp3",
    "tl_toc_many_children.mp3",
}
RATES = ["1/25", "1001/30000", "1/10", "1/24", "1/60", "3/100"]
SIZES = [(160, 90), (161, 121), (320, 180), (63, 35)]
# Even when halved, as encoders have them.
EVEN_SIZES = [(160, 88), (96, 96)]


def wire(time: Fraction) -> Wire:
    return {"value": time.numerator, "timescale": time.denominator}


def span(start: Fraction, end: Fraction) -> Wire:
    return {"start": wire(start), "duration": wire(end - start)}


class Source(NamedTuple):
    path: Path
    trackID: int
    # Empty for a still.
    start: Fraction
    end: Fraction


def sources(engine: Engine, kind: str) -> List[Source]:
    """The first track of that kind of each file that has one, and stills."""
    found: List[Source] = []
    for path in files("video", "images", "audio"):
        if path.stat().st_size > MOST_BYTES or path.name in NOT_REPEATABLE | SHORTER:
            continue
        if kind == "audio" and is_noisy(path):
            continue
        try:
            asset, values = engine.load(path, "tracks", preferPreciseDurationAndTiming=True)
        except EngineError:
            continue
        for track in values["tracks"].get("value", []):
            if track["mediaType"] != kind or not track["isDecodable"]:
                continue
            keys = ["timeRange", "naturalSize"]
            loaded = engine.call(
                "track/loadValues",
                asset=asset,
                trackID=track["trackID"],
                keys=keys,
                completion="response",
            )["values"]
            range_, size = (loaded[key].get("value") for key in keys)
            if not range_ or not size or size["width"] * size["height"] > MOST_PIXELS:
                break
            start = number(range_["start"])
            end = start + number(range_["duration"])
            isStill = kind == "video" and end - start <= Fraction(1, 10)
            if isStill and path.parent.name == "images":
                found.append(Source(path, track["trackID"], start, start))
            elif Fraction(1, 5) < end - start < 60:
                found.append(Source(path, track["trackID"], start, end))
            break
        engine.call("handle/close", handle=asset)
    return found


class Timeline(NamedTuple):
    document: Wire
    length: Fraction
    # The times at which something changes.
    edges: List[Fraction]


class Maker:
    def __init__(self, seed: int, available: List[Source]) -> None:
        self.random = random.Random(seed)
        self.available = available
        self.sources: Dict[str, Wire] = {}
        self.edges: List[Fraction] = [Fraction(0)]

    def fraction(self, low: Fraction, high: Fraction) -> Fraction:
        """A time between two others, on one of several clocks."""
        clock = self.random.choice([10, 25, 600, 1000, 44100, 90000, 30000])
        value = Fraction(self.random.randint(int(low * clock), int(high * clock)), clock)
        return min(max(value, low), high)

    def segments(self, length: Fraction) -> List[Wire]:
        made: List[Wire] = []
        at = Fraction(0)
        while at < length:
            rest = length - at
            want = min(rest, self.fraction(Fraction(1, 10), Fraction(3, 2)))
            if want < Fraction(1, 20):
                want = rest
            if self.random.random() < 0.15:
                made.append({"timeMapping": {"source": "invalid", "target": span(at, at + want)}})
            else:
                source = self.random.choice(self.available)
                name = source.path.name
                self.sources[name] = {"url": str(source.path)}
                if source.start == source.end:
                    self.sources[name]["still"] = True
                    begin, taken = source.start, Fraction(1, 25)
                else:
                    speed = self.random.choice([1, 1, 1, 2, Fraction(1, 2), Fraction(3, 7)])
                    # Timescales have 31 bits, also of sums.
                    longest = Fraction(int((source.end - source.start) / speed * 1000), 1000)
                    want = min(want, longest)
                    taken = want * speed
                    begin = self.fraction(source.start, source.end - taken)
                made.append(
                    {
                        "source": name,
                        "trackID": source.trackID,
                        "timeMapping": {
                            "source": span(begin, begin + taken),
                            "target": span(at, at + want),
                        },
                    }
                )
            at += want
            self.edges.append(at)
        return made

    def ramps(self, start: Fraction, end: Fraction, value: Any) -> List[Wire]:
        """A value, or a ramp in a part of the range."""
        if self.random.random() < 0.5:
            return [{"at": wire(start), "value": value()}]
        first = self.fraction(start, (start + end) / 2)
        last = self.fraction((start + end) / 2, end)
        if last <= first:
            return [{"at": wire(start), "value": value()}]
        self.edges += [first, last]
        return [{"from": value(), "to": value(), "timeRange": span(first, last)}]

    def transform(self, size: Tuple[int, int]) -> List[float]:
        (width, height), pick = size, self.random.random()
        x, y = self.random.randint(-width // 2, width), self.random.randint(-height // 2, height)
        if pick < 0.3:
            return [1, 0, 0, 1, x, y]
        scale = self.random.choice([0.25, 0.5, 1.5, self.random.uniform(0.1, 2)])
        if pick < 0.6:
            return [scale, 0, 0, scale, x, self.random.uniform(-20, 20)]
        if pick < 0.8:
            return [0, scale, -scale, 0, width, y]
        return [scale, self.random.uniform(-0.5, 0.5), self.random.uniform(-0.5, 0.5), scale, x, y]

    def rectangle(self) -> Wire:
        return {
            "x": self.random.randint(0, 60),
            "y": self.random.uniform(0, 60),
            "width": self.random.randint(1, 300),
            "height": self.random.uniform(1, 300),
        }

    def layer(self, trackID: int, start: Fraction, end: Fraction, size: Tuple[int, int]) -> Wire:
        layer: Wire = {"trackID": trackID}
        if self.random.random() < 0.4:
            layer["opacity"] = self.ramps(
                start, end, lambda: self.random.choice([0, 1, self.random.random()])
            )
        if self.random.random() < 0.5:
            layer["transform"] = self.ramps(start, end, lambda: self.transform(size))
        if self.random.random() < 0.25:
            layer["cropRectangle"] = self.ramps(start, end, self.rectangle)
        layer["fit"] = self.random.choice(["none", "contain", "contain", "cover", "fill"])
        return layer

    def pictures(self, evenSize: bool = False) -> Timeline:
        """Video tracks with a video composition."""
        length = self.fraction(Fraction(1, 2), Fraction(5, 2))
        count = self.random.randint(1, 3)
        tracks = [
            {"trackID": n + 1, "mediaType": "video", "segments": self.segments(length)}
            for n in range(count)
        ]
        sizes = EVEN_SIZES if evenSize else SIZES + EVEN_SIZES
        size = self.random.choice(sizes)
        cuts = sorted({self.fraction(Fraction(0), length) for _ in range(self.random.randint(0, 3))})
        times = [Fraction(0)] + [cut for cut in cuts if 0 < cut < length] + [length]
        self.edges += times
        instructions = []
        for start, end in zip(times, times[1:]):
            shown = self.random.sample(range(1, count + 1), self.random.randint(0, count))
            if self.random.random() < 0.1 and shown:
                shown.append(shown[0])
            instructions.append(
                {
                    "timeRange": span(start, end),
                    "backgroundColor": [self.random.random() for _ in range(3)] + [1],
                    "layerInstructions": [self.layer(n, start, end, size) for n in shown],
                }
            )
        composition: Wire = {
            "frameDuration": self.random.choice(RATES),
            "renderSize": {"width": size[0], "height": size[1]},
            "instructions": instructions,
        }
        if self.random.random() < 0.3:
            composition["sourceTrackIDForFrameTiming"] = self.random.randint(1, count)
        if self.random.random() < 0.15:
            composition["renderScale"] = 0.5
        document = {
            "version": 1,
            "naturalSize": {"width": size[0], "height": size[1]},
            "sources": self.sources,
            "tracks": tracks,
            "videoComposition": composition,
        }
        return Timeline(document, length, self.edges)

    def audio(self) -> Timeline:
        """Audio tracks with a mix."""
        length = self.fraction(Fraction(1), Fraction(4))
        count = self.random.randint(1, 3)
        tracks = [
            {"trackID": n + 1, "mediaType": "audio", "segments": self.segments(length)}
            for n in range(count)
        ]
        parameters = []
        for trackID in [0] * (self.random.random() < 0.3) + list(range(1, count + 1)):
            volume = self.ramps(Fraction(0), length, lambda: self.random.uniform(0, 2))
            own: Wire = {"trackID": trackID, "volume": volume}
            if trackID:
                own["audioTimePitchAlgorithm"] = self.random.choice(
                    ["spectral", "timeDomain", "varispeed"]
                )
            parameters.append(own)
        document = {
            "version": 1,
            "sources": self.sources,
            "tracks": tracks,
            "audioMix": {"inputParameters": parameters},
        }
        return Timeline(document, length, self.edges)

    def time(self, timeline: Timeline) -> Fraction:
        """Within the timeline: often where something changes, or a moment before or after that."""
        if self.random.random() < 0.4:
            moment = self.random.choice([Fraction(0), Fraction(1, 90000), Fraction(-1, 90000)])
            time = self.random.choice(timeline.edges) + moment
        else:
            time = self.fraction(Fraction(0), timeline.length)
        return min(max(time, Fraction(0)), timeline.length - Fraction(1, 90000))
