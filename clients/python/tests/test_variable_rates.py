"""Movies with pictures at variable distances: durations of samples, and the lengths that are written."""

import struct
import subprocess
from fractions import Fraction

import pytest

import reelwire
from reelwire import MediaTime, TimeRange


@pytest.fixture(scope="module", params=["mp4", "mov"])
def movie(request, tmp_path_factory):
    """Nineteen pictures with B-frames, one to five thirtieths of a second apart."""
    path = tmp_path_factory.mktemp("variable") / f"variable.{request.param}"
    command = ["ffmpeg", "-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=96x64:r=30:d=2"]
    command += ["-vf", "select='not(mod(n,7))+not(mod(n,5))'", "-fps_mode", "vfr", "-bf", "2"]
    subprocess.run([*command, "-pix_fmt", "yuv420p", "-c:v", "libx264", str(path)], check=True)
    return path


def boxes(data, path):
    """The payloads of the boxes of a path."""
    place = 0
    while place + 8 <= len(data):
        size, name = struct.unpack(">I4s", data[place : place + 8])
        if name.decode("latin-1") == path[0]:
            payload = data[place + 8 : place + size]
            yield from boxes(payload, path[1:]) if path[1:] else [payload]
        place += max(8, size)


def tables(path):
    """The clock of a movie's only track, its `stts` as one duration for each sample, and its `mdhd`'s duration."""
    data = path.read_bytes()
    (header,) = boxes(data, ["moov", "trak", "mdia", "mdhd"])
    (times,) = boxes(data, ["moov", "trak", "mdia", "minf", "stbl", "stts"])
    timescale, length = struct.unpack(">II", header[12:20])
    runs = struct.iter_unpack(">II", times[8:])
    return timescale, [duration for count, duration in runs for _ in range(count)], length


def test_a_cursor_has_the_durations_of_the_table(engine, movie):
    timescale, durations, _ = tables(movie)
    assert len(set(durations)) > 3
    with engine.open(movie) as asset:
        (track,) = asset.tracks
        with asset.sample_cursor(track) as cursor:
            found = [sample.duration for sample in cursor]
    assert found == [MediaTime(duration, timescale) for duration in durations]


def test_the_last_picture_lasts_as_the_table_states(engine, movie, tmp_path):
    """The last sample is made to last a second."""
    timescale, _, _ = tables(movie)
    # The edit list would end before it.
    data = movie.read_bytes().replace(b"edts", b"free")
    (times,) = boxes(data, ["moov", "trak", "mdia", "minf", "stbl", "stts"])
    before, duration, count, _ = struct.unpack(">IIII", times[-16:])
    entries = struct.pack(">IIII", before + count - 1, duration, 1, timescale)
    path = tmp_path / f"long{movie.suffix}"
    path.write_bytes(data.replace(times, times[:-16] + entries))
    with engine.open(path) as asset:
        (track,) = asset.tracks
        with asset.sample_cursor(track, "last") as cursor:
            assert cursor.sample().duration == 1


@pytest.mark.parametrize(
    "preset, options",
    [
        ("Passthrough", {}),
        ("Passthrough", {"time_range": TimeRange("0.3", 1)}),
        ("LowQuality", {}),
        ("LowQuality", {"time_range": TimeRange("0.3", 1)}),
    ],
    ids=["copied", "copied range", "encoded", "encoded range"],
)
def test_what_is_written_agrees_with_itself(engine, movie, tmp_path, preset, options):
    path = tmp_path / f"made{movie.suffix}"
    with engine.open(movie) as asset, asset.export_session(path, preset, **options) as session:
        session.export()
    _, durations, length = tables(path)
    assert sum(durations) == length
    with engine.open(path) as asset:
        expected = 1 if options else Fraction(19, 10)
        assert Fraction(str(float(asset.duration))) == expected


def test_a_range_in_the_middle_of_a_picture_begins_with_it(engine, movie, tmp_path):
    """The first picture is shown until 1/6 s: a copy from 0.1 s on has it."""
    path = tmp_path / f"made{movie.suffix}"
    options = {"time_range": TimeRange("0.1", 1)}
    with engine.open(movie) as asset:
        with asset.export_session(path, "Passthrough", **options) as session:
            session.export()
        right = asset.image("0.1").to_ndarray()
    with engine.open(path) as asset:
        assert (asset.image(0).to_ndarray() == right).all()
