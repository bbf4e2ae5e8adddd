"""Files are played in a conversation: `play`, `pause`, `seek` and the other lines of its player."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Dict, List, Tuple

import pytest

from conftest import Program, ffmpeg
from terminal import Terminal
from test_repl import PROMPT, leave, say, talk

Value = Dict[str, object]


@pytest.fixture(scope="session")
def short(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("tunes") / "short.wav"
    ffmpeg(["-f", "lavfi", "-i", "sine=duration=0.2", path])
    return path


def serve(program: Program, *lines: str, code: int = 0) -> Tuple[List[Value], List[Value], str]:
    """The results of lines, the notifications, and the complaints."""
    ended = program("repl", input="\n".join(lines).encode())
    assert ended.returncode == code, ended.stderr.decode()
    values = [json.loads(line) for line in ended.stdout.decode().splitlines()]
    notifications = [value for value in values if isinstance(value, dict) and "method" in value]
    results = [value for value in values if value not in notifications]
    return results, notifications, ended.stderr.decode()


def test_a_file_is_played_to_its_end(program: Program, short: Path) -> None:
    results, notifications, _ = serve(program, f"play {short}")
    assert results == [{"player": "player:1", "items": ["playerItem:1"]}]
    methods = [notification["method"] for notification in notifications]
    assert "playerItem/didPlayToEndTime" in methods
    assert methods[-1] == "player/didChange"
    changes = [each["params"]["changes"] for each in notifications if each["method"] == "player/didChange"]  # type: ignore[index]
    # The number of changes in one report depends on how soon each is read.
    rates = [change["rate"] for change in changes if "rate" in change]
    assert rates in ([1, 0], [0])


def test_files_are_played_one_after_the_other(program: Program, short: Path) -> None:
    _, notifications, _ = serve(program, f"play {short} {short}")
    ends = [
        each["params"]["playerItem"]  # type: ignore[index]
        for each in notifications
        if each["method"] == "playerItem/didPlayToEndTime"
    ]
    assert ends == ["playerItem:1", "playerItem:2"]


def test_lines_are_requests(program: Program) -> None:
    lines = "pause / seek 1.01 / step -1 / step 3 / _.sampleIndex / volume 0.5 / rate 2 / pause / play / stop"
    results, notifications, _ = serve(program, "play clip.mp4", *lines.split(" / "), "handle/list")
    results = results[1:]
    assert results[0]["rate"] == 0
    assert results[1]["actualTime"] == {"value": 101, "timescale": 100}
    assert [results[index]["sampleIndex"] for index in (2, 3)] == [24, 27]
    assert [results[4], results[5]] == [27, {}]
    assert [results[index]["rate"] for index in (6, 7, 8)] == [2, 0, 1]
    # An asset that was opened for it is closed.
    assert results[9:] == [{}, {"handles": []}]
    volumes = [
        each["params"]["changes"]["volume"]  # type: ignore[index]
        for each in notifications
        if "volume" in each["params"].get("changes", {})  # type: ignore[attr-defined]
    ]
    assert volumes == [0.5]


def test_the_next_file_and_another_player(program: Program, short: Path) -> None:
    lines = (f"play clip.mp4 {short}", "next", "play clip.mp4", "_.items.0", "stop", "handle/list")
    results, _, _ = serve(program, *lines)
    assert results[1]["currentItem"] == "playerItem:2"
    assert results[2] == {"player": "player:2", "items": ["playerItem:3"]}
    assert results[3:] == ["playerItem:3", {}, {"handles": []}]


def test_what_is_open_already_is_played_and_stays_open(program: Program) -> None:
    lines = ("asset/open url=clip.mp4", "play _.asset", "pause", "stop", "handle/list")
    results, _, _ = serve(program, *lines)
    assert results[1] == {"player": "player:1", "items": ["playerItem:1"]}
    assert [each["handle"] for each in results[-1]["handles"]] == ["asset:1"]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("pause", "Nothing is played\n  play FILE plays a file."),
        ("step", "Nothing is played"),
        ("stop", "Nothing is played"),
        ("seek", "Usage: seek TIME."),
        ("seek soon", "'seek soon' isn't how 'seek' is used"),
        ("step 1.5", "Usage: step [COUNT]."),
        ("pause clip.mp4", "Usage: pause. It stops"),
        ("rate fast", "Usage: rate RATE."),
        ("play -", "Lines come from stdin"),
    ],
)
def test_complaints(program: Program, line: str, complaint: str) -> None:
    results, _, complaints = serve(program, line, code=1)
    assert results == []
    assert complaint in complaints


def test_values_are_those_of_the_protocol(program: Program) -> None:
    _, _, complaints = serve(program, "play clip.mp4", "volume 2", "rate 33", "stop", code=1)
    assert "volume: expected a number from 0 to 1, got 2" in complaints
    assert "rate: expected a number from -32 to 32" in complaints


@pytest.mark.parametrize("name", ["broken.mp4", "missing.mp4"])
def test_a_file_that_fails_is_an_error(program: Program, name: str) -> None:
    (program.folder / "broken.mp4").write_text("This is no media.\n" * 9)
    _, notifications, complaints = serve(program, f"play {name}", code=1)
    assert "playerItem/didFailToPlayToEndTime" in [each["method"] for each in notifications]
    assert f"reelwire: Can't open '{name}'" in complaints


# In a terminal


def prompted(terminal: Terminal, pattern: str) -> None:
    terminal.wait(lambda: bool(re.fullmatch(f"reelwire {pattern}>", terminal.line)))


def enter(terminal: Terminal, line: str) -> None:
    terminal.type(line)
    terminal.wait(lambda: terminal.line.endswith(line))
    terminal.press("enter")


def test_the_prompt_has_the_time_and_the_rate(program: Program) -> None:
    with talk(program) as terminal:
        enter(terminal, "play clip.mp4")
        prompted(terminal, r"0:0\d\.\d{3} 1x")
        prompted(terminal, r"0:0\d\.[1-9]00 1x")
        enter(terminal, "pause")
        prompted(terminal, r"0:0\d\.\d{3} paused")
        enter(terminal, "seek 3.5")
        prompted(terminal, r"0:03\.500 paused")
        enter(terminal, "step -1")
        prompted(terminal, r"0:03\.440 paused")
        enter(terminal, "rate 2")
        prompted(terminal, r"0:0\d\.\d{3} 2x")
        # The end is printed as a line; values in the prompt aren't.
        terminal.wait("← playerItem/didPlayToEndTime")
        prompted(terminal, r"0:05\.000 paused")
        assert terminal.text.count("←") == 1
        enter(terminal, "stop")
        terminal.wait(lambda: terminal.line == PROMPT)
        leave(terminal)


def test_a_failure_is_shown_above_the_prompt(program: Program) -> None:
    with talk(program, NO_COLOR="1") as terminal:
        enter(terminal, "play missing.mp4")
        terminal.wait("reelwire: Can't open 'missing.mp4'")
        prompted(terminal, r"0:00\.000 paused")
        assert "←" not in terminal.text
        leave(terminal)


@pytest.mark.parametrize(
    ("start", "line"),
    [
        ("vol", "volume"),
        ("pau", "pause"),
        ("help see", "help seek"),
        ("play cl", "play clip.mp4"),
        ("play clip.mp4 cl", "play clip.mp4 clip.mp4"),
        ("play _", "play _."),
    ],
)
def test_completion(program: Program, start: str, line: str) -> None:
    with talk(program) as terminal:
        terminal.type(start)
        terminal.press("tab")
        terminal.wait(lambda: terminal.line == f"{PROMPT} {line}")
        terminal.press("ctrl-c")
        leave(terminal)


def test_help(program: Program) -> None:
    with talk(program) as terminal:
        say(terminal, "help")
        assert "play clip.mp4 " in terminal.text
        say(terminal, "help step")
        assert "step [COUNT]\n  It pauses, and moves by frames" in terminal.text
        leave(terminal)
