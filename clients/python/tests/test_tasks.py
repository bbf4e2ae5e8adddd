"""The tasks that people come for, each in the lines that they would write; FFmpeg checks the results."""

import io
import os
import shutil
import subprocess
from fractions import Fraction

import pytest

import reelwire
from conftest import probe, seconds

numpy = pytest.importorskip("numpy")


def decoded(path, *numbers):
    """Frames of a linear decode as RGB, by their numbers."""
    stream = probe(path, "-show_streams", "-select_streams", "v:0")["streams"][0]
    size = (stream["height"], stream["width"], 3)
    command = ["ffmpeg", "-v", "error", "-i", str(path), "-map", "0:v:0", "-fps_mode", "passthrough"]
    command += ["-vf", "scale=flags=accurate_rnd+full_chroma_int+bicubic", "-f", "rawvideo"]
    data = subprocess.run(
        [*command, "-pix_fmt", "rgb24", "-"], check=True, stdout=subprocess.PIPE
    ).stdout
    frames = numpy.frombuffer(data, "u1").reshape(-1, *size)
    return frames[list(numbers)] if numbers else frames


def alike(one, other):
    """True if two pictures show the same, with any conversions."""
    return one.shape == other.shape and numpy.abs(one.astype(int) - other.astype(int)).mean() < 3


@pytest.fixture
def asset(engine, clip):
    with engine.open(clip) as asset:
        yield asset


# The contents of a file


def test_how_long_and_how_large(asset, clip):
    assert float(asset.duration) == pytest.approx(seconds(clip), abs=0.05)
    video = next(track for track in asset.tracks if track.media_type == "video")
    assert (video.natural_size.width, video.natural_size.height) == (322, 180)


def test_facts_of_the_file(asset, clip):
    facts = asset.load("container_facts")["container_facts"]
    assert facts.size == os.path.getsize(clip)


# Media that isn't a path


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview, io.BytesIO])
def test_media_in_memory(engine, clip, kind):
    with open(clip, "rb") as file:
        media = kind(file.read())
    with engine.open(media) as asset:
        assert alike(asset.image(1.0, format="rgb24").to_ndarray(), decoded(clip, 29)[0])


def test_an_open_file(engine, clip):
    with open(clip, "rb") as file, engine.open(file) as asset:
        assert float(asset.duration) == pytest.approx(seconds(clip), abs=0.05)


def test_a_pipe(engine, clip):
    with subprocess.Popen(["cat", str(clip)], stdout=subprocess.PIPE) as source:
        with engine.open(source.stdout) as asset:
            assert len(asset.frames()) == 120


def test_a_name_that_is_not_utf8(engine, clip, tmp_path):
    name = os.fsencode(tmp_path) + b"/caf\xe9.mp4"
    shutil.copy(clip, name)
    with engine.open(os.fsdecode(name)) as asset:
        assert len(asset.tracks) == 2


# Frames


def test_the_first_frame(asset, clip):
    assert alike(asset.image(format="rgb24").to_ndarray(), decoded(clip, 0)[0])
    assert alike(asset.frames()[0].to_ndarray(), decoded(clip, 0)[0])


def test_a_thumbnail(asset, tmp_path):
    asset.image(1.5, maximum_size=160, path=tmp_path / "a.jpg")
    stream = probe(tmp_path / "a.jpg", "-show_streams")["streams"][0]
    assert stream["width"] == 160


def test_frames_by_their_numbers(asset, clip):
    batch = asset.frames()[[99, 3, 7, 3]]
    assert batch.shape == (4, 180, 322, 3) and batch.dtype == numpy.uint8
    for one, other in zip(batch, decoded(clip, 99, 3, 7, 3)):
        assert alike(one, other)


def test_every_tenth_frame(asset, clip):
    batch = numpy.asarray(asset.frames()[10:100:10])
    assert all(map(alike, batch, decoded(clip, *range(10, 100, 10))))


def test_frames_at_times(asset, clip):
    batch = asset.frames_at([1.5, Fraction(1001, 30000) * 7])
    assert all(map(alike, batch, decoded(clip, 44, 7)))


def test_all_frames(asset, clip):
    count = 0
    with asset.reader(reelwire.TrackOutput("video", pixel_format="rgb24")) as reader:
        for sample in reader.outputs[0]:
            assert numpy.asarray(sample).shape == (180, 322, 3)
            count += 1
    assert count == len(decoded(clip))


# Audio


def test_audio_for_whisper(asset, clip):
    audio = asset.audio(sample_rate=16000, channels=1)
    assert audio.dtype == numpy.float32 and audio.shape[0] == 1
    assert audio.shape[1] == pytest.approx(4 * 16000, abs=2048)
    assert 0.05 < numpy.abs(audio).max() <= 1


def test_no_audio_is_an_empty_array(engine, clip, tmp_path):
    silent = tmp_path / "silent.mp4"
    command = ["ffmpeg", "-v", "error", "-i", str(clip), "-an", "-c", "copy", str(silent)]
    subprocess.run(command, check=True)
    with engine.open(silent) as asset:
        assert asset.audio(channels=1).shape == (1, 0)


# New files


def test_a_cut_without_encoding(asset, tmp_path):
    asset.export(tmp_path / "cut.mp4", "Passthrough", time_range=reelwire.TimeRange(1, 2))
    assert seconds(tmp_path / "cut.mp4") == pytest.approx(2, abs=0.1)


def test_smaller_with_progress(asset, tmp_path):
    parts = []
    settings = {"video": {"codec": "h264", "width": 160, "rateFactor": 30}, "audio": None}
    asset.export(tmp_path / "small.mp4", settings=settings, progress=parts.append)
    found = probe(tmp_path / "small.mp4", "-show_streams")["streams"]
    assert [(stream["codec_name"], stream["width"]) for stream in found] == [("h264", 160)]
    assert parts == sorted(parts) and parts[-1] == 1


def test_audio_alone(asset, tmp_path):
    asset.export(tmp_path / "a.mp3")
    found = probe(tmp_path / "a.mp3", "-show_streams")["streams"]
    assert [stream["codec_name"] for stream in found] == ["mp3"]


def test_tags_and_a_cover(engine, asset, tmp_path):
    cover = bytes(asset.image(0, format="jpeg"))
    asset.export(
        tmp_path / "b.mp4", "Passthrough", metadata={"title": "Evening", "artwork": cover}
    )
    with engine.open(tmp_path / "b.mp4") as copy:
        title = next(item for item in copy.common_metadata if item.common_key == "title")
        assert title.value == "Evening"
    assert probe(tmp_path / "b.mp4", "-show_format")["format"]["tags"]["title"] == "Evening"


def test_chapters(asset, tmp_path):
    chapters = [{"title": "One", "start": 0}, {"title": "Two", "start": 1.5}]
    asset.export(tmp_path / "b.mkv", "Passthrough", chapters=chapters)
    found = probe(tmp_path / "b.mkv", "-show_chapters")["chapters"]
    assert [(float(c["start_time"]), c["tags"]["title"]) for c in found] == [(0, "One"), (1.5, "Two")]


def test_a_sheet_for_a_player(asset, tmp_path):
    with asset.image_generator() as generator:
        generator.contact_sheet(5, 4, tile_width=80, path=tmp_path / "sheet.jpg")
    assert (tmp_path / "sheet.vtt").read_text().count("-->") == 20


# Errors


def test_an_error_names_the_remedy_in_python(asset):
    with pytest.raises(reelwire.NoImageAtTimeError) as caught:
        asset.image(100)
    assert "shows no frame at 100 s" in str(caught.value)
    assert "{" not in str(caught.value)


def test_what_is_left_of_a_file_that_is_cut_short(engine, clip, tmp_path):
    fast, short = tmp_path / "fast.mp4", tmp_path / "short.mp4"
    command = ["ffmpeg", "-v", "error", "-i", str(clip), "-c", "copy", "-movflags", "+faststart"]
    subprocess.run([*command, str(fast)], check=True)
    short.write_bytes(fast.read_bytes()[: fast.stat().st_size * 2 // 3])
    with engine.open(short, salvage=True) as asset:
        assert 40 < len(asset.frames()) < 120
