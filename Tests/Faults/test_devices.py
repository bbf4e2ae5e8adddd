"""The devices of an audio server: as they are listed, and as players use them."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Dict, List

import pytest

from audio_server import AudioServer, needs_audio_server, playing, until
from engine import Engine, EngineError
from waiting import eventually

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


def sinks(server: AudioServer) -> List[str]:
    """The sinks that audio goes to."""

    def rows(kind: str) -> List[List[str]]:
        return [line.split("\t") for line in (server.asked("list", "short", kind) or "").splitlines()]

    names = {row[0]: row[1] for row in rows("sinks")}
    return [names[row[1]] for row in rows("sink-inputs")]


def test_a_player_goes_to_another_output(
    engine: Engine, server: AudioServer, tmp_path: Path
) -> None:
    server.load("module-null-sink", "sink_name=other", "norewinds=1")
    player = playing(engine, tmp_path)
    assert sinks(server) == ["out"]
    engine.call("player/set", player=player, audioDevice="pulse:other", volume=0.5)
    until(engine, lambda change: change.get("effectiveRate") == 1)
    assert sinks(server) == ["other"]
    state = engine.call("player/state", player=player)
    assert (state["audio"]["state"], state["audio"]["device"]) == ("open", "pulse:other")
    assert (state["clock"], state["volume"]) == ("audio", 0.5)
    # An output that isn't there changes nothing.
    with pytest.raises(EngineError, match="pulse:gone") as refused:
        engine.call("player/set", player=player, audioDevice="pulse:gone", volume=1)
    assert refused.value.data["name"] == "deviceNotConnected"
    after = engine.call("player/state", player=player)
    assert after["audio"]["device"] == "pulse:other" and after["volume"] == 0.5
    assert after["revision"] == state["revision"] and sinks(server) == ["other"]
    # Without one, time continues by the system's clock; and back again.
    engine.call("player/set", player=player, audioDevice={"kind": "none"})
    eventually("the end of the stream", lambda: not sinks(server))
    state = engine.call("player/state", player=player)
    assert (state["clock"], state["effectiveRate"], state["audio"]["state"]) == ("host", 1, "none")
    engine.call("player/set", player=player, audioDevice=None)
    until(engine, lambda change: change.get("effectiveRate") == 1)
    assert sinks(server) == ["out"]


def test_an_output_is_chosen_when_a_player_is_made(
    engine: Engine, server: AudioServer, tmp_path: Path
) -> None:
    server.load("module-null-sink", "sink_name=other", "norewinds=1")
    playing(engine, tmp_path, audioDevice="pulse:other")
    assert sinks(server) == ["other"]
    lost = playing(engine, tmp_path, audioDevice="pulse:gone")
    audio = engine.call("player/state", player=lost)["audio"]
    assert (audio["state"], audio["error"]["code"]) == ("unavailable", -11814)


def test_a_player_goes_from_an_output_to_a_file(
    engine: Engine, server: AudioServer, tmp_path: Path
) -> None:
    player = playing(engine, tmp_path)
    engine.call(
        "player/set", player=player, audioDevice={"kind": "file", "path": str(tmp_path / "b.wav")}
    )
    assert not sinks(server)
    with pytest.raises(EngineError, match="writes an audio file"):
        engine.call("player/set", player=player, audioDevice=None)
    eventually(
        "audio", lambda: engine.call("player/state", player=player)["audio"]["framesPlayed"] > 4800
    )
    frames = engine.call("player/finishAudioFile", player=player)["frames"]
    assert frames > 4800
    engine.call("player/set", player=player, audioDevice=None)
    until(engine, lambda change: change.get("clock") == "audio")
    assert sinks(server) == ["out"]
