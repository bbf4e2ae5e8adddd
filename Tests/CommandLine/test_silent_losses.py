"""Parts of sources that a file doesn't have are listed, whatever left them out."""

from __future__ import annotations

import json
import struct
import subprocess
from pathlib import Path
from typing import List, Optional, Tuple

import pytest

from conftest import Program, ffmpeg


def dropped(text: str, item: str) -> List[dict]:
    return [each for each in json.loads(text).get("dropped", []) if each["item"] == item]


@pytest.fixture
def tracks(program: Program) -> Path:
    """A film with two tracks of audio and two of subtitles."""
    (program.folder / "a.srt").write_text("1\n00:00:00,500 --> 00:00:01,500\nOne\n")
    path = program.folder / "tracks.mkv"
    ffmpeg(
        ["-i", program.folder / "clip.mp4", "-f", "lavfi", "-i", "sine=300:d=4", "-f", "lavfi", "-i", "sine=900:d=4"]
        + ["-i", program.folder / "a.srt", "-i", program.folder / "a.srt", "-map", "0:v", "-map", "1", "-map", "2"]
        + ["-map", "3", "-map", "4", "-c:v", "copy", "-c:a", "aac", "-c:s", "srt", path]
    )
    return path


def compose(program: Program, document: dict, name: str) -> str:
    (program.folder / f"{name}.json").write_text(json.dumps(document))
    return program.ok("compose", f"{name}.json", "-o", f"{name}.mp4", "--preset", "LowQuality", "--json")


def test_further_tracks_of_clips(program: Program, tracks: Path) -> None:
    made = compose(program, {"clips": [{"url": "tracks.mkv"}]}, "plain")
    lost = dropped(made, "track")
    assert [(each["mediaType"], each["key"]) for each in lost] == [("audio", "aac"), ("subtitle", "subrip")]
    assert all("a sequence takes one of a clip" in each["reason"] for each in lost)
    assert "track 3 of" in lost[0]["reason"] and "track 5 of" in lost[1]["reason"]
    # The tracks that were left out on purpose, and subtitles that can't be shown.
    made = compose(program, {"clips": [{"url": "tracks.mkv", "volume": 0, "speed": -1}]}, "back")
    reasons = [each["reason"] for each in dropped(made, "track")]
    assert len(reasons) == 2 and "isn't played forward" in reasons[0] and "takes one of a clip" in reasons[1]
    # Shown elsewhere, or without more tracks, nothing is missing.
    assert dropped(compose(program, {"clips": [{"url": "clip.mp4"}]}, "one"), "track") == []


MIX = {"inputParameters": [{"trackID": 2, "volume": [{"at": 0, "value": 0.25}]}]}


def test_settings_of_inner_compositions(program: Program) -> None:
    pictures = program.ok(
        *"call asset/open url=clip.mp4 + videoComposition/withPropertiesOf asset=_.asset".split()
    )
    composition = json.loads(pictures.splitlines()[-1])["videoComposition"]

    def exported(*steps: str, name: str) -> List[dict]:
        begin = "call asset/open url=clip.mp4 + composition/create + composition/insertTimeRange"
        begin += " composition=composition:1 asset=asset:1"
        end = "+ composition/create + composition/insertTimeRange composition=composition:2 asset=composition:1"
        end += f" + exportSession/create asset=composition:2 preset=LowQuality outputURL={name}"
        end += " + exportSession/export exportSession=exportSession:1 completion=response"
        text = program.ok(*begin.split(), *steps, *end.split())
        result = json.loads(text.splitlines()[-1])
        assert result["status"] == "completed", result
        return [each for each in result.get("dropped", []) if each["item"] in ("audioMix", "videoComposition")]

    assert exported(name="plain.mp4") == []
    setting = ["+", "composition/set", "composition=composition:1"]
    lost = exported(*setting, f"audioMix:={json.dumps(MIX)}", name="mix.mp4")
    assert [each["item"] for each in lost] == ["audioMix"]
    assert "another one without its settings" in lost[0]["reason"]
    lost = exported(*setting, f"videoComposition:={json.dumps(composition)}", name="pictures.mp4")
    assert [each["item"] for each in lost] == ["videoComposition"]
    both = [f"audioMix:={json.dumps(MIX)}", f"videoComposition:={json.dumps(composition)}"]
    assert [each["item"] for each in exported(*setting, *both, name="both.mp4")] == ["videoComposition", "audioMix"]
    setting = ["+", "composition/setTrack", "composition=composition:1"]
    lost = exported(*setting, "trackID:=2", "preferredVolume:=0.5", name="volume.mp4")
    assert [(each["item"], each["key"]) for each in lost] == [("audioMix", "preferredVolume")]
    assert "another one without its settings" in lost[0]["reason"]
    lost = exported(*setting, "trackID:=1", "preferredTransform:=[-1,0,0,-1,0,0]", name="turned.mp4")
    assert [(each["item"], each["key"]) for each in lost] == [("videoComposition", "preferredTransform")]


def test_volumes_of_own_tracks(program: Program) -> None:
    begin = "call asset/open url=clip.mp4 + composition/create + composition/insertTimeRange"
    begin += " composition=composition:1 asset=asset:1 + composition/setTrack composition=composition:1 trackID:=2"
    end = "+ exportSession/create asset=composition:1 preset=LowQuality outputURL={} + exportSession/export"
    end += " exportSession=exportSession:1 completion=response"
    for volume, wanted in ((1, []), (0.5, [(2, "preferredVolume")])):
        steps = [*begin.split(), f"preferredVolume:={volume}", *end.format(f"{volume}.mp4").split()]
        result = json.loads(program.ok(*steps).splitlines()[-1])
        lost = [each for each in result.get("dropped", []) if each["item"] == "audioMix"]
        assert [(each["trackID"], each["key"]) for each in lost] == wanted


def timeline_losses(program: Program, *steps: str) -> List[Tuple[str, str]]:
    result = json.loads(program.ok("call", *steps).splitlines()[-1])
    return [(each["path"], each["what"]) for each in result["losses"]]


def test_parts_that_a_timeline_cannot_state(program: Program) -> None:
    (program.folder / "a.srt").write_text("1\n00:00:00,000 --> 00:00:01,500\nOne\n")
    insert = "+ composition/create + composition/insertTimeRange composition=composition:1 asset=asset:1".split()
    get = ["+", "composition/timeline", "composition=composition:1"]
    assert timeline_losses(program, "asset/open", "url=a.srt", *insert, *get) == []
    options = {"characterSet": "windows-1251", "timeOffset": 1.5, "salvage": True}
    opened = ["asset/open", "url=a.srt", f"options:={json.dumps(options)}"]
    # Each once, though two segments show the asset.
    again = ["+", *insert[3:]]
    lost = timeline_losses(program, *opened, *insert, *again, *get)
    assert {path.rsplit("/", 3)[0] for path, _ in lost} == {"/tracks/0"}
    assert [what for _, what in lost] == ["characterSet 'windows-1251'", "timeOffset of 1.5 s", "salvage"]
    # A document for other programs has no more than the timeline.
    other = timeline_losses(program, *opened, *insert, "+", "composition/openTimelineIO", "composition=composition:1")
    assert other[: len(lost)] == lost


def test_subtitles_of_inner_compositions(program: Program) -> None:
    (program.folder / "a.srt").write_text("1\n00:00:00,000 --> 00:00:01,500\nOne\n")
    file = {"url": "a.srt", "language": "de", "name": "Deutsch", "isForced": True, "characterSet": "windows-1252"}
    inner = {"clips": [{"url": "clip.mp4"}], "subtitleTracks": [file]}
    assemble = ["composition/assemble", f"sequence:={json.dumps(inner)}"]
    # Of its own, a timeline has all of it.
    assert timeline_losses(program, *assemble, "+", "composition/timeline", "composition=composition:1") == []
    lost = timeline_losses(
        program, *assemble, "+", "composition/create", "+", "composition/insertTimeRange",
        "composition=composition:2", "asset=composition:1", "+", "composition/timeline", "composition=composition:2",
    )  # fmt: skip
    assert lost == [
        ("/tracks/0", "videoComposition of 'composition'"),
        ("/tracks/2", "language 'de'"),
        ("/tracks/2", "name 'Deutsch'"),
        ("/tracks/2", "disposition 'forced'"),
        ("/tracks/2/segments/0/source", "characterSet 'windows-1252'"),
    ]


def test_texts_of_open_timeline_io(program: Program) -> None:
    (program.folder / "a.srt").write_text("1\n00:00:00,500 --> 00:00:01,500\nOne\n")
    sequence = {
        "clips": [{"url": "clip.mp4"}],
        "subtitles": [{"url": "a.srt", "style": {"color": [1, 1, 0, 1]}}],
        "textLayers": [{"text": "Live", "timeRange": {"start": 0, "duration": 1}}],
        "subtitleTracks": [{"url": "a.srt", "language": "de"}],
    }
    text = program.ok(
        "call", "composition/assemble", f"sequence:={json.dumps(sequence)}",
        "+", "composition/openTimelineIO", "composition=composition:1",
    )  # fmt: skip
    losses = {each["path"]: each["what"] for each in json.loads(text.splitlines()[-1])["losses"]}
    assert losses == {
        "/videoComposition": "videoComposition",
        "/naturalSize": "naturalSize",
        "/videoComposition/subtitles/0": "burnt-in subtitles of 'a.srt'",
        "/videoComposition/subtitles/0/style": "style",
        "/videoComposition/textLayers/0": "text 'Live'",
        "/subtitleTracks/0": "subtitles of 'a.srt'",
    }


def pixel_format(path: Path) -> str:
    command = ["ffprobe", "-v", "error", "-show_entries", "stream=pix_fmt", "-of", "csv=p=0", str(path)]
    return subprocess.check_output(command, text=True).strip()


@pytest.mark.parametrize(
    ("source", "options", "made", "lost"),
    [
        ("yuv444p", ["--preset", "HighestQuality"], "yuv420p", "4:2:0, of 4:4:4"),
        ("yuv422p", ["--preset", "640x480"], "yuv420p", "4:2:0, of 4:2:2"),
        ("yuv444p", [], "yuv420p", "4:2:0, of 4:4:4"),
        ("yuv420p", ["--preset", "HighestQuality"], "yuv420p", None),
        ("yuv444p", ["--pixel-format", "yuv444p"], "yuv444p", None),
        ("yuv444p", ["--profile", "high444"], "yuv444p", None),
        ("yuv422p", ["--profile", "high422"], "yuv422p", None),
        ("gray", ["--preset", "HighestQuality"], "yuvj420p", None),
    ],
)
def test_colour_in_a_lower_resolution(
    program: Program, source: str, options: List[str], made: str, lost: Optional[str]
) -> None:
    film = program.folder / "film.mkv"
    ffmpeg(["-f", "lavfi", "-i", "testsrc2=s=64x48:d=0.2", "-pix_fmt", source, "-c:v", "ffv1", film])
    text = program.ok("export", "film.mkv", "out.mp4", "--json", *options)
    assert pixel_format(program.folder / "out.mp4") == made
    colours = [each for each in dropped(text, "color") if each.get("key") == "chroma"]
    assert [each["reason"] for each in colours] == (
        [f"it is encoded as h264 with colour in {lost}"] if lost else []
    )


def rates(path: Path) -> dict:
    command = ["ffprobe", "-v", "error", "-show_entries", "stream=codec_type,bit_rate,duration", "-of", "json"]
    streams = json.loads(subprocess.check_output([*command, str(path)]))["streams"]
    return {each["codec_type"]: (int(each["bit_rate"]), float(each["duration"])) for each in streams}


def test_a_small_film_is_whole(program: Program) -> None:
    """At 128 kbit/s the audio alone would fill the file."""
    film = program.folder / "film.mkv"
    ffmpeg(
        ["-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=12", "-f", "lavfi", "-i", "anoisesrc=d=12:seed=1:r=48000"]
        + ["-ac", "2", "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-c:a", "flac", film]
    )
    for limit, bytes_, least in (("160k", 160_000, 32_000), ("128KiB", 131_072, 32_000)):
        name = f"{limit}.mp4"
        text = program.ok("export", "film.mkv", name, "--size-limit", limit, "--preset", "MediumQuality", "--json")
        assert (program.folder / name).stat().st_size <= bytes_
        assert dropped(text, "timeRange") == []
        found = rates(program.folder / name)
        assert found["video"][1] == pytest.approx(12, abs=0.05) and found["audio"][1] == pytest.approx(12, abs=0.05)
        assert least * 0.9 <= found["audio"][0] <= bytes_ * 8 / 12 / 2 * 1.1
    # A rate that is chosen stays, and then the film ends early.
    text = program.ok(
        *"export film.mkv chosen.mp4 --size-limit 160k --audio-bitrate 128k --preset MediumQuality --json".split()
    )
    assert len(dropped(text, "timeRange")) == 1
    # Enough room changes nothing.
    program.ok(*"export film.mkv free.mp4 --size-limit 20M --preset MediumQuality".split())
    assert rates(program.folder / "free.mp4")["audio"][0] > 110_000


def test_small_audio_is_whole(program: Program) -> None:
    ffmpeg(["-f", "lavfi", "-i", "anoisesrc=d=20:seed=1:r=48000", "-ac", "2", program.folder / "noise.flac"])
    for name in ("noise.m4a", "noise.mp3", "noise.opus", "noise.ogg"):
        text = program.ok("export", "noise.flac", name, "--size-limit", "240k", "--json")
        assert (program.folder / name).stat().st_size <= 240_000
        assert dropped(text, "timeRange") == [], name
    # Less than the lowest rate, 32 kbit/s: as much of it as that leaves.
    text = program.ok("export", "noise.flac", "short.m4a", "--size-limit", "40k", "--json")
    assert len(dropped(text, "timeRange")) == 1
    assert rates(program.folder / "short.m4a")["audio"][1] > 7


@pytest.mark.parametrize("kind", ["m4a", "aac", "mp3", "opus"])
def test_a_size_just_above_the_lowest_rate_holds_all_of_it(program: Program, kind: str) -> None:
    """At 32 kbit/s, 8 s have 32,000 bytes, to which a container adds a tenth at most."""
    ffmpeg(["-f", "lavfi", "-i", "anoisesrc=d=8:seed=1:r=48000", "-ac", "2", program.folder / "noise.flac"])
    text = program.ok("export", "noise.flac", f"noise.{kind}", "--size-limit", "40k", "--json")
    assert dropped(text, "timeRange") == []
    assert 24_000 < (program.folder / f"noise.{kind}").stat().st_size <= 40_000
    decode = ["ffmpeg", "-v", "error", "-i", str(program.folder / f"noise.{kind}"), "-ac", "1", "-f", "s16le", "-"]
    assert len(subprocess.check_output(decode)) / 96_000 == pytest.approx(8, abs=0.1)


@pytest.mark.parametrize("size", ["12x", "k", "-5", "1.5.2M", "nanM", "1TB", ""])
def test_sizes_that_are_none(program: Program, size: str) -> None:
    said = program.fails(2, "export", "clip.mp4", "out.mp4", f"--size-limit={size}")
    assert "--size-limit" in said and not (program.folder / "out.mp4").exists()
    assert "8MiB" in program.ok("export", "--help")


@pytest.mark.parametrize("matrix", [(0.70710678, 0.70710678, -0.70710678, 0.70710678), (2, 0, 0, 2)])
@pytest.mark.parametrize(
    ("target", "preset", "is_lost"),
    [("out.mkv", "FFV1", True), ("out.webm", "VP9HighestQuality", True), ("out.mp4", "HighestQuality", False)]
    + [("small.mp4", "LowQuality", True)],
)
def test_transforms_that_pictures_do_not_get(
    program: Program, matrix: Tuple[float, ...], target: str, preset: str, is_lost: bool
) -> None:
    """Pictures are turned in steps of 90 degrees; of another transform only a movie has a statement."""
    path = program.folder / "turned.mp4"
    ffmpeg(["-f", "lavfi", "-i", "testsrc2=s=640x480:d=0.2", path])
    data = bytearray(path.read_bytes())
    place = data.index(b"tkhd") + 4 + 40
    a, b, c, d = (round(value * 65536) for value in matrix)
    struct.pack_into(">6i", data, place, a, b, 0, c, d, 0)
    path.write_bytes(data)
    settings = ["--preset", preset, "--json", *(["--width", "320"] if target == "small.mp4" else [])]
    lost = dropped(program.ok("export", "turned.mp4", target, *settings), "rotation")
    # A quarter turn is applied to the pixels, or stated.
    struct.pack_into(">6i", data, place, 0, 65536, 0, -65536, 0, 0)
    path.write_bytes(data)
    quarter = program.ok("export", "turned.mp4", f"quarter-{target}", *settings)
    assert (len(lost), dropped(quarter, "rotation")) == (is_lost, [])
