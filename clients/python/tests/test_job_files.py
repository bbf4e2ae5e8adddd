"""Files that jobs make: made once in all cases, and no other touched."""

import functools
import http.server
import json
import os
import threading
from pathlib import Path

import pytest
from conftest import probe, seconds

import reelwire
from reelwire import TimeRange, jobs

@pytest.fixture
def out(tmp_path):
    folder = tmp_path / "out"
    folder.mkdir()
    return folder


def states(folder):
    """Everything in a folder, and which files these are."""
    return {
        path.name: (path.stat().st_ino, path.stat().st_size, path.stat().st_mtime_ns)
        for path in folder.iterdir()
    }


def names(folder):
    return sorted(path.name for path in folder.iterdir())


BOTH = [".clip.mp4.reelwire.json", "clip.mp4"]


def test_an_export_is_that_of_the_asset(worker, engine, clip, out):
    options = {
        "time_range": TimeRange(1, 2),
        "metadata": {"title": "Evening"},
        "settings": {"video": {"width": 160}},
    }
    made = worker.run(jobs.Export("LowQuality", out / "{stem}.mp4", **options), clip)
    with engine.open(clip) as asset:
        right = asset.export(out / "right.mp4", "LowQuality", **options)
    assert Path(made.path).read_bytes() == Path(right.path).read_bytes()
    assert os.fspath(made) == made.path == str(out / "clip.mp4")
    assert made.file_size == right.file_size == os.path.getsize(made.path)
    assert made.time_range == right.time_range
    assert (made.dropped, made.trim_mode, made.is_reused) == (right.dropped, None, False)
    shown = probe(made.path, "-show_format", "-show_streams")
    assert shown["streams"][0]["width"] == 160
    assert shown["format"]["tags"]["title"] == "Evening"


def test_an_export_reports_how_it_has_cut(worker, engine, clip, out):
    options = {"time_range": TimeRange("1/3", 2), "trim_mode": "smart"}
    job = jobs.Export("Passthrough", out / "{stem}{suffix}", **options)
    made = worker.run(job, clip)
    with engine.open(clip) as asset:
        right = asset.export(out / "right.mp4", "Passthrough", **options)
    assert (made.trim_mode, made.trim_note) == (right.trim_mode, right.trim_note)
    again = worker.run(job, clip)
    assert again == made
    assert again.is_reused


def test_a_finished_export_is_not_done_again(worker, binary, clip, out):
    job = jobs.Export("LowQuality", out / "{stem}.mp4")
    first = worker.run(job, clip)
    before = states(out)
    assert names(out) == BOTH
    frames = worker.engine.stats()["framesDecoded"]
    again = worker.run(job, clip)
    with jobs.Worker(binary=binary) as other:
        third = other.run(jobs.Export("LowQuality", str(out / "{stem}.mp4")), str(clip))
    assert first == again == third
    assert [each.is_reused for each in (first, again, third)] == [False, True, True]
    assert states(out) == before
    assert worker.engine.stats()["framesDecoded"] == frames


def test_a_file_of_others_stays_as_it_is(worker, clip, out):
    (out / "clip.mp4").write_bytes(b"somebody's")
    before = states(out)
    row = worker.attempt(jobs.Export("LowQuality", out / "{stem}.mp4"), clip)
    assert isinstance(row.error, reelwire.FileAlreadyExistsError)
    assert isinstance(row.error, FileExistsError)
    assert row.error.code == -11823
    assert row.error.data["path"] == str(out / "clip.mp4")
    assert (row.attempts, states(out)) == (1, before)


def test_what_another_job_or_another_source_has_become_stays_as_it_is(worker, clip, late_clip, out):
    worker.run(jobs.Export("LowQuality", out / "a.mp4"), clip)
    before = states(out)
    for job, path in (
        (jobs.Export("LowQuality", out / "a.mp4"), late_clip),
        (jobs.Export("LowQuality", out / "a.mp4", time_range=TimeRange(0, 1)), clip),
        (jobs.Export("Passthrough", out / "a.mp4"), clip),
    ):
        with pytest.raises(reelwire.FileAlreadyExistsError):
            worker.run(job, path)
        assert states(out) == before


@pytest.mark.parametrize("which", ["output", "source", "record", "no record"])
def test_a_file_that_was_changed_is_not_ones_own(worker, clip, out, tmp_path, which):
    source = tmp_path / "clip.mp4"
    source.write_bytes(clip.read_bytes())
    job = jobs.Export("Passthrough", out / "{stem}.mp4")
    worker.run(job, source)
    record = out / ".clip.mp4.reelwire.json"
    if which == "record":
        record.write_text(record.read_text()[:-9])
    elif which == "no record":
        record.unlink()
    else:
        changed = out / "clip.mp4" if which == "output" else source
        os.utime(changed, ns=(1, changed.stat().st_mtime_ns + 1))
    before = states(out)
    with pytest.raises(reelwire.FileAlreadyExistsError):
        worker.run(job, source)
    assert states(out) == before
    # Without the file there is nothing in the way, with any record.
    (out / "clip.mp4").unlink()
    assert not worker.run(job, source).is_reused
    assert names(out) == BOTH
    assert worker.run(job, source).is_reused


def test_the_source_is_never_the_output(worker, out, clip):
    source = out / "clip.mp4"
    source.write_bytes(clip.read_bytes())
    (out / "link.mp4").symlink_to(source)
    before = states(out)
    for output in ("{folder}/{stem}.mp4", out / "clip.mp4", out / "link.mp4"):
        with pytest.raises(reelwire.FileAlreadyExistsError, match="made of"):
            worker.run(jobs.Export("Passthrough", output), source)
    assert states(out) == before


def test_what_fails_leaves_nothing(worker, clip, out, tmp_path):
    broken = tmp_path / "broken.mp4"
    broken.write_bytes(b"no media")
    for job, path, error in (
        (jobs.Export("LowQuality", out / "{stem}.mp4"), broken, reelwire.FileFormatNotRecognizedError),
        (jobs.Export("LowQuality", out / "{stem}.mp4"), tmp_path / "none.mp4", FileNotFoundError),
        (jobs.Export("NoSuchQuality", out / "{stem}.mp4"), clip, reelwire.ReelwireError),
        (jobs.Export("LowQuality", out / "{stem}.xyz"), clip, reelwire.ReelwireError),
        (jobs.Compose([clip, broken], "LowQuality", out / "a.mp4"), None, reelwire.ReelwireError),
    ):
        row = worker.attempt(job, path)
        assert isinstance(row.error, error), row
        assert row.attempts == 1
        assert names(out) == []


def test_errors_name_the_output(worker, clip, out):
    output = out / "none" / "clip.mp4"
    error = worker.attempt(jobs.Export("LowQuality", output), clip).error
    assert isinstance(error, FileNotFoundError)
    assert error.filename == error.data["path"] == str(output)


def test_a_url_is_never_the_same_source(worker, clip, out):
    handler = functools.partial(QuietHandler, directory=str(clip.parent))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever).start()
        url = f"http://127.0.0.1:{server.server_port}/{clip.name}?x=/y.z"
        job = jobs.Export("LowQuality", out / "{stem}.mp4")
        assert worker.run(job, url).path == str(out / "clip.mp4")
        with pytest.raises(reelwire.FileAlreadyExistsError):
            worker.run(job, url)
        row = worker.attempt(jobs.Export("LowQuality", "{folder}/{stem}-small.mp4"), url)
        assert isinstance(row.error, ValueError)
        server.shutdown()
    assert names(out) == BOTH


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def test_names_of_outputs(worker, clip, tmp_path, out):
    folder = tmp_path / "parent"
    folder.mkdir()
    source = folder / "a {b}.c.mp4"
    os.link(clip, source)
    job = jobs.Export("Passthrough", out / "{parent}-{stem}-{{x}}-{hash}{suffix}")
    made = worker.run(job, source)
    name = Path(made.path).name
    assert name.startswith("parent-a {b}.c-{x}-")
    assert name.endswith(".mp4")
    beside = worker.run(jobs.Export("Passthrough", "{folder}/{stem}-copy.mov"), source)
    assert beside.path == str(folder / "a {b}.c-copy.mov")
    longest = "x" * 250
    made = worker.run(jobs.Export("Passthrough", out / f"{longest}.mp4"), source)
    assert worker.run(jobs.Export("Passthrough", out / f"{longest}.mp4"), source) == made
    assert len(names(out)) == 4


def test_a_composition_is_that_of_the_engine(worker, engine, clip, late_clip, out):
    sequence = [clip, {"url": late_clip, "speed": 2, "timeRange": TimeRange(1, 2)}]
    job = jobs.Compose(sequence, "LowQuality", out / "film.mp4", metadata={"title": "Film"})
    row = worker.attempt(job)
    assert row.path == row.value.path == str(out / "film.mp4")
    document = {
        "clips": [
            {"url": str(clip)},
            {"url": str(late_clip), "speed": 2, "timeRange": TimeRange(1, 2)},
        ]
    }
    with engine.assemble(document) as film:
        right = film.export(out / "right.mp4", "LowQuality", metadata={"title": "Film"})
        timeline = film.timeline()
    assert (out / "film.mp4").read_bytes() == (out / "right.mp4").read_bytes()
    assert row.value.time_range == right.time_range
    assert seconds(out / "film.mp4") == pytest.approx(5, abs=0.2)
    assert worker(job).value.is_reused
    by_timeline = jobs.Compose(timeline, "LowQuality", out / "other.mp4", metadata={"title": "Film"})
    assert set(by_timeline.sources) == {str(clip), str(late_clip)}
    worker.run(by_timeline)
    assert seconds(out / "other.mp4") == pytest.approx(5, abs=0.2)


def test_a_composition_of_changed_sources_is_another(worker, clip, out, tmp_path):
    sources = [tmp_path / "a.mp4", tmp_path / "b.mp4"]
    for source in sources:
        source.write_bytes(clip.read_bytes())
    job = jobs.Compose(sources, "Passthrough", out / "film.mp4")
    worker.run(job)
    assert worker.run(job).is_reused
    os.utime(sources[1], ns=(1, 1))
    with pytest.raises(reelwire.FileAlreadyExistsError):
        worker.run(job)


def test_pictures_as_files(worker, clip, out):
    job = jobs.Thumbnails([0, 1, 99], tolerance=0, width=64, output=out / "{stem}-{index:03}.jpg")
    images = worker.run(job, clip)
    assert names(out) == ["clip-000.jpg", "clip-001.jpg"]
    assert [image.path for image in images] == [
        str(out / "clip-000.jpg"),
        str(out / "clip-001.jpg"),
        None,
    ]
    assert images[0].data is None
    in_memory = worker.run(jobs.Thumbnails([0, 1, 99], tolerance=0, width=64), clip)
    assert bytes(images[1]) == bytes(in_memory[1]) == (out / "clip-001.jpg").read_bytes()
    images[0].save(out / "copy")
    assert (out / "copy").read_bytes() == bytes(in_memory[0])
    assert isinstance(images[2].error, reelwire.NoImageAtTimeError)
    mode = (out / "clip-000.jpg").stat().st_mode & 0o777
    (out / "new").touch()
    assert mode == (out / "new").stat().st_mode & 0o777
    # They are there already, and stay.
    before = states(out)
    assert worker.run(job, clip)[:2] == images[:2]
    assert states(out) == before


def test_pictures_of_others_stay_as_they_are(worker, clip, out):
    (out / "2.png").write_bytes(b"somebody's")
    (out / "1.png").mkdir()
    before = states(out)
    for frames in ([0, 1, 2], [0, 1]):
        with pytest.raises(reelwire.FileAlreadyExistsError):
            worker.run(jobs.Frames(frames, output=out / "{index}.png"), clip)
        assert states(out) == before
    assert worker.attempt(jobs.Frames([0], output=out / "none" / "a.png"), clip).error.errno == 2


def test_a_record_has_what_is_needed_and_no_more(worker, clip, out):
    worker.run(jobs.Export("LowQuality", out / "{stem}.mp4"), clip)
    text = (out / ".clip.mp4.reelwire.json").read_text()
    assert set(json.loads(text)) == {"version", "key", "sources", "file", "result"}
    assert len(text) < 1000
