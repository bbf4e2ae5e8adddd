"""Each tool: its output matches other programs' reading of the same file."""

from __future__ import annotations

import base64
import io
import json
import os
import re
import subprocess
import wave
from fractions import Fraction
from pathlib import Path
from typing import Any, Dict, List, Tuple

import pytest

from child_processes import children_of
from conftest import Server, ffmpeg, images, text
from waiting import HANG


def run(*command: str, input: bytes = b"") -> bytes:
    return subprocess.run(
        command, input=input, check=True, stdout=subprocess.PIPE, timeout=HANG
    ).stdout


def probe(path: Path, entries: str, *options: str) -> List[str]:
    shown = run(
        "ffprobe", "-v", "error", *options, "-of", "csv=p=0", "-show_entries", entries, str(path)
    )
    return [line.rstrip(",") for line in shown.decode().split()]


def frame_times(path: Path) -> List[Fraction]:
    scale = Fraction(probe(path, "stream=time_base", "-select_streams", "v")[0])
    stamps = probe(path, "frame=pts", "-select_streams", "v")
    return [int(stamp) * scale for stamp in stamps]


def size_of(image: Dict[str, Any]) -> Tuple[int, int]:
    shown = run(
        "ffprobe", "-v", "error", "-f", "image2pipe", "-i", "-", "-of", "csv=p=0",
        "-show_entries", "stream=width,height", input=base64.b64decode(image["data"]),
    )  # fmt: skip
    width, height = shown.decode().strip().split(",")[:2]
    return int(width), int(height)


def pixels(image: Dict[str, Any]) -> bytes:
    return run(
        "ffmpeg", "-v", "error", "-f", "image2pipe", "-i", "-", "-vf", "scale=32:18",
        "-f", "rawvideo", "-pix_fmt", "gray", "-", input=base64.b64decode(image["data"]),
    )  # fmt: skip


def frame_pixels(path: Path, number: int) -> bytes:
    return run(
        "ffmpeg", "-v", "error", "-i", str(path), "-vf", f"select=eq(n\\,{number}),scale=32:18",
        "-frames:v", "1", "-f", "rawvideo", "-pix_fmt", "gray", "-",
    )  # fmt: skip


def difference(left: bytes, right: bytes) -> float:
    assert len(left) == len(right)
    return sum(abs(a - b) for a, b in zip(left, right)) / len(left)


# Looking


def test_probe(server: Server, clips: Path) -> None:
    result = server.call("probe", path="take.mp4")
    facts = result["structuredContent"]
    assert json.loads(json.dumps(facts)) == facts
    assert facts["path"] == str(clips / "take.mp4")
    duration = Fraction(facts["duration"])
    assert duration == max(Fraction(x) for x in probe(clips / "take.mp4", "stream=duration"))
    assert facts["durationSeconds"] == float(duration)
    video, audio = facts["tracks"]
    assert (video["width"], video["height"], video["codec"]) == (320, 180, "h264")
    assert (audio["sampleRate"], audio["channels"], audio["codec"]) == (48000, 1, "aac")
    assert facts["tags"]["title"] == "A take"
    assert "H.264" in text(result)


def test_frames_are_exact(server: Server, clips: Path) -> None:
    times = frame_times(clips / "take.mp4")
    between = (times[37] + times[38]) / 2
    result = server.call("view_frames", path="take.mp4", times=[f"{between.numerator}/{between.denominator}"])
    assert f"Frame 37, at 0:01.235 ({times[37]} s)" in text(result)
    (image,) = images(result)
    assert image["mimeType"] == "image/jpeg"
    assert size_of(image) == (320, 180)
    shown = pixels(image)
    assert difference(shown, frame_pixels(clips / "take.mp4", 37)) < 3
    assert difference(shown, frame_pixels(clips / "take.mp4", 30)) > 3


def test_frames_by_number(server: Server, clips: Path) -> None:
    times = frame_times(clips / "take.mp4")
    result = server.call("view_frames", path="take.mp4", frames=[3, 0, 119])
    lines = text(result).splitlines()
    assert [line.split(",")[0] for line in lines] == ["Frame 3", "Frame 0", "Frame 119"]
    assert f"({times[119]} s)" in lines[2]
    assert len(images(result)) == 3


def test_a_time_of_a_result_is_a_time_of_a_call(server: Server, clips: Path) -> None:
    first = text(server.call("view_frames", path="take.mp4", frames=[53]))
    exact = first.split("(")[1].split(" s)")[0]
    assert "Frame 53" in text(server.call("view_frames", path="take.mp4", times=[exact]))


def test_pictures_fit_into_a_result(server: Server, tmp_path: Path) -> None:
    """Pictures of noise are the largest."""
    ffmpeg(
        "-f", "lavfi", "-i", "nullsrc=s=1024x576:d=1:r=6,geq=random(1)*255:128:128",
        "-c:v", "libx264", "-preset", "ultrafast", "-qp", "10", "-g", "1", str(tmp_path / "noise.mp4"),
    )  # fmt: skip
    path = str(tmp_path / "noise.mp4")
    for result in (
        server.call("view_frames", path=path, frames=[0, 1, 2, 3, 4, 5], width=1024),
        server.call("view_sheet", path=path, count=40),
    ):
        shown = images(result)
        assert sum(len(each["data"]) for each in shown) <= 700_000
        assert max(max(size_of(each)) for each in shown) <= 1024


def test_tall_pictures_fit(server: Server, tmp_path: Path) -> None:
    ffmpeg("-f", "lavfi", "-i", "testsrc2=s=180x640:d=1:r=25", str(tmp_path / "tall.mp4"))
    path = str(tmp_path / "tall.mp4")
    for count in (1, 12, 40):
        (image,) = images(server.call("view_sheet", path=path, count=count))
        assert max(size_of(image)) <= 1024
    (image,) = images(server.call("view_frames", path=path, times=[0.5], width=1024))
    assert size_of(image) == (180, 640)


def test_a_sheet(server: Server, clips: Path) -> None:
    result = server.call("view_sheet", path="take.mp4", start=1, end=3, count=8)
    lines = text(result).splitlines()
    assert lines[0].startswith("4 × 2 frames")
    times = {f"({time} s)" for time in frame_times(clips / "take.mp4") if 0.9 < time < 3}
    assert len(lines) == 9
    for line in lines[1:]:
        assert line[line.index("(") : line.index(")") + 1] in times
    (image,) = images(result)
    assert size_of(image)[0] > 900


def test_a_sheet_repeats_no_frame(server: Server, tmp_path: Path) -> None:
    path = tmp_path / "short.mp4"
    ffmpeg("-f", "lavfi", "-i", "testsrc2=s=160x120:r=25:d=0.2", str(path))
    lines = text(server.call("view_sheet", path=str(path), count=40)).splitlines()
    assert [line.split("frame ")[-1] for line in lines[1:]] == ["0", "1", "2", "3", "4"]


def test_a_video_that_begins_late(server: Server, clips: Path, tmp_path: Path) -> None:
    """A time before the first frame is that of the first one, and one after the last of the last one."""
    ffmpeg(
        "-itsoffset", "0.5", "-i", str(clips / "take.mp4"), "-i", str(clips / "tone.wav"), "-map", "0:v",
        "-map", "1:a", "-c:v", "copy", "-t", "8", str(tmp_path / "late.mkv"),
    )  # fmt: skip
    shown = text(server.call("view_frames", path=str(tmp_path / "late.mkv"), times=[0, 7]))
    lines = shown.splitlines()
    assert lines[0].startswith("Frame 0, ") and lines[1].startswith("Frame 119, ")


def test_a_waveform(server: Server, clips: Path) -> None:
    result = server.call("view_waveform", path="tone.wav", start=2, end=4)
    # Half of the full scale, and a sine's power.
    assert "peak -6 dBFS, RMS -9 dBFS" in text(result)
    assert size_of(images(result)[0]) == (1024, 256)
    shown = subprocess.run(
        ["ffmpeg", "-hide_banner", "-nostats", "-ss", "2", "-t", "2", "-i", str(clips / "tone.wav"), "-af",
         "ebur128", "-f", "null", "-"],
        check=True, capture_output=True, text=True, timeout=HANG,
    ).stderr  # fmt: skip
    expected = float(re.findall(r"I: +(-?[\d.]+) LUFS", shown)[-1])
    ours = float(re.findall(r"integrated (-?[\d.]+) LUFS", text(result))[0])
    assert abs(ours - expected) <= 0.1


def test_cuts(server: Server, tmp_path: Path) -> None:
    """Three scenes of 25, 30 and 20 frames, and silence in the middle one."""
    ffmpeg(
        "-f", "lavfi", "-i", "testsrc2=s=160x120:r=25:d=1", "-f", "lavfi", "-i",
        "mandelbrot=s=160x120:r=25,trim=duration=1.2", "-f", "lavfi", "-i",
        "smptebars=s=160x120:r=25:d=0.8", "-f", "lavfi", "-i",
        "aevalsrc='if(between(t,1.2,2),0,0.3*sin(880*t))':s=48000:d=3", "-filter_complex",
        "[0][1][2]concat=n=3[v]", "-map", "[v]", "-map", "3", "-c:v", "libx264", "-c:a", "pcm_s16le",
        "-pix_fmt", "yuv420p", str(tmp_path / "scenes.mov"),
    )  # fmt: skip
    result = server.call("find_cuts", path=str(tmp_path / "scenes.mov"))
    found = result["structuredContent"]
    assert [(each["frame"], each["time"]) for each in found["sceneChanges"]] == [(25, "1"), (55, "11/5")]
    (silence,) = found["silences"]
    assert abs(Fraction(silence["start"]) - Fraction("1.2")) < Fraction(1, 1000)
    assert abs(Fraction(silence["end"]) - 2) < Fraction(1, 1000)
    assert "2 scene changes:" in text(result) and "frame 55" in text(result)
    later = server.call("find_cuts", path=str(tmp_path / "scenes.mov"), start=1.5)
    assert [each["frame"] for each in later["structuredContent"]["sceneChanges"]] == [55]
    quiet = server.call("find_cuts", path="tone.wav")["structuredContent"]
    assert quiet == {"silences": []}


def test_audio_to_listen_to(server: Server, clips: Path) -> None:
    result = server.call("listen", path="tone.wav", start="1.5s", duration=2)
    audio = result["content"][-1]
    assert (audio["type"], audio["mimeType"]) == ("audio", "audio/wav")
    with wave.open(io.BytesIO(base64.b64decode(audio["data"]))) as file:
        assert (file.getframerate(), file.getnchannels(), file.getsampwidth()) == (16000, 1, 2)
        assert file.getnframes() == 32000
        frames = file.readframes(32000)
    expected = run(
        "ffmpeg", "-v", "error", "-i", str(clips / "tone.wav"), "-ss", "1.5", "-t", "2", "-f", "s16le",
        "-ar", "16000", "-ac", "1", "-",
    )  # fmt: skip
    import array

    ours, theirs = array.array("h", frames), array.array("h", expected)
    assert max(abs(a - b) for a, b in zip(ours[100:-100], theirs[100:-100])) < 600
    longer = server.call("listen", path="tone.wav", start=0, duration=20)["content"][-1]
    assert longer["mimeType"] == "audio/ogg" and len(longer["data"]) < 700_000
    heard = run(
        "ffprobe", "-v", "error", "-i", "-", "-of", "csv=p=0", "-show_entries",
        "stream=codec_name,channels", input=base64.b64decode(longer["data"]),
    )  # fmt: skip
    assert heard.decode().strip() == "opus,1"


def test_subtitles(server: Server) -> None:
    result = server.call("read_subtitles", path="my film.mkv")
    cues = result["structuredContent"]["cues"]
    assert [cue["text"] for cue in cues] == ["Hello there", "A second line"]
    assert Fraction(cues[0]["end"]) - Fraction(cues[0]["start"]) == 1
    assert result["structuredContent"]["isComplete"] is True
    assert "Hello there" in text(result)
    later = server.call("read_subtitles", path="my film.mkv", start=1.8)
    assert [cue["text"] for cue in later["structuredContent"]["cues"]] == ["A second line"]


def test_media_is_listed(server: Server, clips: Path) -> None:
    result = server.call("list_media", folder=str(clips))
    rows = {row["name"]: row for row in result["structuredContent"]["items"]}
    assert {"take.mp4", "my film.mkv", "tone.wav"} <= set(rows)
    assert rows["take.mp4"]["width"] == 320 and rows["take.mp4"]["videoCodec"] == "h264"
    assert rows["take.mp4"]["path"] == str(clips / "take.mp4")
    found = server.call("list_media", text="take")["structuredContent"]
    names = [row["name"] for row in found["items"] if Path(row["path"]).parent == clips]
    # By its name, and by its title.
    assert names == ["my film.mkv", "take.mp4"]


def test_pages(server: Server, clips: Path, tmp_path: Path) -> None:
    for number in range(60):
        os.link(clips / "tone.wav", tmp_path / f"{number:02}.wav")
    first = server.call("list_media", folder=str(tmp_path))["structuredContent"]
    assert len(first["items"]) == 50 and first["count"] == 60
    second = server.call("list_media", folder=str(tmp_path), cursor=first["nextCursor"])
    rows = second["structuredContent"]
    assert len(rows["items"]) == 10 and "nextCursor" not in rows
    names = [row["name"] for row in first["items"] + rows["items"]]
    assert names == sorted(os.listdir(tmp_path))
    # A new file is there with the next call.
    os.link(clips / "tone.wav", tmp_path / "new.wav")
    assert server.call("list_media", folder=str(tmp_path))["structuredContent"]["count"] == 61


# Making


def check_made(result: Dict[str, Any], path: Path) -> None:
    """A link to the file, its facts, and a picture of it."""
    (link,) = [each for each in result["content"] if each["type"] == "resource_link"]
    assert link["uri"] == path.as_uri()
    assert link["size"] == path.stat().st_size
    facts = result["structuredContent"]
    assert facts["path"] == str(path) and facts["bytes"] == path.stat().st_size
    assert images(result)


def test_a_cut_is_exact(server: Server, clips: Path, tmp_path: Path) -> None:
    times = frame_times(clips / "take.mp4")
    output = tmp_path / "cut.mp4"
    result = server.call(
        "export", path="take.mp4", output=str(output), start=str(times[37]), end=str(times[80])
    )
    check_made(result, output)
    assert "Copied, but for frames at the cuts" in text(result)
    cut = frame_times(output)
    assert len(cut) == 43
    first = frame_pixels(output, 0)
    assert difference(first, frame_pixels(clips / "take.mp4", 37)) < 3
    assert difference(first, frame_pixels(clips / "take.mp4", 30)) > 3
    assert Fraction(result["structuredContent"]["duration"]) == times[80] - times[37]


def test_a_conversion(server: Server, tmp_path: Path) -> None:
    output = tmp_path / "small.webm"
    result = server.call(
        "export", path="take.mp4", output=str(output),
        settings={"width": 160, "videoCodec": "vp9", "noAudio": True},
    )  # fmt: skip
    check_made(result, output)
    assert probe(output, "stream=codec_name,width,height") == ["vp9,160,90"]


def test_a_preset(server: Server, tmp_path: Path) -> None:
    output = tmp_path / "audio.m4a"
    result = server.call("export", path="take.mp4", output=str(output), preset="applem4a")
    check_made(result, output)
    assert probe(output, "stream=codec_name") == ["aac"]


def test_nothing_is_overwritten(server: Server, clips: Path, tmp_path: Path) -> None:
    output = tmp_path / "there.mp4"
    output.write_bytes(b"mine")
    for tool, arguments in (
        ("export", {"path": "take.mp4"}), ("join", {"parts": ["take.mp4"]}),
        ("compose", {"document": {"clips": [{"url": "take.mp4"}]}}),
    ):  # fmt: skip
        failure = server.failure(tool, output=str(output), **arguments)
        assert "no file is overwritten" in failure and "there-2.mp4" in failure
    assert output.read_bytes() == b"mine"
    # A source is there, too.
    assert "overwritten" in server.failure("export", path="take.mp4", output="take.mp4")


def test_parts_are_joined(server: Server, clips: Path, tmp_path: Path) -> None:
    times, others = frame_times(clips / "take.mp4"), frame_times(clips / "my film.mkv")
    output = tmp_path / "joined.mp4"
    result = server.call(
        "join", output=str(output),
        parts=[
            {"path": "take.mp4", "start": str(times[10]), "end": str(times[40])},
            {"path": "my film.mkv", "start": str(others[60]), "end": str(others[75])},
        ],
    )  # fmt: skip
    check_made(result, output)
    assert len(frame_times(output)) == 45
    parts = result["structuredContent"]["parts"]
    assert [Path(part["path"]).name for part in parts] == ["take.mp4", "my film.mkv"]
    assert Fraction(parts[0]["end"]) == Fraction(parts[1]["start"]) == times[40] - times[10]
    assert {"type": "video", "treatment": "edgesEncoded"} in parts[0]["tracks"]
    assert "Part 2, my film.mkv" in text(result)


def test_parts_that_differ(server: Server, tmp_path: Path) -> None:
    ffmpeg(
        "-f", "lavfi", "-i", "testsrc2=s=160x120:d=1:r=25", "-c:v", "libx264", "-pix_fmt", "yuv420p",
        str(tmp_path / "other.mp4"),
    )  # fmt: skip
    parts = ["take.mp4", str(tmp_path / "other.mp4")]
    output = tmp_path / "mixed.mp4"
    failure = server.failure("join", parts=parts, output=str(output))
    assert "'lossless': false" in failure and "part 2" in failure
    assert not output.exists()
    check_made(server.call("join", parts=parts, output=str(output), lossless=False), output)


SEQUENCE = {
    "clips": [
        {"url": "take.mp4", "timeRange": {"start": 0, "duration": 1},
         "transition": {"kind": "dissolve", "duration": 0.5}},
        {"url": "take.mp4", "timeRange": {"start": 2, "duration": 1}},
    ]
}  # fmt: skip


def test_a_sequence(server: Server, clips: Path, tmp_path: Path) -> None:
    shown = server.call("compose", document=SEQUENCE)
    assert Fraction(shown["structuredContent"]["duration"]) == Fraction(3, 2)
    assert str(clips / "take.mp4") in text(shown)
    assert images(shown)
    assert os.listdir(tmp_path) == []
    output = tmp_path / "film.mp4"
    made = server.call("compose", document=json.dumps(SEQUENCE), output=str(output))
    check_made(made, output)
    assert Fraction(made["structuredContent"]["duration"]) == Fraction(3, 2)


# Resources


def test_resources(server: Server, clips: Path) -> None:
    path = str(clips / "my film.mkv").replace(" ", "%20")
    for uri in (f"reelwire://frame/{path}?t=1.5", f"reelwire://sheet/{path}", "reelwire://frame/take.mp4?t=2"):
        result = server.request("resources/read", {"uri": uri})
        (content,) = result["contents"]
        assert content["uri"] == uri and content["mimeType"] == "image/jpeg"
        assert base64.b64decode(content["blob"]).startswith(b"\xff\xd8")
    for uri in ("reelwire://frame/nothing.mp4?t=1", "file:///etc/passwd", "reelwire://other/x", ""):
        assert server.refusal("resources/read", {"uri": uri})["code"] == -32602


# Trust


def test_paths_outside_the_roots(confined: Server, clips: Path, tmp_path: Path) -> None:
    server = confined
    outside = tmp_path.parent / "outside.mp4"
    os.link(clips / "take.mp4", outside)
    (tmp_path / "link.mp4").symlink_to(outside)
    for path in (str(outside), "/etc/passwd", "../outside.mp4", str(tmp_path / "link.mp4")):
        assert "pathNotAllowed" in server.failure("probe", path=path)
    failure = server.failure("export", path="take.mp4", output=str(tmp_path.parent / "new.mp4"))
    assert "pathNotAllowed" in failure and str(clips) in failure
    assert not (tmp_path.parent / "new.mp4").exists()
    # Not even whether there is something.
    taken, free = str(outside), str(outside.with_name("free.mp4"))
    failures = [server.failure("export", path="take.mp4", output=each) for each in (taken, free)]
    assert failures[0].replace(taken, free) == failures[1] and "pathNotAllowed" in failures[0]


def test_links_into_the_roots(confined: Server, clips: Path, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "take.mp4").symlink_to(clips / "take.mp4")
    (tmp_path / "absolute.mp4").symlink_to(tmp_path / "folder" / "take.mp4")
    (tmp_path / "there").symlink_to(tmp_path / "folder")
    # Absolute targets, and one in the other of the two folders.
    for path in ("absolute.mp4", "folder/take.mp4", "there/take.mp4"):
        confined.call("probe", path=str(tmp_path / path))
    confined.call("export", path="take.mp4", output=str(tmp_path / "there" / "new.mp4"), preset="Passthrough")
    assert (tmp_path / "folder" / "new.mp4").is_file()
    # A loop, and a link that leads out by way of one that leads in.
    (tmp_path / "loop.mp4").symlink_to(tmp_path / "loop.mp4")
    (tmp_path / "folder" / "out").symlink_to(tmp_path.parent)
    (tmp_path.parent / "secret.mp4").touch()
    for path in ("loop.mp4", "there/out/secret.mp4"):
        confined.failure("probe", path=str(tmp_path / path))
    assert "pathNotAllowed" in confined.failure("probe", path=str(tmp_path / "there/out/secret.mp4"))


def test_what_is_no_file(server: Server, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.mp4")
    assert "list_media" in server.failure("probe", path=str(tmp_path))
    assert "not a regular file" in server.failure("probe", path=str(tmp_path / "pipe.mp4"))
    (tmp_path / "text.mp4").write_text("nothing of a film")
    assert "Hint:" in server.failure("probe", path=str(tmp_path / "text.mp4"))


def test_no_object_stays_open(server: Server, clips: Path) -> None:
    """More files than are cached, and many calls: the number of descriptors is bounded."""

    def descriptors() -> int:
        engine = server.process.pid
        return sum(len(os.listdir(f"/proc/{each}/fd")) for each in [engine, *children_of(engine)])

    for _ in range(3):
        server.call("view_frames", path="take.mp4", times=[1])
    before = descriptors()
    for number in range(20):
        server.call("view_frames", path="take.mp4", frames=[number])
        server.failure("view_frames", path="take.mp4", frames=[9999])
    assert descriptors() <= before + 4
