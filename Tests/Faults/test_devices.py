"""The devices of an audio server, as they are listed."""

from __future__ import annotations

from typing import Any, Dict

from audio_server import AudioServer, needs_audio_server
from engine import Engine

pytestmark = needs_audio_server


def outputs(engine: Engine, **params: Any) -> Dict[str, Any]:
    found: Dict[str, Any] = engine.call("capture/devices", direction="output", **params)
    return found


def test_outputs_are_those_of_the_server(engine: Engine, server: AudioServer) -> None:
    server.load("module-null-sink", "sink_name=other", "rate=44100", "channels=1", "format=s16le",
                "sink_properties=device.description=Other")  # fmt: skip
    server.asked("set-default-sink", "other")
    result = outputs(engine)
    assert result["unavailable"] == []
    first, second = result["devices"]
    assert first == {
        "uniqueID": "pulse:other", "localizedName": "Other", "mediaTypes": ["audio"],
        "transport": "pulse", "isConnected": True, "isDefault": True, "isInUse": False,
        "formats": [{"index": 0, "mediaType": "audio", "sampleFormat": "s16",
                     "sampleRate": 44100, "channels": 1}],
    }  # fmt: skip
    assert (second["uniqueID"], second["isDefault"]) == ("pulse:out", False)
    assert outputs(engine, mediaType="audio") == result
    assert outputs(engine, mediaType="video") == {"devices": [], "unavailable": []}


def test_a_server_that_is_gone_is_a_reason(engine: Engine, server: AudioServer) -> None:
    server.kill()
    result = outputs(engine)
    assert result["devices"] == []
    (reason,) = result["unavailable"]
    assert reason["transport"] == "pulse"
    assert "the audio server can't be reached" in reason["reason"]
    # One that comes later is found.
    server.start()
    assert [device["uniqueID"] for device in outputs(engine)["devices"]] == ["pulse:out"]
