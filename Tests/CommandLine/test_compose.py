"""`reelwire compose`: its output for documents, as ffprobe and ffmpeg read it."""

from __future__ import annotations

import json
import subprocess
from array import array
from pathlib import Path
from typing import Any

import pytest

from conftest import Program


def times(media: Path) -> list[float]:
    """The presentation time of each frame of video."""
    command = ["ffprobe", "-v", "error", "-select_streams", "v", "-show_entries", "frame=pts_time"]
    command += ["-of", "csv=p=0", str(media)]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return [float(line.rstrip(",")) for line in text.split()]


def packets(media: Path) -> list[str]:
    command = ["ffmpeg", "-v", "error", "-i", str(media), "-map", "0:v", "-c", "copy"]
    text = subprocess.run(
        [*command, "-f", "framemd5", "-"], check=True, capture_output=True, text=True
    ).stdout
    return [line.split(",")[-1].strip() for line in text.splitlines() if line[:1] != "#"]


def seconds(frames: list[float]) -> list[int]:
    """In milliseconds, which ffprobe's six places are enough for."""
    return [round(time * 1000) for time in frames]


@pytest.fixture
def folder(program: Program) -> Path:
    """`films`, next to `clip.mp4`; in it is `a b.mp4`, the same clip."""
    films = program.folder / "films"
    films.mkdir()
    (films / "a b.mp4").symlink_to(program.folder / "clip.mp4")
    return films


def write(path: Path, document: Any) -> str:
    path.write_text(json.dumps(document))
    return f"{path.parent.name}/{path.name}"


def frames(start: int, count: int, rate: float = 25.0) -> Any:
    """A `TimeRange` of OpenTimelineIO."""
    times = [{"OTIO_SCHEMA": "RationalTime.1", "rate": rate, "value": n} for n in (start, count)]
    return {"OTIO_SCHEMA": "TimeRange.1", "start_time": times[0], "duration": times[1]}


def open_timeline_io(child: Any) -> Any:
    """A document with a track that has a clip or a gap."""
    track = {"OTIO_SCHEMA": "Track.1", "kind": "Video", "children": [child]}
    stack = {"OTIO_SCHEMA": "Stack.1", "children": [track]}
    return {"OTIO_SCHEMA": "Timeline.1", "tracks": stack}


SEQUENCE = {
    "clips": [
        {"url": "a b.mp4", "timeRange": {"start": 1, "duration": 1}},
        {"url": "../clip.mp4", "timeRange": {"start": 2, "duration": 2}},
    ]
}


def test_a_sequence_becomes_a_file(program: Program, folder: Path) -> None:
    document = write(folder / "film.json", SEQUENCE)
    ended = program("compose", document, "-o", "out.mp4")
    assert (ended.returncode, ended.stdout) == (0, b""), ended.stderr
    assert ended.stderr.decode().startswith("out.mp4: 3 s, ")
    assert seconds(times(program.folder / "out.mp4")) == list(range(0, 3000, 40))
    # Cut at sync samples, all of it can be copied.
    ended = program("compose", document, "-o", "copied.mp4", "--preset", "Passthrough")
    assert "track 1, video: 2 parts copied" in ended.stderr.decode()
    source = packets(program.folder / "clip.mp4")
    assert packets(program.folder / "copied.mp4") == source[25:50] + source[50:100]


def audio(media: Path) -> list[int]:
    """The samples of the first channel, by ffmpeg."""
    command = ["ffmpeg", "-v", "error", "-i", str(media), "-af", "pan=mono|c0=c0", "-f", "s16le", "-"]
    samples = array("h")
    samples.frombytes(subprocess.run(command, check=True, capture_output=True).stdout)
    return list(samples)


def sample_rate(media: Path) -> int:
    command = ["ffprobe", "-v", "error", "-show_entries", "stream=sample_rate", "-of", "csv=p=0", str(media)]
    return int(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


@pytest.mark.parametrize("name", ["out.wav", "out.m4a", "out.flac"])
def test_audio_lasts_as_long_as_its_timeline(program: Program, folder: Path, name: str) -> None:
    whole = {"url": "a b.mp4", "timeRange": {"start": 0, "duration": 1}}
    sound = folder / "tone.wav"
    command = ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "sine=440:r=48000:d=0.5", "-ac", "2", str(sound)]
    subprocess.run(command, check=True)
    ends: list[Any] = [{"duration": 2}, {**whole, "volume": 0}, {"url": "a b.mp4", "freeze": 1, "duration": 2}]
    for number, end in enumerate(ends):
        for others in ({}, {"audio": [{"url": "tone.wav"}]}):
            document = write(folder / "film.json", {"clips": [whole, end], **others})
            made = f"{number}{len(others)}{name}"
            program.ok("compose", document, "-o", made)
            samples, rate = audio(program.folder / made), sample_rate(program.folder / made)
            # ffmpeg decodes all of the last packet of AAC.
            over = len(samples) - (1 + end.get("duration", 1)) * rate
            assert 0 <= over < (1024 if name == "out.m4a" else 1), made
            # A codec with loss may ring after the end.
            heard, silent = samples[:rate], samples[rate * 11 // 10 :]
            assert max(map(abs, heard)) > 500 and max(map(abs, silent)) < 5


def test_speeds_are_heeded(program: Program, folder: Path) -> None:
    document = write(folder / "fast.json", {"clips": [{"url": "a b.mp4", "speed": 2}]})
    program.ok("compose", document, "-o", "fast.mp4", "--no-audio", "--width", "160")
    command = ["ffprobe", "-v", "error", "-show_entries", "format=duration:stream=codec_type,width"]
    command += ["-of", "json", str(program.folder / "fast.mp4")]
    shown = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    # The titles of its chapters are a track of the file.
    assert shown["streams"] == [{"codec_type": "video", "width": 160}, {"codec_type": "data"}]
    assert float(shown["format"]["duration"]) == 2.5


def test_the_timeline_is_printed_and_comes_back(program: Program, folder: Path) -> None:
    printed = program.ok("compose", write(folder / "film.json", SEQUENCE))
    timeline = json.loads(printed)
    assert timeline["version"] == 1
    # It has no folder of its own, so its paths are absolute.
    urls = [source["url"] for source in timeline["sources"].values()]
    assert urls[0] == str(folder.resolve() / "a b.mp4")
    assert [Path(url).resolve() for url in urls] == [(program.folder / "clip.mp4").resolve()] * 2
    elsewhere = program.folder / "timeline.json"
    elsewhere.write_text(printed)
    assert program.ok("compose", "timeline.json") == printed
    assert program.ok("compose", "-", input=printed.encode()) == printed
    program.ok("compose", "timeline.json", "-o", "out.mp4")
    assert seconds(times(program.folder / "out.mp4")) == list(range(0, 3000, 40))


def test_paths_on_stdin_begin_at_the_working_folder(program: Program) -> None:
    data = json.dumps({"clips": [{"url": "clip.mp4"}]}).encode()
    ended = program("compose", "-", "-o", "-", "--file-type", "mkv", "-p", "Passthrough", input=data)
    assert ended.returncode == 0, ended.stderr
    (program.folder / "out.mkv").write_bytes(ended.stdout)
    assert packets(program.folder / "out.mkv") == packets(program.folder / "clip.mp4")


def test_open_timeline_io(program: Program, folder: Path) -> None:
    clip = {
        "OTIO_SCHEMA": "Clip.1",
        "name": "shot",
        "source_range": frames(25, 50),
        "markers": [{"OTIO_SCHEMA": "Marker.2", "name": "here", "marked_range": frames(30, 1)}],
        "media_reference": {"OTIO_SCHEMA": "ExternalReference.1", "target_url": "a%20b.mp4"},
    }
    document = write(folder / "cut.otio", open_timeline_io(clip))
    ended = program("compose", document, "-o", "out.mp4", "-p", "Passthrough")
    assert ended.returncode == 0, ended.stderr
    lines = ended.stderr.decode().splitlines()
    assert any(line.startswith("  left out: Marker.2 at /tracks/") for line in lines), lines
    source = packets(program.folder / "clip.mp4")
    assert packets(program.folder / "out.mp4") == source[25:75]
    quiet = program("compose", document, "-q")
    assert quiet.stderr == b"" and json.loads(quiet.stdout)["version"] == 1


def test_a_dry_run_makes_nothing(program: Program, folder: Path) -> None:
    document = write(folder / "film.json", SEQUENCE)
    plan = program.ok("compose", document, "-o", "out.mp4", "--dry-run")
    assert plan.startswith("out.mp4: 3 s, about ") and "h264 is drawn into h264 by" in plan
    plan = program.ok("compose", document, "-o", "out.mp4", "--dry-run", "-p", "Passthrough")
    name = folder.resolve() / "a b.mp4"
    assert f"    0:00.000 to 0:01.000, {name}: copied\n" in plan
    assert not (program.folder / "out.mp4").exists()


@pytest.mark.parametrize(
    ("document", "said"),
    [
        ("[]", "no timeline, no sequence"),
        ('{"clips"', "is no JSON"),
        ('{"clips": [{"url": "nix.mp4"}]}', "sequence/clips/0: "),
        ('{"clips": [{"url": "clip.mp4", "duration": "x"}]}', "sequence/clips/0/duration: "),
        ('{"version": 2, "sources": {}, "tracks": []}', "timeline/version: "),
        (json.dumps(open_timeline_io({"OTIO_SCHEMA": "Gap.1", "source_range": frames(0, 1, 0)})),
         "document/tracks/children/0/children/0/source_range"),
    ],
)  # fmt: skip
def test_a_wrong_document_is_1_and_its_place_is_named(
    program: Program, document: str, said: str
) -> None:
    for more in ([], ["-o", "out.mp4"]):
        told = program.fails(1, "compose", "-", *more, input=document.encode())
        assert said in told and "'stdin'" in told
    assert [path.name for path in program.folder.iterdir()] == ["clip.mp4"]


def test_a_wrong_command_line_is_2(program: Program) -> None:
    for more in (["--dry-run"], ["-p", "MediumQuality"], ["--crf", "30"], ["--json"]):
        assert "-o FILE" in program.fails(2, "compose", "film.json", *more)
    assert "this encodes" in program.fails(2, "compose", "film.json", "-o", "x.mp4", "--in-band")
    assert "'film.json'" in program.fails(1, "compose", "film.json")


def test_nothing_is_overwritten_and_nothing_is_left(program: Program, folder: Path) -> None:
    still = {"clips": [*SEQUENCE["clips"], {"url": "still.png", "duration": 1}]}
    program.ok("image", "clip.mp4", "-t", "0", "-o", "films/still.png")
    document = write(folder / "film.json", still)
    before = sorted(path.name for path in program.folder.iterdir())
    said = program.fails(1, "compose", document, "-o", "out.mp4", "-p", "Passthrough")
    assert "still.png: its codec is png" in said and "--preset HighestQuality" in said
    assert sorted(path.name for path in program.folder.iterdir()) == before
    (program.folder / "out.mp4").write_bytes(b"mine")
    assert "out.mp4" in program.fails(1, "compose", document, "-o", "out.mp4")
    assert (program.folder / "out.mp4").read_bytes() == b"mine"
