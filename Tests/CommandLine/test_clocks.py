"""Files whose clock begins again, begins far from zero, or is stated wrongly, compared with ffprobe's and
ffmpeg's reading of their parts."""

from __future__ import annotations

import json
import struct
import subprocess
from pathlib import Path
from typing import Callable, Dict, List, Tuple

import pytest

from conftest import Program, ffmpeg


def ramp(seconds: int, first: int) -> List[object]:
    """Pictures at 25 a second, each a grey that is a level lighter than the one before."""
    source = f"color=black:s=64x48:r=25:d={seconds},geq=lum='{first}+N':cb=128:cr=128"
    return ["-f", "lavfi", "-i", source]


def tone(seconds: int) -> List[object]:
    return ["-f", "lavfi", "-i", f"sine=d={seconds}:sample_rate=48000"]


H264 = ["-c:v", "libx264", "-g", 25, "-bf", 2, "-x264-params", "scenecut=0", "-c:a", "aac"]


def part(path: Path, first: int, coding: List[object], seconds: int = 2, sound: bool = True) -> bytes:
    ffmpeg([*ramp(seconds, first), *(tone(seconds) if sound else []), *coding, path])
    return path.read_bytes()


def packets(path: Path, kind: str) -> List[Tuple[float, str]]:
    """The presentation times of packets, in their order, with the flags."""
    command = ["ffprobe", "-v", "error", "-select_streams", kind, "-of", "json"]
    shown = subprocess.run(
        [*command, "-show_entries", "packet=pts_time,flags", path], check=True, capture_output=True
    )
    found = json.loads(shown.stdout)["packets"]
    return sorted((float(packet["pts_time"]), packet["flags"]) for packet in found)


def greys(path: Path) -> List[int]:
    """The luma of each picture that ffmpeg decodes, in order."""
    command = ["ffmpeg", "-v", "error", "-i", path, "-map", "0:v:0", "-fps_mode", "passthrough"]
    plane = "extractplanes=y,crop=1:1:32:24" if path.suffix != ".png" else "format=gray,crop=1:1:32:24"
    raw = subprocess.run(
        # Times that the muxer rounds to the same value would cost a picture.
        [*command, "-vf", f"{plane},setpts=N/(25*TB)", "-f", "rawvideo", "-"],
        check=True,
        capture_output=True,
    )
    return list(raw.stdout)


def duration(program: Program, name: str, *options: str) -> float:
    return seconds(json.loads(program.ok("probe", "--json", *options, name))["duration"])


def seconds(time: Dict[str, int]) -> float:
    return time["value"] / time["timescale"]


def requires_even_steps(path: Path, count: int, step: float = 0.04) -> None:
    times = [time for time, _ in packets(path, "v")]
    assert len(times) == count
    steps = [b - a for a, b in zip(times, times[1:])]
    assert all(abs(each - step) < 0.0015 for each in steps), steps


def transport(folder: Path) -> Dict[str, bytes]:
    def made(name: str, first: int, *more: object) -> bytes:
        return part(folder / f"{name}.ts", first, [*H264, *more, "-f", "mpegts"])

    first, second, third = made("1", 16), made("2", 66), made("3", 116)
    return {
        "twice.ts": first + second,
        "three.ts": first + second + third,
        "overlap.ts": first + made("overlap", 66, "-output_ts_offset", 1.5),
        "back.ts": made("late", 16, "-output_ts_offset", 100) + second,
        "ahead.ts": first + made("later", 66, "-output_ts_offset", 5000),
        # The counter of 33 bits overflows after 95,443.7 s.
        "wraps.ts": made("wraps", 16, "-output_ts_offset", 95441.3) + made("again", 66, "-output_ts_offset", 95441.3),
        "wrap.ts": made("wrap", 16, "-output_ts_offset", 95441.3),
        "plain.ts": first,
    }


@pytest.fixture(scope="module")
def clocks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("clocks")
    for name, data in transport(folder).items():
        (folder / name).write_bytes(data)
    return folder


PARTS = {
    "twice.ts": 2,
    "three.ts": 3,
    "overlap.ts": 2,
    "back.ts": 2,
    "ahead.ts": 2,
    "wraps.ts": 2,
    "wrap.ts": 1,
    "plain.ts": 1,
}


@pytest.mark.parametrize("name", PARTS)
@pytest.mark.parametrize("target", ["mp4", "mkv", "ts"])
def test_every_picture_of_every_part_is_copied_in_even_steps(
    program: Program, clocks: Path, name: str, target: str
) -> None:
    count = 50 * PARTS[name]
    assert duration(program, str(clocks / name), "--precise") == pytest.approx(count / 25, abs=0.05)
    program.ok("export", str(clocks / name), f"copy.{target}", "--preset", "Passthrough")
    copy = program.folder / f"copy.{target}"
    requires_even_steps(copy, count)
    assert greys(copy) == list(range(16, 16 + count))
    # No packet of audio before the one before it; a part begins with 1,024 samples of an encoder's delay.
    times = [time for time, _ in packets(copy, "a")]
    assert all(0.01 < b - a < 0.05 for a, b in zip(times, times[1:]))
    assert times[-1] == pytest.approx(count / 25, abs=0.08)


@pytest.mark.parametrize("name", ["three.ts", "back.ts", "wraps.ts"])
def test_every_picture_of_every_part_is_encoded_in_even_steps(
    program: Program, clocks: Path, name: str
) -> None:
    count = 50 * PARTS[name]
    program.ok("export", str(clocks / name), "out.mp4", "--preset", "HighestQuality")
    requires_even_steps(program.folder / "out.mp4", count)
    shown = greys(program.folder / "out.mp4")
    assert len(shown) == count
    assert all(abs(grey - 16 - number) <= 2 for number, grey in enumerate(shown))


def test_images_of_later_parts_are_found_in_any_order(program: Program, clocks: Path) -> None:
    for number in [137, 12, 82, 52, 122]:
        # The middle of a picture; the pictures begin 21 ms after the audio.
        time = str((number + 0.5) / 25 + 0.0213)
        program.ok("image", str(clocks / "three.ts"), "-t", time, "-o", f"{number}.png")
        # Limited range becomes full.
        assert greys(program.folder / f"{number}.png")[0] == pytest.approx(number * 255 / 219, abs=2)


def test_a_pause_of_one_track_is_a_pause(program: Program) -> None:
    pause = ["-f", "lavfi", "-i", "sine=d=16:sample_rate=48000,aselect=not(between(t\\,2\\,14))"]
    pictures = ["-f", "lavfi", "-i", "color=black:s=64x48:r=5:d=16"]
    ffmpeg([*pictures, *pause, *H264, "-f", "mpegts", program.folder / "pause.ts"])
    assert duration(program, "pause.ts", "--precise") == pytest.approx(16, abs=0.05)
    program.ok("export", "pause.ts", "copy.mp4", "--preset", "Passthrough")
    times = [time for time, _ in packets(program.folder / "copy.mp4", "a")]
    assert max(b - a for a, b in zip(times, times[1:])) == pytest.approx(12, abs=0.1)


# MARK: Fragments


def boxes(data: bytes, start: int = 0, end: int = -1) -> List[Tuple[bytes, int, int]]:
    found = []
    end = len(data) if end < 0 else end
    while start + 8 <= end:
        size, kind = struct.unpack(">I4s", data[start : start + 8])
        found.append((kind, start, start + size))
        start += size
    return found


def with_fragment_times(data: bytes, change: Callable[[int, int, int], int]) -> bytes:
    """`change(fragment, track, time)` returns the new time of each `tfdt`."""
    new = bytearray(data)
    fragments = [box for box in boxes(data) if box[0] == b"moof"]
    for number, (_, start, end) in enumerate(fragments):
        for kind, traf, traf_end in boxes(data, start + 8, end):
            if kind != b"traf":
                continue
            track = 0
            for child, place, _ in boxes(data, traf + 8, traf_end):
                if child == b"tfhd":
                    track = struct.unpack(">I", data[place + 12 : place + 16])[0]
                elif child == b"tfdt":
                    code = ">Q" if data[place + 8] else ">I"
                    size = struct.calcsize(code)
                    old = struct.unpack(code, data[place + 12 : place + 12 + size])[0]
                    changed = struct.pack(code, change(number, track, old))
                    new[place + 12 : place + 12 + size] = changed
    return bytes(new)


@pytest.fixture(scope="module")
def fragments(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Two seconds in five fragments of ten pictures."""
    path = tmp_path_factory.mktemp("fragments") / "whole.mp4"
    coding = ["-c:v", "libx264", "-g", 10, "-bf", 0, "-c:a", "aac"]
    flags = ["-movflags", "frag_keyframe+empty_moov+default_base_moof"]
    return part(path, 16, [*coding, *flags])


def test_fragments_whose_times_begin_again_follow_each_other(program: Program, fragments: bytes) -> None:
    first: Dict[int, int] = {}
    data = with_fragment_times(
        fragments, lambda n, track, time: time if n < 2 else time - first.setdefault(track, time)
    )
    (program.folder / "again.mp4").write_bytes(data)
    assert duration(program, "again.mp4") == pytest.approx(2, abs=0.05)
    program.ok("export", "again.mp4", "copy.mp4", "--preset", "Passthrough")
    assert greys(program.folder / "copy.mp4") == list(range(16, 66))
    assert packets(program.folder / "copy.mp4", "v")[-1][0] == pytest.approx(1.96, abs=0.05)
    program.ok("export", "again.mp4", "out.mp4", "--preset", "HighestQuality")
    assert len(greys(program.folder / "out.mp4")) == 50


def test_fragments_of_a_live_stream_s_clock_count_from_their_start(program: Program, fragments: bytes) -> None:
    scales = {1: 12800, 2: 48000}
    for number, seconds in enumerate([1_700_000_000, 18_000]):
        data = with_fragment_times(fragments, lambda _, track, time: time + seconds * scales[track])
        name = f"far{number}.mp4"
        (program.folder / name).write_bytes(data)
        assert duration(program, name) == pytest.approx(2, abs=0.05)
        program.ok("export", name, f"far{number}.wav")
        size = (program.folder / f"far{number}.wav").stat().st_size
        assert size == pytest.approx(2 * 96000, abs=5000)


def test_fragments_that_begin_late_end_where_they_end(program: Program, fragments: bytes) -> None:
    starts = [start for kind, start, _ in boxes(fragments) if kind == b"moof"]
    (program.folder / "late.mp4").write_bytes(fragments[: starts[0]] + fragments[starts[2] :])
    assert duration(program, "late.mp4") == pytest.approx(2, abs=0.05)
    probed = json.loads(program.ok("probe", "--json", "late.mp4"))
    for kind, track in zip("va", probed["tracks"]):
        start = packets(program.folder / "late.mp4", kind)[0][0]
        assert start > 0.05
        assert seconds(track["timeRange"]["start"]) == pytest.approx(start, abs=0.001)
        assert seconds(track["timeRange"]["duration"]) == pytest.approx(2 - start, abs=0.05)


def test_an_index_of_fragments_that_lies_is_not_believed(program: Program) -> None:
    path = program.folder / "indexed.mp4"
    coding = ["-c:v", "libx264", "-g", 10, "-bf", 0, "-movflags", "dash+frag_keyframe+global_sidx"]
    data = bytearray(part(path, 16, coding, sound=False))
    found = [start for kind, start, _ in boxes(bytes(data)) if kind == b"sidx"]
    assert found
    place = found[0]
    long = data[place + 8] != 0
    table = place + (40 if long else 32)
    count = struct.unpack(">H", data[table - 2 : table])[0]
    for number in range(count):
        entry = table + 12 * number
        data[entry + 4 : entry + 8] = struct.pack(">I", 100 * 12800)
    (program.folder / "lies.mp4").write_bytes(data)
    assert duration(program, "lies.mp4") == pytest.approx(2, abs=0.05)
    program.ok("export", "lies.mp4", "copy.mp4", "--preset", "Passthrough")
    assert greys(program.folder / "copy.mp4") == list(range(16, 66))


# MARK: AVI


@pytest.mark.parametrize("count", [9_000_000, 10])
def test_a_header_that_miscounts_pictures_is_not_believed(program: Program, count: int) -> None:
    coding = ["-c:v", "mpeg4", "-bf", 0, "-g", 10]
    data = bytearray(part(program.folder / "whole.avi", 16, coding, sound=False))
    for place in (data.find(b"avih") + 24, data.find(b"strh") + 40):
        data[place : place + 4] = struct.pack("<I", count)
    (program.folder / "lies.avi").write_bytes(data)
    assert duration(program, "lies.avi") == pytest.approx(2, abs=0.001)
    program.ok("export", "lies.avi", "out.mp4", "--preset", "HighestQuality")
    requires_even_steps(program.folder / "out.mp4", 50)


@pytest.mark.parametrize("damage", ["half", "sizes", "offsets", "none"])
def test_an_avi_with_a_broken_index_keeps_its_pictures(program: Program, damage: str) -> None:
    coding = ["-c:v", "mjpeg", "-q:v", 8, "-c:a", "pcm_s16le"]
    data = bytearray(part(program.folder / "whole.avi", 16, coding))
    index = data.rfind(b"idx1")
    size = struct.unpack("<I", data[index + 4 : index + 8])[0]
    count = size // 16
    if damage == "half":
        kept = count // 2 * 16
        data[index + 4 : index + 8] = struct.pack("<I", kept)
        rest = index + 8 + kept
        data[rest : rest + 8] = b"JUNK" + struct.pack("<I", size - kept - 8)
    elif damage == "none":
        data[index : index + 4] = b"JUNK"
    for entry in range(count):
        place = index + 8 + 16 * entry + (8 if damage == "offsets" else 12)
        value = struct.unpack("<I", data[place : place + 4])[0]
        if damage == "sizes" and entry % 3 == 1:
            data[place : place + 4] = struct.pack("<I", max(4, value // 2))
        if damage == "offsets" and entry > count // 2:
            data[place : place + 4] = struct.pack("<I", value + 1000)
    (program.folder / "broken.avi").write_bytes(data)
    assert duration(program, "broken.avi") == pytest.approx(2, abs=0.01)
    program.ok("export", "broken.avi", "out.mp4", "--preset", "HighestQuality")
    requires_even_steps(program.folder / "out.mp4", 50)


@pytest.mark.parametrize("target", ["m4a", "mov", "ts"])
def test_audio_that_begins_with_the_packet_before_it_is_copied(
    program: Program, target: str
) -> None:
    """Files that were cut or joined have such packets; the decode times of most containers ascend strictly."""
    doubled = "setts=ts='if(eq(N,40),PREV_OUTDTS,TS)'"
    name = program.folder / "doubled.mka"
    ffmpeg([*tone(2), "-c:a", "aac", "-bsf:a", doubled, name])
    times = [time for time, _ in packets(name, "a")]
    assert times[39] == times[40]
    made = program.folder / f"copy.{target}"
    program.ok("export", "--preset", "Passthrough", "doubled.mka", made.name)
    copied = packets(made, "a")
    assert len(copied) == len(times)
    assert copied[40][0] - copied[39][0] < 0.001
    assert copied[41][0] - copied[40][0] == pytest.approx(2048 / 48000, abs=0.002)
    decoded = subprocess.run(
        ["ffmpeg", "-v", "error", "-i", made, "-f", "null", "-"], check=True, capture_output=True
    )
    assert not decoded.stderr


@pytest.mark.parametrize("name", ["late.mkv", "late.webm", "late.nut"])
def test_a_file_that_begins_late_lasts_from_its_first_sample(program: Program, name: str) -> None:
    """Matroska's header states the time of the end, by libavformat's muxer."""
    coding = ["-c:v", "libvpx", "-c:a", "libopus"] if name == "late.webm" else H264
    path = program.folder / name
    ffmpeg([*ramp(2, 40), *tone(2), *coding, "-output_ts_offset", 3600, path])
    for options in ([], ["--precise"]):
        assert 1.97 < duration(program, name, *options) < 2.07
    program.ok("export", "-p", "Passthrough", name, "copy.mkv")
    assert greys(program.folder / "copy.mkv") == greys(path)
    assert 1.97 < duration(program, "copy.mkv") < 2.07


def test_the_duration_of_another_muxer_is_left_alone(program: Program) -> None:
    """mkvmerge's duration begins with the first sample: here the header of a file that begins at 3 s says so."""
    path = program.folder / "late.mkv"
    ffmpeg([*ramp(4, 40), *H264[:-2], "-output_ts_offset", 3, path])
    data = path.read_bytes()
    place = data.index(b"\x44\x89\x88") + 3
    stated = struct.unpack(">d", data[place : place + 8])[0]
    assert 6900 < stated < 7100
    path.write_bytes(data[:place] + struct.pack(">d", stated - 3000) + data[place + 8 :])
    assert 3.9 < duration(program, "late.mkv") < 4.1


@pytest.mark.parametrize("name", ["two.mkv", "two.webm"])
def test_a_second_file_of_matroska_is_a_loss_with_a_name(program: Program, name: str) -> None:
    coding = ["-c:v", "libvpx", "-c:a", "libopus"] if name == "two.webm" else H264
    first = part(program.folder / f"first.{name[4:]}", 40, coding)
    (program.folder / name).write_bytes(first + part(program.folder / f"second.{name[4:]}", 90, coding))
    assert 1.97 < duration(program, name) < 2.07
    for options in (["o.mp4"], ["-p", "Passthrough", "o.mkv"]):
        ended = program("export", *options[:-1], name, options[-1])
        assert ended.returncode == 0
        assert f"another file begins at byte {len(first)}" in (ended.stdout + ended.stderr).decode()
        assert len(greys(program.folder / options[-1])) == 50


CODINGS: Dict[str, List[object]] = {
    "nut": ["-c:v", "mpeg4", "-c:a", "mp2"],
    "flv": ["-c:v", "flv1", "-c:a", "libmp3lame", "-ar", 44100],
    "ivf": ["-c:v", "libvpx", "-an"],
}


@pytest.mark.parametrize("kind", CODINGS)
def test_a_second_file_is_a_loss_with_a_name(program: Program, kind: str) -> None:
    """These containers don't state their end, and FFmpeg reads on in the times of the first file."""
    first = part(program.folder / f"first.{kind}", 40, CODINGS[kind])
    second = part(program.folder / f"second.{kind}", 90, CODINGS[kind])
    (program.folder / f"two.{kind}").write_bytes(first + second)
    assert 1.9 < duration(program, f"two.{kind}") < 2.1
    for options in (["o.mkv"], ["-p", "Passthrough", "o.mov" if kind == "nut" else "copy.mkv"]):
        ended = program("export", *options[:-1], f"two.{kind}", options[-1])
        assert ended.returncode == 0, ended.stderr
        assert f"another file begins at byte {len(first)}" in (ended.stdout + ended.stderr).decode()
        assert greys(program.folder / options[-1]) == pytest.approx(greys(program.folder / f"first.{kind}"), abs=3)
    whole = program("export", f"first.{kind}", "whole.mkv")
    assert whole.returncode == 0 and b"another" not in whole.stdout + whole.stderr


def test_a_second_file_of_flac_is_a_loss_with_a_name(program: Program) -> None:
    """FFmpeg's parser gives the last frames of the first file and the head of the second as one packet."""
    first = part(program.folder / "first.flac", 0, ["-vn", "-c:a", "flac"])
    (program.folder / "two.flac").write_bytes(first + first)
    for options in (["o.wav"], ["-p", "Passthrough", "o.mka"]):
        ended = program("export", *options[:-1], "two.flac", options[-1])
        assert ended.returncode == 0, ended.stderr
        assert f"another file begins at byte {len(first)}" in (ended.stdout + ended.stderr).decode()


def test_a_clock_that_is_set_back_is_a_loss_with_a_name(program: Program) -> None:
    """A recorder of FLV that was connected again continues with times from zero, without another header."""
    first = part(program.folder / "first.flv", 40, CODINGS["flv"])
    second = part(program.folder / "second.flv", 90, CODINGS["flv"])
    (program.folder / "set-back.flv").write_bytes(first + second[13:])
    ended = program("export", "set-back.flv", "o.mkv")
    assert ended.returncode == 0, ended.stderr
    assert "its times begin again at byte" in (ended.stdout + ended.stderr).decode()
    assert greys(program.folder / "o.mkv") == pytest.approx(greys(program.folder / "first.flv"), abs=3)
