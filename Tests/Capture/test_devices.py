"""The devices of this machine, which come, go and change."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional

import pytest

from engine import Engine, EngineError
from pulse_server import AudioServer, needs_audio_server
from sessions import Session, device_process

CHANGES = "capture/didChangeDevices"
MONITOR = "pulse:other.monitor"


class Copy:
    """A client's copy of the list of devices, and the reports by which it is kept."""

    def __init__(self, engine: Engine, **query: str) -> None:
        self.engine = engine
        engine.call("capture/observeDevices", isObserving=True)
        self.query = query
        self.devices = self.listed()
        self.reports: List[Dict[str, Any]] = []

    def listed(self) -> Dict[str, Dict[str, Any]]:
        found = self.engine.call("capture/devices", **self.query)["devices"]
        return {device["uniqueID"]: device for device in found}

    def take(self) -> None:
        """Processes the notifications that have arrived."""
        self.engine.take()
        left = []
        for note in self.engine.notifications:
            if note["method"] != CHANGES:
                left.append(note)
                continue
            report = note["params"]
            assert any(report.values())
            self.reports.append(report)
            for gone in report["removed"]:
                del self.devices[gone]
            for device in report["added"]:
                assert device["uniqueID"] not in self.devices
                self.devices[device["uniqueID"]] = device
            for device in report["changed"]:
                assert self.devices[device["uniqueID"]] != device
                self.devices[device["uniqueID"]] = device
        self.engine.notifications = left

    def has(self, device: str, **values: Any) -> bool:
        found: Optional[Dict[str, Any]] = self.devices.get(device)
        return found is not None and all(found.get(key) == values[key] for key in values)

    def wait(self, device: str, **values: Any) -> None:
        """Returns when the copy has such a device."""
        self.take()
        while not self.has(device, **values):
            self.engine.receive()
            self.take()

    def wait_without(self, device: str) -> None:
        self.take()
        while self.has(device):
            self.engine.receive()
            self.take()


# MARK: Synthetic devices


def test_a_plug_by_script_is_reported_at_its_time(engine: Engine) -> None:
    copy = Copy(engine)
    session = Session(engine, unplugAt=1, replugAt=2)
    # Another input, so that the session continues.
    session.configure({"add": "input", "device": "synthetic:2", "settings": {"video": False}})
    session.advance(0.5)
    copy.take()
    assert copy.reports == []
    session.advance(0.6)
    notes = [note["params"] for note in session.notes if note["method"] == CHANGES]
    assert notes == [{"added": [], "removed": ["synthetic:1"], "changed": []}]
    assert "synthetic:1" not in copy.listed() and "synthetic:2" in copy.listed()
    session.advance(1)
    (_, back) = [note["params"] for note in session.notes if note["method"] == CHANGES]
    assert [device["uniqueID"] for device in back["added"]] == ["synthetic:1"]
    assert (back["removed"], back["changed"]) == ([], [])
    assert back["added"] == [copy.devices["synthetic:1"]] == [copy.listed()["synthetic:1"]]
    session.close()


@pytest.mark.parametrize("ending", ["close", "remove", "start"])
def test_a_device_is_back_with_the_end_of_its_script(engine: Engine, ending: str) -> None:
    copy = Copy(engine)
    session = Session(engine, unplugAt=1)
    session.advance(2)
    session.wait("captureSession/didStop")
    copy.reports = [note["params"] for note in session.notes if note["method"] == CHANGES]
    assert [report["removed"] for report in copy.reports] == [["synthetic:1"]]
    del copy.devices["synthetic:1"]
    if ending == "close":
        session.close()
    elif ending == "remove":
        session.configure({"remove": session.input})
    else:
        session.start()
    copy.wait("synthetic:1")
    assert copy.devices == copy.listed()


def test_nothing_is_reported_before_it_is_asked_for_and_after_its_end(engine: Engine) -> None:
    session = Session(engine, unplugAt=1, replugAt=2)
    session.configure({"add": "input", "device": "synthetic:2", "settings": {"video": False}})
    session.advance(1.5)
    assert session.of(CHANGES) == []
    copy = Copy(engine)
    assert "synthetic:1" not in copy.devices
    engine.call("capture/observeDevices", isObserving=True)
    session.advance(1)
    assert len(session.of(CHANGES)) == 1
    engine.call("capture/observeDevices", isObserving=False)
    engine.call("capture/observeDevices", isObserving=False)
    session.stop()
    session.start()
    session.advance(1.5)
    assert len(session.of(CHANGES)) == 1
    session.close()


def test_it_says_whether(engine: Engine) -> None:
    with pytest.raises(EngineError) as refused:
        engine.call("capture/observeDevices")
    assert refused.value.code == -32602


def test_the_next_process_of_devices_continues(engine: Engine) -> None:
    copy = Copy(engine)
    session = Session(engine, unplugAt=1)
    os.kill(device_process(engine), signal.SIGKILL)
    session.wait("captureSession/didStop")
    session.close()
    session = Session(engine, unplugAt=1)
    session.advance(2)
    session.wait(CHANGES)
    assert session.of(CHANGES)[0]["removed"] == ["synthetic:1"]
    session.close()
    assert copy.listed() == copy.devices


# MARK: Microphones


@pytest.fixture
def server(tmp_path: Path) -> Iterator[AudioServer]:
    server = AudioServer(tmp_path)
    yield server
    server.kill()


def listening(server: AudioServer, *arguments: str) -> Engine:
    environment = {"PULSE_SERVER": server.environment["PULSE_SERVER"]}
    return Engine("--allow-capture", "microphone", *arguments, environment=environment)


def null_sink(server: AudioServer) -> str:
    return server.load("module-null-sink", "sink_name=other", "rate=48000", "channels=2", "format=float32le")


@needs_audio_server
@pytest.mark.parametrize("arguments", [(), ("--no-isolation",)])
def test_microphones_come_and_go(server: AudioServer, arguments: "tuple[str, ...]") -> None:
    with listening(server, *arguments) as engine:
        copy = Copy(engine, mediaType="audio")
        assert not copy.has(MONITOR)
        module = null_sink(server)
        copy.wait(MONITOR, isMonitor=True, isDefault=False)
        assert server.asked("set-default-source", "other.monitor") is not None
        copy.wait(MONITOR, isDefault=True)
        assert sum(device["isDefault"] for device in copy.devices.values()
                   if device["transport"] == "pulse") == 1  # fmt: skip
        server.unload(module)
        copy.wait_without(MONITOR)
        copy.wait("pulse:out.monitor", isDefault=True)
        assert copy.devices == copy.listed()


@needs_audio_server
def test_a_server_comes_and_goes(server: AudioServer) -> None:
    with listening(server) as engine:
        copy = Copy(engine, mediaType="audio")
        assert copy.has("pulse:out.monitor")
        server.kill()
        copy.wait_without("pulse:out.monitor")
        server.start()
        copy.wait("pulse:out.monitor")
        assert copy.devices == copy.listed()


@needs_audio_server
def test_without_permission_microphones_are_none_of_its_business(server: AudioServer) -> None:
    environment = {"PULSE_SERVER": server.environment["PULSE_SERVER"]}
    with Engine(environment=environment) as engine:
        copy = Copy(engine)
        null_sink(server)
        session = Session(engine, unplugAt=1)
        session.advance(2)
        assert [note["removed"] for note in session.of(CHANGES)] == [["synthetic:1"]]
        assert set(copy.devices) == set(copy.listed()) | {"synthetic:1"}
