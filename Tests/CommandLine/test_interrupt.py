"""Ctrl-C, and other ways to be stopped."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path

import pytest

from conftest import Program


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_an_export_that_is_stopped_leaves_nothing(
    program: Program, long_clip: Path, number: signal.Signals, code: int
) -> None:
    with program.in_terminal(
        "export", str(long_clip), "out.mp4", "--preset", "HighestQuality"
    ) as terminal:
        # The encoder is at work when there is some progress.
        terminal.wait("left")
        terminal.process.send_signal(number)
        assert terminal.end() == code
    assert os.listdir(program.folder) == ["clip.mp4"]


@pytest.mark.parametrize("command", ["join", "compose"])
def test_what_is_made_of_parts_can_be_stopped_too(
    program: Program, long_clip: Path, command: str
) -> None:
    document = program.folder / "film.json"
    document.write_text(json.dumps({"clips": [{"url": str(long_clip)}]}))
    source = str(document if command == "compose" else long_clip)
    with program.in_terminal(command, source, "-o", "out.mp4", "-p", "HighestQuality") as terminal:
        terminal.wait("left")
        terminal.process.send_signal(signal.SIGINT)
        assert terminal.end() == 130
    assert sorted(os.listdir(program.folder)) == ["clip.mp4", "film.json"]


def test_progress_tells_speed_and_time(program: Program, long_clip: Path) -> None:
    with program.in_terminal(
        "export", str(long_clip), "out.mp4", "--preset", "HighestQuality"
    ) as terminal:
        terminal.wait("left")
        assert "%" in terminal.line and "x  " in terminal.line and "░" in terminal.line
        terminal.interrupt()
        assert terminal.end() == 130


def test_no_progress_without_a_terminal(program: Program) -> None:
    ended = program(*"export clip.mp4 out.mp4 --preset LowQuality".split())
    assert ended.returncode == 0
    assert b"\r" not in ended.stderr and b"%" not in ended.stderr


def test_the_progress_is_gone_at_the_end(program: Program) -> None:
    with program.in_terminal(*"export clip.mp4 out.mp4 --preset LowQuality".split()) as terminal:
        assert terminal.end() == 0
        assert "%" not in terminal.text
        assert terminal.text.startswith("out.mp4: 5 s")


def test_a_sheet_can_be_stopped(program: Program, long_clip: Path) -> None:
    arguments = ["sheet", str(long_clip), "--exact", "--count", "2000"]
    with program.in_terminal(*arguments) as terminal:
        terminal.wait("%")
        terminal.interrupt()
        assert terminal.end() == 130
    assert os.listdir(program.folder) == ["clip.mp4"]
