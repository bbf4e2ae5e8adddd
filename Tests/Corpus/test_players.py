"""A player on the manual clock against the readers of the same files: samples, frames and their times.

Readers are compared with ffmpeg elsewhere (test_decoded_audio.py, test_reader_video.py).
"""

from __future__ import annotations

import random
from fractions import Fraction
from pathlib import Path
from typing import Any, Dict, List, Tuple

import numpy
import pytest

from engine import CORPUS, Engine, EngineError, files, name, number

pytestmark = pytest.mark.skipif(not CORPUS.is_dir(), reason=f"no corpus at {CORPUS}")

RATE = 48000
SECONDS = 20

# Large pictures and long files take long, and show nothing else.
FILES = [path for path in files("video", "audio") if path.stat().st_size < 8 << 20]

# The errors of items that couldn't be played to their ends.
FAILURES: Dict[str, Any] = {}


def preferred(tracks: List[Dict[str, Any]], kind: str) -> "Dict[str, Any] | None":
    found = [track for track in tracks if track["mediaType"] == kind]
    enabled = [track for track in found if track.get("isEnabled")]
    chosen = enabled or found
    return chosen[0] if chosen else None


def samples(path: str) -> "numpy.ndarray[Any, Any]":
    data = Path(path).read_bytes()
    at = data.index(b"data", 12) + 8
    return numpy.frombuffer(data[at:], numpy.float32).reshape(-1, 2)


@pytest.mark.parametrize("path", FILES, ids=name)
def test_a_player_plays_what_is_read(engine: Engine, path: Path, tmp_path: Path) -> None:
    asset, values = engine.load(path, "tracks", "duration")
    try:
        tracks, duration = values["tracks"], values["duration"]
        if "value" not in tracks or "value" not in duration:
            pytest.skip("it can't be opened")
        length = number(duration["value"])
        audio, video = (preferred(tracks["value"], kind) for kind in ("audio", "video"))
        output = str(tmp_path / "heard.wav")
        item = engine.call("playerItem/create", asset=asset)["playerItem"]
        pictures = engine.call(
            "videoOutput/create", playerItem=item, pixelFormat="gray", width=16, height=16,
            delivery="shm", mode="push", maxOutstanding=32,
        )["videoOutput"]
        player = engine.call(
            "player/create", items=[item], clock="manual",
            audioDevice={"kind": "file", "path": output},
        )["player"]
        try:
            state, shown = play(engine, player, item, min(length, Fraction(SECONDS)))
            if state["status"] == "failed" or FAILURES.pop(item, None):
                with pytest.raises(EngineError):
                    read_all(engine, asset, audio, video)
                return
            length = number(state["duration"])
            expected, frames = read_all(engine, asset, audio, video)
            heard = samples(engine.call("player/finishAudioFile", player=player)["path"])
            end = min(length, Fraction(SECONDS))
            assert len(heard) == -(-end * RATE // 1), (len(heard), end)
            count = min(len(heard), len(expected))
            differing = numpy.argwhere((heard[:count] != expected[:count]).any(axis=1)).flatten()
            assert len(differing) == 0, f"from sample {differing[0]} of {count} on"
            assert not heard[count:].any(), "sound after its end"
            # One that begins at the very end is shown then, where there is more.
            isLonger = length > SECONDS
            within = [start for start in frames if start < end or start == frames[0]]
            shown = [start for start in shown if not isLonger or start < end]
            # The first is the one that is shown when it begins.
            first = max((place for place, start in enumerate(within) if start <= 0), default=0)
            assert shown == within[first:], (shown[:3], within[:3], len(shown), len(within))
            seek(engine, player, pictures, frames, length, random.Random(path.name))
        finally:
            for handle in (pictures, player, item):
                engine.call("handle/close", handle=handle)
    finally:
        engine.call("handle/close", handle=asset)


def play(
    engine: Engine, player: str, item: str, length: Fraction
) -> Tuple[Dict[str, Any], List[Fraction]]:
    """Plays an item, and collects the times of its pictures."""
    engine.call("player/advanceClock", player=player, by="0")
    engine.call("player/play", player=player)
    shown: List[Fraction] = []
    left = Fraction(SECONDS)
    while left > 0:
        step = min(left, Fraction(1, 8))
        engine.call("player/advanceClock", player=player, by=f"{step.numerator}/{step.denominator}")
        left -= step
        shown += taken(engine)
        if engine.call("player/state", player=player)["rate"] == 0:
            break
    taken(engine)
    return engine.call("playerItem/state", playerItem=item), shown


def taken(engine: Engine) -> List[Fraction]:
    """The times of the pictures that have come, which are released."""
    engine.take()
    messages, engine.notifications[:] = list(engine.notifications), []
    found = []
    for message in messages:
        if message["method"] == "playerItem/didFailToPlayToEndTime":
            FAILURES[message["params"]["playerItem"]] = message["params"]["error"]
        if message["method"] != "videoOutput/didOutput":
            continue
        params = message["params"]
        assert params["dropped"] == {"outOfCredit": 0, "late": 0}, params["dropped"]
        found.append(number(params["itemTimeForDisplay"]))
        engine.call("blob/release", leases=[params["blob"]["lease"]])
    return found


def read_all(
    engine: Engine, asset: str, audio: "Dict[str, Any] | None", video: "Dict[str, Any] | None"
) -> "Tuple[numpy.ndarray[Any, Any], List[Fraction]]":
    span = {"start": "0", "duration": str(SECONDS)}
    parts: List[bytes] = []
    if audio:
        settings = {"sampleFormat": "f32", "sampleRate": RATE, "channels": 2}
        wanted: Dict[str, Any] = {
            "type": "audioMix", "trackIDs": [audio["trackID"]], "settings": settings,
            "audioTimePitchAlgorithm": "timeDomain",
        }
        with engine.reader(asset, wanted, timeRange=span) as (_, (output,)):
            parts = [bytes(engine.read(made["blob"])) for made in engine.pull(output)]
    frames: List[Fraction] = []
    if video:
        wanted = {
            "trackID": video["trackID"],
            "settings": {"pixelFormat": "gray", "width": 16, "height": 16},
        }
        with engine.reader(asset, wanted, timeRange=span) as (_, (output,)):
            for made in engine.pull(output):
                frames.append(number(made["presentationTime"]))
                engine.read(made["blob"])
    return numpy.frombuffer(b"".join(parts), numpy.float32).reshape(-1, 2), frames


def seek(
    engine: Engine, player: str, output: str, frames: List[Fraction], length: Fraction,
    chance: random.Random,
) -> None:
    """Exact seeks show the frames that are shown at their times."""
    for _ in range(4):
        time = Fraction(chance.randrange(int(min(length, Fraction(SECONDS)) * 1000)), 1000)
        ended = engine.call(
            "player/seek", player=player, time=f"{time.numerator}/{time.denominator}",
            toleranceBefore="0", toleranceAfter="0", completion="response",
        )
        assert ended["finished"] and number(ended["actualTime"]) == time, ended
        engine.call("player/advanceClock", player=player, by="0")
        shown = taken(engine)
        expected = [start for start in frames if start <= time][-1:]
        if shown or expected:
            assert shown[-1:] == expected, time
