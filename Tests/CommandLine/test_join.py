"""`reelwire join`: packets and samples by ffmpeg's reading of both sides."""

from __future__ import annotations

import json
import shutil
import struct
import subprocess
from pathlib import Path

import pytest

from conftest import Program, ffmpeg


def packets(media: Path) -> list[str]:
    """The hashes of a file's packets of video, in order."""
    command = ["ffmpeg", "-v", "error", "-i", str(media), "-map", "0:v", "-c", "copy"]
    text = subprocess.run(
        [*command, "-f", "framemd5", "-"], check=True, capture_output=True, text=True
    ).stdout
    return [line.split(",")[-1].strip() for line in text.splitlines() if line[:1] != "#"]


def samples(media: Path) -> int:
    """The number of audio samples that are presented."""
    command = ["ffprobe", "-v", "error", "-select_streams", "a"]
    command += ["-show_entries", "stream=duration_ts", "-of", "csv=p=0", str(media)]
    return int(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def frames(media: Path) -> int:
    command = ["ffprobe", "-v", "error", "-count_frames", "-select_streams", "v"]
    command += ["-show_entries", "stream=nb_read_frames", "-of", "csv=p=0", str(media)]
    return int(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


@pytest.fixture(scope="session")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clip of another size than `clip.mp4`."""
    path = tmp_path_factory.mktemp("large") / "large.mp4"
    ffmpeg(
        ["-f", "lavfi", "-i", "testsrc2=duration=3:size=640x480"]
        + ["-f", "lavfi", "-i", "sine=duration=3", "-g", "25", path]
    )
    return path


@pytest.fixture
def folder(program: Program, large: Path) -> Path:
    (program.folder / "large.mp4").symlink_to(large)
    return program.folder


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_whole_files_are_copied(program: Program, folder: Path) -> None:
    ended = program("join", "clip.mp4", "clip.mp4", "clip.mp4", "-o", "out.mp4")
    assert (ended.returncode, ended.stdout) == (0, b""), ended.stderr
    assert packets(folder / "out.mp4") == packets(folder / "clip.mp4") * 3
    assert samples(folder / "out.mp4") == 15 * 44100
    lines = ended.stderr.decode().splitlines()
    assert lines[0].startswith("out.mp4: 15 s, ")
    assert lines[1:3] == ["  track 1, video: 3 parts copied", "  track 2, audio: 3 parts encoded"]


def test_parts_are_exact_and_encoded_at_their_edges_only(program: Program, folder: Path) -> None:
    parts = ["clip.mp4#t=3", "clip.mp4#t=1.52,3.52", "clip.mp4#t=npt:,00:01"]
    plan = program.ok("join", *parts, "-o", "out.mp4", "--dry-run").splitlines()
    assert not (folder / "out.mp4").exists()
    assert plan[0].startswith("out.mp4: 5 s, about ")
    assert plan[1:5] == [
        "  track 1, video: h264 is copied",
        "    0:00.000 to 0:02.000, clip.mp4: copied",
        "    0:02.000 to 0:04.000, clip.mp4: edges encoded: "
        + plan[3].partition("edges encoded: ")[2],
        "    0:04.000 to 0:05.000, clip.mp4: copied",
    ]
    assert "frames at its edges" in plan[3]
    assert plan[5].startswith("  track 2, audio: aac becomes aac")
    program.ok("join", *parts, "-o", "out.mp4")
    # In the middle 12 frames before the sync sample at 2 s and 13 from that at 3 s on needn't be copies.
    made, source = packets(folder / "out.mp4"), packets(folder / "clip.mp4")
    assert frames(folder / "out.mp4") == len(made) == 125
    assert made[:50] == source[75:]
    assert made[-25:] == source[:25]
    assert set(source[50:75]) <= set(made[50:-25])
    assert samples(folder / "out.mp4") == 5 * 44100


def test_a_part_that_ends_after_its_file_is_listed(program: Program, folder: Path) -> None:
    ended = program("join", "clip.mp4#t=4,9", "clip.mp4#t=0,1", "-o", "ends.mp4")
    assert ended.returncode == 0
    assert "left out of 'clip.mp4#t=4,9': the file ends 4 s before the part does" in ended.stderr.decode()
    whole = program("join", "clip.mp4#t=4", "clip.mp4#t=0,1", "-o", "whole.mp4")
    assert whole.returncode == 0 and "left out" not in whole.stderr.decode()
    assert packets(folder / "ends.mp4") == packets(folder / "whole.mp4")


def test_audio_is_copied_when_that_is_wanted(program: Program, folder: Path) -> None:
    ended = program("join", "clip.mp4", "clip.mp4#t=0,2", "-o", "out.mp4", "--audio", "copy")
    assert ended.returncode == 0
    said = ended.stderr.decode()
    assert "track 2, audio: 2 parts copied" in said and "packets of audio are copied" in said


def test_what_cannot_be_copied_is_an_error_that_names_it(program: Program, folder: Path) -> None:
    before = names(folder)
    said = program.fails(1, "join", "clip.mp4", "large.mp4", "-o", "out.mp4").splitlines()
    assert said == [
        "reelwire: The parts can't be joined without encoding",
        "  video, 0:05.000 to 0:08.000, large.mp4: its size is 640×480, the track's 320×240",
        "  --preset HighestQuality encodes them.",
    ]
    # A dry run prints the plan before, and fails as the export would.
    ended = program("join", "clip.mp4", "large.mp4", "-o", "out.mp4", "--dry-run")
    assert ended.returncode == 1 and ended.stderr.decode().splitlines() == said
    plan = ended.stdout.decode()
    assert "0:05.000 to 0:08.000, large.mp4: refused: its size is 640×480" in plan
    assert names(folder) == before
    encode = ["join", "clip.mp4", "large.mp4", "-o", "out.mp4", "--preset", "HighestQuality"]
    assert "h264 becomes h264" in program.ok(*encode, "--dry-run")
    program.ok(*encode)
    assert frames(folder / "out.mp4") == 200


def test_parameter_sets_that_contradict_go_in_band(program: Program, folder: Path) -> None:
    # Of the same size, and different in properties that only their parameter sets state.
    ffmpeg(
        ["-f", "lavfi", "-i", "testsrc2=duration=1", "-c:v", "libx264", "-refs", "1", "-bf", "0"]
        + ["-x264-params", "cabac=0:weightp=0", folder / "baseline.mp4"]
    )
    parts = ["join", "clip.mp4#t=0,1", "baseline.mp4", "-o", "out.mp4"]
    said = program.fails(1, *parts)
    assert "have the same numbers" in said and "--in-band copies them" in said
    program.ok(*parts, "--in-band")
    assert frames(folder / "out.mp4") == 50


def test_a_file_with_such_a_name_is_that_file(program: Program, folder: Path) -> None:
    shutil.copy(folder / "clip.mp4", folder / "take#t=1,2")
    program.ok("join", "take#t=1,2", "-o", "whole.mp4")
    assert packets(folder / "whole.mp4") == packets(folder / "clip.mp4")
    program.ok("join", "take#t=1,2#t=0,1", "-o", "second.mp4")
    assert packets(folder / "second.mp4") == packets(folder / "clip.mp4")[:25]
    assert "'take#1.mp4'" in program.fails(1, "join", "take#1.mp4", "-o", "out.mp4")


def test_a_picture_lasts_as_long_as_its_part(program: Program, folder: Path) -> None:
    program.ok("image", "clip.mp4", "-t", "0", "-o", "title.png")
    program.ok("join", "title.png#t=,2", "clip.mp4", "-o", "out.mp4", "-p", "MediumQuality")
    command = ["ffprobe", "-v", "error", "-select_streams", "v", "-show_entries", "frame=pts_time"]
    command += ["-of", "csv=p=0", str(folder / "out.mp4")]
    times = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    assert [round(float(time.rstrip(",")) * 25) for time in times] == [0, *range(50, 175)]


def test_a_part_that_ends_behind_its_file_ends_there(program: Program, folder: Path) -> None:
    program.ok("join", "clip.mp4#t=4,99", "-o", "out.mp4")
    assert packets(folder / "out.mp4") == packets(folder / "clip.mp4")[100:]
    said = program.fails(1, "join", "clip.mp4", "clip.mp4#t=9", "-o", "none.mp4")
    assert "'clip.mp4#t=9' can't be joined" in said and "0 s to 5 s" in said
    assert not (folder / "none.mp4").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["clip.mp4#t=3,1", "-o", "x.mp4"], "'3,1' of 'clip.mp4#t=3,1'"),
        (["clip.mp4#t=", "-o", "x.mp4"], "#t=START,END"),
        (["clip.mp4#t=1,2&track=1", "-o", "x.mp4"], "no part of a file"),
        (["clip.mp4#t=smpte:0:00:01", "-o", "x.mp4"], "no part of a file"),
        (["clip.mp4"], "--output"),
        (["-o", "x.mp4"], "<files>"),
        (["clip.mp4", "-o", "x.mp4", "--audio", "drop"], "drop"),
        (["clip.mp4", "-o", "x.mp4", "-p", "MediumQuality", "--in-band"], "this encodes"),
        (["clip.mp4", "-o", "x.mp4", "-p", "HighstQuality"], "'HighestQuality'"),
        (["clip.mp4", "-o", "-"], "--file-type"),
    ],
)
def test_a_wrong_command_line_is_2(program: Program, arguments: list, said: str) -> None:
    assert said in program.fails(2, "join", *arguments)
    assert names(program.folder) == ["clip.mp4"]


def test_nothing_is_overwritten_and_nothing_is_left(program: Program, folder: Path) -> None:
    (folder / "out.mp4").write_bytes(b"mine")
    assert "out.mp4" in program.fails(1, "join", "clip.mp4", "clip.mp4", "-o", "out.mp4")
    assert (folder / "out.mp4").read_bytes() == b"mine"
    before = names(folder)
    assert "nix.mp4" in program.fails(1, "join", "clip.mp4", "nix.mp4", "-o", "other.mp4")
    assert "wav" in program.fails(1, "join", "clip.mp4", "clip.mp4", "-o", "other.wav")
    assert names(folder) == before


def test_the_plan_and_the_result_are_json(program: Program, folder: Path) -> None:
    join = ["join", "clip.mp4", "clip.mp4#t=1.5", "-o", "out.mp4", "--json"]
    tracks = json.loads(program.ok(*join, "--dry-run"))["preflight"]["tracks"]
    treatments = [[part["treatment"] for part in track["segments"]] for track in tracks]
    assert treatments == [["copied", "edgesEncoded"], ["encoded", "encoded"]]
    done = json.loads(program.ok(*join))
    assert (done["status"], done["fileSize"]) == ("completed", (folder / "out.mp4").stat().st_size)


def test_stdin_and_stdout(program: Program, folder: Path) -> None:
    data = (folder / "clip.mp4").read_bytes()
    ended = program("join", "-", "clip.mp4", "-o", "-", "--file-type", "mkv", input=data)
    assert ended.returncode == 0, ended.stderr
    (folder / "out.mkv").write_bytes(ended.stdout)
    assert packets(folder / "out.mkv") == packets(folder / "clip.mp4") * 2


def test_a_rate_that_no_recorder_has_is_not_written(program: Program, folder: Path) -> None:
    """A header of 2.13 GHz made 2.5 seconds of another file 10.7 GB long."""
    rate, samples = 2_130_000_000, bytes(4 * 500)
    layout = struct.pack("<HHIIHH", 1, 2, rate, min(4 * rate, 2**32 - 1), 4, 16)
    body = b"WAVEfmt " + struct.pack("<I", 16) + layout + b"data" + struct.pack("<I", len(samples)) + samples
    (folder / "fast.wav").write_bytes(b"RIFF" + struct.pack("<I", len(body)) + body)
    ffmpeg(["-f", "lavfi", "-i", "sine=d=1", folder / "tone.mp3"])
    program.ok("join", "fast.wav", "tone.mp3", "-o", "fast-joined.wav")
    assert (folder / "fast-joined.wav").stat().st_size < 16 << 20
    shown = json.loads(program.ok("probe", "--json", "fast-joined.wav"))
    assert shown["tracks"][0]["formatDescriptions"][0]["audio"]["sampleRate"] == 1_536_000


# Channels.


def tone(program: Program, name: str, channels: int) -> None:
    layout = {1: "mono", 2: "stereo", 6: "5.1"}[channels]
    tones = "|".join(f"sin({300 + 100 * number}*t)" for number in range(channels))
    ffmpeg(["-f", "lavfi", "-i", f"aevalsrc={tones}:c={layout}:s=48000:d=1", program.folder / name])


def channels_of(media: Path) -> list[int]:
    command = ["ffprobe", "-v", "error", "-select_streams", "a", "-show_entries", "stream=channels"]
    text = subprocess.run([*command, "-of", "csv=p=0", str(media)], check=True, capture_output=True, text=True)
    return [int(line) for line in text.stdout.split()]


@pytest.mark.parametrize(
    ("files", "arguments", "written", "listed"),
    [
        (["2.wav", "6.wav"], ["join"], 2, ["6"]),
        (["1.wav", "2.wav", "6.wav"], ["join"], 1, ["2", "6"]),
        (["6.wav", "2.wav", "1.wav"], ["join"], 6, []),
        (["1.wav", "2.wav"], ["join", "--preset", "FLAC"], 1, ["2"]),
        (["2.wav", "6.wav#t=0,0.5"], ["join", "--size", "64x48"], 2, ["6"]),
        (["6.wav"], ["export", "--preset", "MP3"], 2, ["6"]),
        (["6.wav"], ["export", "--audio-codec", "flac", "--channels", "2"], 2, []),
        (["6.wav"], ["export", "--audio-codec", "flac"], 6, []),
    ],
)
def test_channels_that_are_mixed_down_are_listed(
    program: Program, files: list[str], arguments: list[str], written: int, listed: list[str]
) -> None:
    for channels in (1, 2, 6):
        tone(program, f"{channels}.wav", channels)
    out = "out.mp3" if "MP3" in arguments else "out.flac" if "FLAC" in arguments else "out.mkv"
    command, *options = arguments
    target = ["-o", out] if command == "join" else [out]
    planned = json.loads(program.ok(command, *files, *target, *options, "--json", "--dry-run"))
    done = json.loads(program.ok(command, *files, *target, *options, "--json"))
    assert channels_of(program.folder / out) == [written]
    for dropped in (planned["preflight"].get("dropped", []), done.get("dropped", [])):
        found = [each for each in dropped if each["item"] == "channels"]
        assert [each["key"] for each in found] == listed
        assert all(each["mediaType"] == "audio" and each["trackID"] == 1 for each in found)
        assert all(f"'{each['key']}.wav'" in each["reason"] for each in found), found


def test_channels_of_clips_are_listed(program: Program) -> None:
    for channels in (1, 2, 6):
        tone(program, f"{channels}.wav", channels)
    film = {"clips": [{"url": "1.wav"}, {"url": "2.wav"}], "audio": [{"url": "6.wav"}]}

    def listed() -> list[str]:
        (program.folder / "film.json").write_text(json.dumps(film))
        done = json.loads(program.ok("compose", "film.json", "-o", "out.mkv", "--json"))
        assert channels_of(program.folder / "out.mkv") == [6 if "audio" in film else 1]
        (program.folder / "out.mkv").unlink()
        return [each["key"] for each in done.get("dropped", []) if each["item"] == "channels"]

    # The sum has the channels of the widest of its tracks.
    assert listed() == []
    del film["audio"]
    assert listed() == ["2"]
