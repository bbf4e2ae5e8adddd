"""The configuration of sessions: one request, all of it or nothing."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any, Dict, List

import pytest

from engine import Engine, EngineError
from sessions import Session, numbers, probe, seconds

MOVIE = {"add": "output", "type": "movieFile"}
MOVIE_OUTPUT = {"type": "movieFile"}


def refused(session: Session, *changes: Dict[str, Any], name: str, index: int = 0) -> EngineError:
    before = engine_state(session)
    with pytest.raises(EngineError) as error:
        session.configure(*changes)
    assert error.value.data["name"] == name, error.value
    if name != "invalidParams":
        assert error.value.data["change"]["index"] == index
    assert engine_state(session) == before
    return error.value


def engine_state(session: Session) -> Dict[str, Any]:
    state = session.engine.call("captureSession/state", captureSession=session.handle)
    return {"inputs": state["inputs"], "outputs": state["outputs"]}


def test_closing_an_output_removes_it(engine: Engine, tmp_path: Path) -> None:
    session = Session(engine, {"type": "movieFile"}, {"type": "videoData"})
    recording = session.record(tmp_path / "a.mov")
    session.advance(1)
    session.engine.call("handle/close", handle=session.outputs[0])
    # The next output comes after it.
    made = session.configure({"add": "output", "type": "movieFile"})
    assert made["outputs"] == [session.outputs[0].replace("/1", "/3")]
    session.wait("captureOutput/didFinishRecording")
    end = session.end(recording)
    assert end["error"]["code"] == -11806 and end["recordingSuccessfullyFinished"]
    assert numbers(tmp_path / "a.mov") == list(range(30))
    state = engine.call("captureSession/state", captureSession=session.handle)
    assert [item["captureOutput"] for item in state["outputs"]] == [
        session.outputs[1], *made["outputs"],
    ]  # fmt: skip
    with pytest.raises(EngineError) as refused:
        session.call("stopRecording")
    assert refused.value.data["name"] == "unknownHandle"
    session.close()


def test_closing_an_input_removes_it(engine: Engine) -> None:
    session = Session(engine, {"type": "videoData"})
    other = session.configure({"add": "input", "device": "synthetic:2"})["inputs"][0]
    engine.call("handle/close", handle=session.input)
    made = session.configure()
    assert {item["captureInput"] for item in made["resolved"]} == {other}
    # Its device is free.
    again = Session(engine, {"type": "videoData"})
    again.close()
    session.close()


def test_what_fits_is_connected(engine: Engine) -> None:
    session = Session(engine, {"type": "movieFile"}, {"type": "videoData"}, {"type": "audioData"})
    found = [(each["captureOutput"], each["mediaType"]) for each in session.made["connections"]]
    movie, video, audio = session.outputs
    assert found == [(movie, "video"), (movie, "audio"), (video, "video"), (audio, "audio")]
    assert all(each["isActive"] and each["isEnabled"] for each in session.made["connections"])
    more = session.configure({"add": "input", "device": "synthetic:2"})
    # A movie output connects to each, the others keep their one connection.
    assert len(more["connections"]) == 6
    alone = session.configure({"add": "output", "type": "videoData", "connect": "none"})
    assert len(alone["connections"]) == 6
    session.close()


def test_a_batch_is_all_or_nothing(engine: Engine) -> None:
    session = Session(engine, {"type": "movieFile"}, isStarted=False)
    ends = {
        "captureInput": session.input, "captureOutput": session.outputs[0], "mediaType": "video",
    }  # fmt: skip
    first = {"add": "input", "device": "synthetic:3"}
    for bad, name in [
        ({"add": "input", "device": "synthetic:1"}, "deviceAlreadyUsedByAnotherSession"),
        ({"add": "input", "device": "v4l2:none"}, "applicationIsNotAuthorizedToUseDevice"),
        ({"add": "input", "device": "default"}, "applicationIsNotAuthorizedToUseDevice"),
        ({"add": "input", "device": "nothing"}, "deviceNotConnected"),
        ({"connect": ends}, "incorrectlyConfigured"),
        ({"disconnect": {**ends, "captureOutput": "captureOutput:1/9"}}, "incorrectlyConfigured"),
        ({"remove": session.input.replace("/1", "/7")}, "incorrectlyConfigured"),
        ({"set": {"preset": "3840x2160"}}, ""),
        ({"set": {"captureInput": session.input, "format": 7}}, "unsupportedOutputSettings"),
        (
            {"set": {"captureInput": session.input, "minFrameDuration": {"value": 1, "timescale": 29}}},
            "unsupportedOutputSettings",
        ),
        ({"add": "input", "device": "synthetic:4", "format": {"pixelFormat": "nv12"}},
         "unsupportedOutputSettings"),
    ]:
        if name:
            refused(session, first, bad, name=name, index=1)
    for bad in [
        {}, {"add": "input"}, {"add": "output"}, {"remove": "captureInput:99/1"},
        {"add": "output", "type": "photo", "remove": session.input},
        {"add": "input", "device": "synthetic:2", "settings": {"unplugAt": 2, "replugAt": 1}},
        {"add": "input", "device": "synthetic:2", "settings": {"frameRate": 241}},
        {"add": "input", "device": "synthetic:2", "settings": {"height": 47}},
        {"set": {"connection": ends, "rotate": 45}}, {"set": {}},
        {"add": "output", "type": "photo", "maxOutstanding": 33},
    ]:
        refused(session, first, bad, name="invalidParams")
    session.close()


def test_a_dry_run_changes_nothing(engine: Engine) -> None:
    session = Session(engine, {"type": "movieFile"}, isStarted=False)
    before = engine_state(session)
    made = session.configure({"add": "input", "device": "synthetic:2"}, MOVIE, dryRun=True)
    assert (made["inputs"], made["outputs"]) == ([], []) and len(made["connections"]) == 8
    assert engine_state(session) == before
    session.close()


@pytest.mark.parametrize(
    ("preset", "size"),
    [
        ("high", (640, 480)), ("medium", (640, 480)), ("low", (352, 288)), ("photo", (640, 480)),
        ("1280x720", (1280, 720)), ("1920x1080", (1920, 1080)),
    ],
)  # fmt: skip
def test_presets(engine: Engine, preset: str, size: "tuple[int, int]") -> None:
    session = Session(engine, {"type": "movieFile"}, preset=preset, isStarted=False)
    video, audio = session.made["resolved"]
    assert (video["format"]["width"], video["format"]["height"]) == size
    assert seconds(video["frameDuration"]) == Fraction(1, 30)
    assert audio["format"]["sampleRate"] == 48_000
    session.close()


def test_a_preset_decides_again_after_a_format(engine: Engine) -> None:
    session = Session(engine, MOVIE, isStarted=False)
    for change, size in [
        ({"captureInput": session.input, "format": 0}, (640, 480)),
        ({"preset": "1280x720"}, (1280, 720)),
        ({"captureInput": session.input, "format": 0}, (640, 480)),
        ({"preset": "inputPriority"}, (640, 480)),
        ({"preset": "low"}, (352, 288)),
    ]:
        made = session.configure({"set": change})
        (video,) = [each["format"] for each in made["resolved"] if each["mediaType"] == "video"]
        assert (video["width"], video["height"]) == size
    session.close()


def test_the_change_of_a_device_that_doesnt_start_is_named(engine: Engine) -> None:
    session = Session(engine, {"type": "movieFile"})
    photo, busy = {"add": "output", "type": "photo"}, {"add": "input", "device": "synthetic:2", "settings": {"busy": True}}
    refused(session, photo, busy, photo, name="deviceInUseByAnotherApplication", index=1)
    refused(session, busy, photo, photo, name="deviceInUseByAnotherApplication", index=0)
    session.close()


def test_a_preset_that_a_device_can_not_do(engine: Engine) -> None:
    session = Session(engine, {"type": "photo"}, width=640, height=360, isStarted=False)
    refused(session, {"set": {"preset": "1280x720"}}, name="incorrectlyConfigured")
    session.configure({"set": {"preset": "inputPriority"}})
    session.close()


@pytest.mark.parametrize(
    ("rate", "frame"), [(25, "1/25"), (29.97, "1001/30000"), ({"numerator": 24000, "denominator": 1001}, "1001/24000")]
)  # fmt: skip
def test_rates(engine: Engine, tmp_path: Path, rate: Any, frame: str) -> None:
    session = Session(engine, {"type": "movieFile"}, frameRate=rate, width=64, height=48)
    assert seconds(session.made["resolved"][0]["frameDuration"]) == Fraction(frame)
    session.record(tmp_path / "a.mov")
    session.advance({"value": Fraction(frame).numerator * 50, "timescale": Fraction(frame).denominator})
    session.stop()
    assert numbers(tmp_path / "a.mov", size=(64, 48)) == list(range(50))
    (video, _) = probe(tmp_path / "a.mov")["streams"]
    assert Fraction(video["avg_frame_rate"]) == 1 / Fraction(frame)
    session.close()


def test_a_device_belongs_to_one_session(engine: Engine) -> None:
    first = Session(engine, {"type": "photo"}, isStarted=False)
    second = engine.call("captureSession/create")["captureSession"]
    change = {"add": "input", "device": "synthetic:1"}
    with pytest.raises(EngineError) as error:
        engine.call("captureSession/configure", captureSession=second, changes=[change])
    assert error.value.data["name"] == "deviceAlreadyUsedByAnotherSession"
    first.configure({"remove": first.input})
    engine.call("captureSession/configure", captureSession=second, changes=[change])
    engine.call("handle/close", handle=second)
    first.configure(change)
    first.close()


def test_devices_that_do_not_start(engine: Engine) -> None:
    for settings, name in [
        ({"failStart": True}, "failedToLoadMediaData"),
        ({"busy": True}, "deviceInUseByAnotherApplication"),
    ]:
        session = Session(engine, {"type": "photo"}, isStarted=False, **settings)
        started = session.start()
        assert started["error"]["data"]["name"] == name and "startTime" not in started
        # The session hasn't started, and continues with nothing.
        assert "start again" in started["error"]["data"]["hint"]
        assert "automatically" not in started["error"]["data"]["hint"]
        state = engine.call("captureSession/state", captureSession=session.handle)
        assert not state["isRunning"]
        session.close()


def test_outputs_come_and_go_while_it_records(engine: Engine, tmp_path: Path) -> None:
    session = Session(engine, {"type": "movieFile"}, width=64, height=48)
    recording = session.record(tmp_path / "a.mov")
    for _ in range(100):
        session.advance(0.0371)
        (output,) = session.configure({"add": "output", "type": "videoData"})["outputs"]
        refused(session, {"remove": output}, {"add": "input", "device": "x"}, name="deviceNotConnected", index=1)
        session.configure({"remove": output})
    session.stop()
    assert numbers(tmp_path / "a.mov", size=(64, 48)) == list(range(112))
    assert session.end(recording)["status"] == "completed"
    session.close()


@pytest.mark.parametrize("kind", ["remove", "disconnect", "disable", "output", "turn", "mirror"])
def test_a_touched_track_ends_the_recording(engine: Engine, tmp_path: Path, kind: str) -> None:
    session = Session(engine, {"type": "movieFile"}, {"type": "videoData"})
    recording = session.record(tmp_path / "a.mov")
    session.advance(1)
    ends = {
        "captureInput": session.input, "captureOutput": session.outputs[0], "mediaType": "audio",
    }  # fmt: skip
    video = {**ends, "mediaType": "video"}
    changes: Dict[str, Dict[str, Any]] = {
        "turn": {"set": {"connection": video, "rotate": 90}},
        "mirror": {"set": {"connection": video, "isMirrored": True}},
        "remove": {"remove": session.input}, "disconnect": {"disconnect": ends},
        "disable": {"set": {"connection": ends, "isEnabled": False}},
        "output": {"remove": session.outputs[0]},
    }  # fmt: skip
    session.configure(changes[kind])
    end = session.wait("captureOutput/didFinishRecording")
    assert end["operation"] == recording
    assert end["error"]["data"]["name"] == "sessionConfigurationChanged"
    assert "the output of the recording was changed or removed" in end["error"]["message"]
    assert end["recordingSuccessfullyFinished"] and end["isPlainMovie"]
    assert numbers(tmp_path / "a.mov") == list(range(30))
    session.stop()
    session.close()


@pytest.mark.parametrize("kind", ["remove", "disconnect", "format", "preset"])
def test_a_change_ends_a_recording_that_waits_for_the_start(
    engine: Engine, tmp_path: Path, kind: str
) -> None:
    session = Session(engine, {"type": "movieFile"}, isStarted=False)
    recording = session.record(tmp_path / "a.mov")
    # Nothing that it has.
    session.configure({"add": "output", "type": "photo"}, {"set": {"preset": "high"}})
    session.take()
    assert session.names() == []
    ends = {
        "captureInput": session.input, "captureOutput": session.outputs[0], "mediaType": "audio",
    }  # fmt: skip
    changes: Dict[str, Dict[str, Any]] = {
        "remove": {"remove": session.input}, "disconnect": {"disconnect": ends},
        "format": {"set": {"captureInput": session.input, "format": 0}},
        "preset": {"set": {"preset": "1280x720"}},
    }  # fmt: skip
    session.configure(changes[kind])
    end = session.wait("captureOutput/didFinishRecording")
    assert end["operation"] == recording and end["status"] == "failed"
    assert end["error"]["data"]["name"] == "sessionConfigurationChanged"
    assert list(tmp_path.iterdir()) == []
    session.start()
    session.stop()
    assert session.names() == ["willFinishRecording", "didFinishRecording"]
    session.close()


def test_counts_continue_when_an_input_is_set(engine: Engine) -> None:
    session = Session(engine, {"type": "videoData"}, dropFrames=[3])
    session.advance(1)
    session.configure({"set": {"captureInput": session.input, "format": 0}})
    session.advance(1)
    (state,) = engine_state(session)["inputs"]
    assert state["captured"] == {"video": 59, "audio": 96_000}
    assert state["dropped"] == {"late": 0, "outOfBuffers": 0, "discontinuity": 1}
    # They are those since the start.
    session.stop()
    session.start()
    session.advance(1)
    (state,) = engine_state(session)["inputs"]
    assert state["captured"] == {"video": 29, "audio": 48_000}
    session.close()


PICTURES = {"pixelFormat": "gray", "width": 32, "height": 32, "maxFrameRate": 5, "quality": 0.5}
AUDIO = {"sampleFormat": "s16", "sampleRate": 24_000, "channels": 2}
OF_INPUTS = {"latency": 1, "driftCorrection": False, "frameRate": 25, "audio": False, "unplugAt": 1}


@pytest.mark.parametrize(
    ("kind", "wrong"),
    [
        ("audioData", {**PICTURES, **OF_INPUTS}), ("videoData", {**AUDIO, **OF_INPUTS}), ("preview", AUDIO),
        ("movieFile", {**PICTURES, **AUDIO, "delivery": "inline"}), ("audioFile", {**AUDIO, **OF_INPUTS}),
        ("photo", {**PICTURES, **AUDIO, "delivery": "inline"}),
    ],
)  # fmt: skip
def test_settings_of_other_outputs_are_refused(engine: Engine, kind: str, wrong: Dict[str, Any]) -> None:
    session = Session(engine, isStarted=False)
    error = refused(session, {"add": "output", "type": kind, "settings": wrong}, name="invalidParams")
    assert {problem["path"] for problem in error.data["errors"]} == {
        f"/changes/0/settings/{name}" for name in wrong
    }
    assert error.data["hint"]
    session.close()


def test_settings_of_outputs_are_refused_for_inputs(engine: Engine) -> None:
    session = Session(engine, isStarted=False)
    for name, value in [("pixelFormat", "gray"), ("quality", 1), ("sampleFormat", "s16"), ("maxFrameRate", 5),
                        ("delivery", "inline")]:  # fmt: skip
        change = {"add": "input", "device": "synthetic:2", "settings": {name: value}}
        error = refused(session, change, name="invalidParams")
        assert [problem["path"] for problem in error.data["errors"]] == [f"/changes/0/settings/{name}"]
    session.close()


@pytest.mark.parametrize("kind", ["video", "audio"])
def test_settings_of_tracks_that_a_recording_lacks_are_refused(engine: Engine, tmp_path: Path, kind: str) -> None:
    other = "audio" if kind == "video" else "video"
    settings = {"video": {"codec": "h264"}, "audio": {"codec": "aac"}}
    session = Session(engine, MOVIE_OUTPUT, **{kind: False})
    with pytest.raises(EngineError) as error:
        session.record(tmp_path / "a.mov", settings=settings)
    assert error.value.data["name"] == "unsupportedOutputSettings" and error.value.data["hint"]
    assert [problem["path"] for problem in error.value.data["errors"]] == [f"/settings/{kind}"]
    assert list(tmp_path.iterdir()) == []
    # A track that isn't there may be left out.
    session.record(tmp_path / "a.mov", settings={other: settings[other], kind: None})
    session.advance(0.5)
    session.stop()
    session.close()


def test_settings_of_video_are_refused_for_audio_files(engine: Engine, tmp_path: Path) -> None:
    session = Session(engine, {"type": "audioFile"})
    with pytest.raises(EngineError) as error:
        session.record(tmp_path / "a.m4a", settings={"video": {"codec": "h264"}})
    assert error.value.data["name"] == "unsupportedOutputSettings"
    session.close()


def test_limits(engine: Engine) -> None:
    session = Session(engine, isStarted=False)
    for _ in range(16):
        session.configure({"add": "output", "type": "photo"})
    refused(session, {"add": "output", "type": "photo"}, name="limitExceeded")
    for number in range(2, 9):
        session.configure({"add": "input", "device": f"synthetic:{number}"})
    refused(session, {"add": "input", "device": "synthetic:9"}, name="limitExceeded")
    with pytest.raises(EngineError) as error:
        session.configure(*[{"set": {"preset": "high"}}] * 1000)
    assert error.value.data["name"] == "invalidParams"
    session.close()


def test_order_of_a_session(engine: Engine) -> None:
    session = Session(engine, {"type": "movieFile"}, isStarted=False)
    with pytest.raises(EngineError) as error:
        session.advance(1)
    assert error.value.data["name"] == "sessionNotRunning"
    # Stopping a stopped session is fine, and so is starting a running one.
    assert session.stop()["reason"] == "requested"
    assert "error" not in session.start() and "error" not in session.start()
    session.advance(1)
    session.stop()
    # Again from the beginning of the device's time.
    assert seconds(session.start()["startTime"]) == 1
    session.close()
    handles: List[Any] = engine.call("handle/list")["handles"]
    assert handles == []


def test_permissions() -> None:
    for allowed, statuses in [
        ([], ["denied"] * 3), (["--allow-capture", "microphone"], ["denied", "authorized", "denied"]),
        (["--allow-capture", "all"], ["authorized"] * 3),
    ]:  # fmt: skip
        with Engine(*allowed) as engine:
            found = [
                engine.call("capture/authorizationStatus", mediaType=kind)["status"]
                for kind in ("video", "audio", "screen")
            ]
            assert found == statuses
