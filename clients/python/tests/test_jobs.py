"""The results of jobs, compared with those of the client, ffprobe and ffmpeg for the same files."""

import array
import dataclasses
import gc
import io
import os
import pickle
import subprocess
import sys
from pathlib import Path

import numpy
import pytest
from conftest import nothing_left, probe, seconds
from waiting import HANG

import reelwire
from reelwire import MediaTime, TimeRange, jobs


def sent(value):
    """The value as it comes from another process, which is the same."""
    other = pickle.loads(pickle.dumps(value))
    assert other == value
    return other


def pixels(data):
    pillow = pytest.importorskip("PIL.Image")
    return numpy.asarray(pillow.open(io.BytesIO(data)).convert("RGB"))


def test_a_probe_has_the_values_of_the_asset(worker, engine, rich_clip):
    value = sent(worker.run(jobs.Probe(), rich_clip))
    assert list(value) == ["duration", "tracks"]
    shown = probe(rich_clip, "-show_format", "-show_streams")
    assert float(value["duration"]) == pytest.approx(float(shown["format"]["duration"]), abs=0.05)
    kinds = [stream["codec_type"] for stream in shown["streams"]]
    assert [track.media_type for track in value["tracks"]][:3] == kinds[:3]
    with engine.open(rich_clip) as asset:
        assert value["duration"] == asset.duration
        for track, right in zip(value["tracks"], asset.tracks):
            for name in ("track_id", "media_type", "media_sub_type", "media_characteristics"):
                assert getattr(track, name) == getattr(right, name)
            for name in ("is_enabled", "is_decodable", "language_code", "natural_size"):
                assert getattr(track, name) == getattr(right, name)
        assert len(value["tracks"]) == len(asset.tracks)


def test_a_probe_of_all_keys_and_of_tracks_keys(worker, engine, rich_clip):
    job = jobs.Probe((), track_keys=("nominal_frame_rate", "timeRange", "format_descriptions"))
    value = worker.run(job, rich_clip)
    other = pickle.loads(pickle.dumps(value))
    with engine.open(rich_clip) as asset:
        right = asset.load()
        assert set(value) == set(right) == set(other)
        assert other["containerFacts"] == right["containerFacts"]
        titles = [item.value for item in other["metadata"] if item.common_key == "title"]
        assert titles == ["A clip"]
        for track, own in zip(other["tracks"], asset.tracks):
            loaded = own.load("nominal_frame_rate", "timeRange", "format_descriptions")
            assert track.values == loaded
            assert track["timeRange"] == loaded["timeRange"]
    assert float(other["tracks"][0]["nominal_frame_rate"]) == pytest.approx(30000 / 1001)


def test_thumbnails_are_those_of_a_contact_sheet(worker, engine, clip):
    images = sent(worker.run(jobs.Thumbnails(count=5, width=160), clip))
    assert [image.index for image in images] == [0, 1, 2, 3, 4]
    with engine.open(clip) as asset, asset.image_generator() as generator:
        tiles = generator.contact_sheet(count=5).tiles
    for image, tile in zip(images, tiles):
        assert image.requested_time == tile.requested_time
        assert image.actual_time == tile.actual_time
        assert (image.width, image.height, image.format) == (160, 89, "jpeg")
        assert pixels(image.data).shape == (89, 160, 3)
        assert image.error is image.path is None


def test_thumbnails_of_times_are_the_generators_images(worker, engine, clip):
    times = ["1/2", 0, 3.9]
    job = jobs.Thumbnails(times, tolerance=0, maximum_size=64, format="png")
    images = worker.run(job, clip)
    with engine.open(clip) as asset:
        for image, time in zip(images, times):
            right = asset.image(time, maximum_size=64, format="png")
            assert image.data == bytes(right.data) == bytes(image)
            assert (image.requested_time, image.actual_time) == (MediaTime.of(time), right.actual_time)
            assert image.sample_index == right.sample_index
            assert image.is_exact


def test_thumbnails_of_a_part(worker, clip):
    job = jobs.Thumbnails(count=2, time_range=TimeRange(1, 2), tolerance=0)
    assert [image.requested_time for image in worker.run(job, clip)] == [1.5, 2.5]
    with pytest.raises(reelwire.NoImageAtTimeError, match="wanted range"):
        worker.run(jobs.Thumbnails(count=2, time_range=TimeRange(100, 2)), clip)


def test_a_time_without_a_frame_is_an_error_of_its_picture(worker, late_clip):
    images = sent(worker.run(jobs.Thumbnails([1, 99, 0], tolerance=0), late_clip))
    assert [type(image.error) for image in images] == [
        type(None),
        reelwire.NoImageAtTimeError,
        type(None),
    ]
    # At 0 it is the first frame, as elsewhere.
    assert images[2].requested_time == 0
    assert images[2].actual_time == pytest.approx(0.5, abs=0.05)
    assert not images[2].is_exact
    with pytest.raises(reelwire.NoImageAtTimeError):
        bytes(images[1])
    with pytest.raises(reelwire.NoImageAtTimeError):
        worker.run(jobs.Thumbnails([98, 99], tolerance=0), late_clip)


@pytest.mark.parametrize("job", [jobs.Thumbnails(count=1), jobs.Thumbnails([0]), jobs.Frames([0])])
def test_audio_alone_has_no_pictures(worker, clips, clip, job):
    path = clips / "audio.m4a"
    if not path.exists():
        command = ["ffmpeg", "-nostdin", "-v", "error", "-i", str(clip), "-vn", "-c", "copy"]
        subprocess.run([*command, str(path)], check=True)
    with pytest.raises(reelwire.NoSourceTrackError):
        worker.run(job, path)


def test_frames_are_those_of_the_asset(worker, engine, clip):
    images = sent(worker.run(jobs.Frames([99, 3, -1, 3]), clip))
    assert [image.index for image in images] == [0, 1, 2, 3]
    assert [image.sample_index for image in images] == [99, 3, 119, 3]
    with engine.open(clip) as asset, asset.frames() as frames:
        right = frames[[99, 3, 119, 3]]
        assert [image.actual_time for image in images] == [
            frames[n].actual_time for n in (99, 3, 119, 3)
        ]
    for image, array_ in zip(images, right):
        assert image.format == "png"
        assert numpy.array_equal(pixels(image.data), array_)


def test_frames_of_a_slice(worker, clip):
    shown = probe(clip, "-select_streams", "v:0", "-count_frames", "-show_streams")
    count = int(shown["streams"][0]["nb_read_frames"])
    images = worker.run(jobs.Frames(slice(None, None, 30), "jpeg", width=64), clip)
    assert [image.sample_index for image in images] == list(range(0, count, 30))
    assert {image.format for image in images} == {"jpeg"}
    assert {image.width for image in images} == {64}
    assert worker.run(jobs.Frames(slice(count, None)), clip) == []


def test_a_frame_that_is_not_there_is_an_error(worker, clip):
    row = worker.attempt(jobs.Frames([0, 120]), clip)
    assert isinstance(pickle.loads(pickle.dumps(row)).error, IndexError)
    assert (row.value, row.attempts) == (None, 1)


def test_a_waveform_is_the_assets(worker, engine, clip):
    job = jobs.Waveform(50, time_range=TimeRange(1, 2), format="png", width=200, height=60)
    value = sent(worker.run(job, clip))
    with engine.open(clip) as asset:
        right = asset.waveform(50, time_range=TimeRange(1, 2))
    assert (value.sample_rate, value.track_id, value.dropped) == (48000, 2, [])
    assert value.time_range == right.time_range
    assert len(value.channels) == 1
    for channel, own in zip(value.channels, right.channels):
        assert (channel.min, channel.max, channel.rms) == (own.min, own.max, own.rms)
        assert len(channel) == 50
        assert isinstance(channel.min, array.array)
    assert pixels(value.image).shape == (60, 200, 3)
    assert worker.run(jobs.Waveform(8), clip).image is None
    assert worker.run(jobs.Waveform(format="jpeg", width=50), clip).channels == []


def test_scenes_cover_the_film_and_begin_where_it_was_joined(worker, tmp_path):
    path = tmp_path / "scenes.mp4"
    sources = ("testsrc=s=160x90:r=25:d=1", "mandelbrot=s=160x90:r=25", "smptebars=s=160x90:r=25:d=1")
    inputs = [each for source in sources for each in ("-f", "lavfi", "-i", source)]
    joined = "[1]trim=end_frame=30,setpts=PTS-STARTPTS[m];[0][m][2]concat=n=3:v=1:a=0"
    subprocess.run(
        ["ffmpeg", "-v", "error", *inputs, "-filter_complex", joined, "-pix_fmt", "yuv420p", path],
        check=True, timeout=HANG,
    )  # fmt: skip
    scenes = sent(worker.run(jobs.Scenes(), path))
    assert [scene.sample_index for scene in scenes] == [None, 25, 55]
    assert [float(scene.time_range.start) for scene in scenes] == [0, 1, 2.2]
    assert [float(scene.time_range.end) for scene in scenes] == [1, 2.2, 3.2]
    assert scenes[0].score is None and all(0.5 < scene.score <= 1 for scene in scenes[1:])
    (last,) = worker.run(jobs.Scenes(time_range=TimeRange(MediaTime(5, 2), MediaTime(1, 2))), path)
    assert last.time_range == TimeRange(MediaTime(5, 2), MediaTime(1, 2))


def test_audio_is_the_assets(worker, engine, clip):
    with engine.open(clip) as asset:
        for options in (
            {},
            {"sample_rate": 16000, "channels": 1},
            {"channels": 2, "time_range": TimeRange("1/3", "1/7")},
            {"time_range": TimeRange(100, 1)},
        ):
            value = sent(worker.run(jobs.Audio(**options), clip))
            right = asset.audio(**options)
            assert numpy.array_equal(value.to_ndarray(), right)
            assert value.to_ndarray().shape == right.shape
            assert value.to_ndarray().dtype == numpy.float32
            assert len(value) == right.shape[1]
            assert value.sample_rate == options.get("sample_rate", 48000)
            assert value.track_id == 2


def test_without_audio_there_are_no_samples(worker, long_clip):
    value = worker.run(jobs.Audio(sample_rate=16000), long_clip)
    assert (value.track_id, value.sample_rate, len(value)) == (None, 16000, 0)
    assert value.to_ndarray().shape == (1, 0)


def test_audio_needs_no_numpy(binary, clip):
    program = (
        "import sys\nsys.modules['numpy'] = None\nfrom reelwire import jobs\n"
        "with jobs.Worker() as worker:\n"
        "    print(len(worker.run(jobs.Audio(sample_rate=8000), sys.argv[1])))"
    )
    ended = subprocess.run(
        [sys.executable, "-W", "error", "-c", program, str(clip)],
        env={
            **os.environ,
            "REELWIRE_BINARY": str(binary),
            "PYTHONPATH": str(Path(reelwire.__file__).parents[1]),
        },
        stdout=subprocess.PIPE,
        text=True,
        timeout=4 * HANG,
        check=True,
    )
    assert int(ended.stdout) == pytest.approx(4 * 8000, abs=300)


def test_a_files_error_is_in_its_row(worker, tmp_path, clip):
    broken = tmp_path / "broken.mp4"
    broken.write_bytes(b"no media at all")
    paths = [tmp_path / "nothing.mp4", broken, clip]
    rows = [sent(worker.attempt(jobs.Probe("duration"), path)) for path in paths]
    assert [row.path for row in rows] == [str(path) for path in paths]
    assert [row.attempts for row in rows] == [1, 1, 1]
    assert isinstance(rows[0].error, FileNotFoundError)
    assert isinstance(rows[1].error, reelwire.FileFormatNotRecognizedError)
    assert rows[2].error is None
    assert all(row.seconds > 0 for row in rows)
    assert rows[2].result() == {"duration": rows[2].value["duration"]}
    with pytest.raises(FileNotFoundError):
        rows[0].result()
    with pytest.raises(FileNotFoundError):
        worker.run(jobs.Probe("duration"), paths[0])


def test_a_worker_is_a_function_of_paths(binary, clip):
    with jobs.Worker(jobs.Probe("duration"), binary=binary) as worker:
        assert worker.job == jobs.Probe("duration")
        (row,) = map(worker, [clip])
        assert float(row.value["duration"]) == pytest.approx(seconds(clip), abs=0.05)
        table = worker({"item": str(clip), "id": 7})
        assert table["value"] == row.value
        assert (table["id"], table["path"], table["error"]) == (7, str(clip), None)
        assert worker({"path": clip})["attempts"] == 1
        nothing_left(worker.engine)


def test_urls_and_strange_names(worker, tmp_path, clip):
    strange = Path(os.fsdecode(bytes(tmp_path) + b"/a {b} \xff.mp4"))
    strange.write_bytes(clip.read_bytes())
    for path in (strange, strange.as_uri(), str(strange)):
        row = worker.attempt(jobs.Probe("duration"), path)
        assert row.error is None
        assert row.path == str(path)
        assert sent(row).value["duration"] == worker.run(jobs.Probe("duration"), clip)["duration"]


def test_relative_paths(worker, clip, monkeypatch):
    monkeypatch.chdir(clip.parent)
    assert worker.attempt(jobs.Probe("duration"), clip.name).path == clip.name
    assert worker.run(jobs.Probe("duration"), clip.name)


def test_paths_of_other_machines(binary, clip, tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "deep").mkdir()
    path_map = {
        "/mnt/media/": str(clip.parent),
        "/mnt": str(tmp_path),
        "/mnt/media/deeper": str(tmp_path / "deep"),
        "s3://bucket": str(clip.parent),
    }
    with jobs.Worker(binary=binary, path_map=path_map) as worker:
        for path in (f"/mnt/media/{clip.name}", f"s3://bucket/{clip.name}", f"/mnt/./media/{clip.name}"):
            row = worker.attempt(jobs.Probe("duration"), path)
            assert (row.path, row.error) == (path, None)
        job = jobs.Export("Passthrough", "/mnt/out/{stem}.mov")
        made = worker.run(job, f"/mnt/media/{clip.name}")
        assert made.path == "/mnt/out/clip.mov"
        assert seconds(tmp_path / "out" / "clip.mov") == pytest.approx(seconds(clip), abs=0.1)
        assert worker.run(job, f"/mnt/media/{clip.name}").is_reused
        film = jobs.Compose([f"/mnt/media/{clip.name}"] * 2, "Passthrough", "/mnt/media/deeper/a.mp4")
        assert worker.run(film).path == "/mnt/media/deeper/a.mp4"
        assert (tmp_path / "deep" / "a.mp4").exists()
        pictures = jobs.Thumbnails(count=1, output="/mnt/out/{stem}.jpg")
        (image,) = worker.run(pictures, f"/mnt/media/{clip.name}")
        assert image.path == "/mnt/out/clip.jpg"
        assert (tmp_path / "out" / "clip.jpg").exists()
        assert isinstance(worker.attempt(jobs.Probe(), "/mntx/a").error, FileNotFoundError)
        other = pickle.loads(pickle.dumps(worker))
        assert other.run(job, f"/mnt/media/{clip.name}").is_reused
        other.close()
        nothing_left(worker.engine)


def test_the_engines_arguments_are_those_of_the_worker(binary, clip, tmp_path):
    with jobs.Worker(binary=binary, engine_arguments=["--root", tmp_path]) as worker:
        row = worker.attempt(jobs.Probe(), clip)
        assert isinstance(row.error, reelwire.PathNotAllowedError)


def test_hundreds_of_files_leave_nothing_in_the_engine(worker, clip, tmp_path):
    paths = [tmp_path / f"{n}.mp4" for n in range(100)]
    for path in paths:
        os.link(clip, path)
    work = [jobs.Probe(), jobs.Thumbnails(count=1, width=32), jobs.Probe("metadata")]
    for n, path in enumerate(paths):
        worker.run(work[n % 3], path)
        assert isinstance(worker.attempt(work[n % 3], f"{path}x").error, FileNotFoundError)
    # Not even for a moment: nothing waits for the garbage collector.
    gc.disable()
    try:
        worker.run(jobs.Frames([1, 2]), paths[0])
        assert worker.engine.handles() == []
    finally:
        gc.enable()


def test_a_job_of_ones_own(worker, rich_clip):
    assert sent(worker.run(OwnJob(), rich_clip)) == ["One", "Two"]
    assert OwnJob() == OwnJob()


@dataclasses.dataclass(frozen=True, eq=False)
class OwnJob(jobs.Job):
    """The titles of chapters."""

    async def perform(self, context):
        async with context.open() as asset:
            assert Path(context.path).name == "rich.mp4"
            return [chapter.title for chapter in await asset.chapters()]
