"""Files are played one after the other: into a file sample for sample, as events, and for a person with keys."""

from __future__ import annotations

import json
import re
import struct
import subprocess
from pathlib import Path
from typing import Dict, List

import pytest

from conftest import BINARY, Program, environment, ffmpeg
from pulse_server import AudioServer, needs_audio_server
from terminal import Terminal
from waiting import HANG

Event = Dict[str, object]


def decoded(path: Path, *arguments: object) -> bytes:
    """The samples of a file as ffmpeg decodes them, 48 kHz, stereo, floating point."""
    command = ["ffmpeg", "-nostdin", "-v", "error", "-i", str(path), *map(str, arguments)]
    command += ["-map", "0:a:0", "-f", "f32le", "-ar", "48000", "-ac", "2", "-"]
    return subprocess.run(command, check=True, capture_output=True, timeout=HANG).stdout


def samples(path: Path) -> bytes:
    """The samples of a WAV file, which has to be as long as its header states."""
    data = path.read_bytes()
    assert (data[:4], data[8:12]) == (b"RIFF", b"WAVE")
    place = 12
    while data[place : place + 4] != b"data":
        place += 8 + struct.unpack_from("<I", data, place + 4)[0]
    (size,) = struct.unpack_from("<I", data, place + 4)
    assert size == len(data) - place - 8
    return data[place + 8 :]


def events(output: bytes) -> List[Event]:
    return [json.loads(line) for line in output.decode().splitlines()]


def noise(path: Path, seconds: object, seed: int) -> Path:
    source = f"anoisesrc=d={seconds}:r=48000:seed={seed}:a=0.5,aformat=channel_layouts=stereo"
    ffmpeg(["-f", "lavfi", "-i", source, "-c:a", "pcm_s16le" if path.suffix == ".wav" else "flac", path])
    return path


@pytest.fixture(scope="session")
def tunes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with `a.wav` and `b.flac`, whose ends aren't at whole seconds, and shorter and longer ones."""
    folder = tmp_path_factory.mktemp("tunes")
    noise(folder / "a.wav", "1.2345", 1)
    noise(folder / "b.flac", "0.7", 2)
    noise(folder / "short.wav", "0.25", 3)
    ffmpeg(["-f", "lavfi", "-i", "sine=duration=120", folder / "long.flac"])
    (folder / "broken.wav").write_bytes(b"This is no media at all.\n" * 40)
    return folder


# Into a file


def test_a_file_gets_the_samples(program: Program, tunes: Path) -> None:
    ended = program("play", str(tunes / "a.wav"), "--audio-file", "out.wav")
    assert (ended.returncode, ended.stdout) == (0, b"")
    assert re.fullmatch(r"out\.wav: 1\.23\d s, 47\d kB\n", ended.stderr.decode())
    assert samples(program.folder / "out.wav") == decoded(tunes / "a.wav")


def test_files_follow_each_other_without_a_gap(program: Program, tunes: Path) -> None:
    names = [str(tunes / name) for name in ("a.wav", "b.flac", "short.wav", "a.wav")]
    program.ok("play", *names, "--audio-file", "out.wav")
    expected = b"".join(decoded(Path(name)) for name in names)
    assert samples(program.folder / "out.wav") == expected


def test_sound_of_a_video_is_as_long_as_the_video(program: Program) -> None:
    program.ok("play", "clip.mp4", "--audio-file", "out.wav")
    assert len(samples(program.folder / "out.wav")) == 5 * 48000 * 8


def test_opus_in_webm_follows_without_a_gap(program: Program) -> None:
    """Matroska's clock has milliseconds, and the last packet states its padding."""
    noise = ["-f", "lavfi", "-i", "anoisesrc=d=1.2345:r=48000:seed=1", "-ac", "2", "-c:a", "libopus"]
    ffmpeg([*noise, str(program.folder / "o.webm")])
    program.ok("play", "o.webm", "o.webm", "--audio-file", "out.wav")
    once = decoded(program.folder / "o.webm")
    # 1.2345 s.
    assert len(once) == 59256 * 8
    assert samples(program.folder / "out.wav") == once + once


def test_damage_is_stated(program: Program, tunes: Path) -> None:
    whole = (tunes / "b.flac").read_bytes()
    (program.folder / "cut.flac").write_bytes(whole[: len(whole) * 2 // 3])
    ended = program("play", "cut.flac", "--audio-file", "out.wav")
    assert ended.returncode == 0
    assert re.search(r"^left out of 'cut\.flac': .", ended.stderr.decode(), re.M)


def test_a_file_without_sound_is_reported_once(program: Program, tunes: Path) -> None:
    ffmpeg(["-f", "lavfi", "-i", "sine=d=20", "-c:a", "aac", str(program.folder / "whole.m4a")])
    table = (program.folder / "whole.m4a").read_bytes().replace(b"stsz", b"free")
    (program.folder / "silent.m4a").write_bytes(table)
    ended = program("play", "silent.m4a", str(tunes / "a.wav"), "--audio-file", "out.wav", "--json")
    assert ended.returncode == 1
    methods = [json.loads(line)["method"] for line in ended.stdout.splitlines()]
    assert methods.count("playerItem/didFailToPlayToEndTime") == 1
    assert ended.stderr.decode().count("finds no sample in it") == 1
    assert samples(program.folder / "out.wav") == decoded(tunes / "a.wav")


def test_stdin_is_played_once(program: Program) -> None:
    assert "stdin ('-') can be played once" in program.fails(2, "play", "-", "-", "--audio-file", "out.wav")


def test_a_part_of_each_file(program: Program, tunes: Path) -> None:
    names = [str(tunes / "a.wav"), str(tunes / "b.flac")]
    program.ok("play", *names, "--start", "0.25", "--end", "0.5", "--audio-file", "out.wav")
    frame = 8
    parts = [decoded(Path(name))[12000 * frame : 24000 * frame] for name in names]
    assert samples(program.folder / "out.wav") == b"".join(parts)
    program.ok("play", *names, "--start", "0.25", "--duration", "0.25", "--audio-file", "same.wav")
    assert (program.folder / "same.wav").read_bytes() == (program.folder / "out.wav").read_bytes()


@pytest.mark.parametrize("options", [["--end", "20"], ["--start", "0.25", "--duration", "20"]])
def test_an_end_after_the_file_s_own_is_that(program: Program, tunes: Path, options: List[str]) -> None:
    program.ok("play", str(tunes / "a.wav"), *options, "--audio-file", "out.wav")
    start = 12000 if "--start" in options else 0
    assert samples(program.folder / "out.wav") == decoded(tunes / "a.wav")[start * 8 :]


def test_a_loop_of_more_than_the_file_has_no_silence(program: Program, tunes: Path) -> None:
    arguments = ("play", str(tunes / "short.wav"), "--loop", "--end", "3600", "--no-audio", "--json")
    with program.start(*arguments) as process:
        assert process.stdout
        assert any(json.loads(line)["method"] == "playerLooper/didLoop" for line in process.stdout)
        process.terminate()
        process.communicate(timeout=HANG)


def test_a_part_that_has_no_end(program: Program, tunes: Path) -> None:
    program.ok("play", str(tunes / "a.wav"), "--start", "1/4", "--audio-file", "out.wav")
    assert samples(program.folder / "out.wav") == decoded(tunes / "a.wav")[12000 * 8 :]


def test_a_rate_shortens_and_a_volume_scales(program: Program, tunes: Path) -> None:
    program.ok("play", str(tunes / "short.wav"), "--rate", "2", "--audio-file", "fast.wav")
    assert len(samples(program.folder / "fast.wav")) == 6000 * 8
    program.ok("play", str(tunes / "short.wav"), "--volume", "0.5", "--audio-file", "soft.wav")
    loud, soft = decoded(tunes / "short.wav"), samples(program.folder / "soft.wav")
    values = struct.unpack(f"<{len(loud) // 4}f", loud)
    assert struct.unpack(f"<{len(soft) // 4}f", soft) == tuple(value / 2 for value in values)


def test_a_rate_without_audio_is_a_note(program: Program, tunes: Path) -> None:
    note = b"Rates above 2 have no audio"
    ended = program("play", str(tunes / "short.wav"), "--rate", "2.5", "--audio-file", "silent.wav")
    assert ended.returncode == 0 and ended.stderr.startswith(note) and b"silent.wav" in ended.stderr
    assert samples(program.folder / "silent.wav") == bytes(4800 * 8)
    for options in (["--rate", "2", "--audio-file", "heard.wav"], ["--rate", "32", "--no-audio"]):
        assert note not in program("play", str(tunes / "short.wav"), *options).stderr
    assert any(samples(program.folder / "heard.wav"))
    assert note in b" ".join(program("play", "--help").stdout.split())


def test_a_file_between_two_good_ones_fails(program: Program, tunes: Path) -> None:
    names = [str(tunes / name) for name in ("a.wav", "broken.wav", "b.flac")]
    ended = program("play", *names, "--audio-file", "out.wav")
    assert ended.returncode == 1
    assert "broken.wav" in ended.stderr.decode()
    expected = decoded(tunes / "a.wav") + decoded(tunes / "b.flac")
    assert samples(program.folder / "out.wav") == expected


@pytest.mark.parametrize("name", ["broken.wav", "missing.wav"])
def test_no_file_is_made_of_nothing(program: Program, tunes: Path, name: str) -> None:
    complaint = program.fails(1, "play", str(tunes / name), "--audio-file", "out.wav")
    assert name in complaint
    assert not (program.folder / "out.wav").exists()


@pytest.mark.parametrize("options", [["--audio-file", "out.wav"], ["--no-audio"]])
def test_a_start_after_the_end_is_an_error(program: Program, tunes: Path, options: List[str]) -> None:
    complaint = program.fails(1, "play", str(tunes / "a.wav"), "--start", "1.25", *options)
    assert "a.wav' has ended before 1.25 s: it lasts 1.235 s" in complaint
    assert "Give an earlier --start" in complaint
    assert not (program.folder / "out.wav").exists()


def test_a_file_that_ends_before_the_start_is_left_out(program: Program, tunes: Path) -> None:
    names = [str(tunes / "short.wav"), str(tunes / "a.wav")]
    ended = program("play", *names, "--start", "0.25", "--audio-file", "out.wav")
    assert ended.returncode == 1
    assert "short.wav' has ended before 0.25 s" in ended.stderr.decode()
    assert samples(program.folder / "out.wav") == decoded(tunes / "a.wav")[12000 * 8 :]


def test_an_existing_file_stays(program: Program, tunes: Path) -> None:
    (program.folder / "out.wav").write_text("mine")
    assert "out.wav" in program.fails(1, "play", str(tunes / "a.wav"), "--audio-file", "out.wav")
    assert (program.folder / "out.wav").read_text() == "mine"


# Command lines


@pytest.mark.parametrize(
    "options",
    [
        ["--loop", "--audio-file", "out.wav"],
        ["--audio-file", "out.wav", "--no-audio"],
        ["--audio-file", "-"],
        ["--audio-device", "pulse:x", "--no-audio"],
        ["--rate", "0"],
        ["--rate", "33"],
        ["--rate", "nan"],
        ["--volume", "1.5"],
        ["--volume", "nan"],
        ["--start", "2", "--end", "1"],
        ["--step"],
        ["--step", "--json"],
        ["--step", "--audio-file", "out.wav"],
    ],
)
def test_what_makes_no_sense_is_refused(program: Program, options: List[str]) -> None:
    assert program.fails(2, "play", "clip.mp4", *options)
    assert not (program.folder / "out.wav").exists()


# Without a terminal


def test_nothing_is_printed_without_a_terminal(program: Program, tunes: Path) -> None:
    ended = program("play", str(tunes / "short.wav"), str(tunes / "short.wav"), "--no-audio")
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, b"", b"")


def test_events_are_lines(program: Program, tunes: Path) -> None:
    names = [str(tunes / name) for name in ("short.wav", "broken.wav", "short.wav")]
    ended = program("play", *names, "--no-audio", "--json")
    assert ended.returncode == 1
    assert "broken.wav" in ended.stderr.decode()
    shown = events(ended.stdout)
    ends = [
        (event["method"], event["params"]["playerItem"])
        for event in shown
        if event["method"] in ("playerItem/didPlayToEndTime", "playerItem/didFailToPlayToEndTime")
    ]
    assert ends == [
        ("playerItem/didPlayToEndTime", "playerItem:1"),
        ("playerItem/didFailToPlayToEndTime", "playerItem:2"),
        ("playerItem/didPlayToEndTime", "playerItem:3"),
    ]
    changes = [event["params"]["changes"] for event in shown if event["method"] == "player/didChange"]
    items = [change["currentItem"] for change in changes if "currentItem" in change]
    assert (items[0], items[-1]) == ("playerItem:1", None)
    revisions = [event["params"]["revision"] for event in shown if "revision" in event["params"]]
    assert revisions == sorted(revisions)


def test_events_of_a_file_are_the_same_each_time(program: Program, tunes: Path) -> None:
    first, second = [
        program.ok("play", str(tunes / "a.wav"), "--json", "--audio-file", name).replace(name, "")
        for name in ("1.wav", "2.wav")
    ]
    assert first == second
    assert "playerItem/didPlayToEndTime" in first


def test_a_loop_goes_on_until_it_is_interrupted(program: Program, tunes: Path) -> None:
    with program.start("play", str(tunes / "short.wav"), "--loop", "--no-audio", "--json") as process:
        assert process.stdout
        passes = 0
        for line in process.stdout:
            passes += json.loads(line)["method"] == "playerLooper/didLoop"
            if passes == 3:
                break
        process.terminate()
        process.communicate(timeout=HANG)
        assert process.returncode == 143


def test_several_files_loop_in_their_order(program: Program, tunes: Path) -> None:
    names = [str(tunes / name) for name in ("short.wav", "broken.wav", "short.wav")]
    with program.start("play", *names, "--loop", "--no-audio", "--json") as process:
        assert process.stdout
        ends: List[str] = []
        for line in process.stdout:
            event = json.loads(line)
            if event["method"] == "playerItem/didPlayToEndTime":
                ends.append(event["params"]["playerItem"])
            if len(ends) == 5:
                break
        process.send_signal(2)
        process.communicate(timeout=HANG)
        assert process.returncode == 130
    assert ends == ["playerItem:1", "playerItem:3"] * 2 + ["playerItem:1"]


@pytest.mark.parametrize("options", [[], ["--loop"]])
def test_all_files_fail(program: Program, tunes: Path, options: List[str]) -> None:
    names = [str(tunes / name) for name in ("broken.wav", "missing.wav")]
    complaint = program.fails(1, "play", *names, "--no-audio", *options)
    assert "broken.wav" in complaint and "missing.wav" in complaint
    assert program.fails(1, "play", names[0], "--no-audio", *options)


# In a terminal


def test_keys(program: Program) -> None:
    with program.in_terminal("play", "clip.mp4", "--loop", "--no-audio", "--no-video") as terminal:
        terminal.wait("playing  1x  clip.mp4")
        terminal.type(" ")
        terminal.wait("paused")
        # The start of a frame, from any time.
        terminal.type(".")
        terminal.wait(lambda: bool(re.match(r"0:0\d\.\d[02468]0 / 0:05\.000  paused", terminal.line)))
        terminal.press("left")
        terminal.wait(lambda: terminal.line.startswith("0:00.000 /"))
        terminal.type("...")
        terminal.wait(lambda: terminal.line.startswith("0:00.120 /"))
        terminal.type(",")
        terminal.wait(lambda: terminal.line.startswith("0:00.080 /"))
        terminal.type("m")
        terminal.wait("muted")
        terminal.type("]")
        terminal.wait("1.25x")
        terminal.type("[[")
        terminal.wait("0.75x")
        terminal.type(" ")
        terminal.wait("playing  0.75x")
        terminal.type("q")
        assert terminal.end() == 0
        assert terminal.is_as_before
        assert terminal.text == ""


def test_step_begins_with_the_first_picture(program: Program) -> None:
    with program.in_terminal("play", "clip.mp4", "--step", "--no-audio") as terminal:
        terminal.wait("▀")
        terminal.wait(lambda: terminal.screen.display[-1].startswith("0:00.000 / 0:05.000  paused"))
        first = picture(terminal)
        terminal.type(".")
        terminal.wait("0:00.040 / 0:05.000  paused  1x  frame 1  clip.mp4")
        terminal.wait(lambda: picture(terminal) != first)
        terminal.type(",")
        terminal.wait("frame 0")
        terminal.wait(lambda: picture(terminal) == first)
        terminal.type(",")
        terminal.type(" ")
        assert terminal.end() == 0
        assert terminal.is_as_before


def picture(terminal: Terminal) -> List[object]:
    """The colours that a terminal shows."""
    return [
        (cell.data, cell.fg, cell.bg)
        for row in range(terminal.screen.lines - 2)
        for cell in (terminal.screen.buffer[row][column] for column in range(terminal.screen.columns))
    ]


def test_the_end_of_the_last_file_ends_it(program: Program, tunes: Path) -> None:
    names = [str(tunes / "short.wav"), str(tunes / "long.flac")]
    with program.in_terminal("play", *names, "--no-audio") as terminal:
        terminal.wait("long.flac (2 of 2)")
        terminal.type(" ")
        terminal.wait("paused")
        for _ in range(24):
            terminal.press("right")
        terminal.wait("2:00.000 / 2:00.000  paused")
        terminal.type(" ")
        assert terminal.end() == 0
        assert terminal.is_as_before


def test_a_key_that_has_no_effect_tells_why(program: Program, tunes: Path) -> None:
    (program.folder / "a.wav").symlink_to(tunes / "a.wav")
    with program.in_terminal("play", "a.wav", "--loop", "--no-audio") as terminal:
        terminal.wait("playing")
        terminal.type(".")
        terminal.wait("video")
        terminal.press("ctrl-c")
        assert terminal.end() == 130
        assert terminal.is_as_before


def test_a_failure_is_above_the_line(program: Program, tunes: Path) -> None:
    with program.in_terminal(
        "play", str(tunes / "broken.wav"), "clip.mp4", "--loop", "--no-audio", NO_COLOR="1"
    ) as terminal:
        terminal.wait("playing")
        terminal.type(" ")
        terminal.wait("paused")
        assert "reelwire:" in terminal.text and "broken.wav" in terminal.text
        terminal.type("q")
        assert terminal.end() == 1


def test_pictures(program: Program) -> None:
    with program.in_terminal("play", "clip.mp4", "--loop", "--no-audio") as terminal:
        terminal.wait("▀")
        terminal.type(" ")
        terminal.wait(lambda: "paused" in terminal.screen.display[-1])
        # 320 × 240 becomes 100 × 75, of which two are in each row.
        picture = [line for line in terminal.screen.display if "▀" in line]
        assert picture == ["▀" * 100] * 38
        terminal.type("q")
        assert terminal.end() == 0
        assert terminal.raw.count(b"\x1b[?1049h") == terminal.raw.count(b"\x1b[?1049l") == 1
        assert terminal.is_as_before


def test_each_picture_takes_the_place_of_the_one_before(program: Program) -> None:
    command = [str(BINARY), *"play clip.mp4 --no-audio --end 1".split()]
    variables = environment(KITTY_WINDOW_ID="1")
    with Terminal(command, program.folder, variables, columns=20, rows=10) as terminal:
        assert terminal.end() == 0
    pictures = re.findall(rb"\x1b_Ga=T,f=24,q=2,s=(\d+),v=(\d+),i=1,p=1,m=", terminal.raw)
    assert set(pictures) == {(b"160", b"120")}
    # At most 15 a second, in addition to where it starts and stops.
    assert len(pictures) <= 20
    assert terminal.raw.count(b"\x1b_Ga=d,d=I,i=1,q=2\x1b\\") == 1


@pytest.mark.parametrize("options", [["--no-video"], ["--no-video", "--color", "always"], []])
def test_no_pictures(program: Program, options: List[str]) -> None:
    color = None if options else "1"
    with program.in_terminal(
        "play", "clip.mp4", "--no-audio", "--end", "0.5", *options, NO_COLOR=color
    ) as terminal:
        assert terminal.end() == 0
    assert b"\x1b[?1049" not in terminal.raw and "▀".encode() not in terminal.raw


def test_audio_has_no_screen_of_its_own(program: Program, tunes: Path) -> None:
    names = ["clip.mp4", str(tunes / "long.flac")]
    with program.in_terminal("play", *names, "--no-audio") as terminal:
        terminal.wait(lambda: b"long.flac (2 of 2)" in terminal.raw)
        terminal.type("q")
        assert terminal.end() == 0
    assert terminal.raw.index(b"\x1b[?1049l") < terminal.raw.rindex(b"long.flac (2 of 2)")


# MARK: Outputs


@needs_audio_server
def test_outputs_are_listed(program: Program, tmp_path: Path) -> None:
    server = AudioServer(tmp_path)
    try:
        server.load("module-null-sink", "sink_name=other", "sink_properties=device.description=Other")
        there = environment(PULSE_SERVER=server.environment["PULSE_SERVER"])
        listed = program("play", "--list", env=there)
        found = json.loads(program("play", "--list", "--json", env=there).stdout)
    finally:
        server.kill()
    assert listed.returncode == 0 and not listed.stderr
    assert listed.stdout.decode().splitlines() == [
        "pulse:out  Null Output  audio  (default)", "pulse:other  Other  audio",
    ]  # fmt: skip
    assert [device["uniqueID"] for device in found["devices"]] == ["pulse:out", "pulse:other"]
    assert found["unavailable"] == []


@needs_audio_server
def test_an_output_that_is_not_there_is_refused(program: Program, tunes: Path, tmp_path: Path) -> None:
    server = AudioServer(tmp_path)
    there = environment(PULSE_SERVER=server.environment["PULSE_SERVER"])

    def play(name: str, *more: str) -> "subprocess.CompletedProcess[bytes]":
        return program("play", str(tunes / "short.wav"), "--audio-device", name, *more, env=there)

    try:
        for name, question in [
            ("pulse:nowhere", ""),
            ("pulse:oud", "Did you mean 'pulse:out'? "),
            ("out", "Did you mean 'pulse:out'? "),
        ]:
            for more in ([], ["--json"], ["--quiet"]):
                ended = play(name, *more)
                assert ended.returncode == 1 and ended.stdout == b""
                assert ended.stderr.decode().splitlines() == [
                    f"reelwire: There is no audio output '{name}'", f"  {question}There are: pulse:out.",
                ]  # fmt: skip
        for name in ("pulse:out", "default"):
            ended = play(name)
            assert (ended.returncode, ended.stderr) == (0, b"")
    finally:
        server.kill()


def test_a_named_output_needs_a_server(program: Program, tunes: Path) -> None:
    nowhere = environment(PULSE_SERVER="unix:/nonexistent")
    short = str(tunes / "short.wav")
    for name in ("pulse:out", "default"):
        ended = program("play", short, "--audio-device", name, env=nowhere)
        assert ended.returncode == 1
        message, hint = ended.stderr.decode().splitlines()
        assert f"'{name}': the audio server can't be reached" in message and "--audio-file" in hint
    # Without a name, playback continues without audio.
    ended = program("play", short, env=nowhere)
    assert ended.returncode == 0 and b"Audio can't be played" in ended.stderr
    listed = program("play", "--list", env=nowhere)
    assert listed.returncode == 0 and listed.stdout == b""
    assert listed.stderr.startswith(b"pulse: the audio server")


def test_a_file_or_a_list(program: Program) -> None:
    assert "Name the files to play, or give --list" in program.fails(2, "play")
