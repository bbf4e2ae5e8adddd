"""Tables of plain columns, and Arrow's interface to them."""

import json
import os
import sys
from fractions import Fraction

import pytest
from conftest import _ffmpeg, probe

import reelwire
from reelwire import MediaTime, Table, jobs


@pytest.fixture(scope="module")
def files(clips, clip):
    """The clip, audio alone, a picture, and a file that is no media."""
    song, picture, broken = clips / "t.flac", clips / "t.png", clips / "t.mp4"
    _ffmpeg("-f", "lavfi", "-i", "sine=sample_rate=44100:duration=1.5", "-ac", "2", song)
    _ffmpeg("-f", "lavfi", "-i", "testsrc2=size=48x32", "-frames:v", 1, picture)
    broken.write_bytes(bytes(range(256)) * 8)
    return [clip, song, picture, broken]


@pytest.fixture
def table(worker, files):
    return Table.of(worker.attempt(jobs.FlatProbe(), path) for path in files)


def test_rows_are_what_ffprobe_finds(table, files):
    assert table["path"] == [str(path) for path in files]
    known = probe(files[0], "-show_format", "-show_streams")
    video, audio = known["streams"]
    (row, song, picture, broken) = table.rows()
    assert row["error"] is None
    assert (row["codec"], row["width"], row["height"]) == ("h264", 322, 180)
    assert row["pixel_format"] == video["pix_fmt"] and row["tracks"] == 2
    assert Fraction(row["rate_numerator"], row["rate_denominator"]) == Fraction(30000, 1001)
    assert row["rate"] == 30000 / 1001
    exact = Fraction(row["duration_value"], row["duration_timescale"])
    assert float(exact) == row["duration"] == pytest.approx(float(known["format"]["duration"]), abs=0.03)
    assert (row["audio_codec"], row["channels"]) == ("aac", audio["channels"])
    assert (row["sample_rate"], row["size"]) == (int(audio["sample_rate"]), os.path.getsize(files[0]))
    assert (song["codec"], song["width"], song["rate"]) == (None, None, None)
    assert (song["audio_codec"], song["channels"], song["duration"]) == ("flac", 2, 1.5)
    assert (picture["codec"], picture["width"]) == ("png", 48)
    assert broken["codec"] is None and "Error" in broken["error"]
    json.dumps(table.rows())


@pytest.mark.parametrize("rate", ["25", "24000/1001", "60", "15/2", "1000/33"])
def test_rates_are_exact(worker, clips, rate):
    path = clips / f"rate-{rate.replace('/', '-')}.mkv"
    _ffmpeg("-f", "lavfi", "-i", f"testsrc2=size=32x32:rate={rate}:duration=2", path)
    wanted = Fraction(probe(path, "-show_streams")["streams"][0]["avg_frame_rate"])
    row = worker.run(jobs.FlatProbe(), path)
    assert Fraction(row["rate_numerator"], row["rate_denominator"]) == wanted


def test_arrow_has_the_same_columns(table):
    arrow = pytest.importorskip("pyarrow")
    made = arrow.table(table)
    assert made.column_names == list(table) and made.num_rows == 4
    assert made.to_pylist() == table.rows()
    kinds = {name: str(made.schema.field(name).type) for name in made.column_names}
    for name in ("path", "codec", "pixel_format", "audio_codec", "error"):
        assert kinds[name] == "string"
    for name in ("width", "height", "rate_numerator", "sample_rate", "size"):
        assert kinds[name] == "int64"
    assert kinds["rate"] == kinds["duration"] == "double"
    # The types don't depend on the values.
    empty = arrow.table(Table.of([dict.fromkeys(table)]))
    assert empty.schema == made.schema
    reader = arrow.RecordBatchReader.from_stream(table)
    assert reader.read_all().equals(made)


def test_values_that_are_not_plain_become_numbers_and_texts():
    rows = [
        {"time": MediaTime(1, 4), "ratio": Fraction(1, 2), "mixed": 1},
        {"time": None, "size": reelwire.Size(2, 3), "mixed": "a"},
    ]
    table = Table.of(rows)
    assert dict(table) == {
        "time": [0.25, None],
        "ratio": [0.5, None],
        "mixed": [1, "a"],
        "size": [None, "2×3"],
    }
    assert (table.row_count, len(table)) == (2, 4)
    assert repr(table) == "<Table 2 rows of time, ratio, mixed, size>"
    assert Table.of([]).rows() == [] and Table({}).row_count == 0
    with pytest.raises(ValueError, match="one length"):
        Table({"a": [1], "b": []})


def test_values_of_several_types_are_texts_for_arrow():
    arrow = pytest.importorskip("pyarrow")
    table = Table({"mixed": [1, "a", None]})
    assert arrow.table(table)["mixed"].to_pylist() == ["1", "a", None]


def test_without_pyarrow_there_is_a_hint(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ImportError, match="pip install pyarrow"):
        Table({"a": [1]}).to_arrow()


def test_rows_of_other_jobs(worker, clip):
    table = Table.of([worker.attempt(jobs.Probe(("duration", "tracks")), clip)])
    assert list(table) == ["path", "error", "duration", "tracks"]
    assert table["duration"] == [pytest.approx(4.02, abs=0.03)]


def test_pandas_takes_it(table):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(dict(table))
    assert list(frame["codec"])[:1] == ["h264"] and len(frame) == 4


@pytest.fixture
def library(binary, files, tmp_path):
    folder = tmp_path / "media"
    folder.mkdir()
    for path in files[:2]:
        os.link(path, folder / path.name)
    places = {"XDG_DATA_HOME": f"{tmp_path}/data", "XDG_CACHE_HOME": f"{tmp_path}/cache"}
    with reelwire.Engine(binary, env={**os.environ, **places}) as engine:
        with engine.library(folder, database=tmp_path / "l.sqlite", watch=False) as library:
            library.scan()
            yield library


def test_items_of_libraries(library):
    query = library.items.order_by("name")
    columns = ("name", "width", "frame_rate", "duration")
    table = query.to_table(*columns)
    assert list(table) == ["identifier", *columns]
    assert table["name"] == ["clip.mp4", "t.flac"] and table["width"] == [322, None]
    assert table["identifier"] == [item.identifier for item in query]
    with query.fetch() as items:
        assert dict(items.to_table(*columns)) == dict(table)
    with pytest.raises(TypeError):
        query.to_table("widths")


def test_arrow_takes_items_of_libraries(library):
    arrow = pytest.importorskip("pyarrow")
    query = library.items.order_by("name")
    whole = arrow.table(query)
    assert whole["name"].to_pylist() == ["clip.mp4", "t.flac"]
    assert str(whole.schema.field("frame_rate").type) == "double"
    assert str(whole.schema.field("added_at").type).startswith("timestamp[")
    with query.fetch() as items:
        assert arrow.table(items).equals(whole)
