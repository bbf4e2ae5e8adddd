"""Recordings with a maximum duration, and devices that deliver nothing: from the start, for a while, or at the end.

A device is silent once it has delivered nothing for a second of the session's clock, which the tests move.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Dict, List, Tuple

import pytest

from engine import Engine
from sessions import Message, Session, numbers, probe, seconds, times, total

MOVIE = {"type": "movieFile"}
LOSSLESS = {"audio": {"codec": "alac"}}
NEVER = {"stallAt": 0, "stallFor": 600}


def second(**settings: Any) -> Dict[str, Any]:
    return {"add": "input", "device": "synthetic:2", "settings": {"audio": False, **settings}}


def goes_on(session: Session) -> bool:
    session.take()
    return not session.of("captureOutput/willFinishRecording")


def at_limit(session: Session) -> Message:
    """The end of the recording, which has been decided."""
    assert not goes_on(session)
    end = session.wait("captureOutput/didFinishRecording")
    assert end["error"]["data"]["name"] == "maximumDurationReached"
    return end


def counts(end: Message) -> List[Tuple[str, int, int]]:
    """What each track has, and what it lacks."""
    return [
        (track["mediaType"], track["written"], total(track["dropped"])) for track in end["tracks"]
    ]


def test_a_device_that_never_delivers(engine: Engine, tmp_path: Path) -> None:
    session = Session(engine, MOVIE, isStarted=False)
    session.configure(second(**NEVER))
    session.start()
    path = tmp_path / "a.mov"
    session.record(path, settings=LOSSLESS, maxRecordedDuration=3)
    session.advance(2.9)
    assert goes_on(session)
    session.advance(0.1)
    end = at_limit(session)
    assert end["error"]["message"] == (
        "The 3 s that the recording may have are over; track 3, of video, has nothing"
    )
    assert end["error"]["data"]["advice"]["name"] == "resumeDevice"
    assert end["recordingSuccessfullyFinished"] and seconds(end["recordedDuration"]) == 3
    # As many as were captured.
    assert counts(end) == [("video", 90, 0), ("audio", 144_000, 0), ("video", 0, 0)]
    assert numbers(path) == list(range(90))
    session.close()


@pytest.mark.parametrize("after", [2, 8])
def test_a_device_that_is_silent_before_the_recording(
    engine: Engine, tmp_path: Path, after: float
) -> None:
    # Silent for two seconds, and disconnected after six.
    session = Session(engine, MOVIE)
    session.configure(second(**NEVER))
    session.advance(after)
    path = tmp_path / "a.mov"
    session.record(path, settings=LOSSLESS, maxRecordedDuration=2.5)
    session.advance(2.4)
    assert goes_on(session)
    session.advance(0.1)
    end = at_limit(session)
    assert "track 3, of video, has nothing" in end["error"]["message"]
    assert counts(end) == [("video", 75, 0), ("audio", 120_000, 0), ("video", 0, 0)]
    first = round(after * 30)
    assert numbers(path) == list(range(first, first + 75))
    session.close()


def test_all_devices_are_silent_at_the_end(engine: Engine, tmp_path: Path) -> None:
    session = Session(engine, MOVIE, stallAt=1.5, stallFor=60)
    path = tmp_path / "a.mov"
    session.record(path, settings=LOSSLESS, maxRecordedDuration=4)
    session.advance(3.99)
    assert goes_on(session)
    session.advance(0.01)
    end = at_limit(session)
    assert end["error"]["message"] == (
        "The 4 s that the recording may have are over; track 1, of video, has nothing after 1.5 s; "
        "track 2, of audio, has nothing after 1.5 s"
    )
    # The last frame isn't shown until the limit.
    assert seconds(end["recordedDuration"]) == 1.5 == float(probe(path)["format"]["duration"])
    assert counts(end) == [("video", 45, 0), ("audio", 72_000, 0)]
    assert numbers(path) == list(range(45))
    session.close()


def test_a_device_is_waited_for_until_it_is_silent(engine: Engine, tmp_path: Path) -> None:
    session = Session(engine, MOVIE)
    session.configure(second(stallAt=2.5, stallFor=60))
    session.record(tmp_path / "a.mov", settings=LOSSLESS, maxRecordedDuration=3)
    # Its last frame has arrived a thirtieth of a second before 2.5.
    session.advance(3.45)
    assert goes_on(session)
    session.advance(0.1)
    end = at_limit(session)
    assert "; track 3, of video, has nothing after 2.5 s" in end["error"]["message"]
    assert counts(end) == [("video", 90, 0), ("audio", 144_000, 0), ("video", 75, 0)]
    session.close()


def test_samples_that_are_late_belong_to_it(engine: Engine, tmp_path: Path) -> None:
    session = Session(engine, MOVIE)
    session.configure(second(latencyMs=800))
    session.record(tmp_path / "a.mov", settings=LOSSLESS, maxRecordedDuration=2)
    session.advance(2.75)
    assert goes_on(session)
    session.advance(0.1)
    end = at_limit(session)
    assert end["error"]["message"] == "The recording has the 2 s that it may have"
    assert counts(end) == [("video", 60, 0), ("audio", 96_000, 0), ("video", 60, 0)]
    session.close()


def test_a_device_that_delivers_again(engine: Engine, tmp_path: Path) -> None:
    session = Session(engine, MOVIE)
    session.configure(second(stallAt=1, stallFor=1.5))
    path = tmp_path / "a.mov"
    session.record(path, settings=LOSSLESS, maxRecordedDuration=4)
    session.advance(4.1)
    end = at_limit(session)
    assert end["error"]["message"] == "The recording has the 4 s that it may have"
    assert counts(end) == [("video", 120, 0), ("audio", 192_000, 0), ("video", 75, 0)]
    assert times(path, "v:1")[30] == 2.5
    session.close()


def test_a_pause_isnt_part_of_it(engine: Engine, tmp_path: Path) -> None:
    session = Session(engine, MOVIE, stallAt=1, stallFor=60)
    session.configure({"add": "input", "device": "synthetic:2", "connect": "none"})
    session.record(tmp_path / "a.mov", settings=LOSSLESS, maxRecordedDuration=3)
    session.advance(2.5)
    session.call("pauseRecording")
    # Over the end that it would have had.
    session.advance(1)
    session.call("resumeRecording")
    session.advance(0.49)
    assert goes_on(session)
    session.advance(0.01)
    assert counts(at_limit(session)) == [("video", 30, 0), ("audio", 48_000, 0)]
    session.close()


def test_a_failure_of_the_session_is_that_of_its_recordings(
    engine: Engine, tmp_path: Path
) -> None:
    for count, names in ((0, "synthetic:1"), (1, "synthetic:2")):
        session = Session(engine, MOVIE, isStarted=False, **({} if count else NEVER))
        if count:
            session.configure(second(**NEVER))
        session.start()
        session.record(tmp_path / f"{count}.mov", settings=LOSSLESS)
        session.advance(5.5)
        end = session.wait("captureOutput/didFinishRecording")
        assert end["error"]["data"]["name"] == "failedToLoadMediaData"
        assert end["error"]["message"] == f"'{names}' has brought nothing since the start"
        assert end["status"] == "failed"
        # The rest is usable.
        assert end["recordingSuccessfullyFinished"] == end["isPlainMovie"] == bool(count)
        assert (tmp_path / f"{count}.mov").exists() == bool(count)
        session.close()
