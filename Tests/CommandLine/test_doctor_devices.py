"""The findings of `reelwire doctor` about devices that are recorded and played on."""

from __future__ import annotations

import json
from pathlib import Path

from conftest import Program, environment
from pulse_server import AudioServer, needs_audio_server
from x_server import Display, needs_x_server

SUBJECTS = ["microphone", "screen", "camera", "audioOutput"]


def findings(program: Program, **variables: str) -> "dict[str, dict[str, str]]":
    """Its findings for each kind of devices."""
    ended = program("doctor", "--json", env=environment(**variables))
    assert ended.returncode == 0
    every = [json.loads(line) for line in ended.stdout.splitlines()]
    return {each["subject"]: each for each in every if "subject" in each}


def test_doctor_reports_the_devices_that_are_missing(program: Program) -> None:
    found = findings(program, PULSE_SERVER="unix:/nonexistent", DISPLAY=":987")
    assert list(found) == SUBJECTS
    for subject, reason, advice in [
        ("microphone", "no microphone can be recorded: the audio server", "PULSE_SERVER"),
        ("screen", "no screen can be recorded: the X server :987", "DISPLAY"),
        ("audioOutput", "no audio can be played: the audio server", "--audio-file"),
    ]:
        assert found[subject]["state"] == "missing"
        assert reason in found[subject]["message"] and advice in found[subject]["hint"]
    # A device that isn't needed is no error.
    nowhere = environment(PULSE_SERVER="unix:/nonexistent", DISPLAY=":987")
    text = program("doctor", env=nowhere).stdout.decode()
    assert "\n! no screen can be recorded: the X server :987 can't be reached\n  It needs" in text


@needs_audio_server
@needs_x_server
def test_doctor_reports_the_devices_that_are_there(program: Program, tmp_path: Path) -> None:
    server, display = AudioServer(tmp_path), Display()
    try:
        there = {"PULSE_SERVER": server.environment["PULSE_SERVER"], "DISPLAY": f":{display.number}"}
        found = findings(program, **there)
    finally:
        server.kill()
        display.kill()
    messages = {subject: found[subject]["message"] for subject in SUBJECTS if subject != "camera"}
    assert messages == {
        "microphone": "microphones can be recorded: pulse:out.monitor (default)",
        "screen": f"screens can be recorded: {display.id} (default)",
        "audioOutput": "audio can be played: pulse:out (default)",
    }
