"""Exports in parts, compared with the export in one piece by other programs."""

import re
import shutil
import statistics
import subprocess

import pytest
from conftest import nothing_left, probe

import reelwire
from reelwire import Engine

PRESET = "LowQuality"


@pytest.fixture(scope="module")
def film(tmp_path_factory):
    """Twenty seconds with audio, of irregular frames for a while, B-frames and a sync sample a second."""
    path = tmp_path_factory.mktemp("parts") / "film.mp4"
    irregular = (
        "select='not(between(t,7,9)*mod(n,3))',"
        "settb=1/30000,setpts='PTS+if(between(T,12,13),0.004,0)/TB'"
    )
    # From FFmpeg 7 on, a frame after setpts has no duration, not even the last.
    durations = "setts=pts=PTS:dts=DTS:duration=1001"
    command = [
        *("ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=320x180:r=30000/1001:d=20"),
        *("-f", "lavfi", "-i", "aevalsrc='sin(2*PI*t*(200+20*t))':d=20:s=44100"),
        *("-vf", irregular, "-fps_mode", "passthrough", "-enc_time_base", "1/30000"),
        *("-bsf:v", durations, "-g", "30", "-bf", "2"),
        *("-c:v", "libx264", "-preset", "veryfast", "-c:a", "aac", "-shortest", str(path)),
    ]
    subprocess.run(command, check=True)
    return path


def packets(path, stream):
    """The presentation time and the duration of each packet, in the file's own ticks and in order of time."""
    found = probe(path, "-select_streams", stream, "-show_entries", "packet=pts,duration")
    return sorted((packet["pts"], packet.get("duration")) for packet in found["packets"])


def decode_times(path):
    found = probe(path, "-select_streams", "v", "-show_entries", "packet=dts")
    return [packet["dts"] for packet in found["packets"]]


def decoded(path, *options):
    """A hash of all that is decoded; it fails where anything of that is damaged."""
    command = ["ffmpeg", "-v", "error", "-xerror", "-i", str(path), *options, "-f", "md5", "-"]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    assert not done.stderr
    return done.stdout


def export_in_parts(engine, source, output, parts, folder, others=(), threads=None, **options):
    """Exports, each part by another engine in turn; returns the plan and the files of its parts."""
    engines = [engine, *others]
    with engine.open(source) as asset, asset.export_session(output, **options) as session:
        plan = session.plan(part_count=parts, thread_count=threads)
        files = []
        for number, _ in enumerate(plan["parts"]):
            maker = engines[number % len(engines)]
            files.append(folder / f"{output.name}.{number}.part")
            with maker.open(source) as copy, copy.export_session(output, **options) as making:
                result = making.export_part(plan, number, files[-1])
                assert result.path == str(files[-1])
                assert result.file_size == files[-1].stat().st_size
        session.join(plan, files)
    return plan, files


@pytest.mark.parametrize("parts", [1, 2, 3, 7, 16])
@pytest.mark.parametrize("suffix", [".mp4", ".mkv"])
def test_parts_are_the_whole(shared_engine, film, tmp_path, parts, suffix):
    whole, joined = tmp_path / f"whole{suffix}", tmp_path / f"joined{suffix}"
    with shared_engine.open(film) as asset:
        asset.export(whole, PRESET)
    plan, _ = export_in_parts(shared_engine, film, joined, parts, tmp_path, preset=PRESET)
    video = [part for part in plan["parts"] if part["mediaType"] == "video"]
    assert len(video) == parts
    assert [part["mediaType"] for part in plan["parts"][parts:]] == ["audio"]
    assert packets(joined, "v") == packets(whole, "v")
    assert sum(part["frameCount"] for part in video) == len(packets(film, "v"))
    assert packets(joined, "a") == packets(whole, "a")
    assert decoded(joined, "-map", "0:a") == decoded(whole, "-map", "0:a")
    decoded(joined, "-map", "0:v")
    if suffix == ".mp4":
        times = decode_times(joined)
        assert times == sorted(set(times))
    if parts == 1:
        assert decoded(joined, "-map", "0:v") == decoded(whole, "-map", "0:v")


def likeness(made, source):
    """The likeness of each picture to that of the source, in decibels of its luma."""
    values = made.with_suffix(".psnr")
    compared = f"[0:v][1:v]psnr=stats_file={values}"
    command = ["ffmpeg", "-v", "error", "-i", str(made), "-i", str(source), "-lavfi", compared]
    subprocess.run([*command, "-f", "null", "-"], check=True)
    found = re.findall(r"psnr_y:(\S+)", values.read_text())
    return [min(float(each), 100) for each in found]


@pytest.mark.parametrize("codec", ["h264", "hevc"])
def test_seams_are_as_good_as_the_rest(shared_engine, film, tmp_path, codec):
    whole, joined = tmp_path / "whole.mp4", tmp_path / "joined.mp4"
    options = {"settings": {"video": {"codec": codec}}}
    with shared_engine.open(film) as asset:
        asset.export(whole, **options)
    plan, _ = export_in_parts(shared_engine, film, joined, 3, tmp_path, **options)
    alone, parts = likeness(whole, film), likeness(joined, film)
    assert len(alone) == len(parts)
    seam = 0
    for part in plan["parts"][:2]:
        seam += part["frameCount"]
        for reach in (2, 5, 10):
            near = slice(seam - reach, seam + reach)
            assert statistics.mean(parts[near]) > statistics.mean(alone[near]) - 0.2, (seam, reach)


@pytest.mark.parametrize("preset", [PRESET, "HEVCHighestQuality"])
def test_bytes_depend_on_the_plan_alone(shared_engine, binary, film, tmp_path, preset):
    one, other = tmp_path / "a" / "film.mp4", tmp_path / "b" / "film.mp4"
    one.parent.mkdir()
    other.parent.mkdir()
    _, files = export_in_parts(shared_engine, film, one, 3, one.parent, preset=preset)
    with Engine(binary) as second:
        _, others = export_in_parts(
            shared_engine, film, other, 3, other.parent, [second], preset=preset
        )
    assert [file.read_bytes() for file in files] == [file.read_bytes() for file in others]
    assert one.read_bytes() == other.read_bytes()


def test_threads_change_nothing_of_hevc(shared_engine, film, tmp_path):
    """x265 with several pictures at a time makes other bytes now and then: it has one, with any plan."""
    made = []
    for threads in (1, 4):
        made.append(tmp_path / f"{threads}.mp4")
        options = {"threads": threads, "preset": "HEVCHighestQuality"}
        export_in_parts(shared_engine, film, made[-1], 2, tmp_path, **options)
    assert made[0].read_bytes() == made[1].read_bytes()


CODECS = [
    ("h264", ".mp4", {"frameDuration": "1/10"}),
    ("hevc", ".mp4", {}),
    ("vp9", ".webm", {}),
    ("av1", ".mp4", {}),
    ("prores", ".mov", {}),
    ("mjpeg", ".mov", {}),
]


@pytest.mark.parametrize(("codec", "suffix", "more"), CODECS, ids=[c[0] for c in CODECS])
def test_every_codec(shared_engine, film, tmp_path, codec, suffix, more):
    options = {
        "settings": {"video": {"codec": codec, "width": 160, **more}},
        "time_range": reelwire.TimeRange.between("21/10", "31/5"),
    }
    whole, joined = tmp_path / f"whole{suffix}", tmp_path / f"joined{suffix}"
    with shared_engine.open(film) as asset:
        try:
            asset.export(whole, **options)
        except reelwire.ReelwireError as error:
            if "encoder" in str(error):
                pytest.skip(str(error))
            raise
    plan, _ = export_in_parts(shared_engine, film, joined, 3, tmp_path, **options)
    assert len(plan["parts"]) == 4
    assert packets(joined, "v") == packets(whole, "v")
    assert decoded(joined, "-map", "0:a") == decoded(whole, "-map", "0:a")
    decoded(joined, "-map", "0:v")


def test_metadata_and_subtitles_come_from_the_asset(shared_engine, film, tmp_path):
    words, source = tmp_path / "words.srt", tmp_path / "source.mkv"
    words.write_text("1\n00:00:01,000 --> 00:00:02,000\nOne\n\n2\n00:00:08,000 --> 00:00:12,000\nTwo\n")
    command = ["ffmpeg", "-v", "error", "-i", str(film), "-i", str(words), "-c", "copy"]
    subprocess.run([*command, "-map", "0", "-map", "1", str(source)], check=True)
    whole, joined = tmp_path / "whole.mkv", tmp_path / "joined.mkv"
    options = {"preset": PRESET, "metadata": {"title": "Evening"}, "chapters": [(0, "One")]}
    with shared_engine.open(source) as asset:
        asset.export(whole, **options)
    export_in_parts(shared_engine, source, joined, 2, tmp_path, **options)
    entries = ("-show_entries", "format_tags=title:stream=codec_name,codec_type:chapter_tags=title")
    assert probe(joined, *entries) == probe(whole, *entries)
    assert packets(joined, "s") == packets(whole, "s") != []


@pytest.fixture(scope="module")
def made(shared_engine, film, tmp_path_factory):
    """A plan and the files of its parts."""
    folder = tmp_path_factory.mktemp("made")
    return export_in_parts(shared_engine, film, folder / "film.mp4", 2, folder, preset=PRESET)


def refusal(engine, source, output, plan, files, preset=PRESET):
    """The error of a join; no file of it remains."""
    with engine.open(source) as asset, asset.export_session(output, preset) as session:
        with pytest.raises(reelwire.ReelwireError) as info:
            session.join(plan, files)
        assert not output.exists()
    return info.value


def test_wrong_parts_are_named(shared_engine, film, made, tmp_path):
    plan, files = made
    output = tmp_path / "film.mp4"

    def fails(files, plan=plan, **options):
        return refusal(shared_engine, film, output, plan, files, **options)

    missing = fails([files[0], tmp_path / "gone", files[2]])
    assert missing.name == "contentIsUnavailable"
    assert "Part 1 can't be opened" in missing.message
    assert "part 1" in missing.hint
    swapped = fails([files[1], files[0], files[2]])
    assert f"'{files[1]}' is part 1, and was passed as part 0" in swapped.message
    few = fails(files[:2])
    assert "3 parts, and there are 2 files" in few.message
    for name, change in {
        "cut": lambda data: data[:-100],
        "cut in the middle": lambda data: data[: len(data) // 2],
        "one bit": lambda data: data[:50000] + bytes([data[50000] ^ 1]) + data[50001:],
        "head": lambda data: data[:40] + b"?" + data[41:],
        "end": lambda data: data[:-30] + b"?" + data[-29:],
        "empty": lambda data: b"",
        "another file": lambda data: film.read_bytes(),
    }.items():
        damaged = tmp_path / f"{name}.part"
        damaged.write_bytes(change(files[1].read_bytes()))
        error = fails([files[0], damaged, files[2]])
        assert error.name == "fileFailedToParse", name
        assert str(damaged) in error.message, name
        assert "part 1" in error.message, name
    nothing_left(shared_engine)


def test_wrong_plans_are_refused(shared_engine, film, made, clip, tmp_path):
    plan, files = made
    output = tmp_path / "film.mp4"

    def message(plan, source=film, preset=PRESET):
        error = refusal(shared_engine, source, output, plan, files, preset)
        assert error.name in ("operationNotAllowed", "fileFailedToParse")
        return error.message

    changed = {**plan, "parts": [{**plan["parts"][0], "frameCount": 7}, *plan["parts"][1:]]}
    assert "digest" in message(changed)
    assert "isn't the file" in message(plan, source=clip)
    assert "other settings" in message(plan, preset="MediumQuality")
    with shared_engine.open(film) as asset, asset.export_session(output, PRESET) as session:
        other = session.plan(part_count=3)
        with pytest.raises(reelwire.ReelwireError, match="no part 9"):
            session.export_part(plan, 9, tmp_path / "9.part")
        with pytest.raises(reelwire.FileAlreadyExistsError):
            session.export_part(plan, 0, files[0])
    assert "3 files" in message(other) or "there are 3" in message(other)
    # A copy of the file elsewhere is the same.
    copy = tmp_path / "copy.mp4"
    shutil.copy(film, copy)
    with shared_engine.open(copy) as asset, asset.export_session(output, PRESET) as session:
        session.join(plan, files)
    assert packets(output, "v")


def test_what_has_no_parts(shared_engine, film, tmp_path):
    def error(output="out.mp4", **options):
        with shared_engine.open(film) as asset:
            with asset.export_session(tmp_path / output, **options) as session:
                with pytest.raises(reelwire.ReelwireError) as info:
                    session.plan()
                return info.value

    assert error(preset="Passthrough").name == "operationNotSupportedForPreset"
    rate = error(settings={"video": {"bitRate": 500000}})
    assert (rate.name, "quality" in rate.hint) == ("unsupportedOutputSettings", True)
    limited = error(preset=PRESET, file_length_limit=100000)
    assert limited.name == "unsupportedOutputSettings"
    assert error("out.gif", preset="GIF").name == "operationNotSupportedForPreset"
    with shared_engine.open(film) as asset, (asset[0:2] + asset[4:5]).composition() as joined:
        with joined.export_session(tmp_path / "c.mp4", PRESET) as session:
            with pytest.raises(reelwire.ReelwireError) as info:
                session.plan()
    assert info.value.name == "operationNotSupportedForAsset"
    with shared_engine.open(film) as asset, asset.export_session(tmp_path / "p.mp4") as session:
        with pytest.raises(reelwire.InvalidParamsError) as wrong:
            session.plan(part_count=0, thread_count=99)
    assert len(wrong.value.data["errors"]) == 2


def test_audio_alone_is_one_part(shared_engine, film, tmp_path):
    whole, joined = tmp_path / "whole.m4a", tmp_path / "joined.m4a"
    with shared_engine.open(film) as asset:
        asset.export(whole, "AppleM4A")
    plan, _ = export_in_parts(shared_engine, film, joined, 4, tmp_path, preset="AppleM4A")
    assert [part["mediaType"] for part in plan["parts"]] == ["audio"]
    assert decoded(joined) == decoded(whole)
    assert packets(joined, "a") == packets(whole, "a")


def test_resuming_makes_the_same_file(shared_engine, film, tmp_path):
    straight, resumed = tmp_path / "straight.mp4", tmp_path / "resumed.mp4"
    # One long enough to be still in progress when it is cancelled.
    preset = "HEVCHighestQuality"
    with shared_engine.open(film) as asset:
        reported = []
        asset.export(straight, preset, resume=True, progress=reported.append)
        assert reported == sorted(reported)
        assert reported[-1] == 1
        # Cancelled at its first word.
        with pytest.raises(ZeroDivisionError):
            asset.export(resumed, preset, resume=True, progress=lambda part: 1 / 0)
        assert not resumed.exists()
        asset.export(resumed, preset, resume=True)
    assert resumed.read_bytes() == straight.read_bytes()
    assert sorted(tmp_path.iterdir()) == [resumed, straight]


@pytest.mark.parametrize("kind", ["video", "audio"])
def test_damaged_parts_are_made_again(shared_engine, film, tmp_path, kind):
    straight, resumed = tmp_path / "straight.mp4", tmp_path / "resumed.mp4"
    with shared_engine.open(film) as asset:
        asset.export(straight, PRESET, resume=True)
        with asset.export_session(resumed, PRESET) as session:
            plan = session.plan()
            number = [part["mediaType"] for part in plan["parts"]].index(kind)
            part = tmp_path / f".resumed.mp4.{plan['digest'][:16]}.{number:04}.part"
            session.export_part(plan, number, part)
        data = bytearray(part.read_bytes())
        data[len(data) // 2] ^= 1
        part.write_bytes(data)
        asset.export(resumed, PRESET, resume=True)
    assert resumed.read_bytes() == straight.read_bytes()
    assert sorted(tmp_path.iterdir()) == [resumed, straight]


def test_parts_of_something_else_are_removed(shared_engine, film, tmp_path):
    output = tmp_path / "film.mp4"
    stale = tmp_path / ".film.mp4.0123456789abcdef.0000.part"
    foreign = [tmp_path / ".film.mp4.note.part", tmp_path / ".other.mp4.0123456789abcdef.0000.part"]
    for path in (stale, *foreign):
        path.write_bytes(b"?")
    with shared_engine.open(film) as asset:
        asset.export(output, PRESET, resume=True)
    assert sorted(tmp_path.iterdir()) == sorted([output, *foreign])
