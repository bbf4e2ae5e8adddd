"""Recordings of synthetic devices on the manual clock: all is exact."""

from __future__ import annotations

import hashlib
import subprocess
from array import array
from fractions import Fraction
from pathlib import Path
from typing import Any, Dict, List

import pytest

from engine import Engine, EngineError
from sessions import Session, numbers, probe, same, samples, seconds, times, tone, total

MOVIE = {"type": "movieFile"}
LOSSLESS = {"audio": {"codec": "alac"}}


def decoded(path: Path) -> None:
    """Fails where a decoder finds a fault."""
    subprocess.run(
        ["ffmpeg", "-v", "error", "-xerror", "-i", str(path), "-f", "null", "-"],
        check=True, capture_output=True,
    )  # fmt: skip


def test_a_first_sample_that_never_comes_ends_the_session(engine: Engine, tmp_path: Path) -> None:
    for others in ([], [{"add": "input", "device": "synthetic:2"}]):
        session = Session(engine, MOVIE, isStarted=False, stallAt=0, stallFor=60)
        session.configure(*others)
        session.start()
        session.record(tmp_path / f"{len(others)}.mov")
        session.advance(4.9)
        assert session.of("captureSession/didFail") == []
        assert session.wait("captureSession/wasInterrupted")["reason"] == "deviceStalled"
        session.advance(0.5)
        error = session.wait("captureSession/didFail")["error"]
        assert error["code"] == -11849 and "synthetic:1" in error["message"]
        assert session.wait("captureSession/didStop")["reason"] == "failed"
        assert len(session.of("captureSession/didFail")) == 1
        session.wait("captureOutput/didFinishRecording")
        session.close()


def test_an_input_that_is_added_later_doesnt_end_the_session(engine: Engine) -> None:
    session = Session(engine, MOVIE)
    session.advance(1)
    session.configure({"add": "input", "device": "synthetic:2", "settings": {"stallAt": 0, "stallFor": 60}})
    session.advance(6)
    state = engine.call("captureSession/state", captureSession=session.handle)
    assert state["isRunning"]
    assert [item["isConnected"] for item in state["inputs"]] == [True, False]
    session.close()


def test_each_frame_and_sample_is_there(engine: Engine, tmp_path: Path) -> None:
    session = Session(engine, MOVIE)
    path = tmp_path / "a.mov"
    recording = session.record(path, settings=LOSSLESS)
    session.advance(2.5)
    session.advance(1.25)
    session.call("stopRecording")
    session.stop()
    end = session.end(recording)
    assert session.names() == [
        "didStartRecording", "willFinishRecording", "didFinishRecording",
    ]  # fmt: skip
    assert end["status"] == "completed" and end["isPlainMovie"]
    assert end["recordingSuccessfullyFinished"] and "error" not in end
    assert seconds(end["recordedDuration"]) == Fraction(113, 30)
    assert end["recordedFileSize"] == path.stat().st_size
    assert [track["written"] for track in end["tracks"]] == [113, 180_000]
    assert all(total(track["dropped"]) == 0 == track["trimmed"] for track in end["tracks"])
    assert numbers(path) == list(range(113))
    assert times(path) == [Fraction(n, 30) for n in range(113)]
    assert same(samples(path), tone(180_000))
    decoded(path)
    assert path.stat().st_mode & 0o777 == 0o600
    session.close()


def test_a_recording_begins_where_all_tracks_have_a_sample(engine: Engine, tmp_path: Path) -> None:
    session = Session(engine, MOVIE)
    session.advance(0.99)
    path = tmp_path / "a.mov"
    recording = session.record(path, settings=LOSSLESS)
    session.advance(1)
    session.stop()
    started = session.of("captureOutput/didStartRecording")[0]
    # The first frame from the request on; the audio before it is left out.
    assert seconds(started["startTime"]) == 1
    assert numbers(path) == list(range(30, 60))
    assert same(samples(path), tone(48_000 + 47_520)[48_000:])
    assert times(path)[0] == 0
    tracks = session.end(recording)["tracks"]
    assert [track["trimmed"] for track in tracks] == [0, 480]
    session.close()


def test_a_switch_loses_nothing(engine: Engine, tmp_path: Path) -> None:
    session = Session(engine, MOVIE)
    paths = [tmp_path / f"{index}.mov" for index in range(6)]
    operations: List[str] = []
    for path in paths:
        operations.append(session.record(path, settings=LOSSLESS))
        session.advance(0.61)
    session.call("stopRecording")
    session.stop()
    ends = [session.end(operation) for operation in operations]
    assert all(end["isPlainMovie"] and end["status"] == "completed" for end in ends)
    found = [number for path in paths for number in numbers(path)]
    assert found == list(range(110))
    audio = array("f", (sample for path in paths for sample in samples(path)))
    assert same(audio, tone(175_680))
    for track, captured in ((0, 110), (1, 175_680)):
        assert sum(end["tracks"][track]["written"] for end in ends) == captured
    names = session.names()
    for first, second in zip(operations, operations[1:]):
        order = [
            (note["method"].split("/")[1], note["params"].get("operation"))
            for note in session.notes
        ]
        assert order.index(("willFinishRecording", first)) < order.index(
            ("didStartRecording", second)
        )
    assert names.count("willFinishRecording") == names.count("didFinishRecording") == 6
    session.close()


def test_a_session_runs_again_after_a_stop_without_recordings(engine: Engine, tmp_path: Path) -> None:
    session = Session(engine, MOVIE)
    session.advance(1)
    session.stop()
    session.start()
    session.advance(2)
    recording = session.record(tmp_path / "a.mov", settings=LOSSLESS)
    session.advance(1)
    session.stop()
    assert session.end(recording)["tracks"][0]["written"] == 30
    session.close()


def test_a_pause_during_a_switch_is_one_of_the_new_recording(engine: Engine, tmp_path: Path) -> None:
    """Frames 30 to 59 are captured during the pause: no file has one of them but the first's end."""
    session = Session(engine, MOVIE)
    first = session.record(tmp_path / "a.mov", settings=LOSSLESS)
    session.advance(1)
    second = session.record(tmp_path / "b.mov", settings=LOSSLESS)
    session.call("pauseRecording")
    (paused,) = session.wait("captureOutput/didPauseRecording"),
    assert paused["operation"] == second
    session.advance(1)
    state = session.call("recordingState")
    assert state["isPaused"] and state["outputURL"] == str(tmp_path / "b.mov")
    session.call("resumeRecording")
    session.advance(1)
    session.stop()
    assert numbers(tmp_path / "a.mov") == list(range(30))
    assert numbers(tmp_path / "b.mov") == list(range(60, 90))
    assert session.end(first)["status"] == session.end(second)["status"] == "completed"
    session.close()


def test_a_switch_to_fewer_tracks_loses_nothing_of_the_others(engine: Engine, tmp_path: Path) -> None:
    """At a frame a second the second file begins with frame 3: the first has all audio up to that time."""
    session = Session(engine, MOVIE, frameRate=1)
    first = session.record(tmp_path / "a.mov", settings=LOSSLESS)
    session.advance(2.25)
    second = session.record(tmp_path / "b.mov", settings={**LOSSLESS, "audio": None})
    session.advance(1.8)
    # It ends as soon as the second has begun.
    end = session.wait("captureOutput/didFinishRecording")
    assert (end["operation"], end["tracks"][1]["written"]) == (first, 144_000)
    session.advance(0.95)
    session.stop()
    assert same(samples(tmp_path / "a.mov"), tone(144_000))
    assert [numbers(tmp_path / name) for name in ("a.mov", "b.mov")] == [[0, 1, 2], [3, 4]]
    assert [track["mediaType"] for track in session.end(second)["tracks"]] == ["video"]
    session.close()


@pytest.mark.parametrize("suffix", ["webp", "apng"])
def test_all_frames_of_an_animation_are_counted(engine: Engine, tmp_path: Path, suffix: str) -> None:
    """libwebp's encoder makes one packet of all of them."""
    session = Session(engine, MOVIE, width=64, height=48, frameRate=10)
    recording = session.record(tmp_path / f"a.{suffix}", settings={"audio": None})
    session.advance(2)
    session.stop()
    (track,) = session.end(recording)["tracks"]
    assert (track["written"], sum(track["dropped"].values())) == (20, 0)
    session.close()


def test_a_pause_cuts_all_tracks_alike(engine: Engine, tmp_path: Path) -> None:
    session = Session(engine, MOVIE)
    path = tmp_path / "a.mov"
    session.record(path, settings=LOSSLESS)
    session.advance(0.5)
    session.call("pauseRecording")
    assert session.call("recordingState")["isPaused"]
    session.advance(1.017)
    session.call("resumeRecording")
    session.advance(1)
    session.call("pauseRecording")
    session.advance(0.25)
    with pytest.raises(EngineError) as refused:
        session.call("pauseRecording")
    assert refused.value.data["name"] == "operationNotAllowed"
    session.call("stopRecording")
    session.stop()
    # Frames 0 to 14, and those from 1.517 up to 2.517.
    kept = list(range(15)) + list(range(46, 76))
    assert numbers(path) == kept
    away = Fraction(1017, 1000)
    wanted = [Fraction(n, 30) - (away if n > 14 else 0) for n in kept]
    assert [abs(a - b) <= Fraction(1, 90_000) for a, b in zip(times(path), wanted)] == [True] * 45
    made = tone(3 * 48_000)
    assert same(samples(path), made[:24_000] + made[72_816 : 72_816 + 48_000])
    assert session.names().count("didPauseRecording") == 2
    assert session.names().count("didResumeRecording") == 1
    session.close()


@pytest.mark.parametrize("limit", [1.01, 0.5, 2.999])
def test_the_longest_duration_is_exact(engine: Engine, tmp_path: Path, limit: float) -> None:
    session = Session(engine, MOVIE)
    path = tmp_path / "a.mov"
    recording = session.record(path, settings=LOSSLESS, maxRecordedDuration=limit)
    session.advance(4)
    session.take()
    end = session.wait("captureOutput/didFinishRecording")
    assert end["operation"] == recording and end["error"]["data"]["name"] == "maximumDurationReached"
    assert end["recordingSuccessfullyFinished"] and end["isPlainMovie"]
    frames = -(-int(limit * 30_000) // 1000)
    assert numbers(path) == list(range(frames))
    assert len(samples(path)) == round(limit * 48_000)
    session.stop()
    session.close()


def test_the_file_has_no_byte_more_than_it_may(engine: Engine, tmp_path: Path) -> None:
    session = Session(engine, MOVIE)
    path = tmp_path / "a.mp4"
    session.record(path, maxRecordedFileSize=100_000, movieFragmentInterval=0.5)
    session.advance(60)
    end = session.wait("captureOutput/didFinishRecording")
    assert end["error"]["data"]["name"] == "maximumFileSizeReached"
    assert end["recordingSuccessfullyFinished"] and end["isPlainMovie"], end
    assert 50_000 < path.stat().st_size <= 100_000
    written = end["tracks"][0]["written"]
    assert numbers(path) == list(range(written))
    decoded(path)
    session.stop()
    session.close()


# AAC begins with 1024 samples that aren't heard, which files of these types may not state.
UNSTATED = {"mkv": 1024, "ts": 1024}


@pytest.mark.parametrize(
    ("kind", "limit"),
    [
        ("mp4", 20_000), ("mov", 20_000), ("mkv", 20_000), ("mkv", 5_000), ("webm", 20_000), ("ts", 20_000),
        ("ts", 30_000), ("ts", 50_000), ("wav", 20_000), ("flac", 30_000), ("mp3", 5_000), ("m4a", 5_000),
    ],
)  # fmt: skip
def test_a_limited_file_has_what_is_counted(
    engine: Engine, tmp_path: Path, kind: str, limit: int
) -> None:
    isAudio = kind in ("wav", "flac", "mp3", "m4a")
    found = []
    for turn in range(2):
        output = {"type": "audioFile"} if isAudio else MOVIE
        session = Session(engine, output, width=64, height=48, video=not isAudio)
        path = tmp_path / f"{turn}.{kind}"
        session.record(path, maxRecordedFileSize=limit)
        session.advance(10)
        end = session.wait("captureOutput/didFinishRecording")
        session.close()
        assert end["error"]["data"]["name"] == "maximumFileSizeReached"
        assert path.stat().st_size <= limit
        tracks = {track["mediaType"]: track for track in end["tracks"]}
        if not isAudio:
            # Nothing is missing before the end, although frames are decoded in another order than they are shown in.
            count = tracks["video"]["written"]
            assert numbers(path, size=(64, 48)) == list(range(count)) and count > 0
        # Samples for each channel, of which there is one.
        decoded_count = len(samples(path))
        written = tracks["audio"]["written"]
        assert decoded_count - written in (0, UNSTATED.get(kind, 0))
        assert all(total(track["dropped"]) > 0 for track in end["tracks"])
        found.append((end["tracks"], path.stat().st_size))
    assert found[0] == found[1]


@pytest.mark.parametrize(("rate", "written"), [(25, 100), (60, 120)])
def test_frames_of_another_rate_are_counted(
    engine: Engine, tmp_path: Path, rate: int, written: int
) -> None:
    session = Session(engine, MOVIE, width=64, height=48)
    path = tmp_path / "a.mkv"
    recording = session.record(path, settings={"video": {"codec": "ffv1", "frameRate": rate}})
    session.advance(4)
    session.stop()
    track = session.end(recording)["tracks"][0]
    assert len(times(path)) == 4 * rate
    assert track["written"] == written
    assert track["written"] + total(track["dropped"]) == 120
    session.close()


def test_what_a_file_can_not_hold_is_refused_with_a_way_out(engine: Engine, tmp_path: Path) -> None:
    session = Session(engine, MOVIE, {"type": "audioFile"})
    for name, settings, right in [
        ("a.apng", {}, {"audio": None}),
        ("a.mp4", {"video": {"codec": "vp8"}}, {"video": {"codec": "h264"}}),
        ("a.webm", {"audio": {"codec": "aac"}}, {"audio": {"codec": "opus"}}),
        ("a.mov", {"video": {"quality": 3}}, {"video": {"quality": 0.3}}),
    ]:
        with pytest.raises(EngineError) as refused:
            session.record(tmp_path / name, settings=settings)
        assert refused.value.data["name"] == "unsupportedOutputSettings"
        assert "settings.audio null" in refused.value.data["hint"]
        assert refused.value.data["advice"]["name"] == "recordWhatFileHolds"
        session.record(tmp_path / name, settings=right)
    with pytest.raises(EngineError):
        session.record(tmp_path / "a.m4a")
    session.record(tmp_path / "a.m4a", 1)
    session.stop()
    session.close()


def test_a_full_disk_refuses_at_once(engine: Engine, tmp_path: Path) -> None:
    session = Session(engine, MOVIE)
    with pytest.raises(EngineError) as refused:
        session.record(tmp_path / "a.mp4", minFreeDiskSpaceLimit=1 << 60)
    assert refused.value.data["name"] == "diskFull"
    assert "whole up to there" not in refused.value.data["hint"]
    assert "minFreeDiskSpaceLimit" in refused.value.data["hint"]
    with pytest.raises(EngineError, match="Less than 1073741825 MiB is free"):
        session.record(tmp_path / "a.mp4", minFreeDiskSpaceLimit=(1 << 50) + (1 << 20))
    assert list(tmp_path.iterdir()) == []
    session.close()


def test_no_file_is_harmed_and_none_is_left(engine: Engine, tmp_path: Path) -> None:
    session = Session(engine, MOVIE)
    there = tmp_path / "there.mp4"
    there.write_bytes(b"mine")
    with pytest.raises(EngineError) as refused:
        session.record(there)
    assert refused.value.data["name"] == "fileAlreadyExists" and there.read_bytes() == b"mine"
    # No sample comes, for the clock stands still.
    recording = session.record(tmp_path / "empty.mp4")
    session.call("stopRecording")
    session.stop()
    end = session.end(recording)
    assert end["error"]["data"]["name"] == "noDataCaptured" and end["status"] == "failed"
    assert not end["recordingSuccessfullyFinished"]
    assert [entry.name for entry in tmp_path.iterdir()] == ["there.mp4"]
    session.close()


def test_an_unplugged_device_ends_its_recordings(engine: Engine, tmp_path: Path) -> None:
    session = Session(engine, MOVIE, {"type": "videoData"}, unplugAt=1, replugAt=2)
    second = session.configure({"add": "input", "device": "synthetic:2"}, {"add": "output", **MOVIE})
    (other,) = second["outputs"]
    changes = [
        {"disconnect": connection} for connection in (
            {key: each[key] for key in ("captureInput", "captureOutput", "mediaType")}
            for each in second["connections"]
            if each["captureOutput"] == other and each["captureInput"] == session.input
        )
    ]  # fmt: skip
    session.configure(*changes)
    first = session.record(tmp_path / "a.mov", settings=LOSSLESS)
    session.outputs.append(other)
    whole = session.record(tmp_path / "b.mov", output=2, settings=LOSSLESS)
    session.advance(3)
    session.stop()
    end = session.end(first)
    assert end["error"]["data"]["name"] == "deviceWasDisconnected"
    assert end["recordingSuccessfullyFinished"] and end["isPlainMovie"]
    assert numbers(tmp_path / "a.mov") == list(range(30))
    assert session.end(whole)["status"] == "completed"
    assert numbers(tmp_path / "b.mov") == list(range(90))
    assert "interruptionEnded" in session.names() and "didFail" not in session.names()
    session.close()


def test_the_last_device_that_goes_stops_the_session(engine: Engine, tmp_path: Path) -> None:
    session = Session(engine, MOVIE, unplugAt=1)
    recording = session.record(tmp_path / "a.mp4")
    session.advance(2)
    session.wait("captureSession/didStop")
    names = session.names()
    assert names.count("didFail") == 1
    assert names.index("didFail") < names.index("didStop")
    assert session.of("captureSession/didStop")[0]["reason"] == "failed"
    assert session.end(recording)["recordingSuccessfullyFinished"]
    with pytest.raises(EngineError) as refused:
        session.advance(1)
    assert refused.value.data["name"] == "sessionNotRunning"
    session.close()


def test_a_stall_is_an_interruption(engine: Engine, tmp_path: Path) -> None:
    session = Session(engine, MOVIE, stallAt=1, stallFor=3)
    recording = session.record(tmp_path / "a.mov", settings=LOSSLESS)
    session.advance(6)
    session.stop()
    assert session.names("didStartRecording", "willFinishRecording", "didFinishRecording") == [
        "wasInterrupted", "interruptionEnded",
    ]  # fmt: skip
    end = session.end(recording)
    assert end["status"] == "completed"
    # Gaps stay gaps, and audio and video stay in sync.
    assert numbers(tmp_path / "a.mov") == list(range(30)) + list(range(120, 180))
    assert times(tmp_path / "a.mov")[30] == 4
    audio = samples(tmp_path / "a.mov")
    begin = 48_000 * 4
    assert same(audio[begin + 12 : begin + 4_800], tone(4_800)[12:])
    assert end["tracks"][1]["inserted"] == 3 * 48_000
    session.close()


def test_frames_that_are_left_out_are_counted(engine: Engine, tmp_path: Path) -> None:
    session = Session(engine, MOVIE, dropEvery=7, dropFrames=[3, 4])
    recording = session.record(tmp_path / "a.mov", settings=LOSSLESS)
    session.advance(2)
    session.stop()
    kept = [n for n in range(60) if n not in (3, 4) and (n == 0 or n % 7)]
    assert numbers(tmp_path / "a.mov") == kept
    track = session.end(recording)["tracks"][0]
    assert track["written"] == len(kept)
    assert track["dropped"]["discontinuity"] == 60 - len(kept) == total(track["dropped"])
    session.close()


def test_the_same_bytes_each_time(engine: Engine, tmp_path: Path) -> None:
    hashes = set()
    for steps in ([5.0], [5.0], [0.013] * 50 + [4.35]):
        session = Session(engine, MOVIE, driftPPM=120)
        path = tmp_path / f"{len(hashes)}-{len(steps)}.mp4"
        path.unlink(missing_ok=True)
        session.record(path)
        for by in steps:
            session.advance(by)
        session.stop()
        hashes.add(hashlib.sha256(path.read_bytes()).hexdigest())
        path.unlink()
        session.close()
    assert len(hashes) == 1


@pytest.mark.parametrize("ppm", [300, -300, 10_000, -10_000])
def test_sound_and_picture_stay_together(engine: Engine, tmp_path: Path, ppm: int) -> None:
    small = {"width": 64, "height": 48, "frameRate": 10}
    session = Session(engine, MOVIE, driftPPM=ppm, **small)
    path = tmp_path / "a.mov"
    recording = session.record(path, settings=LOSSLESS)
    session.advance(120)
    session.stop()
    end = session.end(recording)
    assert abs(end["tracks"][1]["drift"] - ppm) < 20
    audio = samples(path)
    pace = 1 - ppm / 1_000_000
    # Until a great drift is known, up to 50 ms are lost, which are made good slowly.
    for second in range(20 if abs(ppm) < 1000 else 48, 119, 7):
        # The device's second begins a little earlier or later on the session's clock.
        begin = round(second * pace * 48_000)
        heard = next(n for n in range(begin - 2_400, begin + 2_400) if abs(audio[n]) > 0.05)
        assert abs(heard - begin) < 0.010 * 48_000
    session.close()


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_a_turned_connection(engine: Engine, tmp_path: Path, turn: int) -> None:
    session = Session(engine, MOVIE, audio=False)
    ends = {"captureInput": session.input, "captureOutput": session.outputs[0], "mediaType": "video"}
    session.configure({"set": {"connection": ends, "rotate": turn}})
    session.record(tmp_path / "a.mp4")
    session.advance(0.2)
    session.stop()
    (video,) = probe(tmp_path / "a.mp4")["streams"]
    stated = [side["rotation"] for side in video.get("side_data_list", []) if "rotation" in side]
    # ffprobe counts counterclockwise.
    assert [-each % 360 for each in stated] == ([turn] if turn else [])
    session.close()


def test_two_cameras_are_two_tracks(engine: Engine, tmp_path: Path) -> None:
    session = Session(engine, MOVIE)
    session.configure({"add": "input", "device": "synthetic:2", "settings": {"frameRate": 25, "sampleRate": 44_100}})
    path = tmp_path / "a.mov"
    session.record(path, settings=LOSSLESS)
    session.advance(1)
    session.stop()
    assert [stream["codec_type"] for stream in probe(path)["streams"]] == ["video", "audio"] * 2
    assert numbers(path) == list(range(30))
    assert numbers(path, "0:v:1") == list(range(25))
    assert len(samples(path, "0:a:1")) == 44_100
    session.close()


@pytest.mark.parametrize("suffix", ["mp4", "mov", "mkv", "webm", "ts"])
def test_each_type_of_movies(engine: Engine, tmp_path: Path, suffix: str) -> None:
    session = Session(engine, MOVIE, width=320, height=240)
    path = tmp_path / f"a.{suffix}"
    settings: Dict[str, Any] = {}
    if suffix == "webm":
        settings = {"video": {"codec": "vp9"}, "audio": {"codec": "opus"}}
    recording = session.record(path, settings=settings)
    session.advance(3)
    session.stop()
    end = session.end(recording)
    assert end["status"] == "completed", end
    assert numbers(path, size=(320, 240)) == list(range(90))
    decoded(path)
    session.close()


@pytest.mark.parametrize("suffix", ["wav", "flac", "m4a", "mp3", "ogg"])
def test_each_type_of_audio_files(engine: Engine, tmp_path: Path, suffix: str) -> None:
    session = Session(engine, {"type": "audioFile"}, video=False)
    path = tmp_path / f"a.{suffix}"
    recording = session.record(path)
    session.advance(2.5)
    session.stop()
    end = session.end(recording)
    assert end["status"] == "completed", end
    assert end["tracks"][0]["written"] == 120_000
    (stream,) = probe(path)["streams"]
    assert abs(float(stream["duration"]) - 2.5) < 0.06
    decoded(path)
    if suffix in ("wav", "flac"):
        assert len(samples(path)) == 120_000
    session.close()


@pytest.mark.parametrize("suffix", ["ogg", "opus", "oga", "flac"])
def test_metadata_of_audio_files(engine: Engine, tmp_path: Path, suffix: str) -> None:
    """The comments of Ogg are those of its stream."""
    session = Session(engine, {"type": "audioFile"}, video=False)
    path = tmp_path / f"a.{suffix}"
    recording = session.record(path, metadata=[{"keySpace": "libav", "key": "title", "value": "Waves"}])
    session.advance(1)
    session.stop()
    assert session.end(recording)["status"] == "completed"
    command = ["ffprobe", "-v", "error", "-show_entries", "format_tags:stream_tags", "-of", "csv=p=0", str(path)]
    assert "Waves" in subprocess.check_output(command, text=True)
    session.close()


def test_what_a_file_has_no_place_for(engine: Engine, tmp_path: Path) -> None:
    """A title of a file of ADTS, which has none, and nothing of a movie."""
    title = [{"keySpace": "libav", "key": "title", "value": "Waves"}]
    session = Session(engine, {"type": "audioFile"}, video=False)
    recording = session.record(tmp_path / "a.aac", metadata=title)
    session.advance(1)
    session.stop()
    assert [(each["item"], each["key"]) for each in session.end(recording)["dropped"]] == [("metadata", "libav/title")]
    command = ["ffprobe", "-v", "error", "-show_entries", "format_tags:stream_tags", "-of", "csv=p=0"]
    assert "Waves" not in subprocess.check_output([*command, str(tmp_path / "a.aac")], text=True)
    session.close()

    session = Session(engine, {"type": "movieFile"})
    recording = session.record(tmp_path / "a.mp4", metadata=title)
    session.advance(1)
    session.stop()
    assert "dropped" not in session.end(recording)
    assert "Waves" in subprocess.check_output([*command, str(tmp_path / "a.mp4")], text=True)
    session.close()
