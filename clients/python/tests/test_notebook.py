"""The display in notebooks: HTML of a bounded size, with every text escaped, and never an error."""

import base64
import io
import os
import pickle
import re
import shutil
from html.parser import HTMLParser

import pytest
from conftest import _ffmpeg, probe

import reelwire
from reelwire import notebook

HOSTILE = '<script>alert("x")</script>&\'"'


class Page(HTMLParser):
    """The elements of a page, which have to end in the order in which they begin."""

    def __init__(self, text):
        super().__init__()
        self.open, self.tags, self.text, self.sources = [], [], "", []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.sources += [value for name, value in attributes if name == "src"]
        if tag != "img":
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data + "\n"

    def pictures(self):
        image = pytest.importorskip("PIL.Image")
        made = []
        for source in self.sources:
            kind, _, data = source.partition(",")
            assert kind == "data:image/jpeg;base64"
            made.append(image.open(io.BytesIO(base64.b64decode(data, validate=True))))
        return made


def test_an_asset_is_a_table_with_a_sheet(engine, rich_clip):
    with engine.open(rich_clip) as asset:
        page = Page(asset._repr_html_())
    lines = page.text.split("\n")
    for expected in ["rich.mp4", "A clip", "h264", "aac", "322×180", "29.97 fps", "deu", "44100 Hz"]:
        assert expected in lines, expected
    (sheet,) = page.pictures()
    assert sheet.width > 4 * 150 and sheet.height > 2 * 80


def test_audio_has_no_sheet(engine, clips):
    path = clips / "song.m4a"
    tags = ("-metadata", f"title={HOSTILE}", "-metadata", f"artist={'long ' * 500}")
    _ffmpeg("-f", "lavfi", "-i", "sine=duration=1", "-ac", "2", "-c:a", "aac", *tags, path)
    with engine.open(path) as asset:
        text = asset._repr_html_()
    page = Page(text)
    assert page.sources == [] and "script" not in page.tags
    assert HOSTILE in page.text.replace("\n", "") and "stereo" in page.text
    assert len(text) < 5000


def test_names_of_files_are_escaped(engine, clip, tmp_path):
    path = tmp_path / "<img src=x onerror=alert(1)>.mp4"
    shutil.copy(clip, path)
    with engine.open(path) as asset:
        page = Page(asset._repr_html_())
    assert page.tags.count("img") == 1 and len(page.sources) == 1
    assert page.text.strip().startswith("<img src=x")


def test_what_fails_is_shown_as_text(engine, clips):
    path = clips / "nothing.mp4"
    path.write_bytes(bytes(1000))
    with engine.open(path) as asset:
        Page(asset._repr_html_())
        closed = asset
    with engine.open(path) as asset, pytest.raises(reelwire.ReelwireError):
        asset.load()
    # A closed object has a name, and nothing more.
    assert "nothing.mp4" in (closed._repr_html_() or "nothing.mp4")


def test_an_ended_engine_breaks_no_cell(binary, clip):
    with reelwire.Engine(binary) as engine:
        asset = engine.open(clip)
        frames = asset.frames()
    assert asset._repr_html_() is None or Page(asset._repr_html_()).sources == []
    assert frames._repr_html_() is None


def test_frames_are_a_strip(engine, clip):
    with engine.open(clip) as asset, asset.frames() as frames:
        page = Page(frames._repr_html_())
        assert "0, 15, 30, 45, 60, 75, 90, 105" in page.text
        (strip,) = page.pictures()
        assert strip.width > 8 * 100 and strip.height < 120
        # Each tile is the frame with its number.
        numpy = pytest.importorskip("numpy")
        tile = (strip.width - 7 * 2) // 8
        pixels = numpy.asarray(strip).astype(int)
        small = asset.frames(width=tile)
        wanted = numpy.asarray(small[[0, 15, 30, 45]]).astype(int)
        for place in range(4):
            found = pixels[: wanted.shape[1], place * (tile + 2) :][:, :tile][:, : wanted.shape[2]]
            rows, columns = found.shape[:2]
            differences = [numpy.abs(found - each[:rows, :columns]).mean() for each in wanted]
            assert int(numpy.argmin(differences)) == place, differences
        small.close()
        assert "7, 8, 9" in Page(frames[7:10]._repr_html_()).text
        assert frames[5:5]._repr_html_() is None


def test_a_preview_plays_a_part(engine, clip, tmp_path):
    with engine.open(clip) as asset:
        preview = asset.preview(1, 2.5)
        assert list(tmp_path.iterdir()) == []
    page = Page(preview._repr_html_())
    assert page.tags == ["video"]
    kind, _, data = page.sources[0].partition(",")
    assert kind == "data:video/mp4;base64" and base64.b64decode(data) == bytes(preview)
    preview.save(tmp_path / "part.mp4")
    found = probe(tmp_path / "part.mp4", "-show_format", "-show_streams")
    assert float(found["format"]["duration"]) == pytest.approx(1.5, abs=0.05)
    assert {each["codec_name"] for each in found["streams"]} == {"h264", "aac"}
    assert preview.time_range.start == 1
    assert pickle.loads(pickle.dumps(preview)).data == preview.data
    assert re.match(r"<MediaPreview 1\S* .* video/mp4 \d+ bytes>", repr(preview))


def test_previews_of_audio_and_of_less_than_ten_seconds(engine, clips):
    path = clips / "tone.wav"
    _ffmpeg("-f", "lavfi", "-i", "sine=duration=2", path)
    with engine.open(path) as asset:
        preview = asset.preview()
        with pytest.raises(ValueError, match="nothing from"):
            asset.preview(2)
        with pytest.raises(ValueError, match="nothing from"):
            asset.preview(1, 1)
    assert Page(preview._repr_html_()).tags == ["audio"]
    assert preview.mime_type == "audio/mp4"
    assert preview.time_range.duration.seconds == pytest.approx(2, abs=0.05)


def test_previews_are_bounded(engine, long_clip, monkeypatch):
    with engine.open(long_clip) as asset:
        whole = asset.preview(0, 4)
        bounded = asset.preview(0, 4, maximum_bytes=len(whole.data) // 2)
    assert len(bounded.data) <= len(whole.data) // 2
    monkeypatch.setattr(notebook, "_MAXIMUM_MEDIA", len(whole.data) - 1)
    assert whole._repr_html_() is None


def test_previews_leave_no_file(engine, clip, tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with engine.open(clip) as asset:
        asset.preview(0, 1)
        assert os.listdir(tmp_path) == []
        with pytest.raises(reelwire.ReelwireError):
            asset.preview(0, 1, maximum_bytes=1)
        with pytest.raises(ValueError, match="limit"):
            asset.preview(0, 1, maximum_bytes=0)
    assert os.listdir(tmp_path) == []


@pytest.fixture
def library(binary, clip, tmp_path):
    folder = tmp_path / "media"
    folder.mkdir()
    for number in range(23):
        os.link(clip, folder / f"{number:02} <b>.mp4")
    places = {"XDG_DATA_HOME": f"{tmp_path}/data", "XDG_CACHE_HOME": f"{tmp_path}/cache"}
    with reelwire.Engine(binary, env={**os.environ, **places}) as engine:
        with engine.library(folder, database=tmp_path / "l.sqlite", watch=False) as library:
            library.scan()
            yield library


def test_items_of_libraries_are_rows_with_pictures(library):
    query = library.videos.order_by("name")
    page = Page(query._repr_html_())
    assert query._result is None
    assert page.tags.count("b") == 1 and "05 <b>.mp4" in page.text
    assert page.tags.count("tr") == 21 and "… and 3 more" in page.text
    assert "h264+aac" in page.text and "322×180" in page.text
    pictures = page.pictures()
    assert len(pictures) == 20 and {max(each.size) for each in pictures} == {96}
    with query.fetch() as items:
        assert Page(items._repr_html_()).tags.count("tr") == 21
        assert Page(items[:2]._repr_html_()).tags.count("tr") == 3
    with query.observe() as live:
        assert "23 items" in Page(live._repr_html_()).text
    assert len(query) == 23
    assert Page(query._repr_html_()).tags.count("tr") == 21
    empty = library.videos.where(duration__gt=1000)
    assert "table" not in Page(empty._repr_html_()).tags


def test_pictures_are_bounded(library, monkeypatch):
    monkeypatch.setattr(notebook, "_MAXIMUM_PICTURES", 5000)
    text = library.videos._repr_html_()
    assert len(text) < 5000 * 4 // 3 + 10_000
    assert len(Page(text).sources) < 20


def test_the_async_face_has_previews(binary, clip):
    from conftest import run

    async def main():
        async with reelwire.AsyncEngine(binary) as engine:
            async with await engine.open(clip) as asset:
                return await asset.preview("0.5", "1.5")

    assert run(main()).mime_type == "video/mp4"
