"""Recorders of audio, on the manual clock."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any, Dict

import pytest

from engine import Engine, EngineError
from sessions import probe, same, samples, seconds, tone


class Recorder:
    def __init__(self, engine: Engine, path: Path, **settings: Any) -> None:
        self.engine, self.path = engine, path
        settings = {"device": "synthetic:1", "clock": "manual", **settings}
        made = engine.call("audioRecorder/create", url=str(path), **settings)
        self.handle: str = made["audioRecorder"]

    def call(self, word: str, **more: Any) -> Dict[str, Any]:
        return self.engine.call(f"audioRecorder/{word}", audioRecorder=self.handle, **more)

    def ended(self) -> Dict[str, Any]:
        while (note := self.engine.notification())["method"] != "audioRecorder/didFinishRecording":
            pass
        params: Dict[str, Any] = note["params"]
        return params

    def close(self) -> None:
        self.engine.call("handle/close", handle=self.handle)


def refused(recorder: Recorder, word: str, name: str, **more: Any) -> None:
    with pytest.raises(EngineError) as error:
        recorder.call(word, **more)
    assert error.value.data["name"] == name


def test_it_records_pauses_and_stops(engine: Engine, tmp_path: Path) -> None:
    path = tmp_path / "a.wav"
    recorder = Recorder(engine, path)
    assert not path.exists()
    operation = recorder.call("record")["operation"]
    assert path.exists()
    refused(recorder, "record", "recordingAlreadyInProgress")
    recorder.call("advanceClock", by=0.5)
    state = recorder.call("state")
    assert state["isRecording"] and seconds(state["currentTime"]) == Fraction(1, 2)
    recorder.call("pause")
    recorder.call("advanceClock", by=0.75)
    assert not recorder.call("state")["isRecording"]
    again = recorder.call("record")["operation"]
    recorder.call("advanceClock", by=1)
    assert recorder.call("meters")["channels"][0]["peakHoldLevel"] == -160
    recorder.call("stop")
    ends = [recorder.ended(), recorder.ended()]
    assert {end["operation"] for end in ends} == {operation, again}
    assert all(end["successfully"] and seconds(end["recordedDuration"]) == 1.5 for end in ends)
    made = tone(108_000)
    assert same(samples(path), made[:24_000] + made[60_000:108_000])
    assert seconds(recorder.call("state")["currentTime"]) == 0
    # Stopping a stopped recorder is fine; nothing is overwritten.
    recorder.call("stop")
    refused(recorder, "record", "fileAlreadyExists")
    recorder.close()


def test_a_duration_and_a_time(engine: Engine, tmp_path: Path) -> None:
    path = tmp_path / "a.flac"
    recorder = Recorder(engine, path)
    recorder.call("record", atHostTime=0.25, forDuration=1.125)
    recorder.call("advanceClock", by=3)
    end = recorder.ended()
    assert end["successfully"] and "error" not in end and end["url"] == str(path)
    assert seconds(end["recordedDuration"]) == Fraction(9, 8)
    audio = samples(path)
    wanted = tone(66_000)[12_000:]
    assert len(audio) == 54_000 and all(abs(a - b) < 1e-4 for a, b in zip(audio, wanted))
    recorder.close()


def test_a_duration_and_a_time_after_a_pause(engine: Engine, tmp_path: Path) -> None:
    """Half a second, then a pause until 2 s, and an eighth of a second from there."""
    path = tmp_path / "a.wav"
    recorder = Recorder(engine, path)
    recorder.call("record")
    recorder.call("advanceClock", by=0.5)
    recorder.call("pause")
    recorder.call("advanceClock", by=0.5)
    recorder.call("record", atHostTime=2, forDuration=0.125)
    recorder.call("advanceClock", by=3)
    ends = [recorder.ended(), recorder.ended()]
    assert all(end["successfully"] and seconds(end["recordedDuration"]) == Fraction(5, 8) for end in ends)
    wanted = tone(102_000)
    wanted = wanted[:24_000] + wanted[96_000:]
    found = samples(path)
    assert len(found) == len(wanted) and all(abs(a - b) < 1e-4 for a, b in zip(found, wanted))
    recorder.close()


def test_a_duration_that_the_device_doesnt_deliver(engine: Engine, tmp_path: Path) -> None:
    path = tmp_path / "a.wav"
    recorder = Recorder(engine, path, deviceSettings={"stallAt": 0.5, "stallFor": 60})
    recorder.call("record", forDuration=2)
    recorder.call("advanceClock", by=1.99)
    assert recorder.call("state")["isRecording"]
    recorder.call("advanceClock", by=0.01)
    end = recorder.ended()
    assert not end["successfully"] and end["error"]["data"]["name"] == "maximumDurationReached"
    assert "track 1, of audio, has nothing after 0.5 s" in end["error"]["message"]
    assert seconds(end["recordedDuration"]) == Fraction(1, 2) and len(samples(path)) == 24_000
    recorder.close()


@pytest.mark.parametrize("suffix", ["wav", "flac", "m4a", "mp3", "ogg"])
def test_types_of_files(engine: Engine, tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"a.{suffix}"
    recorder = Recorder(engine, path, settings={"channels": 2}, deviceSettings={"channels": 2})
    recorder.call("record", forDuration=1)
    recorder.call("advanceClock", by=1.5)
    assert recorder.ended()["successfully"]
    (stream,) = probe(path)["streams"]
    assert stream["channels"] == 2 and abs(float(stream["duration"]) - 1) < 0.06
    recorder.close()


def test_it_removes_the_file_that_it_made(engine: Engine, tmp_path: Path) -> None:
    path = tmp_path / "a.wav"
    recorder = Recorder(engine, path)
    recorder.call("prepareToRecord")
    refused(recorder, "deleteRecording", "operationNotAllowed")
    recorder.call("record")
    recorder.call("advanceClock", by=0.5)
    refused(recorder, "deleteRecording", "operationNotAllowed")
    recorder.call("stop")
    recorder.ended()
    recorder.call("deleteRecording")
    assert list(tmp_path.iterdir()) == []
    # A file that has come to its path instead stays.
    recorder.call("record")
    recorder.call("advanceClock", by=0.5)
    recorder.call("stop")
    path.unlink()
    path.write_bytes(b"another")
    recorder.call("deleteRecording")
    assert path.read_bytes() == b"another"
    recorder.close()


def test_what_was_prepared_leaves_nothing(engine: Engine, tmp_path: Path) -> None:
    recorder = Recorder(engine, tmp_path / "a.wav")
    recorder.call("prepareToRecord")
    assert (tmp_path / "a.wav").exists()
    recorder.call("stop")
    assert list(tmp_path.iterdir()) == []
    recorder.call("prepareToRecord")
    recorder.close()
    # Closing doesn't wait, but the next one's device is free.
    other = Recorder(engine, tmp_path / "b.wav", device="synthetic:2")
    other.call("record")
    other.call("advanceClock", by=0.1)
    other.close()
    assert other.ended()["successfully"]


def test_what_is_refused(engine: Engine, tmp_path: Path) -> None:
    for settings, name in [
        ({"device": "nothing"}, "deviceNotConnected"),
        ({"device": "default"}, "applicationIsNotAuthorizedToUseDevice"),
        ({"deviceSettings": {"audio": False}}, "unsupportedOutputSettings"),
        ({"settings": {"codec": "nothing"}}, "invalidParams"),
        ({"deviceSettings": {"channels": 7}}, "invalidParams"),
    ]:
        with pytest.raises(EngineError) as error:
            Recorder(engine, tmp_path / "a.wav", **settings)
        assert error.value.data["name"] == name
    recorder = Recorder(engine, tmp_path / "a.nothing")
    refused(recorder, "record", "invalidOutputURLPathExtension")
    refused(recorder, "pause", "operationNotAllowed")
    refused(recorder, "meters", "sessionNotRunning")
    refused(recorder, "advanceClock", "sessionNotRunning", by=1)
    refused(recorder, "record", "invalidParams", forDuration=0)
    recorder.close()
    broken = Recorder(engine, tmp_path / "a.wav", deviceSettings={"failStart": True})
    refused(broken, "record", "failedToLoadMediaData")
    assert list(tmp_path.iterdir()) == []
    broken.close()
