"""Files that are begun before the ones before them are complete, and recordings that are paused from their beginning on.

Each captured sample is in one file, or is counted.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import List

from engine import Engine
from sessions import Session, numbers, same, samples, seconds, times, tone, total

MOVIE = {"type": "movieFile"}
LOSSLESS = {"audio": {"codec": "alac"}}
SILENT = {"audio": None}


def test_a_third_file_before_the_second_has_begun(engine: Engine, tmp_path: Path) -> None:
    """At a frame a second both would begin with frame 3. The first has no audio: that of the second is counted there."""
    session = Session(engine, MOVIE, frameRate=1)
    session.record(tmp_path / "a.mov", settings=SILENT)
    session.advance(2.25)
    second = session.record(tmp_path / "b.mov", settings=LOSSLESS)
    session.advance(0.25)
    third = session.record(tmp_path / "c.mov", settings=LOSSLESS)
    session.advance(2)
    session.stop()
    assert [numbers(tmp_path / name) for name in ("a.mov", "c.mov")] == [[0, 1, 2], [3, 4]]
    replaced, last = session.end(second), session.end(third)
    assert replaced["error"]["data"]["name"] == "noDataCaptured"
    assert not (tmp_path / "b.mov").exists()
    counts = [
        (track["written"], total(track["dropped"]), track["trimmed"])
        for track in (replaced["tracks"][1], last["tracks"][1])
    ]  # fmt: skip
    # From 2.25 to 2.5, and from there on; the file has the audio from frame 3 on.
    assert counts == [(0, 0, 12_000), (72_000, 0, 24_000)]
    assert same(samples(tmp_path / "c.mov"), tone(216_000)[144_000:])
    assert session.names().count("willFinishRecording") == 3
    session.close()


def test_a_track_that_only_the_second_file_has_is_counted_from_its_request_on(
    engine: Engine, tmp_path: Path
) -> None:
    session = Session(engine, MOVIE, frameRate=1)
    session.record(tmp_path / "a.mov", settings=SILENT)
    session.advance(2.25)
    second = session.record(tmp_path / "b.mov", settings=LOSSLESS)
    session.advance(1.75)
    session.stop()
    audio = session.end(second)["tracks"][1]
    assert (audio["written"], audio["trimmed"]) == (48_000, 36_000)
    session.close()


def test_a_third_file_while_the_first_waits_for_its_audio(engine: Engine, tmp_path: Path) -> None:
    """The audio is late by half a second. The second file, without it, has begun with frame 2 of the first camera, and gets
    the frames of the second camera up to frame 3 of the first."""
    session = Session(engine, MOVIE, frameRate=1, audio=False)
    session.configure(
        {"add": "input", "device": "synthetic:2", "settings": {"audio": False}},
        {"add": "input", "device": "synthetic:3", "settings": {"video": False, "latencyMs": 500}},
    )
    operations: List[str] = [session.record(tmp_path / "a.mov", settings=LOSSLESS)]
    session.advance(1.9)
    operations.append(session.record(tmp_path / "b.mov", settings=SILENT))
    session.advance(0.3)
    assert session.of("captureOutput/willFinishRecording") == []
    operations.append(session.record(tmp_path / "c.mov", settings=SILENT))
    session.advance(0.3)
    # It doesn't wait for the beginning of the third.
    assert [note["operation"] for note in session.of("captureOutput/willFinishRecording")] == operations[:1]
    session.advance(1)
    session.stop()
    files = [tmp_path / name for name in ("a.mov", "b.mov", "c.mov")]
    assert [numbers(path) for path in files] == [[0, 1], [2], [3]]
    slow = [numbers(path, "0:v:1") for path in files]
    assert slow == [list(range(60)), list(range(60, 90)), list(range(90, 105))]
    assert same(samples(files[0]), tone(96_000))
    ends = [session.end(operation) for operation in operations]
    assert all(end["status"] == "completed" for end in ends)
    assert sum(end["tracks"][1]["written"] for end in ends) == 105
    session.close()


def test_the_samples_of_a_switch_that_a_stop_decides(engine: Engine, tmp_path: Path) -> None:
    """The second file waits for the audio of a silent device: the frames before its beginning are the first one's."""
    session = Session(engine, MOVIE, audio=False)
    session.configure({"add": "input", "device": "synthetic:2", "settings": {"video": False, "stallAt": 0, "stallFor": 60}})
    first = session.record(tmp_path / "a.mov", settings=SILENT)
    session.advance(1)
    second = session.record(tmp_path / "b.mov", settings=LOSSLESS)
    session.advance(0.5)
    session.stop()
    found = numbers(tmp_path / "a.mov") + numbers(tmp_path / "b.mov")
    assert found == list(range(45))
    tracks = [session.end(operation)["tracks"][0] for operation in (first, second)]
    assert [track["written"] for track in tracks] == [30, 15]
    session.close()


def test_a_switch_without_a_sample_leaves_all_to_the_first(engine: Engine, tmp_path: Path) -> None:
    """The second file has the audio of a silent device only, and never begins: the frames are the first one's."""
    session = Session(engine, MOVIE, audio=False)
    session.configure({"add": "input", "device": "synthetic:2", "settings": {"video": False, "stallAt": 0, "stallFor": 60}})
    first = session.record(tmp_path / "a.mov", settings=SILENT)
    session.advance(1)
    second = session.record(tmp_path / "b.mov", settings={"video": None, **LOSSLESS})
    session.advance(0.5)
    session.stop()
    assert numbers(tmp_path / "a.mov") == list(range(45))
    assert session.end(first)["tracks"][0]["written"] == 45
    assert session.end(second)["error"]["data"]["name"] == "noDataCaptured"
    assert not (tmp_path / "b.mov").exists()
    session.close()


def test_a_recording_that_is_paused_from_its_beginning_on(engine: Engine, tmp_path: Path) -> None:
    session = Session(engine, MOVIE)
    path = tmp_path / "a.mov"
    recording = session.record(path, settings=LOSSLESS)
    session.call("pauseRecording")
    session.advance(1.017)
    assert session.of("captureOutput/didStartRecording") == []
    session.call("resumeRecording")
    session.advance(1)
    session.stop()
    (started,) = session.of("captureOutput/didStartRecording")
    # The first frame after the pause, and the audio from there on.
    assert seconds(started["startTime"]) == Fraction(31, 30)
    assert numbers(path) == list(range(31, 61)) and times(path)[0] == 0
    assert same(samples(path), tone(96_816)[49_600:])
    tracks = session.end(recording)["tracks"]
    assert [(track["written"], track["trimmed"]) for track in tracks] == [(30, 0), (47_216, 784)]
    session.close()


def test_a_switch_that_is_paused_from_its_beginning_on(engine: Engine, tmp_path: Path) -> None:
    session = Session(engine, MOVIE)
    session.record(tmp_path / "a.mov", settings=LOSSLESS)
    session.advance(1)
    second = session.record(tmp_path / "b.mov", settings=LOSSLESS)
    session.call("pauseRecording")
    session.advance(0.51)
    session.call("resumeRecording")
    session.advance(1)
    session.stop()
    assert numbers(tmp_path / "a.mov") == list(range(30))
    assert numbers(tmp_path / "b.mov") == list(range(46, 76))
    started = [note for note in session.of("captureOutput/didStartRecording") if note["operation"] == second]
    assert [seconds(note["startTime"]) for note in started] == [Fraction(46, 30)]
    session.close()


def test_a_recording_that_is_never_resumed(engine: Engine, tmp_path: Path) -> None:
    session = Session(engine, MOVIE)
    recording = session.record(tmp_path / "a.mov")
    session.call("pauseRecording")
    session.advance(1)
    session.stop()
    assert session.names() == ["didPauseRecording", "willFinishRecording", "didFinishRecording"]
    assert session.end(recording)["error"]["data"]["name"] == "noDataCaptured"
    assert list(tmp_path.iterdir()) == []
    session.close()
