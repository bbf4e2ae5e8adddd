"""Symbolic links in folders of libraries."""

import shutil

import reelwire


def test_links_are_followed(engine, clip, tmp_path):
    media, other = tmp_path / "media", tmp_path / "other"
    media.mkdir()
    other.mkdir()
    shutil.copy(clip, other / "a.mp4")
    (media / "link").symlink_to(other)
    (media / "gone").symlink_to("nowhere")
    with engine.library(
        media, database=tmp_path / "l.sqlite", watch=False, follows_symbolic_links=True
    ) as library:
        result = library.scan()
        assert (result.counts.added, result.counts.unreadable_links) == (1, 1)
        assert result.links == [(str(media / "gone"), "The link leads nowhere")]
        assert [item.path for item in library.items] == [str(media / "link" / "a.mp4")]


def test_links_stay_below_the_roots(clip, tmp_path):
    media, other = tmp_path / "media", tmp_path / "other"
    (media / "inside").mkdir(parents=True)
    other.mkdir()
    shutil.copy(clip, other / "secret.mp4")
    shutil.copy(clip, media / "inside" / "a.mp4")
    (media / "absolute").symlink_to(other)
    (media / "relative").symlink_to("../other")
    (media / "file.mp4").symlink_to("../other/secret.mp4")
    (media / "b.mp4").symlink_to("inside/a.mp4")
    roots = ["--root", str(media), "--root", str(tmp_path / "data")]
    (tmp_path / "data").mkdir()
    with reelwire.Engine(arguments=roots) as engine:
        with engine.library(
            media,
            database=tmp_path / "data" / "l.sqlite",
            watch=False,
            follows_symbolic_links=True,
        ) as library:
            result = library.scan()
            refused = {str(media / name) for name in ("absolute", "relative", "file.mp4")}
            assert {link.path for link in result.links} == refused
            assert {link.message for link in result.links} == {
                "The link leads out of the allowed folders"
            }
            assert [item.path for item in library.items] == [str(media / "inside" / "a.mp4")]
