"""`reelwire library`: folders are scanned, and their files are found."""

from __future__ import annotations

import json
import re
import resource
import shutil
import sqlite3
import subprocess
from pathlib import Path
from typing import Callable, List, Optional

import pytest

from conftest import BINARY, environment, ffmpeg
from waiting import HANG


@pytest.fixture()
def media(tmp_path: Path) -> Path:
    folder = tmp_path / "media"
    (folder / "lakes").mkdir(parents=True)
    picture = ["-f", "lavfi", "-i", "testsrc2=size=64x48:rate=25:duration=2"]
    date = ["-metadata", "creation_time=2021-05-01T12:00:00Z"]
    ffmpeg([*picture, "-metadata", "title=Evening Lake", *date, folder / "lakes" / "lake.mp4"])
    ffmpeg(["-f", "lavfi", "-i", "sine=duration=0.5", folder / "tone.wav"])
    shutil.copy(folder / "tone.wav", folder / "lakes" / "odd\nname.wav")
    (folder / "broken.mp4").write_text("no movie")
    return folder


def run(
    media: Path, *arguments: object, code: int = 0, preexec_fn: Optional[Callable[[], None]] = None
) -> "subprocess.CompletedProcess[str]":
    result = subprocess.run(
        [BINARY, "library", *map(str, arguments)], capture_output=True, text=True, cwd=media.parent,
        env=environment(XDG_DATA_HOME=str(media.parent / "data")), timeout=4 * HANG,
        preexec_fn=preexec_fn,
    )
    assert result.returncode == code, result.stderr
    return result


def paths(media: Path, *arguments: object) -> List[str]:
    found = run(media, "find", "-0", *arguments).stdout
    return [str(Path(each).relative_to(media)) for each in found.split("\0") if each]


def test_what_is_scanned_is_found(media: Path) -> None:
    scanned = run(media, "scan", "media")
    assert "4 files, 4 read, 4 new, 1 unreadable" in scanned.stderr
    assert f"{media}/broken.mp4: " in scanned.stderr
    assert json.loads(run(media, "scan", "--json").stdout)[0]["probed"] == 0
    everything = {"lakes/lake.mp4", "lakes/odd\nname.wav", "tone.wav"}
    assert set(paths(media)) == everything
    assert paths(media, "--kind", "video", "--text", "lake", "--longer-than", 1) == ["lakes/lake.mp4"]
    assert paths(media, "--kind", "video", "--longer-than", 2) == []
    assert set(paths(media, "--in", "media/lakes")) == everything - {"tone.wav"}
    assert set(paths(media, "--in", "media/lake")) == set()
    assert set(paths(media, "--shorter-than", 1, "--limit", 5)) == everything - {"lakes/lake.mp4"}
    assert paths(media, "--since", "2021-05", "--before", "2021-06") == ["lakes/lake.mp4"]
    assert paths(media, "--since", "2021-05-02") == []
    assert paths(media, "--codec", "h264", "--min-width", 64) == ["lakes/lake.mp4"]
    assert paths(media, "--sort=-duration")[0] == "lakes/lake.mp4"
    unreadable = '{"key": "state", "op": "is", "value": "unreadable"}'
    assert paths(media, "--predicate", unreadable) == ["broken.mp4"]


def with_few_files() -> None:
    resource.setrlimit(resource.RLIMIT_NOFILE, (200, 200))


def test_a_scan_opens_few_folders_at_a_time(media: Path) -> None:
    for number in range(400):
        (media / f"folder{number}").mkdir()
        shutil.copy(media / "tone.wav", media / f"folder{number}" / "tone.wav")
    scanned = run(media, "scan", "media", preexec_fn=with_few_files).stderr
    assert "404 files, 404 read, 404 new, 1 unreadable\n" in scanned


def test_what_cannot_be_opened_now_is_read_by_the_next_scan(media: Path) -> None:
    deep = media
    for _ in range(300):
        for name in "abcde":
            (deep / name).mkdir()
        deep /= "c"
    shutil.copy(media / "tone.wav", deep / "deep.wav")
    first = run(media, "scan", "media", preexec_fn=with_few_files).stderr
    assert re.search(r"[1-9]\d* unreadable folders", first)
    run(media, "scan", "media")
    assert str(deep.relative_to(media) / "deep.wav") in paths(media)
    # Files below a folder that can't be read stay.
    again = run(media, "scan", preexec_fn=with_few_files).stderr
    assert "unreadable folders" in again and "missing" not in again
    assert str(deep.relative_to(media) / "deep.wav") in paths(media)


def test_what_is_printed(media: Path) -> None:
    run(media, "scan", media, "--exclude", "lakes")
    items = json.loads(run(media, "find", "--json").stdout)
    assert [item["name"] for item in items] == ["tone.wav"]
    run(media, "scan", media)
    (item,) = json.loads(run(media, "find", "--json", "--title", "LAKE").stdout)
    assert item["url"] == str(media / "lakes" / "lake.mp4")
    assert item["creationDate"] == "2021-05-01T12:00:00Z"
    shown = run(media, "find", "--kind", "audio").stdout
    assert len(shown.splitlines()) == 2 and "odd\\u{a}name.wav" in shown
    assert run(media, "find", "--count-by", "mediaType").stdout == "2  audio\n1  video\n"
    assert "media: 4 items, online, scanned 20" in run(media, "status").stdout
    groups = json.loads(run(media, "duplicates", "--json").stdout)
    assert [{item["name"] for item in group} for group in groups] == [{"tone.wav", "odd\nname.wav"}]


def test_a_folder_is_forgotten(media: Path) -> None:
    run(media, "scan", media)
    before = sorted(media.rglob("*"))
    run(media, "remove", media)
    assert paths(media) == [] and sorted(media.rglob("*")) == before
    assert "is no folder of the library" in run(media, "remove", media, code=1).stderr


def test_what_is_wrong_is_explained(media: Path) -> None:
    assert "no library" in run(
        media, "find", "--database", media / "broken.mp4", code=1
    ).stderr
    assert (media / "broken.mp4").read_text() == "no movie"
    assert "nothing" in run(media, "scan", media / "nothing", code=1).stderr
    assert "expected one of" in run(media, "find", "--sort", "size", code=2).stderr
    assert "--predicate" in run(media, "find", "--predicate", "{", code=2).stderr
    assert "film" in run(media, "find", "--kind", "film", code=2).stderr


def test_a_library_that_is_not_there_is_not_made(media: Path) -> None:
    for command in (["find"], ["status"], ["duplicates"], ["remove", media], ["scan"]):
        for database in ([], ["--database", "other.sqlite"]):
            refused = run(media, *command, *database, code=1).stderr
            assert "There is no library" in refused and "library scan" in refused
    assert [path.name for path in media.parent.iterdir()] == ["media"]


def test_items_in_the_order_of_their_kinds(media: Path) -> None:
    ffmpeg(["-f", "lavfi", "-i", "testsrc2=size=64x48:duration=1", "-frames:v", "1", media / "picture.png"])
    run(media, "scan", media)

    def kinds(sort: str) -> List[str]:
        return [item["mediaType"] for item in json.loads(run(media, "find", "--json", f"--sort={sort}").stdout)]

    assert kinds("mediaType") == ["audio", "audio", "image", "video"]
    assert kinds("-mediaType") == ["video", "image", "audio", "audio"]


def test_codecs_are_found_regardless_of_case(media: Path) -> None:
    run(media, "scan", media)
    for name in ("h264", "H264"):
        assert paths(media, "--codec", name) == ["lakes/lake.mp4"]


def test_items_follow_their_files(media: Path) -> None:
    """In a chain of new names, in a swap, and in place of another file; a file that is rewritten stays the item."""
    one, two, three = (media / name for name in ("one.mp4", "two.wav", "three.mp4"))
    shutil.copy(media / "lakes" / "lake.mp4", one)
    ffmpeg(["-f", "lavfi", "-i", "sine=duration=0.2", two])
    shutil.rmtree(media / "lakes")
    for name in ("tone.wav", "broken.mp4"):
        (media / name).unlink()

    def scanned(**counts: int) -> "dict[str, str]":
        (found,) = json.loads(run(media, "scan", "media", "--json").stdout)
        expected = {"added": 0, "changed": 0, "moved": 0, "missing": 0, **counts}
        assert {key: found[key] for key in expected} == expected
        items = json.loads(run(media, "find", "--json").stdout)
        return {Path(item["url"]).name: item["item"] for item in items}

    known = scanned(added=2)
    film, tone = known["one.mp4"], known["two.wav"]
    one.rename(three)
    two.rename(one)
    assert scanned(moved=2) == {"three.mp4": film, "one.mp4": tone}
    one.rename(two)
    three.rename(one)
    two.rename(three)
    assert scanned(moved=2) == {"one.mp4": film, "three.mp4": tone}
    # An editor writes another file, which gets the name.
    shutil.copy(one, media / ".new")
    with (media / ".new").open("ab") as file:
        file.write(b"\0\0\0\x08free")
    (media / ".new").rename(one)
    assert scanned(changed=1) == {"one.mp4": film, "three.mp4": tone}
    three.rename(one)
    assert scanned(moved=1, missing=1) == {"one.mp4": tone}
    missing = '{"key": "state", "op": "is", "value": "missing"}'
    (gone,) = json.loads(run(media, "find", "--json", "--predicate", missing).stdout)
    assert (gone["item"], gone["url"]) == (film, str(one))
    assert scanned() == {"one.mp4": tone}


def test_a_damaged_database_is_named(media: Path) -> None:
    """Parts of it that are missing are damage, with the way out, and no error without a name."""
    database = media.parent / "l.sqlite"
    run(media, "scan", media, "--database", database)
    with sqlite3.connect(database) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        query = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        tables = [name for (name,) in connection.execute(query)]
    connection.close()
    whole = database.read_bytes()
    failed = 0
    for table in tables:
        for file in media.parent.glob("l.sqlite*"):
            file.unlink()
        database.write_bytes(whole)
        with sqlite3.connect(database) as connection:
            try:
                connection.execute(f'DROP TABLE "{table}"')
            except sqlite3.DatabaseError:
                continue  # A part of another table.
        connection.close()
        ended = subprocess.run(
            [BINARY, "library", "find", "--database", str(database)], capture_output=True, text=True,
            cwd=media.parent, env=environment(), timeout=4 * HANG,
        )
        if ended.returncode:
            failed += 1
            assert "Move the file away" in ended.stderr, (table, ended.stderr)
    assert failed


# Symbolic links


def test_links_are_followed_where_that_is_wanted(media: Path) -> None:
    other = media.parent / "other"
    other.mkdir()
    shutil.copy(media / "tone.wav", other / "far.wav")
    (media / "far").symlink_to(other)
    (media / "again").symlink_to("lakes")
    (media / "up").symlink_to("..")
    (media / "lakes" / "round").symlink_to(media)
    (media / "same.wav").symlink_to("tone.wav")
    (media / "linked.wav").symlink_to(other / "far.wav")
    (media / "nowhere.mp4").symlink_to("missing.mp4")
    (media / "itself.mp4").symlink_to("itself.mp4")
    plain = {"lakes/lake.mp4", "lakes/odd\nname.wav", "tone.wav"}
    run(media, "scan", "media")
    assert set(paths(media)) == plain
    scanned = run(media, "scan", "media", "--follow-symlinks")
    # Each file once, by the first of its paths: without links if it has one.
    followed = plain | {"far/far.wav"}
    assert set(paths(media)) == followed
    assert f"{media}/nowhere.mp4: The link leads nowhere\n" in scanned.stderr
    assert f"{media}/itself.mp4: The link leads in a circle\n" in scanned.stderr
    assert "2 unreadable links" in scanned.stderr
    # It stays so, and nothing is read twice.
    (counts,) = json.loads(run(media, "scan", "--json", "media").stdout)
    assert (counts["probed"], counts["added"], counts["missing"]) == (0, 0, 0)
    assert set(paths(media)) == followed
    # A file that is changed elsewhere is seen.
    shutil.copy(media / "lakes" / "lake.mp4", other / "new.mp4")
    run(media, "scan", "media")
    assert set(paths(media)) == followed | {"far/new.mp4"}
    run(media, "scan", "media", "--no-follow-symlinks")
    assert set(paths(media)) == plain


def test_a_library_of_an_earlier_version_is_one(media: Path) -> None:
    run(media, "scan", "media")
    with sqlite3.connect(media.parent / "data/reelwire/library.sqlite") as database:
        database.execute("ALTER TABLE folder DROP COLUMN follows_links")
        database.execute("PRAGMA user_version = 1")
    assert len(paths(media)) == 3
    (media / "far").symlink_to(media.parent)
    assert json.loads(run(media, "scan", "--json", "media", "--follow-symlinks").stdout)[0]["probed"] == 0


def test_links_are_followed_in_all_folders(media: Path) -> None:
    """Without folders the option is about all of the library; what was left out stays left out."""
    far = media.parent / "far"
    far.mkdir()
    shutil.copy(media / "tone.wav", far / "far.wav")
    (media / "link").symlink_to(far)
    other = media.parent / "other"
    other.mkdir()
    (other / "link.wav").symlink_to(far / "far.wav")
    run(media, "scan", media, "--exclude", "lakes")
    run(media, "scan", other)
    listed = {item["name"] for item in json.loads(run(media, "find", "--json").stdout)}
    assert listed == {"tone.wav"}
    run(media, "scan", "--follow-symlinks")
    found = {item["name"] for item in json.loads(run(media, "find", "--json").stdout)}
    assert found == {"tone.wav", "far.wav", "link.wav"}
    run(media, "scan", "--no-follow-symlinks")
    left = {item["name"] for item in json.loads(run(media, "find", "--json").stdout)}
    assert left == {"tone.wav"}
    assert "name the folder" in run(media, "scan", "--exclude", "lakes", code=2).stderr
