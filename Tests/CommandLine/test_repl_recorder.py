"""Devices are listed and recorded in a conversation: `devices`, `record` and `stop`."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any, Dict, List

import pytest

from conftest import BINARY, Program, environment
from terminal import Terminal
from test_record import streams
from test_repl import PROMPT, leave, say, talk
from test_repl_player import enter, prompted, serve
from waiting import HANG

NOWHERE = {"PULSE_SERVER": "unix:/nonexistent", "DISPLAY": ":987"}


class Talk:
    """A conversation by lines, each of which waits for the results of the one before it."""

    def __init__(self, program: Program) -> None:
        self.process = subprocess.Popen(
            [BINARY, "repl"], cwd=program.folder, env=environment(**NOWHERE), bufsize=0,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip

    def say(self, line: str) -> None:
        assert self.process.stdin
        self.process.stdin.write(line.encode() + b"\n")

    def until(self, word: str) -> Dict[str, Any]:
        """The first value that comes with a method, or a member, of that name."""
        assert self.process.stdout
        while line := self.process.stdout.readline():
            value: Dict[str, Any] = json.loads(line)
            if value.get("method") == word or word in value:
                return value
        raise AssertionError(f"{word} has not come: {self.end()}")

    def end(self) -> "tuple[int, List[Dict[str, Any]], str]":
        """The exit code, the values that weren't read, and the complaints."""
        out, errors = self.process.communicate(timeout=HANG)
        return self.process.returncode, [json.loads(line) for line in out.splitlines()], errors.decode()


def test_devices_are_those_of_the_protocol(program: Program) -> None:
    talk = Talk(program)
    for line in ("devices", "_.devices.0.uniqueID", "devices microphone", "devices output"):
        talk.say(line)
    code, (every, name, microphones, outputs), complaints = talk.end()
    assert (code, complaints) == (0, "")
    assert name == "synthetic:1" and every["devices"][0]["uniqueID"] == name
    assert {each["transport"] for each in every["unavailable"]} >= {"pulse", "screen"}
    # The line is the permission.
    reasons = {each["transport"]: each["reason"] for each in every["unavailable"]}
    assert "allow-capture" not in "".join(reasons.values())
    assert [each["transport"] for each in microphones["unavailable"]] == ["pulse"]
    assert outputs["devices"] == [] and outputs["unavailable"][0]["reason"]


def test_a_recording_is_stopped(program: Program) -> None:
    path = program.folder / "a.mp4"
    talk = Talk(program)
    talk.say(f"record {path} synthetic:1")
    assert talk.until("captureOutput")["captureSession"] == "captureSession:1"
    talk.until("captureOutput/didStartRecording")
    talk.say("record b.mp4 synthetic:2")
    talk.say("stop")
    assert talk.until("reason")["reason"] == "requested"
    end = talk.until("captureOutput/didFinishRecording")["params"]
    assert end["recordingSuccessfullyFinished"] and end["isPlainMovie"]
    talk.say("handle/list")
    talk.say("stop")
    code, values, complaints = talk.end()
    assert values[-1] == {"handles": []}
    assert "Something is recorded already\n  stop ends that first." in complaints
    assert "Nothing is played" in complaints and code == 1
    assert {stream["codec_type"] for stream in streams(path)} == {"video", "audio"}
    path.unlink()


def test_the_end_of_the_lines_is_that_of_the_recording(program: Program) -> None:
    path = program.folder / "a.wav"
    talk = Talk(program)
    talk.say("devices microphone")
    talk.say(f"record {path} _.devices.0.uniqueID")
    talk.until("captureOutput/didStartRecording")
    code, values, complaints = talk.end()
    assert (code, complaints) == (0, "")
    methods = [value.get("method") for value in values]
    assert methods.count("captureOutput/didFinishRecording") == 1
    assert [stream["codec_type"] for stream in streams(path)] == ["audio"]
    path.unlink()


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("record", "Usage: record FILE DEVICE…."),
        ("record a.mp4", "'record a.mp4' isn't how 'record' is used"),
        ("record - synthetic:1", "A recording can't go to stdout"),
        ("devices speaker", "Usage: devices [KIND]."),
        ("devices camera screen", "isn't how 'devices' is used"),
        ("record a.mp4 nothing:1", "There is no device 'nothing:1'"),
        ("record clip.mp4 synthetic:1", "exists"),
        ("record a.nothing synthetic:1", "a.nothing"),
    ],
)
def test_complaints(program: Program, line: str, complaint: str) -> None:
    results, _, complaints = serve(program, line, "handle/list", code=1)
    assert results == [{"handles": []}]
    assert complaint in complaints
    assert complaints.count("reelwire:") == 1


def test_a_default_that_is_not_there(program: Program) -> None:
    talk = Talk(program)
    talk.say("record a.wav microphone")
    code, values, complaints = talk.end()
    assert (code, values) == (1, [])
    assert complaints.startswith("reelwire: There is no microphone\n  ")


# In a terminal


def test_the_prompt_has_the_time_and_the_level(program: Program) -> None:
    path = program.folder / "a.mp4"
    with talk(program) as terminal:
        enter(terminal, f"record {path.name} synthetic:1")
        prompted(terminal, r"recording 0:0\d\.\d -\d+ dB")
        say(terminal, "stop")
        terminal.wait("← captureOutput/didFinishRecording")
        terminal.wait(lambda: terminal.line == PROMPT)
        leave(terminal)
    assert len(streams(path)) == 2
    path.unlink()


def test_leaving_completes_the_file(program: Program) -> None:
    path = program.folder / "a.mp4"
    with talk(program) as terminal:
        enter(terminal, f"record {path.name} synthetic:1")
        terminal.wait("← captureOutput/didStartRecording")
        prompted(terminal, r"recording .*dB")
        leave(terminal)
    subprocess.run(["ffmpeg", "-v", "error", "-xerror", "-i", str(path), "-f", "null", "-"], check=True)
    assert b"moof" not in path.read_bytes()[:64] and len(streams(path)) == 2
    path.unlink()


def test_help_has_the_lines(program: Program) -> None:
    assert "record FILE DEVICE…\n  It records devices" in help_of(program, "record")
    assert "devices [KIND]" in help_of(program, "devices")
    assert re.search("^record a.mp4 screen microphone", help_of(program, ""), re.M)


def help_of(program: Program, name: str) -> str:
    return program.ok("repl", input=f"help {name}\n".encode())
