"""The commands, as a person and a script use them."""

from __future__ import annotations

import http.server
import json
import os
import re
import subprocess
import threading
from pathlib import Path

import pytest

from conftest import BINARY, Program, environment, ffmpeg
from waiting import HANG

COMMANDS = (
    *"probe play record image sheet wave analyze export cut join subtitles compose stills encode tags".split(),
    *"library serve mcp call methods schema doctor repl completions".split(),
)


def probe(path: Path, *entries: str) -> str:
    command = ["ffprobe", "-v", "error", "-of", "csv=p=0", "-show_entries", *entries, str(path)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


# All of them


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_explains_itself(program: Program, command: str) -> None:
    text = program.ok(command, "--help")
    assert f"reelwire {command}" in text
    assert "OVERVIEW" in text


def test_the_list_of_commands_is_whole(program: Program) -> None:
    listed = re.findall(r"^  ([a-z]+) ", program.ok("--help"), re.M)
    assert set(COMMANDS) == set(listed)


def test_a_version_is_told(program: Program) -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+\n", program.ok("--version"))


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        (["prob"], "'probe'"),
        (["call", "asset/opn"], "'asset/open'"),
        (["call", "open"], "'asset/open'"),
        (["call", "asset/open", "urll=x"], "'url'"),
        (["call", "asset/open", "url=x", "options.preferPreciseDuration:=true"],
         "'preferPreciseDurationAndTiming'"),
        (["methods", "waveform/generat"], "'waveform/generate'"),
        (["export", "clip.mp4", "out.mp4", "--preset", "HighstQuality"], "'HighestQuality'"),
        (["image", "clip.mp4", "-o", "x.jpgg"], "'jpg'"),
        (["probe", "clip.mp4", "--jsn"], "'--json'"),
    ],
)  # fmt: skip
def test_mistyped_names_are_recognized(program: Program, arguments: list, meant: str) -> None:
    assert f"Did you mean {meant}?" in program.fails(2, *arguments)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["image", "clip.mp4", "-t", "abc", "-o", "x.jpg"], "'abc' is invalid"),
        (["image", "clip.mp4", "-t", "1", "-t", "2", "-o", "x.jpg"], "%d"),
        (["image", "clip.mp4", "-t", "1", "-t", "2", "-o", "-"], "one picture"),
        (["image", "clip.mp4", "--frame", "1", "--frame", "2", "-o", "x.jpg"], "%d"),
        (["image", "clip.mp4", "--frame", "1", "-t", "2", "-o", "x.jpg"], "not by both"),
        (["image", "clip.mp4", "--frame", "1", "--nearest", "-o", "x.jpg"], "--nearest has no"),
        (["image", "clip.mp4", "-o", "x"], "--format"),
        (["image", "clip.mp4", "-o", "x.jpg", "--quality", "3"], "from 0 to 1"),
        (["sheet", "clip.mp4", "--start", "-1"], "--start"),
        (["sheet", "clip.mp4", "--duration", "0"], "--duration"),
        (["export", "clip.mp4", "out.mp4", "--crf", "99"], "--crf"),
        (["export", "clip.mp4"], "<output>"),
        (["export", "clip.mp4", "-", "--file-type", "mkv", "--resume"], "--resume needs a file"),
        (["probe"], "<files>"),
        (["probe", "clip.mp4", "--color", "blue"], "blue"),
        (["completions", "tcsh"], "tcsh"),
        (["wave", "clip.mp4", "-o", "w.png", "--count", "5"], "--width"),
    ],
)  # fmt: skip
def test_a_wrong_command_line_is_2(program: Program, arguments: list, said: str) -> None:
    assert said in program.fails(2, *arguments)
    assert os.listdir(program.folder) == ["clip.mp4"]


@pytest.mark.parametrize(
    "arguments",
    [
        ["probe", "nix.mp4"],
        ["image", "nix.mp4", "-o", "x.jpg"],
        ["sheet", "nix.mp4"],
        ["wave", "nix.mp4"],
        ["export", "nix.mp4", "x.mp4", "--preset", "Passthrough"],
    ],
)
def test_a_missing_file_is_1_and_named(program: Program, arguments: list) -> None:
    complaint = program.fails(1, *arguments)
    assert "nix.mp4" in complaint and "No such file" in complaint
    assert os.listdir(program.folder) == ["clip.mp4"]


def test_a_broken_pipe_ends_quietly(program: Program) -> None:
    script = "set -o pipefail; reelwire schema | head -c 1 >/dev/null; echo $?"
    ended = subprocess.run(
        ["bash", "-c", script], env=environment(), capture_output=True, text=True, timeout=HANG
    )
    assert (ended.stdout, ended.stderr) == ("0\n", "")


def test_a_full_disk_is_told(program: Program) -> None:
    with open("/dev/full", "wb") as full:
        ended = subprocess.run(
            [BINARY, "schema"], env=environment(), stdout=full, stderr=subprocess.PIPE, timeout=HANG
        )
    assert ended.returncode == 1
    assert b"No space left" in ended.stderr


@pytest.mark.parametrize("command", ["serve", "mcp"])
def test_answers_that_cant_be_written_are_reported(program: Program, command: str) -> None:
    """Also where stdin ends before the first answer is due."""
    request = {"jsonrpc": "2.0", "id": 1, "method": "ping" if command == "mcp" else "engine/stats"}
    with open("/dev/full", "wb") as full:
        ended = subprocess.run(
            [BINARY, command], env=environment(), input=json.dumps(request).encode() + b"\n", stdout=full,
            stderr=subprocess.PIPE, timeout=HANG,
        )  # fmt: skip
    assert ended.returncode == 1
    assert ended.stderr == b"reelwire: stdout can't be written: No space left on device\n"


@pytest.mark.parametrize("root", ["/nothing/here", "/dev/null", ""])
def test_a_root_that_is_no_folder_is_refused_at_once(program: Program, root: str) -> None:
    assert f"--root '{root}' is no folder that can be opened" in program.fails(2, "serve", "--root", root)


def test_help_names_no_types_of_the_program(program: Program) -> None:
    assert "SubtitlesArgument" not in program("help", "export").stdout.decode()


# Colour


def colored(program: Program, *arguments: str, **variables: str) -> bool:
    ended = program(*arguments, env=environment(**variables))
    return b"\x1b[" in ended.stdout


def test_no_colour_without_a_terminal(program: Program) -> None:
    assert not colored(program, "probe", "clip.mp4")
    assert colored(program, "probe", "clip.mp4", "--color", "always")


@pytest.mark.parametrize(
    ("variables", "options", "expected"),
    [
        ({}, [], True),
        ({}, ["--color", "never"], False),
        ({"NO_COLOR": "1"}, [], False),
        ({"NO_COLOR": ""}, [], True),
        ({"NO_COLOR": "1"}, ["--color", "always"], True),
        ({"TERM": "dumb"}, [], False),
    ],
)
def test_colour_in_a_terminal(
    program: Program, variables: dict, options: list, expected: bool
) -> None:
    with program.in_terminal("probe", "clip.mp4", *options, **variables) as terminal:
        assert terminal.end() == 0
        assert "clip.mp4: MP4" in terminal.text
        assert (b"\x1b[1m" in terminal.raw) == expected


# probe


def test_probe_tells_what_is_there(program: Program) -> None:
    lines = program.ok("probe", "clip.mp4").splitlines()
    size = os.stat(program.folder / "clip.mp4").st_size
    assert re.fullmatch(r"clip\.mp4: MP4 \(MPEG-4 Part 14\), 5 s, [\d.]+ [kM]B", lines[0]), size
    assert re.match(r"  1  video     H.264 \(High.*\), 320 × 240, 25 frames/s, yuv", lines[1])
    assert re.match(r"  2  audio     AAC \(LC\), 44.1 kHz, mono, .* kbit/s, language de", lines[2])
    assert "    0:00.000  First" in lines and "    0:02.000  Second" in lines
    assert any(re.fullmatch(r"    title +A pattern", line) for line in lines)


def test_probe_prints_json(program: Program) -> None:
    lines = program.ok("probe", "--json", "clip.mp4", "clip.mp4").splitlines()
    assert len(lines) == 2
    facts = json.loads(lines[0])
    assert facts["duration"] == {"value": 64000, "timescale": 12800}
    assert [track["mediaType"] for track in facts["tracks"]] == ["video", "audio"]
    assert facts["tracks"][0]["formatDescriptions"][0]["codec"] == "h264"
    assert len(facts["chapters"]) == 2


def test_a_header_without_frames_has_no_rate(program: Program) -> None:
    # The header of a movie in fragments, as a client of HLS or DASH loads it first.
    movie, header = program.folder / "fragments.mp4", program.folder / "init.mp4"
    flags = ["-c", "copy", "-an", "-movflags", "frag_keyframe+empty_moov"]
    ffmpeg(["-i", program.folder / "clip.mp4", *flags, movie])
    content = movie.read_bytes()
    header.write_bytes(content[: content.index(b"moof") - 4])
    shown = program.ok("probe", "init.mp4")
    assert "320 × 240" in shown and "frames/s" not in shown


def test_probe_names_what_is_cut_short(program: Program) -> None:
    whole, cut = program.folder / "whole.mkv", program.folder / "cut.mkv"
    ffmpeg(["-i", program.folder / "clip.mp4", "-c", "copy", whole])
    cut.write_bytes(whole.read_bytes()[:-1000])
    assert "cut short" not in program.ok("probe", "whole.mkv")
    assert "cut short (at least 1 kB are missing)" in program.ok("probe", "cut.mkv").splitlines()[0]
    facts = json.loads(program.ok("probe", "--json", "cut.mkv"))["containerFacts"]
    assert (facts["isCutShort"], facts["missingBytes"]) == (True, 1000)
    # A failure that libav has found is named in its own terms.
    (program.folder / "half.mp4").write_bytes((program.folder / "clip.mp4").read_bytes()[:5000])
    assert "moov atom not found" in program.fails(1, "probe", "half.mp4")


def test_probe_goes_on_after_a_bad_file(program: Program) -> None:
    (program.folder / "bad.mp4").write_bytes(b"no movie" * 100)
    ended = program("probe", "bad.mp4", "clip.mp4")
    assert ended.returncode == 1
    assert b"bad.mp4" in ended.stderr
    assert b"clip.mp4: MP4" in ended.stdout


def test_what_a_file_says_does_not_reach_the_terminal(program: Program, clips: Path) -> None:
    evil = program.folder / "evil.mkv"
    subprocess.run(
        ["ffmpeg", "-nostdin", "-v", "error", "-i", clips / "clip.mp4", "-c", "copy"]
        + ["-metadata", "title=\x1b]0;owned\x07\x1b[31m", evil],
        check=True,
    )
    for arguments in (["probe", "evil.mkv"], ["probe", "evil.mkv", "--json"]):
        printed = program(*arguments).stdout
        assert b"owned" in printed
        assert b"\x1b" not in printed and b"\x07" not in printed


# image


def test_image_is_the_exact_frame(program: Program, clips: Path) -> None:
    note = program("image", "clip.mp4", "-t", "1.5", "-o", "a.png").stderr.decode()
    assert note == "a.png: 320 × 240, frame 37 at 0:01.480\n"
    pixels = ["-frames:v", "1", "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]

    def decoded(*arguments: object) -> bytes:
        command = ["ffmpeg", "-nostdin", "-v", "error", *map(str, arguments), *pixels]
        return subprocess.run(command, check=True, capture_output=True).stdout

    ours = decoded("-i", program.folder / "a.png")

    def distance(frame: int) -> int:
        theirs = decoded("-i", clips / "clip.mp4", "-vf", f"select=eq(n\\,{frame})")
        assert len(ours) == len(theirs)
        return sum(abs(a - b) for a, b in zip(ours, theirs))

    # The two convert colours a little differently, but the neighbours are further away.
    assert distance(37) < min(distance(36), distance(38)) / 2


def test_images_are_numbered(program: Program) -> None:
    made = program.ok("image", "clip.mp4", "-t", "0", "-t", "1/2", "-o", "f-%02d.jpg", "--json")
    results = [json.loads(line) for line in made.splitlines()]
    assert sorted(result["image"]["blob"]["path"] for result in results) == ["f-00.jpg", "f-01.jpg"]
    assert {path.name for path in program.folder.glob("*.jpg")} == {"f-00.jpg", "f-01.jpg"}


@pytest.fixture
def late(program: Program) -> str:
    """The clip with its pictures half a second later than its audio."""
    clip = ["-i", program.folder / "clip.mp4"]
    ffmpeg(
        ["-itsoffset", "0.5", *clip, *clip, "-map", "0:v", "-map", "1:a", "-c", "copy"]
        + [program.folder / "late.mp4"]
    )
    return "late.mp4"


def test_without_a_time_image_is_the_first_frame(program: Program, late: str) -> None:
    told = "320 × 240, frame 0 at 0:00.500\n"
    assert program("image", late, "-o", "a.png").stderr.decode() == f"a.png: {told}"
    assert program("image", late, "-t", "0", "-o", "b.png").stderr.decode() == f"b.png: {told}"
    one, same = program.folder / "a.png", program.folder / "b.png"
    assert one.read_bytes() == same.read_bytes()
    for times in ([], ["-t", "0"]):
        arguments = ["image", late, *times, "--format", "png", "-o", "-"]
        assert program(*arguments).stdout == one.read_bytes()
    made = json.loads(program.ok("image", late, "-o", "c.png", "--json"))
    assert (made["sampleIndex"], made["isExact"]) == (0, True)
    assert program("image", late, "-t", "0.25", "-o", "d.png").stderr.decode() == f"d.png: {told}"
    assert (program.folder / "d.png").read_bytes() == one.read_bytes()
    assert "shows no frame" in program.fails(1, "image", late, "-t", "99", "-o", "e.png")
    assert not (program.folder / "e.png").exists()


def test_frames_by_their_numbers(program: Program, late: str) -> None:
    """In any order, and where the video begins later, too; each image is that of its time."""
    frames = ["--frame", "30", "--frame", "0", "--frame", "30"]
    made = program.ok("image", late, *frames, "-o", "n-%d.png", "--json")
    results = sorted(map(json.loads, made.splitlines()), key=lambda result: result["index"])
    assert [(made["sampleIndex"], made["isExact"]) for made in results] == [
        (30, True),
        (0, True),
        (30, True),
    ]
    program.ok("image", late, "-t", "1.7", "-o", "t.png")
    names = ("n-0.png", "n-1.png", "n-2.png", "t.png")
    pictures = [(program.folder / name).read_bytes() for name in names]
    assert pictures[0] == pictures[2] == pictures[3] != pictures[1]
    arguments = ["image", late, "--frame", "30", "--format", "png", "-o", "-"]
    assert program(*arguments).stdout == pictures[0]
    for number in ("-1", "100000"):
        told = program.fails(1, "image", late, f"--frame={number}", "-o", "no.png")
        assert f"has no frame {number}" in told
        assert "numbered from 0 to" in told
    assert not (program.folder / "no.png").exists()


def test_the_beginning_is_the_first_frame_among_others(program: Program, late: str) -> None:
    made = program.ok("image", late, "-t", "1", "-t", "0", "-o", "100%%-%02d.jpg", "--json")
    results = sorted(map(json.loads, made.splitlines()), key=lambda result: result["index"])
    assert [result["sampleIndex"] for result in results] == [12, 0]
    assert [result["image"]["blob"]["path"] for result in results] == ["100%-00.jpg", "100%-01.jpg"]
    assert (results[1]["isExact"], results[1]["requestedTime"]["value"]) == (False, 0)


def test_a_name_must_not_contradict_the_format(program: Program) -> None:
    for command in (["image", "clip.mp4"], ["sheet", "clip.mp4"], ["wave", "clip.mp4"]):
        told = program.fails(2, *command, "--format", "jpeg", "-o", "a.png")
        assert "its extension is png" in told
    assert "its extension is png" in program.fails(
        2, "image", "clip.mp4", "--format", "rgb24", "-o", "a.png"
    )
    assert not (program.folder / "a.png").exists()
    assert program("image", "clip.mp4", "-o", "a.jpe").returncode == 0


def test_image_on_stdout_is_nothing_but_the_picture(program: Program) -> None:
    ended = program("image", "clip.mp4", "-t", "1", "--width", "100", "-o", "-", "--format", "png")
    assert ended.returncode == 0 and ended.stderr == b""
    assert ended.stdout.startswith(b"\x89PNG") and ended.stdout.endswith(b"IEND\xaeB`\x82")


def test_a_name_that_is_no_text_is_refused(program: Program) -> None:
    ended = subprocess.run(
        [os.fsencode(BINARY), b"image", b"clip.mp4", b"-o", b"a\xff.jpg"],
        cwd=program.folder,
        env=environment(),
        capture_output=True,
        timeout=HANG,
    )
    assert ended.returncode == 2
    assert b"isn't UTF-8" in ended.stderr
    assert [path.name for path in program.folder.iterdir()] == ["clip.mp4"]


def test_names_that_are_no_text(program: Program) -> None:
    """Files of any name are read."""
    (program.folder / "clip.mp4").rename(os.fsdecode(os.fsencode(program.folder) + b"/caf\xe9 1.mp4"))
    ended = subprocess.run(
        [os.fsencode(BINARY), b"image", b"caf\xe9 1.mp4", b"-o", b"a.jpg"],
        cwd=program.folder,
        env=environment(),
        capture_output=True,
        timeout=HANG,
    )
    assert ended.returncode == 0, ended.stderr
    assert (program.folder / "a.jpg").exists()


def test_stdin_is_a_file_where_one_is_expected(program: Program) -> None:
    by_path = {**json.loads(program.ok("probe", "--json", "clip.mp4")), "url": "-"}
    data = (program.folder / "clip.mp4").read_bytes()
    assert json.loads(program.ok("probe", "--json", "-", input=data)) == by_path  # A pipe.
    with open(program.folder / "clip.mp4", "rb") as file:
        ended = subprocess.run(
            [str(BINARY), "probe", "--json", "-"],
            cwd=program.folder,
            env=environment(),
            stdin=file,
            capture_output=True,
            timeout=HANG,
        )
    assert json.loads(ended.stdout) == by_path
    program.ok("image", "-", "-t", "1", "-o", "piped.png", input=data)
    program.ok("image", "clip.mp4", "-t", "1", "-o", "named.png")
    assert (program.folder / "piped.png").read_bytes() == (program.folder / "named.png").read_bytes()
    program.ok("export", "-", "out.mp4", "--preset", "Passthrough", input=data)
    program.ok("sheet", "-", input=data)
    assert (program.folder / "stdin-sheet.jpg").exists()
    assert "stdin" in program.fails(1, "wave", "-", input=b"x" * 1000)


class _Handler(http.server.BaseHTTPRequestHandler):
    """Serves one file, by ranges if its server has them."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        data = self.server.data  # type: ignore[attr-defined]
        wanted = re.match(r"bytes=(\d+)-(\d+)", self.headers.get("Range", ""))
        if self.path == "/moved":
            self.send_response(302)
            self.send_header("Location", "/clip.mp4")
            part = b""
        elif self.path != "/clip.mp4":
            self.send_response(404)
            part = b""
        elif wanted and self.server.has_ranges:  # type: ignore[attr-defined]
            start, end = int(wanted[1]), min(int(wanted[2]) + 1, len(data))
            part = data[start:end]
            self.send_response(206)
            self.send_header("Content-Range", f"bytes {start}-{end - 1}/{len(data)}")
        else:
            part = data
            self.send_response(200)
        self.send_header("Content-Length", str(len(part)))
        self.end_headers()
        self.wfile.write(part)

    def log_message(self, *_: object) -> None:
        pass


@pytest.mark.parametrize("has_ranges", [True, False])
def test_urls_are_read(program: Program, has_ranges: bool) -> None:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.data = (program.folder / "clip.mp4").read_bytes()  # type: ignore[attr-defined]
    server.has_ranges = has_ranges  # type: ignore[attr-defined]
    threading.Thread(target=server.serve_forever, daemon=True).start()
    base = f"http://127.0.0.1:{server.server_address[1]}"
    by_path = json.loads(program.ok("probe", "--json", "clip.mp4"))
    for path in ("/clip.mp4", "/moved"):
        found = json.loads(program.ok("probe", "--json", base + path))
        assert found == {**by_path, "url": base + path}
    program.ok("export", f"{base}/clip.mp4", "out.mp4", "--preset", "Passthrough")
    assert "404" in program.fails(1, "probe", f"{base}/other.mp4")
    server.shutdown()


def test_image_overwrites_nothing(program: Program) -> None:
    (program.folder / "a.jpg").write_text("mine")
    assert "a.jpg" in program.fails(1, "image", "clip.mp4", "-o", "a.jpg")
    assert (program.folder / "a.jpg").read_text() == "mine"


def test_a_time_beyond_the_end_fails(program: Program) -> None:
    assert "shows no frame" in program.fails(1, "image", "clip.mp4", "-t", "99", "-o", "a.jpg")


def test_a_terminal_gets_no_bytes_of_a_picture(program: Program) -> None:
    with program.in_terminal("image", "clip.mp4", "-o", "-") as terminal:
        assert terminal.end() == 2
        assert "terminal" in terminal.text


# sheet and wave


def test_sheet_and_map(program: Program) -> None:
    program.ok("sheet", "clip.mp4")
    assert probe(program.folder / "clip-sheet.jpg", "stream=width,height") == "800,600"
    cues = (program.folder / "clip-sheet.vtt").read_text()
    assert cues.startswith("WEBVTT") and cues.count("clip-sheet.jpg#xywh=") == 25


def test_sheet_in_another_shape(program: Program) -> None:
    made = program.ok(
        *"sheet clip.mp4 -o s.png --columns 2 --rows 2 --tile-width 64 --json".split(),
        *"--start 1 --duration 2 --exact".split(),
    )
    sheet = json.loads(made)
    assert [sheet["columns"], sheet["rows"], len(sheet["tiles"])] == [2, 2, 4]
    assert all(tile["isExact"] for tile in sheet["tiles"])
    assert sheet["tiles"][0]["timeRange"]["start"] == {"value": 1, "timescale": 1}


def test_wave_as_numbers(program: Program) -> None:
    wave = json.loads(program.ok("wave", "clip.mp4", "--json", "--count", "4"))
    assert len(wave["channels"][0]["max"]) == 4
    assert 0.1 < wave["channels"][0]["max"][1] < 0.15


def test_wave_as_characters_and_picture(program: Program) -> None:
    line = program.ok("wave", "clip.mp4").splitlines()
    assert len(line) == 1 and re.fullmatch(r"1  [ ▁▂▃▄▅▆▇█]{72}", line[0])
    program.ok("wave", "clip.mp4", "-o", "w.png", "--width", "300", "--height", "50")
    assert probe(program.folder / "w.png", "stream=width,height") == "300,50"


# analyze


def test_analyses_as_numbers(program: Program) -> None:
    made = json.loads(program.ok("analyze", "clip.mp4", "--json"))
    assert made["scenes"]["sceneChanges"] == []
    assert made["silences"]["threshold"] == -50 and made["silences"]["silences"] == []
    assert -23 < made["loudness"]["integratedLoudness"] < -20
    part = ("--start", "1", "--duration", "0.5")
    made = json.loads(program.ok("analyze", "clip.mp4", "--silence", "--json", *part))
    assert list(made) == ["silences"]
    assert made["silences"]["timeRange"]["start"] == {"value": 1, "timescale": 1}


def test_analyses_as_text(program: Program) -> None:
    lines = program.ok("analyze", "clip.mp4", "--threshold", "-0.5").splitlines()
    assert lines[0] == "Scene changes  0"
    assert lines[1] == "Silences  1 below -0.5 dBFS"
    assert lines[2].startswith("  0:00.000 - ")
    assert re.fullmatch(r"  integrated +-2\d(\.\d)? LUFS", lines[4])


def test_analyses_are_those_that_the_tracks_allow(program: Program) -> None:
    program.ok("export", "clip.mp4", "still.mp4", "--preset", "Passthrough", "--no-audio")
    assert program.ok("analyze", "still.mp4").splitlines() == ["Scene changes  0"]
    assert "no audio track" in program.fails(1, "analyze", "still.mp4", "--loudness")
    assert "--scenes" in program.fails(2, "analyze", "clip.mp4", "--loudness", "--sensitivity", "1")


# export


def test_export_cuts_exactly(program: Program) -> None:
    ended = program(
        *"export clip.mp4 part.mp4 --preset MediumQuality --start 1 --duration 2".split()
    )
    assert ended.returncode == 0 and ended.stdout == b""
    assert re.fullmatch(r"part\.mp4: 2 s, .* kB, in .* s\n", ended.stderr.decode())
    counted = subprocess.run(
        ["ffprobe", "-v", "error", "-count_frames", "-select_streams", "v", "-of", "csv=p=0"]
        + ["-show_entries", "stream=nb_read_frames", program.folder / "part.mp4"],
        check=True, capture_output=True, text=True,
    )  # fmt: skip
    assert counted.stdout.strip() == "50"


def test_export_goes_on_with_what_is_there(program: Program) -> None:
    how = ["--preset", "LowQuality", "--resume"]
    assert program("export", "clip.mp4", "straight.mp4", *how).returncode == 0
    # A part that an export of something else has left.
    stale = program.folder / ".resumed.mp4.0123456789abcdef.0000.part"
    stale.write_bytes(b"?")
    assert program("export", "clip.mp4", "resumed.mp4", *how).returncode == 0
    straight, resumed = (program.folder / f"{name}.mp4" for name in ("straight", "resumed"))
    assert straight.read_bytes() == resumed.read_bytes()
    assert not stale.exists()
    copied = program("export", "clip.mp4", "copy.mp4", "--preset", "Passthrough", "--resume")
    assert copied.returncode != 0 and b"all is copied" in copied.stderr
    assert not (program.folder / "copy.mp4").exists()


def test_export_says_what_it_leaves_out(program: Program) -> None:
    ended = program(*"export clip.mp4 out.mp3 --preset MP3".split())
    assert ended.returncode == 0
    assert "left out: track 1 (video)" in ended.stderr.decode()
    quiet = program(*"export clip.mp4 out2.mp3 --preset MP3 --quiet".split())
    assert (quiet.returncode, quiet.stdout, quiet.stderr) == (0, b"", b"")


def test_export_tells_how_it_was_cut(program: Program) -> None:
    how = ["--preset", "Passthrough", "--start", "1", "--duration", "2", "--trim", "editList"]
    ended = program("export", "clip.mp4", "cut.ts", *how)
    assert ended.returncode == 0
    note = ended.stderr.decode().splitlines()[1]
    assert "edit list" in note.lower(), note


def test_the_unfinished_file_lies_where_it_is_told_to(program: Program) -> None:
    how = ["clip.mp4", "out.mp4", "--preset", "Passthrough", "--temporary-folder"]
    assert "missing" in program.fails(1, "export", *how, "missing")
    assert os.listdir(program.folder) == ["clip.mp4"]
    (program.folder / "scratch").mkdir()
    assert program("export", *how, "scratch").returncode == 0
    assert os.listdir(program.folder / "scratch") == []
    assert (program.folder / "out.mp4").exists()


def test_a_dry_run_makes_nothing(program: Program) -> None:
    text = program.ok(*"export clip.mp4 out.gif --preset GIF --dry-run".split())
    assert "track 1, video: h264 becomes gif" in text
    assert "track 2, audio: left out" in text
    plan = json.loads(program.ok(*"export clip.mp4 o.mp4 -p Passthrough --dry-run --json".split()))
    assert [track["treatment"] for track in plan["preflight"]["tracks"]][:2] == ["copied"] * 2
    assert plan["estimate"]["fileLength"] > 0
    assert os.listdir(program.folder) == ["clip.mp4"]


def test_export_overwrites_nothing(program: Program) -> None:
    (program.folder / "out.mp4").write_text("mine")
    complaint = program.fails(1, "export", "clip.mp4", "out.mp4", "--preset", "Passthrough")
    assert "out.mp4" in complaint
    assert (program.folder / "out.mp4").read_text() == "mine"


# The protocol


def test_call_keeps_handles_between_its_calls(program: Program) -> None:
    (program.folder / "time.json").write_text('{"value": 1, "timescale": 3}')
    lines = program.ok(
        "call", "asset/open", "url=clip.mp4",
        "+", "asset/loadValues", "asset=_.asset", 'keys:=["duration"]', "--wait",
        "+", "time/multiply", "time:=@time.json", "by:=3",
    )  # fmt: skip
    results = [json.loads(line) for line in lines.splitlines()]
    assert results[1]["values"]["duration"]["value"] == {"value": 64000, "timescale": 12800}
    assert results[2]["time"] == {"value": 3, "timescale": 3}


def test_call_takes_parameters_in_all_forms(program: Program) -> None:
    (program.folder / "url.txt").write_text("clip.mp4")
    (program.folder / "all.json").write_text('{"url": "clip.mp4"}')
    for parameters in (["url=clip.mp4"], ["url=@url.txt"], ["@all.json"], ['{"url":"clip.mp4"}'],
                       ["url=clip.mp4", "options.preferPreciseDurationAndTiming:=true"]):  # fmt: skip
        assert json.loads(program.ok("call", "asset/open", *parameters)) == {"asset": "asset:1"}
    assert program.ok("call", "asset/open", "-", input=b'{"url": "x"}') == '{"asset":"asset:1"}\n'


def test_call_follows_work_to_its_end(program: Program) -> None:
    lines = program.ok(
        *"call asset/open url=clip.mp4 + imageGenerator/create asset=_.asset".split(),
        "+", "imageGenerator/generateImages", "imageGenerator=_.imageGenerator",
        'times:=["0", "1"]', "delivery:="+'{"kind":"file","path":"i-%d.jpg"}',
    ).splitlines()  # fmt: skip
    notifications = [json.loads(line) for line in lines[3:]]
    assert [note["method"] for note in notifications] == [
        "imageGenerator/didGenerateImage"
    ] * 2 + ["imageGenerator/didFinish"]
    assert (program.folder / "i-1.jpg").exists()


def test_call_fails_when_the_work_does(program: Program) -> None:
    calls = "call asset/open url=clip.mp4 + waveform/generate asset=_.asset count:=99999 trackID:=1"
    for wait in ([], ["--wait"]):
        ended = program(*calls.split(), *wait)
        assert ended.returncode == 1, ended
        assert b"error" in ended.stdout


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        (["url"], "'url' is no parameter"),
        (["url:=clip.mp4"], "is no JSON"),
        (["url=@nix.txt"], "nix.txt"),
        (["url=_.asset"], "no result yet"),
        (["@clip.mp4"], "is no JSON"),
        (["[1]"], "no parameter"),
        (["--wait"], "No call starts work"),
        ([], "url: expected url, resource or item, got none"),
    ],
)
def test_wrong_parameters_are_2(program: Program, parameters: list, said: str) -> None:
    assert said in program.fails(2, "call", "asset/open", *parameters)


def test_how_to_give_a_list_is_told(program: Program) -> None:
    ended = program(*"call asset/open url=x + asset/loadValues asset=_.asset keys=duration".split())
    assert ended.returncode == 2
    assert """keys:='["duration"]'""" in ended.stderr.decode()


def test_methods_are_listed_and_explained(program: Program) -> None:
    listed = [line.split()[0] for line in program.ok("methods").splitlines()]
    document = json.loads(program.ok("schema"))
    assert listed == [method["name"] for method in document["methods"]]
    page = program.ok("methods", "asset/loadValues")
    for text in ("Parameters", "Result", "Errors", "unknownHandle", "asset/didLoadValues"):
        assert text in page
    assert json.loads(program.ok("methods", "asset/open", "--json"))["name"] == "asset/open"


def test_the_schema_is_the_document(program: Program) -> None:
    document = json.loads((Path(__file__).parents[2] / "docs/openrpc.json").read_text())
    assert json.loads(program.ok("schema")) == document


def test_each_example_of_a_method_fits_it(program: Program) -> None:
    """The example that `methods NAME` prints has no wrong parameter."""
    names = [line.split()[0] for line in program.ok("methods").splitlines()]
    pages = program.ok("repl", input="".join(f"help {name}\n" for name in names).encode())
    examples = re.findall(r"^Example\n  (.*)$", pages, re.M)
    assert len(examples) == len(names)
    for example in examples:
        ended = subprocess.run(
            ["bash", "-c", example], cwd=program.folder, env=environment(), capture_output=True,
            timeout=HANG,
        )  # fmt: skip
        # A number that no `videoComposition/composeFrame` has, and neither a file nor segments.
        refusing = ("videoComposition/finishFrame", "assetWriter/create")
        refused = 2 if any(name in example for name in refusing) else 1
        assert ended.returncode in (0, refused), (example, ended.stderr.decode())
        for made in program.folder.glob("part*"):
            made.unlink()


# This program


def test_doctor_is_well(program: Program) -> None:
    lines = program.ok("doctor").splitlines()
    signs = [line[0] for line in lines if not line.startswith(" ")]
    assert "✗" not in signs and signs.count("✓") >= 5
    assert any("round trip" in line for line in lines)
    assert any("HighestQuality" in line for line in lines)


def test_doctor_sees_what_is_wrong(program: Program) -> None:
    ended = program("doctor", env=environment(TMPDIR="/nonexistent"))
    assert ended.returncode == 1
    assert "✗" in ended.stdout.decode() and "/nonexistent" in ended.stdout.decode()
    findings = [json.loads(line) for line in program.ok("doctor", "--json").splitlines()]
    assert {finding["state"] for finding in findings} <= {"good", "missing"}


def test_doctor_leaves_nothing(program: Program) -> None:
    (program.folder / "tmp").mkdir()
    assert program("doctor", env=environment(TMPDIR=str(program.folder / "tmp"))).returncode == 0
    assert os.listdir(program.folder / "tmp") == []


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completions(program: Program, shell: str) -> None:
    script = program.ok("completions", shell)
    assert "reelwire" in script and "doctor" in script
    if shell == "bash":
        subprocess.run(["bash", "-n"], input=script, text=True, check=True)


# MARK: Progress for programs


def test_progress_as_json(program: Program) -> None:
    ended = program("export", "clip.mp4", "made.mp4", "--width", "64", "--progress", "json")
    assert ended.returncode == 0 and ended.stdout == b""
    lines = [json.loads(line) for line in ended.stderr.splitlines() if line.startswith(b"{")]
    assert lines[0]["progress"] == 0 and lines[0].keys() == {"progress", "elapsed"}
    parts = [line["progress"] for line in lines]
    assert parts == sorted(parts) and parts[-1] <= 1
    assert all(line["elapsed"] >= 0 for line in lines)
    assert all({"remaining", "speed"} <= line.keys() for line in lines if line["progress"] > 0)


def test_progress_as_json_is_all_that_a_quiet_command_reports(program: Program) -> None:
    ended = program("sheet", "clip.mp4", "-q", "--count", "3", "--progress", "json")
    lines = [json.loads(line) for line in ended.stderr.splitlines()]
    assert lines[-1]["progress"] == 1


@pytest.mark.parametrize(
    ("options", "count"),
    [(["--all"], 125), (["--every", "10", "--width", "64"], 13), (["--fps", "5"], 25)],
)
def test_pictures_of_a_whole_clip_have_progress(program: Program, options: list[str], count: int) -> None:
    ended = program("image", "clip.mp4", *options, "-o", "p%d.jpg", "-q", "--json", "--progress", "json")
    assert ended.returncode == 0 and len(json.loads(ended.stdout)) == count
    parts = [json.loads(line)["progress"] for line in ended.stderr.decode().splitlines()]
    # The first picture is one of so many.
    assert abs(parts[0] - 1 / count) < 0.001 and parts == sorted(set(parts)) and parts[-1] == 1


@pytest.mark.parametrize("options", [[], ["--progress", "none"], ["--progress", "auto"]])
def test_there_is_no_progress_in_a_file(program: Program, options: list[str]) -> None:
    ended = program("export", "clip.mp4", "made.mp4", "--width", "64", "-q", *options)
    assert (ended.returncode, ended.stderr) == (0, b"")


# MARK: Losses


def test_names_of_programs_are_no_losses(program: Program) -> None:
    source = program.folder / "source.mkv"
    ffmpeg(["-i", program.folder / "clip.mp4", "-c", "copy", source])
    # The names of the program that wrote it, in another's.
    content = source.read_bytes()
    source.write_bytes(re.sub(rb"Lavf[0-9.]+", lambda found: b"X" * len(found[0]), content))
    ended = program("export", "source.mkv", "copy.mkv", "-p", "Passthrough", "--json", "--end", "2")
    assert ended.returncode == 0 and b"left out" not in ended.stderr
    keys = [each.get("key", "") for each in json.loads(ended.stdout).get("dropped", [])]
    assert any(key.lower().endswith(("encoder", "writingapp", "muxingapp")) for key in keys), keys


def test_what_is_left_out_for_one_reason_is_a_line(program: Program) -> None:
    tags = ["-metadata", "artist=Somebody", "-metadata", "album=Songs", "-c", "copy"]
    ffmpeg(["-i", program.folder / "clip.mp4", *tags, program.folder / "tagged.mp4"])
    ended = program("export", "tagged.mp4", "moving.gif", "--width", "32", "--end", "1")
    lines = [line for line in ended.stderr.decode().splitlines() if "left out: metadata" in line]
    assert len(lines) == 1
    assert all(key in lines[0] for key in ("©nam", "©ART", "©alb")) and "©too" not in lines[0]
