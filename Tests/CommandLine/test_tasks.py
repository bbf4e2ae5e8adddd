"""The tasks that people come for, each as they would type it; another program checks the result."""

from __future__ import annotations

import contextlib
import http.server
import json
import os
import subprocess
import threading
from functools import partial
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional

import pytest

from conftest import BINARY, Program, environment, ffmpeg


def ffprobe(path: Path, *more: str) -> Dict[str, Any]:
    command = ["ffprobe", "-v", "error", "-of", "json", "-show_format", "-show_streams", *more]
    return dict(json.loads(subprocess.check_output([*command, str(path)])))


def streams(path: Path, kind: str) -> List[Dict[str, Any]]:
    return [stream for stream in ffprobe(path)["streams"] if stream["codec_type"] == kind]


def frame_count(path: Path) -> int:
    counted = ffprobe(path, "-count_frames", "-select_streams", "v:0")
    return int(counted["streams"][0]["nb_read_frames"])


def pixels(path: Path, *filters: str) -> bytes:
    """A picture, or the frame that a filter selects, small and grey."""
    graph = ",".join([*filters, "scale=64:48:flags=area", "format=gray"])
    command = ["ffmpeg", "-v", "error", "-i", str(path), "-vf", graph, "-frames:v", "1"]
    return subprocess.check_output([*command, "-f", "rawvideo", "-"])


def differ(one: bytes, other: bytes) -> float:
    """The mean difference of two pictures."""
    assert len(one) == len(other) > 0
    return sum(abs(a - b) for a, b in zip(one, other)) / len(one)


@pytest.fixture
def film(program: Program) -> Path:
    return program.folder / "clip.mp4"


# The contents of a file


def test_how_long_and_how_large(program: Program) -> None:
    shown = program.ok("probe", "clip.mp4")
    assert "5 s" in shown and "320 × 240" in shown and "25 frames/s" in shown


def test_facts_for_a_script(program: Program, film: Path) -> None:
    facts = json.loads(program.ok("probe", "clip.mp4", "--json"))
    text = json.dumps(facts)
    assert str(film.stat().st_size) in text
    assert '"isCutShort": false' in text or '"isTruncated": false' in text


def test_a_file_from_stdin(program: Program, film: Path) -> None:
    assert "5 s" in program.ok("probe", "-", input=film.read_bytes())


class Files(http.server.SimpleHTTPRequestHandler):
    """A web server of one folder, with ranges."""

    def log_message(self, *_: Any) -> None:
        pass

    def do_GET(self) -> None:
        data = Path(self.translate_path(self.path)).read_bytes()
        wanted = self.headers.get("Range")
        first, last = 0, len(data) - 1
        if wanted:
            start, _, end = wanted.partition("=")[2].partition("-")
            first, last = int(start), min(int(end or last), last)
            self.send_response(206)
            self.send_header("Content-Range", f"bytes {first}-{last}/{len(data)}")
        else:
            self.send_response(200)
        self.send_header("Accept-Ranges", "bytes")
        self.send_header("Content-Length", str(last - first + 1))
        self.end_headers()
        with contextlib.suppress(ConnectionError):
            self.wfile.write(data[first : last + 1])


@pytest.fixture
def site(program: Program) -> Iterator[str]:
    handler = partial(Files, directory=str(program.folder))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


def test_a_file_of_a_web_server(program: Program, site: str) -> None:
    assert "5 s" in program.ok("probe", f"{site}/clip.mp4")


def test_a_name_that_is_not_utf8(program: Program, film: Path) -> None:
    name = os.fsencode(program.folder) + b"/caf\xe9.mp4"
    os.symlink(os.fsencode(film), name)
    command = [os.fsencode(BINARY), b"probe", b"caf\xe9.mp4"]
    ended = subprocess.run(command, cwd=program.folder, env=environment(), capture_output=True)
    assert ended.returncode == 0, ended.stderr
    assert "5 s" in ended.stdout.decode()


# Pictures


def test_the_first_picture_of_a_file_that_begins_late(program: Program, film: Path) -> None:
    ffmpeg(["-i", film, "-c", "copy", "-output_ts_offset", "3", program.folder / "late.ts"])
    program.ok("image", "late.ts", "-o", "first.jpg")
    assert differ(pixels(program.folder / "first.jpg"), pixels(film)) < 4


def test_a_thumbnail(program: Program, film: Path) -> None:
    program.ok("image", "clip.mp4", "-t", "1.5", "--width", "160", "-o", "a.png")
    assert streams(program.folder / "a.png", "video")[0]["width"] == 160
    assert differ(pixels(program.folder / "a.png"), pixels(film, "select=eq(n\\,37)")) < 4


def test_a_picture_by_its_number(program: Program, film: Path) -> None:
    program.ok("image", "clip.mp4", "--frame", "10", "-o", "a.png")
    assert differ(pixels(program.folder / "a.png"), pixels(film, "select=eq(n\\,10)")) < 2


def test_a_sheet_for_a_player(program: Program) -> None:
    program.ok("sheet", "clip.mp4", "-o", "sheet.jpg")
    assert (program.folder / "sheet.jpg").stat().st_size > 1000
    assert (program.folder / "sheet.vtt").read_text().startswith("WEBVTT")


def test_a_sheet_with_its_times(program: Program) -> None:
    for name, flags in (("plain.png", []), ("times.png", ["--show-times"])):
        program.ok("sheet", "clip.mp4", "-o", name, "--columns", "2", "--rows", "1", *flags)
    plain, times = (pixels(program.folder / name) for name in ("plain.png", "times.png"))
    assert plain[: len(plain) // 2] == times[: len(times) // 2]
    assert plain != times
    # Eight glyphs of five dots, with one around each: the row below them is black.
    assert pixels(program.folder / "times.png", "crop=49:1:0:ih-1") == bytes(64 * 48)


# Cutting and converting


def test_a_cut_without_encoding(program: Program, film: Path) -> None:
    cut = ["export", "clip.mp4", "cut.mp4", "-p", "Passthrough", "--start", "1", "--duration", "2"]
    program.ok(*cut)
    assert abs(float(ffprobe(program.folder / "cut.mp4")["format"]["duration"]) - 2) < 0.1
    assert streams(program.folder / "cut.mp4", "video")[0]["codec_name"] == "h264"


def test_smaller(program: Program) -> None:
    program.ok("export", "clip.mp4", "small.mp4", "--width", "160", "--crf", "30", "--no-audio")
    video = streams(program.folder / "small.mp4", "video")[0]
    assert (video["width"], video["height"], video["codec_name"]) == (160, 120, "h264")
    assert streams(program.folder / "small.mp4", "audio") == []
    assert frame_count(program.folder / "small.mp4") == 125


def test_another_frame_rate(program: Program) -> None:
    program.ok("export", "clip.mp4", "ten.mp4", "--fps", "10", "--end", "3")
    assert frame_count(program.folder / "ten.mp4") == 30
    assert streams(program.folder / "ten.mp4", "video")[0]["avg_frame_rate"] == "10/1"


def test_cropped_and_rotated(program: Program, film: Path) -> None:
    program.ok(
        *["export", "clip.mp4", "turned.mp4", "--crop", "160x120+80+60", "--rotate", "90"],
        *["--crf", "10"],
    )
    video = streams(program.folder / "turned.mp4", "video")[0]
    assert (video["width"], video["height"]) == (120, 160)
    wanted = pixels(film, "crop=160:120:80:60", "transpose=clock")
    assert differ(pixels(program.folder / "turned.mp4"), wanted) < 4


def test_sound_for_speech_recognition(program: Program) -> None:
    program.ok("export", "clip.mp4", "a.wav", "--sample-rate", "16000", "--channels", "1")
    sound = streams(program.folder / "a.wav", "audio")[0]
    assert (sound["sample_rate"], sound["channels"]) == ("16000", 1)
    assert streams(program.folder / "a.wav", "video") == []


def test_the_sound_alone(program: Program) -> None:
    for name, codec in [("a.m4a", "aac"), ("a.mp3", "mp3"), ("a.flac", "flac"), ("a.opus", "opus")]:
        program.ok("export", "clip.mp4", name)
        assert [sound["codec_name"] for sound in streams(program.folder / name, "audio")] == [codec]
        assert streams(program.folder / name, "video") == []


def test_a_gif(program: Program) -> None:
    program.ok("export", "clip.mp4", "a.gif", "--width", "120", "--fps", "8", "--end", "2")
    video = streams(program.folder / "a.gif", "video")[0]
    assert video["width"] == 120
    assert frame_count(program.folder / "a.gif") == 16
    assert abs(float(ffprobe(program.folder / "a.gif")["format"]["duration"]) - 2) < 0.011


def test_through_a_pipe(program: Program, film: Path) -> None:
    ended = program(
        *["export", "-", "-", "-p", "Passthrough", "--file-type", "mkv"], input=film.read_bytes()
    )
    assert ended.returncode == 0, ended.stderr
    (program.folder / "piped.mkv").write_bytes(ended.stdout)
    assert frame_count(program.folder / "piped.mkv") == 125


# Tags, chapters, subtitles


def test_tags_are_shown_and_set(program: Program, film: Path) -> None:
    assert "A pattern" in program.ok("tags", "clip.mp4")
    program.ok("image", "clip.mp4", "-o", "cover.jpg")
    program.ok("tags", "clip.mp4", "--set", "title=Evening", "--cover", "cover.jpg", "-o", "b.mp4")
    tags = ffprobe(program.folder / "b.mp4")["format"]["tags"]
    assert tags["title"] == "Evening"
    pictures = [s for s in streams(program.folder / "b.mp4", "video") if s["disposition"]["attached_pic"]]
    assert len(pictures) == 1


def test_tags_in_place(program: Program, film: Path) -> None:
    own = program.folder / "own.mp4"
    own.write_bytes(film.read_bytes())
    program.ok("tags", "own.mp4", "--set", "title=Evening", "--in-place")
    assert ffprobe(own)["format"]["tags"]["title"] == "Evening"
    assert frame_count(own) == 125
    assert sorted(p.name for p in program.folder.iterdir()) == ["clip.mp4", "own.mp4"]


def test_chapters_from_text(program: Program) -> None:
    (program.folder / "c.txt").write_text(
        "CHAPTER01=00:00:00.000\nCHAPTER01NAME=One\nCHAPTER02=00:00:01.500\nCHAPTER02NAME=Two\n"
    )
    program.ok("tags", "clip.mp4", "--chapters", "c.txt", "-o", "b.mkv")
    found = ffprobe(program.folder / "b.mkv", "-show_chapters")["chapters"]
    assert [(float(c["start_time"]), c["tags"]["title"]) for c in found] == [(0, "One"), (1.5, "Two")]


def test_subtitles_out(program: Program) -> None:
    (program.folder / "in.srt").write_text("1\n00:00:01,000 --> 00:00:02,500\nHello\n")
    ffmpeg(
        ["-i", program.folder / "clip.mp4", "-i", program.folder / "in.srt", "-c", "copy"]
        + ["-c:s", "mov_text", "-map", "0:v", "-map", "1", program.folder / "texted.mp4"]
    )
    program.ok("export", "texted.mp4", "out.srt")
    assert "00:00:01,000 --> 00:00:02,500\nHello" in (program.folder / "out.srt").read_text()
    program.ok("export", "texted.mp4", "out.vtt")
    assert "00:01.000 --> 00:00:02.500\nHello".split(" ")[0] in (program.folder / "out.vtt").read_text()


# Damaged files


def test_what_is_left_of_a_file_that_is_cut_short(program: Program, film: Path) -> None:
    ffmpeg(["-i", film, "-c", "copy", "-movflags", "+faststart", program.folder / "fast.mp4"])
    whole = (program.folder / "fast.mp4").read_bytes()
    (program.folder / "short.mp4").write_bytes(whole[: len(whole) * 2 // 3])
    assert "cut short" in program.ok("probe", "short.mp4")
    refused = program.fails(1, "export", "short.mp4", "a.mkv", "-p", "Passthrough")
    assert "--salvage" in refused
    program.ok("export", "short.mp4", "a.mkv", "-p", "Passthrough", "--salvage")
    assert 40 < frame_count(program.folder / "a.mkv") < 125
