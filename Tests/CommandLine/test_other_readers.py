"""Written files as MediaInfo and MKVToolNix read them, compared with a source that MKVToolNix has written."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any, Dict, List

import pytest

from conftest import Program, ffmpeg

pytestmark = pytest.mark.skipif(
    not (shutil.which("mediainfo") and shutil.which("mkvmerge")), reason="needs mediainfo and mkvtoolnix"
)

# The video is marked as PQ in BT.2020 by the container alone: its bitstream doesn't state that.
PROPERTIES = """
 --title Film --colour-primaries 0:9 --colour-transfer-characteristics 0:16 --colour-matrix-coefficients 0:9
 --colour-range 0:1 --chromaticity-coordinates 0:0.68,0.32,0.265,0.69,0.15,0.06
 --white-color-coordinates 0:0.3127,0.329 --max-luminance 0:1000 --min-luminance 0:0.005
 --max-content-light 0:1000 --max-frame-light 0:400 --language 0:und --language 1:de --language 2:fr
 --language 3:es --track-name 1:Ton --default-track-flag 1:yes --default-track-flag 2:no
 --commentary-flag 2:yes --hearing-impaired-flag 3:yes --forced-display-flag 3:no
"""

# Of a track, by MediaInfo; in addition to its duration, name and mastering display.
FIELDS = (
    "@type Width Height SamplingRate Channels Language colour_range colour_primaries transfer_characteristics "
    "matrix_coefficients MasteringDisplay_ColorPrimaries MasteringDisplay_Luminance"
).split()


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("readers")
    (folder / "a.srt").write_text("1\n00:00:00,500 --> 00:00:01,500\nOne\n\n2\n00:00:02,000 --> 00:00:02,800\nTwo\n")
    ffmpeg(
        ["-f", "lavfi", "-i", "testsrc2=duration=3:size=320x180:rate=30000/1001"]
        + ["-f", "lavfi", "-i", "sine=duration=3", "-f", "lavfi", "-i", "sine=440:duration=3:r=48000", "-ac", "2"]
        + ["-i", folder / "a.srt", "-map", "0", "-map", "1", "-map", "2", "-map", "3", "-c:v", "libx264", "-g", "30"]
        + ["-c:a", "aac", "-c:s", "srt", folder / "plain.mkv"]
    )
    made = folder / "source.mkv"
    subprocess.run(["mkvmerge", "-q", "-o", made, *PROPERTIES.split(), folder / "plain.mkv"], check=True)
    return made


def mediainfo(path: Path) -> List[Dict[str, Any]]:
    text = subprocess.check_output(["mediainfo", "--Output=JSON", str(path)])
    tracks: List[Dict[str, Any]] = json.loads(text)["media"]["track"]
    return tracks


def identified(path: Path) -> Dict[str, Any]:
    found: Dict[str, Any] = json.loads(subprocess.check_output(["mkvmerge", "-J", str(path)]))
    assert found["errors"] == found["warnings"] == []
    return found


def of(track: Dict[str, Any], *more: str) -> Dict[str, Any]:
    return {name: track.get(name) for name in [*FIELDS, *more]}


def number(text: str) -> float:
    return float(text.split()[0])


@pytest.mark.parametrize("extension", ["mkv", "mp4", "mov"])
def test_copies_agree_with_mediainfo(program: Program, source: Path, extension: str) -> None:
    copy = program.folder / f"copy.{extension}"
    program.ok("export", str(source), copy.name, "-p", "Passthrough")
    (film, *tracks), (copied_film, *copied) = mediainfo(source), mediainfo(copy)
    assert copied_film["Title"] == film["Title"] == "Film" and copied_film["FrameCount"] == "90"
    assert float(copied_film["Duration"]) == pytest.approx(float(film["Duration"]), abs=0.002)
    assert len(copied) == len(tracks) == 4
    for track, other in zip(tracks, copied):
        expected = of(track)
        if extension == "mov":
            # QuickTime has no place for the range of Y'CbCr, which is limited unless the bitstream states another.
            expected["colour_range"] = other.get("colour_range")
        assert of(other) == expected
        if track["@type"] != "Text":
            duration = float(other.get("Source_Duration", other["Duration"]))
            assert duration == pytest.approx(float(track["Duration"]), abs=0.002)
    video, german, french, _ = copied
    assert "Ton" in german["Title"].split(" / ") and "Title" not in french
    assert (german["Default"], french["Default"]) == ("Yes", "No")
    assert (number(video["MaxCLL"]), number(video["MaxFALL"])) == (1000, 400)


def test_a_copy_agrees_with_mkvtoolnix(program: Program, source: Path) -> None:
    program.ok("export", str(source), "copy.mkv", "-p", "Passthrough")
    # Names of its own, and properties that follow from the codec.
    own = {"uid", "language_ietf", "chroma_siting"}
    found = []
    for film in (identified(source), identified(program.folder / "copy.mkv")):
        for track in film["tracks"]:
            properties = track["properties"]
            track["properties"] = {
                name: round(value, 6) if isinstance(value, float) else value
                for name, value in properties.items()
                if name not in own
                and not name.startswith(("tag_", "num_"))
                and (track["type"], name) != ("audio", "default_duration")
            }
        found.append([film["tracks"], film["container"]["properties"]["title"]])
    assert found[0] == found[1]


@pytest.mark.parametrize("extension", ["mkv", "mp4", "mov"])
def test_encoded_video_agrees_with_mediainfo(program: Program, source: Path, extension: str) -> None:
    made = program.folder / f"made.{extension}"
    program.ok("export", str(source), made.name, "--video-codec", "hevc", "--profile", "main10", "--end", "1")
    _, video, german, french, text = mediainfo(made)
    expected = of(mediainfo(source)[1])
    # In the bitstream, too.
    assert of(video) == {**expected, "matrix_coefficients": "BT.2020 non-constant", "transfer_characteristics": "PQ"}
    assert (video["Format"], video["Format_Profile"], video["BitDepth"]) == ("HEVC", "Main 10", "10")
    assert (number(video["MaxCLL"]), number(video["MaxFALL"])) == (1000, 400)
    assert video["MasteringDisplay_Luminance_Source"] == "Container / Stream"
    assert [each["Language"] for each in (german, french, text)] == ["de", "fr", "es"]
    if extension != "mkv":
        assert video["FrameCount"] == "30"


@pytest.mark.parametrize("extension", ["mkv", "mp4"])
def test_joined_files_agree(program: Program, source: Path, extension: str) -> None:
    name = f"joined.{extension}"
    program.ok("join", f"{source}#t=1", f"{source}#t=0.4,1.6", "-o", name)
    tracks = identified(program.folder / name)["tracks"]
    # MKVToolNix doesn't list subtitles of movies.
    kinds = ["video", "audio", "audio", "subtitles"]
    assert [track["type"] for track in tracks] == kinds[: 4 if extension == "mkv" else 3]
    assert [track["properties"]["language"] for track in tracks][:3] == ["und", "ger", "fre"]
    film, video = mediainfo(program.folder / name)[:2]
    counted = ["ffprobe", "-v", "error", "-select_streams", "v", "-count_packets", "-show_streams", "-of", "json"]
    (stream,) = json.loads(subprocess.check_output([*counted, str(program.folder / name)]))["streams"]
    if extension == "mp4":
        # MediaInfo computes it from the duration of the edits.
        assert int(video["FrameCount"]) == pytest.approx(int(stream["nb_read_packets"]), abs=1)
    assert float(film["Duration"]) == pytest.approx(3.241, abs=0.03)
