"""The samples, photos and levels that outputs return to the client, each counted."""

from __future__ import annotations

import base64
import math
from array import array
from fractions import Fraction
from pathlib import Path
from typing import Any, Dict, List

import pytest

from engine import Engine, EngineError
from sessions import Session, same, seconds, tone, total

PIXELS = {"pixelFormat": "gray", "delivery": "inline"}


def content(sample: Dict[str, Any]) -> bytes:
    return base64.b64decode(sample["blob"]["data"])


def number(sample: Dict[str, Any]) -> int:
    """The number in a grey picture."""
    image = sample["image"]
    (plane,) = image["planes"]
    pixels = content(sample)
    row = plane["offset"] + image["height"] // 16 * plane["bytesPerRow"]
    cells = [
        pixels[row + cell * (image["width"] // 16) + image["width"] // 32] > 126
        for cell in range(16)
    ]
    return sum(bit << (15 - cell) for cell, bit in enumerate(cells))


def test_a_client_that_is_in_time_gets_each_picture(engine: Engine) -> None:
    session = Session(engine, {"type": "videoData", "settings": PIXELS})
    found: List[int] = []
    for frame in range(20):
        session.advance({"value": 1, "timescale": 30})
        answer = session.call("nextSampleBuffers", maxCount=4)
        (sample,) = answer["sampleBuffers"]
        assert seconds(sample["presentationTime"]) == Fraction(frame, 30)
        assert total(answer["dropped"]) == 0 and answer["isRunning"]
        found.append(number(sample))
    assert found == list(range(20))
    # On a manual clock nothing comes automatically.
    assert session.call("nextSampleBuffers")["sampleBuffers"] == []
    session.close()


def test_the_newest_picture_waits(engine: Engine) -> None:
    session = Session(engine, {"type": "videoData", "settings": PIXELS})
    session.advance(1)
    answer = session.call("nextSampleBuffers", maxCount=10)
    assert [number(sample) for sample in answer["sampleBuffers"]] == [29]
    assert answer["dropped"] == {"late": 29, "outOfBuffers": 0, "discontinuity": 0}
    session.advance(0.5)
    session.stop()
    drops = session.of("captureOutput/didDrop")
    assert sum(drop["count"] for drop in drops) == 29 + 14
    assert {drop["reason"] for drop in drops} == {"late"}
    session.close()


def test_thirty_pictures_wait_for_who_wants_them(engine: Engine) -> None:
    output = {"type": "videoData", "settings": PIXELS, "alwaysDiscardsLateVideoFrames": False}
    session = Session(engine, output, width=64, height=48)
    session.advance(2)
    answer = session.call("nextSampleBuffers", maxCount=100)
    assert [number(sample) for sample in answer["sampleBuffers"]] == list(range(30, 60))
    assert answer["dropped"] == {"late": 0, "outOfBuffers": 30, "discontinuity": 0}
    session.close()


def test_a_client_that_gives_nothing_back(engine: Engine, tmp_path: Path) -> None:
    session = Session(
        engine, {"type": "videoData", "mode": "push", "settings": {"pixelFormat": "bgra"}},
        {"type": "movieFile"},
    )  # fmt: skip
    recording = session.record(tmp_path / "a.mp4", output=1)
    session.advance(1)
    pushed = session.of("captureOutput/didOutput")
    assert len(pushed) == 3
    leases = [note["sampleBuffers"][0]["blob"]["lease"] for note in pushed]
    state = engine.call("captureSession/state", captureSession=session.handle)
    assert state["outputs"][0]["dropped"]["outOfBuffers"] == 27
    engine.notify("blob/release", leases=leases[:2])
    engine.call("engine/stats")
    session.advance(1)
    assert len(session.of("captureOutput/didOutput")) == 5
    session.stop()
    # The recording made at the same time is whole.
    assert session.end(recording)["tracks"][0]["written"] == 60
    counted = sum(drop["count"] for drop in session.of("captureOutput/didDrop"))
    assert counted + 5 == 60
    session.close()


def test_a_client_holds_no_more_frames_than_it_may(engine: Engine) -> None:
    """Frames that it asks for wait until it has released some."""
    output = {"type": "videoData", "alwaysDiscardsLateVideoFrames": False, "maxOutstanding": 3}
    session = Session(engine, output, width=64, height=48)
    session.advance(0.5)
    first = session.call("nextSampleBuffers", maxCount=100)["sampleBuffers"]
    assert len(first) == 3
    with pytest.raises(EngineError) as refused:
        session.call("nextSampleBuffers", maxCount=1)
    assert refused.value.data["name"] == "leasesExhausted" and "maxOutstanding" in refused.value.data["hint"]
    engine.call("blob/release", leases=[sample["blob"]["lease"] for sample in first[:2]])
    second = session.call("nextSampleBuffers", maxCount=100)["sampleBuffers"]
    assert [seconds(sample["presentationTime"]) for sample in first + second] == [Fraction(n, 30) for n in range(5)]
    session.close()


def test_several_outputs_of_one_input(engine: Engine) -> None:
    session = Session(
        engine, {"type": "videoData", "settings": {**PIXELS, "width": 320}},
        {"type": "videoData", "settings": {"pixelFormat": "jpeg", "height": 120, "delivery": "inline"}},
    )  # fmt: skip
    session.advance(0.1)
    (small,) = session.call("nextSampleBuffers", 0)["sampleBuffers"]
    (jpeg,) = session.call("nextSampleBuffers", 1)["sampleBuffers"]
    assert (small["image"]["width"], small["image"]["height"]) == (320, 240)
    assert number(small) == 2
    assert jpeg["blob"]["mimeType"] == "image/jpeg" and content(jpeg)[:2] == b"\xff\xd8"
    session.close()


def test_audio_is_there_to_the_sample(engine: Engine) -> None:
    session = Session(engine, {"type": "audioData", "settings": {"delivery": "inline"}})
    audio = array("f")
    for step in (0.3, 0.777, 0.001, 1.2):
        session.advance(step)
        answer = session.call("nextSampleBuffers", maxCount=256)
        assert total(answer["dropped"]) == 0
        for sample in answer["sampleBuffers"]:
            assert seconds(sample["presentationTime"]) == Fraction(len(audio), 48_000)
            audio.frombytes(content(sample))
    assert same(audio, tone(round(2.278 * 48_000)))
    session.close()


def test_two_seconds_of_audio_wait(engine: Engine) -> None:
    session = Session(engine, {"type": "audioData", "settings": {"delivery": "inline"}})
    session.advance(3)
    samples: List[Dict[str, Any]] = []
    dropped = 0
    while (answer := session.call("nextSampleBuffers", maxCount=256))["sampleBuffers"]:
        samples += answer["sampleBuffers"]
        dropped += answer["dropped"]["discontinuity"]
    assert sum(sample["numSamples"] for sample in samples) + dropped == 144_000
    assert 1.9 * 48_000 <= sum(sample["numSamples"] for sample in samples) <= 96_000
    session.close()


@pytest.mark.parametrize(("wanted", "kind", "scale"), [("s16", "h", 32768), ("f64", "d", 1)])
def test_audio_in_another_format(engine: Engine, wanted: str, kind: str, scale: int) -> None:
    settings = {"sampleFormat": wanted, "channels": 2, "sampleRate": 24_000, "delivery": "inline"}
    session = Session(engine, {"type": "audioData", "settings": settings}, channels=2)
    session.advance(1)
    audio = array(kind)
    for sample in session.call("nextSampleBuffers", maxCount=256)["sampleBuffers"]:
        assert sample["audio"]["sampleRate"] == 24_000 and sample["audio"]["channels"] == 2
        audio.frombytes(content(sample))
    left = audio[::2]
    assert audio[1::2] == left and len(left) > 23_900
    beep = [value / scale for value in left[100:2_300]]
    assert max(beep) == pytest.approx(0.5, abs=0.02)
    assert math.sqrt(sum(x * x for x in beep) / len(beep)) == pytest.approx(0.3535, abs=0.01)
    session.close()


@pytest.mark.parametrize("mode", ["pull", "push"])
@pytest.mark.parametrize("ending", ["stop", "remove"])
def test_resampled_audio_is_complete_at_its_end(engine: Engine, mode: str, ending: str) -> None:
    """The resampler holds some samples until the end of the audio."""
    output = {"type": "audioData", "mode": mode, "settings": {"sampleRate": 24_000, "delivery": "inline"}}
    session = Session(engine, output)

    def count() -> int:
        if mode == "push":
            samples = [sample for note in session.of("captureOutput/didOutput") for sample in note["sampleBuffers"]]
            return sum(sample["numSamples"] for sample in samples)
        answer = session.call("nextSampleBuffers", maxCount=256)
        assert total(answer["dropped"]) == 0
        return sum(sample["numSamples"] for sample in answer["sampleBuffers"])

    session.advance(1)
    before = count()
    assert before < 23_998
    if ending == "stop":
        session.stop()
    else:
        session.configure({"remove": session.input})
    if mode == "push":
        while (found := count()) == before:
            session.engine.receive()
            session.take()
    else:
        found = before + count()
    assert abs(found - 24_000) <= 2
    session.close()


def test_a_photo_is_the_next_frame(engine: Engine) -> None:
    session = Session(engine, {"type": "photo"})
    operation = session.call("capturePhoto", delivery="inline")["operation"]
    session.advance(0.5)
    assert session.names() == ["willCapture", "didFinishCapture"]
    photo = session.of("captureOutput/didFinishCapture")[0]
    assert photo["operation"] == operation and photo["result"] == "succeeded"
    assert seconds(photo["time"]) == 0 and photo["blob"]["mimeType"] == "image/jpeg"
    # One that waits when the session stops has its end, too.
    session.call("capturePhoto")
    session.stop()
    failed = session.of("captureOutput/didFinishCapture")[1]
    assert failed["result"] == "failed" and failed["error"]["data"]["name"] == "sessionNotRunning"
    with pytest.raises(EngineError) as refused:
        session.call("capturePhoto")
    assert refused.value.data["name"] == "sessionNotRunning"
    session.close()


def test_a_photo_of_a_device_that_is_unplugged(engine: Engine) -> None:
    """At a frame a second frame 1 would be the next one."""
    session = Session(engine, {"type": "photo"}, frameRate=1, unplugAt=1, replugAt=2)
    session.configure({"add": "input", "device": "synthetic:2", "connect": "none"})
    finished = "captureOutput/didFinishCapture"
    session.advance(0.5)
    operations = [session.call("capturePhoto")["operation"]]
    session.advance(1)
    operations.append(session.call("capturePhoto")["operation"])
    for count, operation in enumerate(operations, 1):
        failed = session.wait(finished, count)
        assert failed["operation"] == operation and failed["result"] == "failed"
        assert failed["error"]["data"]["name"] == "deviceWasDisconnected"
    session.advance(1)
    session.call("capturePhoto", delivery="inline")
    session.advance(1)
    assert session.wait(finished, 3)["result"] == "succeeded"
    session.stop()
    assert len(session.of(finished)) == 3
    session.close()


def test_a_photo_of_the_last_device_that_goes(engine: Engine) -> None:
    session = Session(engine, {"type": "photo"}, frameRate=1, unplugAt=1)
    session.advance(0.5)
    session.call("capturePhoto")
    session.advance(1)
    session.wait("captureSession/didStop")
    (failed,) = session.of("captureOutput/didFinishCapture")
    assert failed["error"]["data"]["name"] == "deviceWasDisconnected"
    session.close()


def test_nine_photos_are_one_too_many(engine: Engine) -> None:
    session = Session(engine, {"type": "photo"})
    for _ in range(8):
        session.call("capturePhoto", delivery="inline")
    with pytest.raises(EngineError) as refused:
        session.call("capturePhoto", delivery="inline")
    assert refused.value.data["name"] == "maximumStillImageCaptureRequestsExceeded"
    session.advance(0.1)
    assert len(session.of("captureOutput/didFinishCapture")) == 8
    session.close()


def test_a_preview_pushes_small_pictures(engine: Engine) -> None:
    session = Session(engine, {"type": "preview", "settings": {"delivery": "inline"}})
    session.advance(2)
    pushed = session.of("captureOutput/didOutput")
    assert len(pushed) == 30
    assert all(note["sampleBuffers"][0]["blob"]["mimeType"] == "image/jpeg" for note in pushed)
    assert "captureOutput/didDrop" not in {note["method"] for note in session.notes}
    session.close()


def test_levels(engine: Engine) -> None:
    session = Session(engine, {"type": "audioData"}, channels=2)
    session.call("observeLevels", interval=0.05)
    session.advance(0.06)
    (left, right) = session.call("levels")["channels"]
    assert left == right
    assert left["averagePowerLevel"] == pytest.approx(20 * math.log10(0.5 / math.sqrt(2)), abs=0.05)
    assert left["peakHoldLevel"] == pytest.approx(20 * math.log10(0.5), abs=0.01)
    session.advance(0.9)
    # Silence is -160, and never a value that JSON can't express.
    assert session.call("levels")["channels"][0] == {
        "averagePowerLevel": -160, "peakHoldLevel": -160,
    }  # fmt: skip
    assert 17 <= len(session.of("captureOutput/didMeasureLevels")) <= 19
    session.call("observeLevels", isObserving=False)
    before = len(session.of("captureOutput/didMeasureLevels"))
    session.advance(1)
    assert len(session.of("captureOutput/didMeasureLevels")) == before
    session.close()


def test_levels_of_several_inputs(engine: Engine, tmp_path: Path) -> None:
    """Each has its channels, in the order of the inputs, whatever the formats of the others are."""
    session = Session(engine, {"type": "movieFile"}, channels=2)
    session.configure({"add": "input", "device": "synthetic:2", "settings": {"sampleRate": 8000}})
    session.call("observeLevels", interval=0.05)
    session.advance(0.06)
    tone = pytest.approx(20 * math.log10(0.5 / math.sqrt(2)), abs=0.05)
    measured = session.of("captureOutput/didMeasureLevels")[-1]["channels"]
    for channels in (session.call("levels")["channels"], measured):
        assert [channel["averagePowerLevel"] for channel in channels] == [tone, tone, tone]
    session.close()


def test_a_photo_of_no_input_is_refused(engine: Engine) -> None:
    session = Session(engine, {"type": "photo"})
    session.call("capturePhoto")
    (connection,) = session.made["connections"]
    ends = {name: connection[name] for name in ("captureInput", "captureOutput", "mediaType")}
    session.configure({"disconnect": ends})
    failed = session.wait("captureOutput/didFinishCapture")
    assert failed["error"]["data"]["name"] == "incorrectlyConfigured"
    with pytest.raises(EngineError) as refused:
        session.call("capturePhoto")
    assert refused.value.data["name"] == "incorrectlyConfigured"
    session.close()


def test_what_an_output_can_not_do(engine: Engine) -> None:
    session = Session(engine, {"type": "photo"}, {"type": "videoData", "mode": "push"})
    for output, word, more in [
        (0, "nextSampleBuffers", {}), (1, "nextSampleBuffers", {}), (1, "capturePhoto", {}),
        (0, "levels", {}), (0, "stopRecording", {}), (1, "recordingState", {}),
    ]:  # fmt: skip
        with pytest.raises(EngineError) as refused:
            session.call(word, output, **more)
        assert refused.value.data["name"] == "operationNotAllowed", (word, refused.value)
    session.close()
