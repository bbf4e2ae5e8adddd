"""Jobs as values: their arguments, their comparison, and their pickling."""

import copy
import dataclasses
import datetime
import os
import pickle
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest
from waiting import HANG

import reelwire
from reelwire import Instruction, MediaTime, TimeRange, VideoComposition, jobs

#: As text, which another interpreter makes the same jobs of.
JOBS = [
    "Probe()",
    "Probe('duration')",
    "Probe(('natural_size', 'tracks'), track_keys=('nominal_frame_rate',))",
    "FlatProbe()",
    "Thumbnails(count=5, width=320)",
    "Thumbnails([0, '7/2', (1001, 30000)], tolerance=0, format='png')",
    "Thumbnails(count=2, output='/out/{stem}-{index:03}.webp')",
    "Frames([3, 99, -1], 'jpeg', quality=0.5)",
    "Frames(slice(None, None, 30))",
    "Waveform(800, time_range=TimeRange(1, '1/3'))",
    "Waveform(format='png', width=640)",
    "Scenes()",
    "Scenes(0.75, minimum_duration='1/3', track=2, time_range=TimeRange(1, 2))",
    "Audio(sample_rate=16000, channels=1)",
    "Export('MediumQuality', '/out/{stem}.mp4')",
    "Export(None, '/out/{hash}.mp4', settings={'video': {'width': 640}, 'audio': None})",
    "Export('Passthrough', '/out/a.mp4', metadata={'title': 'Evening'}, chapters=[(0, 'One')])",
    "Compose(['/a.mp4', {'url': '/b.mp4', 'speed': 2}], 'LowQuality', '/out/both.mp4')",
]
#: The keys of these jobs, which are not to change from version to version: records of finished exports have
#: them.
PINNED = {
    "Probe()": (
        "b2b8498039134b48529cae086ea56c40b67e0eb6ac948f7b88be94cccfa44fd7"
    ),
    "Thumbnails(count=5, width=320)": (
        "0955331999370952614fc21d40ca691ccb6b6ac5fee387d99b47f3909ee14953"
    ),
    "Export('MediumQuality', '/out/{stem}.mp4')": (
        "14027f2bdb43d292da0bd1fc97ccf22d93e7dc50423c59c7f11406cbde29083b"
    ),
    "Export(None, '/out/{hash}.mp4', settings={'video': {'width': 640}, 'audio': None})": (
        "3104fc090119a6d3a0f8df81bbf9d90f26339aaaa353c26f1fbdb944453d4a5f"
    ),
}


def made(text):
    return eval(text, {**vars(jobs), "TimeRange": TimeRange})


@pytest.mark.parametrize("text", JOBS)
def test_a_job_is_a_value(text):
    job = made(text)
    copies = [pickle.loads(pickle.dumps(job, n)) for n in range(pickle.HIGHEST_PROTOCOL + 1)]
    for other in (*copies, copy.copy(job), copy.deepcopy(job), dataclasses.replace(job), made(text)):
        assert type(other) is type(job)
        assert other == job
        assert not other != job
        assert hash(other) == hash(job)
        assert other.digest == job.digest
        assert repr(other) == repr(job)
    assert len(job.digest) == 64
    assert int(job.digest, 16)
    with pytest.raises(dataclasses.FrozenInstanceError):
        job.format = "bmp"
    assert {job: 1}[made(text)] == 1
    assert job != text


def test_different_work_has_different_digests():
    assert len({made(text).digest for text in JOBS}) == len(JOBS)
    assert len({made(text) for text in JOBS}) == len(JOBS)
    assert jobs.Frames([1, 2, 3]) != jobs.Frames(slice(1, 2, 3))
    assert jobs.Probe(("duration",)) != jobs.Probe(("tracks",))
    assert jobs.Export("LowQuality", "/a.mp4") != jobs.Export("LowQuality", "/b.mp4")


def test_equal_work_has_equal_digests():
    for one, other in (
        (jobs.Thumbnails([0.5, "1/2"]), jobs.Thumbnails([MediaTime(1, 2), MediaTime(2, 4)])),
        (jobs.Thumbnails([datetime.timedelta(seconds=3)]), jobs.Thumbnails((Fraction(3),))),
        (jobs.Thumbnails(count=2, width=320), jobs.Thumbnails(count=2, width=320.0)),
        (jobs.Thumbnails(count=2, format="jpeg"), jobs.Thumbnails(count=2)),
        (jobs.Frames(range(3)), jobs.Frames([0, 1, 2])),
        (jobs.Probe("duration"), jobs.Probe(["duration"])),
        (jobs.Export(None, "/a.mp4"), jobs.Export("HighestQuality", Path("/a.mp4"))),
        (
            jobs.Export("LowQuality", "/a.mp4", settings={"audio": None, "video": {"width": 2}}),
            jobs.Export("LowQuality", "/a.mp4", settings={"video": {"width": 2}, "audio": None}),
        ),
        (
            jobs.Export("LowQuality", "/a.mp4", directory_for_temporary_files="/tmp"),
            jobs.Export("LowQuality", "/a.mp4"),
        ),
    ):
        assert one == other
        assert one.digest == other.digest
        assert hash(one) == hash(other)


def test_a_field_with_its_default_is_no_part_of_a_digest():
    @dataclasses.dataclass(frozen=True, eq=False)
    class Probe(jobs.Job):
        keys: tuple = ("duration", "tracks")
        another: int = 7

    assert Probe().digest == jobs.Probe().digest
    assert Probe(another=8).digest != Probe().digest
    Probe.version = 2
    assert Probe().digest != jobs.Probe().digest


def test_digests_are_the_same_in_other_processes():
    right = [made(text).digest for text in JOBS]
    program = (
        "import sys\nfrom reelwire import TimeRange\nfrom reelwire.jobs import *\n"
        "for text in sys.argv[1:]: print(eval(text).digest)"
    )
    for seed in ("1", "77"):
        ended = subprocess.run(
            [sys.executable, "-c", program, *JOBS],
            env={
                **os.environ,
                "PYTHONHASHSEED": seed,
                "PYTHONPATH": str(Path(reelwire.__file__).parents[1]),
            },
            stdout=subprocess.PIPE,
            text=True,
            check=True,
            timeout=4 * HANG,
        )
        assert ended.stdout.split() == right


@pytest.mark.parametrize("text", PINNED)
def test_digests_are_those_of_earlier_versions(text):
    assert made(text).digest == PINNED[text]


def test_what_is_given_can_change_without_the_job():
    settings = {"video": {"width": 640}}
    times = [1, 2]
    export = jobs.Export("LowQuality", "/a.mp4", settings=settings)
    thumbnails = jobs.Thumbnails(times)
    digests = export.digest, thumbnails.digest
    settings["video"]["width"] = 2
    times.append(3)
    assert (export.digest, thumbnails.digest) == digests
    with pytest.raises(TypeError):
        export.settings["video"] = {}
    assert export.settings["video"] == {"width": 640}


def test_relative_outputs_begin_where_the_job_is_made(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    job = jobs.Export("LowQuality", "small/{stem}.mp4")
    film = jobs.Compose(["a.mp4", {"url": "b/../b.mp4"}, {"duration": 1}], None, "film.mp4")
    assert job.output == f"{tmp_path}/small/{{stem}}.mp4"
    assert film.sources == (f"{tmp_path}/a.mp4", f"{tmp_path}/b.mp4")
    assert film.output == f"{tmp_path}/film.mp4"
    assert jobs.Export("LowQuality", "{folder}/{stem}-small.mp4").output.startswith("{folder}")


def test_artwork_is_read_when_the_job_is_made(tmp_path):
    cover = tmp_path / "cover.png"
    cover.write_bytes(os.urandom(9000))
    first = jobs.Export("Passthrough", "/a.mp4", metadata={"artwork": cover})
    cover.write_bytes(os.urandom(9000))
    assert jobs.Export("Passthrough", "/a.mp4", metadata={"artwork": cover}) != first
    cover.unlink()
    assert pickle.loads(pickle.dumps(first)) == first


ASSET = {"clips": [{"asset": "asset:1"}]}
CLIENT = VideoComposition((2, 2), 1, [Instruction(TimeRange(0, 1), [], compositor="client")])


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: jobs.Probe(("durations",)), ValueError, "did you mean 'duration'"),
        (lambda: jobs.Probe((7,)), TypeError, "are names"),
        (lambda: jobs.Probe("duration", track_keys="segments"), ValueError, "has to have"),
        (lambda: jobs.Thumbnails(), TypeError, "either times or a count"),
        (lambda: jobs.Thumbnails([1], 3), TypeError, "either times or a count"),
        (lambda: jobs.Thumbnails(5), TypeError, "count="),
        (lambda: jobs.Thumbnails([]), ValueError, "no time"),
        (lambda: jobs.Thumbnails(["soon"]), ValueError, "no time"),
        (lambda: jobs.Thumbnails(count=0), ValueError, "at least 1"),
        (lambda: jobs.Thumbnails(count=True), TypeError, "a number"),
        (lambda: jobs.Thumbnails(count=1.5), TypeError, "integer"),
        (lambda: jobs.Thumbnails(count=1, format="rgb24"), ValueError, "stay in the process"),
        (lambda: jobs.Thumbnails(count=1, width=-1), ValueError, "0 or more"),
        (lambda: jobs.Thumbnails(count=1, width="1"), TypeError, "pixels"),
        (lambda: jobs.Thumbnails(count=1, width=1, maximum_size=2), TypeError, "one or the other"),
        (lambda: jobs.Thumbnails([1], time_range=TimeRange(0, 1)), TypeError, "count divides"),
        (lambda: jobs.Thumbnails(count=2, output="/a.jpg"), ValueError, "{index}"),
        (lambda: jobs.Thumbnails(count=1, format="png", output="/a.jpg"), ValueError, "jpeg"),
        (lambda: jobs.Frames(3), TypeError, "several numbers"),
        (lambda: jobs.Frames([]), ValueError, "no number"),
        (lambda: jobs.Frames([True]), TypeError, "True and False"),
        (lambda: jobs.Frames([1.5]), TypeError, "integer"),
        (lambda: jobs.Frames(slice(0, 9, 0)), ValueError, "step"),
        (lambda: jobs.Frames([1], "yuv420p"), ValueError, "stay in the process"),
        (lambda: jobs.Waveform(), TypeError, "a count, or a format"),
        (lambda: jobs.Waveform(format="png"), TypeError, "has a width"),
        (lambda: jobs.Waveform(8, width=100), TypeError, "needs a format"),
        (lambda: jobs.Waveform(0), ValueError, "at least 1"),
        (lambda: jobs.Waveform(8, time_range=(0, 1)), TypeError, "TimeRange"),
        (lambda: jobs.Audio(channels=0), ValueError, "at least 1"),
        (lambda: jobs.Export("LowQuality"), TypeError, "output"),
        (lambda: jobs.Export(640, "/a.mp4"), TypeError, "a preset is a name"),
        (lambda: jobs.Export("LowQuality", b"/a.mp4"), TypeError, "an output is a path"),
        (lambda: jobs.Export("LowQuality", "out/"), ValueError, "names a folder"),
        (lambda: jobs.Export("LowQuality", "/{title}.mp4"), ValueError, "{stem}"),
        (lambda: jobs.Export("LowQuality", "/{index}.mp4"), ValueError, "{stem}"),
        (lambda: jobs.Export("LowQuality", "/{stem!r}.mp4"), ValueError, "{stem}"),
        (lambda: jobs.Export("LowQuality", "/{stem.__class__}.mp4"), ValueError, "{stem}"),
        (lambda: jobs.Export("LowQuality", "/{stem.mp4"), ValueError, "no output"),
        (lambda: jobs.Export("LowQuality", "{folder}/{name}"), ValueError, "source itself"),
        (lambda: jobs.Export("LowQuality", "{folder}/{stem}{suffix}"), ValueError, "source itself"),
        (lambda: jobs.Export("LowQuality", "/a.mp4", replaces_source=True), TypeError, "replaces"),
        (lambda: jobs.Export("LowQuality", "/a.mp4", settings={1: 2}), TypeError, "strings"),
        (lambda: jobs.Export("LowQuality", "/a.mp4", settings={"a": object()}), TypeError, "text"),
        (lambda: jobs.Export("LowQuality", "/a.mp4", settings={"a": 1e999}), ValueError, "finite"),
        (lambda: jobs.Export("LowQuality", "/a.mp4", video_composition=CLIENT), ValueError, "client"),
        (lambda: jobs.Compose("a.mp4", None, "/a.mp4"), TypeError, "a list of paths"),
        (lambda: jobs.Compose([], None, "/a.mp4"), ValueError, "no clips"),
        (lambda: jobs.Compose({"size": 1}, None, "/a.mp4"), ValueError, "has clips"),
        (lambda: jobs.Compose(ASSET, None, "/a.mp4"), ValueError, "no assets"),
        (lambda: jobs.Compose(["/a.mp4"], None, "/{stem}.mp4"), ValueError, "are none"),
        (lambda: jobs.Worker("duration"), TypeError, "a worker's job"),
        (lambda: jobs.Worker(engine_arguments="--root"), TypeError, "several strings"),
        (lambda: jobs.Worker(path_map={"media": "/data"}), ValueError, "relative"),
        (lambda: jobs.Worker(path_map={"/media": "data"}), ValueError, "relative"),
        (lambda: jobs.Worker().run("duration", "/a.mp4"), TypeError, "a job is"),
        (lambda: jobs.Worker().run(jobs.Probe()), TypeError, "give its path"),
        (lambda: jobs.Worker().run(jobs.Probe(), b"/a"), TypeError, "os.fsdecode"),
        (lambda: jobs.Worker()("/a.mp4"), TypeError, "has no job"),
        (lambda: jobs.Worker().run(made(JOBS[-1]), "/a.mp4"), TypeError, "names its files"),
    ],
)
def test_what_makes_no_sense_is_refused_at_once(make, error, message):
    with pytest.raises(error, match=message):
        make()


def test_all_that_is_public_is_documented():
    for name in jobs.__all__:
        thing = getattr(jobs, name)
        assert thing.__module__ == "reelwire.jobs"
        assert thing.__doc__
        assert not thing.__doc__.startswith(f"{name}("), name
        for member, value in vars(thing).items():
            if callable(value) and not member.startswith("_"):
                assert value.__doc__, f"{name}.{member}"
