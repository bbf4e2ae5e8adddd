"""The conversation, in a terminal and without one."""

from __future__ import annotations

import fcntl
import json
import os
import re
import struct
import termios
from pathlib import Path
from typing import Optional

import pytest

from conftest import ROOT, Program
from terminal import Terminal
from waiting import eventually

PROMPT = "reelwire>"


def talk(program: Program, *options: str, **variables: Optional[str]) -> Terminal:
    """A conversation that has begun, with a history of its own."""
    variables = {"XDG_STATE_HOME": str(program.folder / "state"), **variables}
    terminal = program.in_terminal("repl", *options, **variables)
    terminal.wait(lambda: terminal.line == PROMPT)
    return terminal


def say(terminal: Terminal, line: str) -> None:
    """Enters a line and waits for the next prompt."""
    terminal.type(line)
    terminal.wait(lambda: terminal.line.endswith(line[-20:].rstrip()))
    terminal.press("enter")
    terminal.wait(lambda: terminal.line == PROMPT)


def leave(terminal: Terminal) -> None:
    terminal.press("ctrl-d")
    assert terminal.end() == 0
    assert terminal.is_as_before


# The session on the page


def session() -> "list[str]":
    page = (ROOT / "docs/repl.md").read_text()
    block = re.search(r"^```console\n(.*?)^```$", page, re.S | re.M)
    assert block
    return block[1].splitlines()


def test_the_page_is_what_happens(program: Program) -> None:
    shown = session()
    assert shown[0] == "$ reelwire repl"
    with talk(program, NO_COLOR="1") as terminal:
        for line in shown:
            if not line.startswith(PROMPT):
                continue
            request = line.removeprefix(PROMPT).strip()
            if request == "exit":
                terminal.type("exit\r")
                assert terminal.end() == 0
                break
            say(terminal, request)
            if "loadValues" in request:
                terminal.wait("didLoadValues")
                terminal.wait(lambda: terminal.line == PROMPT)
        lines = terminal.text.splitlines()
    for expected, line in zip(shown[1:], lines):
        pattern = re.escape(expected).replace("…", ".*")
        assert re.fullmatch(pattern, line), f"{line}\nis not\n{expected}"
    assert len(lines) == len(shown) - 1


# Lines


def test_typing_ahead_is_kept(program: Program) -> None:
    with talk(program) as terminal:
        terminal.type("asset/open url=a\rasset/open url=b\rasset/open url=c")
        terminal.wait('"asset:2"')
        terminal.wait(lambda: terminal.line == f"{PROMPT} asset/open url=c")
        terminal.press("ctrl-c")
        terminal.wait(lambda: terminal.line == PROMPT)
        leave(terminal)


def test_a_mistake_is_told_and_survived(program: Program) -> None:
    with talk(program) as terminal:
        say(terminal, "asset/opn")
        assert "Did you mean 'asset/open'?" in terminal.text
        say(terminal, "asset/open url='x")
        assert "not closed" in terminal.text
        say(terminal, "{nonsense")
        assert "no JSON" in terminal.text
        say(terminal, "_.asset")
        assert "no result yet" in terminal.text
        say(terminal, "asset/open url=x")
        say(terminal, "help asset/tracks")
        assert "mediaCharacteristic?" in terminal.text
        leave(terminal)


# Editing


@pytest.mark.parametrize(
    ("typed", "keys", "line"),
    [
        ("time/ad", ["left", "x"], "time/axd"),
        ("föö bär", ["left", "left", "backspace"], "föö är"),
        ("a漢字b", ["left", "left", "x"], "a漢x字b"),
        ("one two three", ["ctrl-w"], "one two"),
        ("one two three", ["word-left", "ctrl-k"], "one two"),
        ("one two three", ["word-left", "ctrl-u"], "three"),
        ("one two", ["ctrl-u", "x", "ctrl-y"], "xone two"),
        ("ab", ["ctrl-t"], "ba"),
        ("abc", ["home", "delete"], "bc"),
        ("abc", ["ctrl-a", "ctrl-f", "ctrl-d"], "ac"),
        ("abc", ["home", "end", "x"], "abcx"),
        ("e\u0301a", ["left", "left", "delete"], "a"),
        ("x👩‍👩‍👧y", ["left", "backspace"], "xy"),
    ],
)
def test_editing(program: Program, typed: str, keys: list, line: str) -> None:
    with talk(program) as terminal:
        terminal.type(typed)
        for key in keys:
            if len(key) == 1:
                terminal.type(key)
            else:
                terminal.press(key)
        # A wide character occupies two cells, of which the second is empty in this screen.
        terminal.wait(lambda: terminal.line.replace("\0", "") == f"{PROMPT} {line}")
        terminal.press("ctrl-c")
        terminal.wait(lambda: terminal.line == PROMPT)
        leave(terminal)


def test_a_line_of_several_rows(program: Program) -> None:
    with talk(program) as terminal:
        long = "asset/open url=" + "0123456789" * 20
        terminal.type(long)
        rows = [f"{PROMPT} {long}"[start:start + 100] for start in range(0, 225, 100)]
        terminal.wait(lambda: terminal.lines[:3] == rows)
        terminal.press("home")
        terminal.type("xx")
        rows = [f"{PROMPT} xx{long}"[start:start + 100] for start in range(0, 227, 100)]
        terminal.wait(lambda: terminal.lines[:3] == rows)
        assert terminal.screen.cursor.y == 0
        terminal.press("ctrl-c")
        terminal.wait(lambda: terminal.line == PROMPT)
        assert terminal.text.splitlines() == [*rows, PROMPT]
        leave(terminal)


def test_a_row_that_is_just_full(program: Program) -> None:
    with talk(program) as terminal:
        text = "x" * (100 - len(PROMPT) - 1)
        terminal.type(text)
        terminal.wait(lambda: terminal.lines[0] == f"{PROMPT} {text}")
        terminal.wait(lambda: (terminal.screen.cursor.y, terminal.screen.cursor.x) == (1, 0))
        terminal.press("backspace")
        terminal.wait(lambda: (terminal.screen.cursor.y, terminal.screen.cursor.x) == (0, 99))
        terminal.press("ctrl-c")
        leave(terminal)


def test_another_width(program: Program) -> None:
    with talk(program) as terminal:
        terminal.screen.resize(40, 50)
        fcntl.ioctl(terminal.controller, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 50, 0, 0))
        terminal.type("y" * 60)
        rows = [f"{PROMPT} {'y' * 60}"[start:start + 50] for start in (0, 50)]
        terminal.wait(lambda: terminal.lines[:2] == rows)
        terminal.press("ctrl-c")
        leave(terminal)


def test_what_is_pasted_is_one_line(program: Program) -> None:
    with talk(program) as terminal:
        terminal.type('\x1b[200~asset/open {\n"url":\t"clip.mp4"}\r\n\x1b[201~')
        terminal.wait(lambda: terminal.line == PROMPT + ' asset/open { "url": "clip.mp4"}')
        terminal.press("enter")
        terminal.wait('"asset:1"')
        leave(terminal)


def test_each_line_that_is_pasted_is_run(program: Program) -> None:
    with talk(program) as terminal:
        lines = "asset/open url=clip.mp4\nasset/open {\n  \"url\": \"b.mp4\"\n}\n_.asset\n"
        terminal.type(f"\x1b[200~{lines}\x1b[201~")
        terminal.wait(lambda: terminal.line == f"{PROMPT} _.asset")
        shown = "\n".join(terminal.lines)
        assert f"{PROMPT} asset/open url=clip.mp4" in shown
        assert f'{PROMPT} asset/open {{   "url": "b.mp4" }}' in shown
        assert '"asset:1"' in shown and '"asset:2"' in shown
        # The last one waits for Enter, as a line that is pasted alone does.
        terminal.press("enter")
        terminal.wait(lambda: sum('"asset:2"' in each for each in terminal.lines) == 2)
        leave(terminal)


# History


def test_lines_are_remembered(program: Program) -> None:
    with talk(program) as terminal:
        say(terminal, "asset/open url=one")
        say(terminal, "asset/open url=two")
        say(terminal, " asset/open url=secret")
        leave(terminal)
    history = program.folder / "state/reelwire/history"
    assert history.read_text() == "asset/open url=one\nasset/open url=two\n"
    assert history.stat().st_mode & 0o777 == 0o600
    with talk(program) as terminal:
        terminal.type("draft")
        terminal.press("up")
        terminal.wait(lambda: terminal.line.endswith("url=two"))
        terminal.press("up")
        terminal.wait(lambda: terminal.line.endswith("url=one"))
        terminal.press("down")
        terminal.press("down")
        terminal.wait(lambda: terminal.line == f"{PROMPT} draft")
        terminal.press("ctrl-r")
        terminal.type("open")
        terminal.wait(lambda: terminal.line == "(search 'open') asset/open url=two")
        terminal.press("ctrl-r")
        terminal.wait(lambda: terminal.line == "(search 'open') asset/open url=one")
        terminal.type("x")
        terminal.wait(lambda: terminal.line.startswith("(failed search 'openx')"))
        terminal.press("backspace")
        terminal.press("enter")
        terminal.wait('"asset:1"')
        terminal.press("ctrl-r")
        terminal.type("two")
        terminal.press("ctrl-g")
        terminal.wait(lambda: terminal.line == PROMPT)
        leave(terminal)


# Completion


@pytest.mark.parametrize(
    ("start", "line"),
    [
        ("asset/op", "asset/open"),
        ("imageGenerator/generateImage ", None),
        ("asset/tracks asse", "asset/tracks asset="),
        ("asset/tracks asset=", "asset/tracks asset=asset:1"),
        ("asset/tracks mediaType=vi", "asset/tracks mediaType=video"),
        ("asset/loadValues k", "asset/loadValues keys:="),
        ("asset/loadValues keys:=", 'asset/loadValues keys:=["'),
        ('asset/loadValues keys:=["dur', 'asset/loadValues keys:=["duration"'),
        ('asset/loadValues keys:=["duration","natu', 'asset/loadValues keys:=["duration","naturalSize"'),
        ("asset/loadValues --", "asset/loadValues --wait"),
        ("asset/open url=cl", "asset/open url=clip.mp4"),
        ("asset/open url=su", "asset/open url=sub/"),
        ("asset/open url=sub/", "asset/open url=sub/a\\ b.mp4"),
        ("asset/tracks asset=_", "asset/tracks asset=_."),
        ("asset/tracks asset=_.", "asset/tracks asset=_.asset"),
        ("help wave", "help waveform/generate"),
    ],
)  # fmt: skip
def test_completion(program: Program, start: str, line: Optional[str]) -> None:
    (program.folder / "sub").mkdir()
    (program.folder / "sub/a b.mp4").touch()
    with talk(program) as terminal:
        say(terminal, "asset/open url=clip.mp4")
        terminal.type(start)
        terminal.press("tab")
        if line is None:
            terminal.wait("imageGenerator=")
            terminal.wait("quality:=")
            terminal.wait(lambda: terminal.line == f"{PROMPT} {start.rstrip()}")
        else:
            terminal.wait(lambda: terminal.line == f"{PROMPT} {line}")
        terminal.press("ctrl-c")
        leave(terminal)


@pytest.mark.parametrize(
    ("start", "line"),
    [
        ("asset/tracks asset=c", "asset/tracks asset=composition:1"),
        ("composition/insertTimeRange composition=", "composition/insertTimeRange composition=composition:1"),
    ],
)
def test_a_composition_completes_where_an_asset_does(program: Program, start: str, line: str) -> None:
    with talk(program) as terminal:
        say(terminal, "asset/open url=clip.mp4")
        say(terminal, "composition/create")
        terminal.type(start)
        terminal.press("tab")
        terminal.wait(lambda: terminal.line == f"{PROMPT} {line}")
        terminal.press("ctrl-c")
        leave(terminal)


# Work


def test_ctrl_c_cancels_what_runs(program: Program, long_clip: Path) -> None:
    with talk(program) as terminal:
        say(terminal, f"asset/open url={long_clip}")
        say(terminal, "exportSession/create asset=_.asset preset=HighestQuality outputURL=o.mp4")
        terminal.type("exportSession/export exportSession=_.exportSession --wait\r")
        terminal.wait("left")
        terminal.press("ctrl-c")
        terminal.wait("cancelled")
        terminal.wait(lambda: terminal.line == PROMPT)
        # The request is answered at once; the export ends a little later.
        def status() -> str:
            say(terminal, "exportSession/status exportSession=exportSession:1")
            return str(re.findall(r'"status": "(\w+)"', terminal.text)[-1])

        eventually(status, lambda: status() != "exporting")
        assert status() == "cancelled"
        leave(terminal)
    assert not list(program.folder.glob("*o.mp4*"))


def test_the_prompt_tells_progress(program: Program, long_clip: Path) -> None:
    with talk(program) as terminal:
        say(terminal, f"asset/open url={long_clip}")
        say(terminal, "exportSession/create asset=_.asset preset=HighestQuality outputURL=o.mp4")
        terminal.type("exportSession/export exportSession=_.exportSession progressInterval:=0.05\r")
        # The prompt shows the progress.
        terminal.wait(lambda: bool(re.fullmatch(r"reelwire \d+ %>", terminal.line)))
        terminal.type("exportSession/cancel exportSession=exportSession:1\r")
        terminal.wait(lambda: "← exportSession/didFinish" in terminal.text)
        terminal.wait(lambda: terminal.line == PROMPT)
        leave(terminal)


def test_notifications_come_above_the_line(program: Program) -> None:
    with talk(program) as terminal:
        say(terminal, "asset/open url=clip.mp4")
        say(terminal, "exportSession/create asset=_.asset preset=HighestQuality outputURL=o.mp4")
        terminal.type("exportSession/export exportSession=_.exportSession\rhalf a li")
        terminal.wait("← exportSession/didFinish")
        terminal.wait(lambda: terminal.line == f"{PROMPT} half a li")
        terminal.type("ne")
        terminal.wait(lambda: terminal.line == f"{PROMPT} half a line")
        assert terminal.text.count("half a line") == 1
        terminal.press("ctrl-c")
        leave(terminal)


def test_leaving_ends_the_work(program: Program, long_clip: Path) -> None:
    with talk(program) as terminal:
        say(terminal, f"asset/open url={long_clip}")
        say(terminal, "exportSession/create asset=_.asset preset=HighestQuality outputURL=o.mp4")
        terminal.type("exportSession/export exportSession=_.exportSession\r")
        terminal.wait(lambda: bool(re.search(r"[1-9]\d* %>$", terminal.line)))
        leave(terminal)
    assert not list(program.folder.glob("*o.mp4*"))


def test_a_signal_sets_the_terminal_back(program: Program) -> None:
    with talk(program) as terminal:
        terminal.process.terminate()
        assert terminal.end() == 143
        assert terminal.is_as_before


# Pictures


@pytest.mark.parametrize(
    ("options", "variables", "sign"),
    [
        ([], {"TERM": "xterm-kitty"}, b"\x1b_Ga=T,f=24,"),
        ([], {"TERM_PROGRAM": "iTerm.app"}, b"\x1b]1337;File=inline=1;"),
        (["--pictures", "sixel"], {}, b'\x1bPq"1;1;'),
        ([], {}, b"\x1b[38;5;"),
        ([], {"COLORTERM": "truecolor"}, b"\x1b[38;2;"),
        ([], {"NO_COLOR": "1"}, None),
        (["--pictures", "none"], {}, None),
    ],
)
def test_pictures_are_shown(
    program: Program, options: list, variables: dict, sign: Optional[bytes]
) -> None:
    with talk(program, *options, **variables) as terminal:
        say(terminal, "asset/open url=clip.mp4")
        say(terminal, "imageGenerator/create asset=asset:1")
        terminal.type("imageGenerator/generateImage imageGenerator=_.imageGenerator time=1\r")
        terminal.wait("isExact")
        terminal.wait(lambda: terminal.line.startswith(PROMPT))
        # They have no handle that the person could see.
        say(terminal, "handle/list")
        assert "asset:2" not in terminal.text
        for known in (b"\x1b_G", b"\x1b]1337", b"\x1bPq", b"\x1b[38;5;", b"\x1b[38;2;"):
            assert (known in terminal.raw) == (sign is not None and sign.startswith(known))
        if sign:
            assert sign in terminal.raw
        leave(terminal)


# Without a terminal


def test_lines_of_a_file(program: Program) -> None:
    lines = [
        "# a comment", "",
        "asset/open url=clip.mp4",
        'asset/loadValues asset=_.asset keys:=["duration"]',
        "exportSession/create asset=asset:1 preset=Passthrough outputURL=o.mov",
        "exportSession/export exportSession=_.exportSession progressInterval:=0",
        '{"jsonrpc":"2.0","id":"x","method":"time/seconds","params":{"time":"3/2"}}',
        '[{"jsonrpc":"2.0","id":1,"method":"nope"},{"jsonrpc":"2.0","method":"blob/release"}]',
    ]  # fmt: skip
    ended = program("repl", input="\n".join(lines).encode())
    assert (ended.returncode, ended.stderr) == (0, b"")
    answers = [json.loads(line) for line in ended.stdout.splitlines()]
    results = [answer for answer in answers if isinstance(answer, list) or "method" not in answer]
    assert results[0] == {"asset": "asset:1"}
    assert results[4] == {"jsonrpc": "2.0", "id": "x", "result": {"seconds": 1.5}}
    assert results[5][0]["error"]["code"] == -32601 and len(results[5]) == 1
    methods = [answer["method"] for answer in answers if "method" in answer]
    assert sorted(methods) == ["asset/didLoadValues", "exportSession/didFinish"]
    assert (program.folder / "o.mov").exists()


def test_an_error_among_lines_is_1(program: Program) -> None:
    ended = program("repl", input=b"nonsense\ntime/add lhs=1 rhs=2\n")
    assert ended.returncode == 1
    assert json.loads(ended.stdout) == {"time": {"value": 3, "timescale": 1}}
    assert b"nonsense" in ended.stderr


def test_exit_among_lines(program: Program) -> None:
    ended = program("repl", input=b"time/add lhs=1 rhs=2\nexit\ntime/add lhs=1 rhs=3\n")
    assert ended.returncode == 0
    assert ended.stdout.count(b"\n") == 1


def test_a_dumb_terminal_gets_no_escapes(program: Program) -> None:
    with program.in_terminal("repl", TERM="dumb") as terminal:
        terminal.type("time/add lhs=1 rhs=2\n\x04")
        assert terminal.end() == 0
        assert b"\x1b" not in terminal.raw
        assert '"value": 3' in terminal.text
