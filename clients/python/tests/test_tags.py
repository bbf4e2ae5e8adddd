"""Tags, covers and chapters that exports write, and facts and salvage of files that are cut short."""

import io
from pathlib import Path

import pytest
from conftest import probe

import reelwire
from reelwire import ContainerFacts, MediaTime


def tags(path):
    return probe(path, "-show_format")["format"].get("tags", {})


def test_changes_leave_the_rest(engine, rich_clip, cover, tmp_path):
    with engine.open(rich_clip) as asset:
        asset.export(tmp_path / "copy.mp4", "Passthrough")
        asset.export(
            tmp_path / "out.mp4",
            "Passthrough",
            metadata_changes={"set": {"title": "New", "track": "3/12"}, "remove": ["comment"]},
        )
    before, after = tags(tmp_path / "copy.mp4"), tags(tmp_path / "out.mp4")
    assert (after["title"], after["track"]) == ("New", "3/12")
    assert set(before) - {"title", "track", "comment"} == set(after) - {"title", "track"}
    with engine.open(tmp_path / "out.mp4") as made:
        assert bytes(made.artwork()) == cover.read_bytes()
        made.load("metadata")
        assert {item.tag_name for item in made.metadata} >= {"title", "track"}


def test_a_cover_is_bytes_a_path_or_an_image(engine, clip, cover, tmp_path):
    image = pytest.importorskip("PIL.Image")
    picture = image.new("RGB", (8, 6), "red")
    with engine.open(clip) as asset:
        for number, value in enumerate([cover.read_bytes(), cover, str(cover), picture]):
            path = tmp_path / f"{number}.mp4"
            asset.export(path, "Passthrough", metadata_changes={"set": {"artwork": value}})
            with engine.open(path) as made:
                written = bytes(made.artwork())
            if value is picture:
                assert image.open(io.BytesIO(written)).tobytes() == picture.tobytes()
            else:
                assert written == cover.read_bytes()


def test_chapters_are_written(engine, clip, rich_clip, tmp_path):
    with engine.open(clip) as asset:
        asset.export(tmp_path / "a.mkv", "Passthrough", chapters=[(0, "One"), (MediaTime(1, 2), "Two")])
        with engine.open(rich_clip) as rich:
            chapters = rich.chapters()
        asset.export(tmp_path / "b.mkv", "Passthrough", chapters=chapters)
        asset.export(tmp_path / "c.mkv", "Passthrough", chapters=[])
        with pytest.raises(TypeError, match="a chapter is"):
            asset.export(tmp_path / "d.mkv", "Passthrough", chapters=[3])
    found = probe(tmp_path / "a.mkv", "-show_chapters")["chapters"]
    assert [(chapter["tags"]["title"], float(chapter["start_time"])) for chapter in found] == [
        ("One", 0),
        ("Two", 0.5),
    ]
    found = probe(tmp_path / "b.mkv", "-show_chapters")["chapters"]
    assert [chapter["tags"]["title"] for chapter in found] == ["One", "Two"]
    assert probe(tmp_path / "c.mkv", "-show_chapters")["chapters"] == []


def test_a_file_is_replaced_only_where_that_is_asked_for(engine, clip, tmp_path):
    path = tmp_path / "clip.mp4"
    path.write_bytes(Path(clip).read_bytes())
    with engine.open(path) as asset:
        with pytest.raises(FileExistsError):
            asset.export(path, "Passthrough", metadata_changes={"set": {"title": "X"}})
        asset.export(
            path, "Passthrough", metadata_changes={"set": {"title": "X"}}, replaces_source=True
        )
    assert tags(path)["title"] == "X"


def test_misspelled_changes_are_refused(engine, clip, tmp_path):
    with engine.open(clip) as asset:
        for changes in ({"sett": {}}, {"remove": "comment"}):
            with pytest.raises(TypeError):
                asset.export(tmp_path / "x.mp4", "Passthrough", metadata_changes=changes)


def test_facts_and_salvage(engine, clip, tmp_path):
    with engine.open(clip) as asset:
        asset.load("container_facts")
        facts = asset.container_facts
        assert isinstance(facts, ContainerFacts)
        assert facts.size == Path(clip).stat().st_size
        assert (facts.is_cut_short, facts.missing_bytes) == (False, None)
        asset.export(tmp_path / "whole.mkv", "Passthrough")
    cut = tmp_path / "cut.mkv"
    cut.write_bytes((tmp_path / "whole.mkv").read_bytes()[:-3000])
    with engine.open(cut) as asset:
        asset.load("container_facts")
        assert (asset.container_facts.is_cut_short, asset.container_facts.missing_bytes) == (True, 3000)
        with pytest.raises(reelwire.ReelwireError, match="cut short") as caught:
            asset.export(tmp_path / "no.mkv", "Passthrough")
        assert "salvage" in caught.value.hint
    with engine.open(cut, salvage=True) as asset:
        result = asset.export(tmp_path / "part.mkv", "Passthrough")
        assert any(item["item"] == "damagedSamples" for item in result.dropped)
