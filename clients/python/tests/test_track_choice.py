"""Choices of tracks, and the metadata that joins take over, by ffprobe's reading of the files."""

import subprocess

import pytest
from conftest import probe

import reelwire


@pytest.fixture(scope="module")
def film(tmp_path_factory):
    """A video, audio in German (aac) and English (flac), and two chapters."""
    folder = tmp_path_factory.mktemp("film")
    (folder / "facts.txt").write_text(
        ";FFMETADATA1\ntitle=Film\n"
        "[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=1000\ntitle=One\n"
        "[CHAPTER]\nTIMEBASE=1/1000\nSTART=1000\nEND=2000\ntitle=Two\n"
    )
    command = ["ffmpeg", "-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=d=2:r=25:s=64x48"]
    command += ["-f", "lavfi", "-i", "sine=440:d=2", "-f", "lavfi", "-i", "sine=880:d=2"]
    command += ["-i", str(folder / "facts.txt"), "-map", "0", "-map", "1", "-map", "2"]
    command += ["-map_metadata", "3", "-metadata:s:a:0", "language=ger", "-g", "25"]
    command += ["-metadata:s:a:1", "language=eng", "-c:v", "libx264", "-pix_fmt", "yuv420p"]
    command += ["-c:a:0", "aac", "-c:a:1", "flac", str(folder / "film.mkv")]
    subprocess.run(command, check=True)
    return folder / "film.mkv"


def _languages(path):
    return [each.get("tags", {}).get("language") for each in probe(path, "-show_streams")["streams"]]


RULES = {
    "english": ({"include": [{"mediaType": "audio", "language": "en"}]}, ["eng"]),
    "codec": ({"include": [{"mediaType": "video"}, {"codec": "aac"}]}, [None, "ger"]),
    "without": ({"exclude": [{"mediaType": "audio", "language": "de"}]}, [None, "eng"]),
    "languages": ({"languages": ["de"]}, [None, "ger"]),
    "numbers": ([1, 3], [None, "eng"]),
}


@pytest.mark.parametrize("name", RULES)
def test_exports_joins_and_lists_choose_alike(engine, film, tmp_path, name):
    tracks, expected = RULES[name]
    with engine.open(film) as asset:
        asset.export(tmp_path / "export.mkv", "Passthrough", tracks=tracks)
        assert _languages(tmp_path / "export.mkv") == expected
        found = [track.extended_language_tag for track in asset.load_tracks(selection=tracks)]
        assert found == [each and {"ger": "de", "eng": "en"}[each] for each in expected]
    engine.join([film, film], tmp_path / "join.mkv", tracks=tracks)
    assert _languages(tmp_path / "join.mkv") == expected


def test_a_reader_chooses_by_a_rule(engine, film):
    with engine.open(film) as asset:
        output = reelwire.TrackOutput({"mediaType": "audio", "language": "en"})
        with asset.reader(output) as reader:
            sizes = [len(sample.data) for sample in reader.outputs[0].samples()]
        packets = probe(film, "-select_streams", "a:1", "-show_packets")["packets"]
        assert sizes == [int(packet["size"]) for packet in packets]
        with pytest.raises(reelwire.NoSourceTrackError, match="audio:fr"):
            asset.reader(reelwire.TrackOutput({"mediaType": "audio", "language": "fr"}))


def test_chapters_of_files_and_parts(engine, film, tmp_path):
    def titles(path):
        return [each["tags"]["title"] for each in probe(path, "-show_chapters")["chapters"]]

    engine.join([film, film], tmp_path / "files.mkv")
    assert titles(tmp_path / "files.mkv") == ["One", "Two", "One", "Two"]
    engine.join([film, film], tmp_path / "parts.mkv", chapters_from="parts")
    assert titles(tmp_path / "parts.mkv") == ["Film", "Film"]
    engine.join([film, film], tmp_path / "none.mkv", chapters_from="none")
    assert titles(tmp_path / "none.mkv") == []
    with engine.open(film) as asset, engine.composition(asset[1:2] + asset[:1]) as composition:
        assert [group.title for group in composition.chapters()] == ["Two", "One"]
        assert [float(group.time_range.start) for group in composition.chapters()] == [0, 1]
