"""Subtitles added to films, replaced, removed and converted: ffprobe and ffmpeg are the oracles, and Python's codecs."""

from __future__ import annotations

import json
import shutil
import subprocess
from fractions import Fraction
from pathlib import Path
from typing import Any, Dict, List

import pytest

from conftest import Program, ffmpeg
from test_subtitles import cues, plain

ENGLISH = "1\n00:00:00,500 --> 00:00:01,500\nHello\n\n2\n00:00:02,000 --> 00:00:03,000\n<i>World</i>\n\n"
RUSSIAN = "1\n00:00:01,000 --> 00:00:02,000\nПривет, как дела?\n\n2\n00:00:03,000 --> 00:00:04,500\nВсё хорошо\n\n"
SCRIPT = r"""[Script Info]
ScriptType: v4.00+

[V4+ Styles]
Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding
Style: Default,Arial,16,&Hffffff,&Hffffff,&H0,&H0,0,0,0,0,100,100,0,0,1,1,0,2,10,10,10,0

[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
Dialogue: 0,0:00:00.50,0:00:01.50,Default,,0,0,0,,{\pos(10,10)}Grüße
Dialogue: 0,0:00:02.00,0:00:03.50,Default,,0,0,0,,{\fad(10,10)\bord4}bunt
"""


def streams(path: Path) -> List[Dict[str, Any]]:
    command = ["ffprobe", "-v", "error", "-show_streams", "-of", "json", str(path)]
    found: List[Dict[str, Any]] = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)["streams"]
    return found


def subtitles(path: Path) -> List[Dict[str, Any]]:
    return [stream for stream in streams(path) if stream["codec_type"] == "subtitle"]


def media(path: Path) -> str:
    """The bytes of all packets of video and audio, without their times."""
    command = ["ffmpeg", "-v", "error", "-i", str(path), "-map", "0:v", "-map", "0:a", "-c", "copy", "-f", "streamhash", "-"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def packets(path: Path, number: int) -> List[str]:
    """The hashes of the packets of a track of subtitles."""
    command = ["ffprobe", "-v", "error", "-select_streams", f"s:{number}", "-show_data_hash", "md5"]
    command += ["-show_entries", "packet=data_hash", "-of", "csv=p=0", str(path)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()


def track(path: Path, number: int) -> List[Any]:
    """The cues of one of the tracks of subtitles."""
    one = path.parent / f"{path.name}.{number}.srt"
    one.unlink(missing_ok=True)
    ffmpeg(["-i", path, "-map", f"0:s:{number}", one])
    return plain(cues(one))


@pytest.fixture
def film(program: Program) -> Path:
    """A film of six seconds with B-frames and named audio; subtitles in three forms."""
    folder = program.folder
    (folder / "film.en.srt").write_text(ENGLISH)
    (folder / "ru.srt").write_bytes(RUSSIAN.encode("cp1251"))
    (folder / "de.ass").write_text(SCRIPT)
    ffmpeg(
        ["-f", "lavfi", "-i", "testsrc2=duration=6:size=64x48:rate=25", "-f", "lavfi", "-i", "sine=duration=6"]
        + ["-c:v", "libx264", "-bf", "2", "-c:a", "aac", "-metadata:s:a:0", "language=deu"]
        + ["-metadata:s:a:0", "title=Ton", "-metadata", "title=Film", folder / "film.mp4"]
    )
    return folder


def seconds(time: str) -> float:
    """Of a time as in SubRip."""
    hours, minutes, rest = time.replace(",", ".").split(":")
    return 3600 * int(hours) + 60 * int(minutes) + float(rest)


def add(program: Program, target: str, *options: str) -> "subprocess.CompletedProcess[bytes]":
    ended = program("subtitles", "add", "film.mp4", "film.en.srt", "ru.srt", "de.ass", "-o", target, *options)
    assert ended.returncode == 0, ended.stderr
    return ended


@pytest.mark.parametrize("form, codecs", [
    ("mkv", ["subrip", "subrip", "ass"]), ("mp4", ["mov_text"] * 3), ("mov", ["mov_text"] * 3),
])
def test_several_are_added(program: Program, film: Path, form: str, codecs: List[str]) -> None:
    ended = add(program, f"out.{form}", "--language", "eng", "--language", "ru", "--title", "English", "--default", "--sdh")
    out = film / f"out.{form}"
    assert media(out) == media(film / "film.mp4")
    found = subtitles(out)
    assert [stream["codec_name"] for stream in found] == codecs
    assert [stream["tags"].get("language", "und") for stream in found] == ["eng", "rus", "und"]
    assert [stream["disposition"]["default"] for stream in found] == [1, 0, 0]
    assert [stream["disposition"]["hearing_impaired"] for stream in found] == [1, 1, 1]
    assert found[0]["tags"]["title" if form == "mkv" else "handler_name"] == "English"
    # Everything of the film stays.
    audio = next(stream for stream in streams(out) if stream["codec_type"] == "audio")
    assert audio["tags"]["language"] == ("ger" if form == "mkv" else "deu")
    assert b"character set windows-1251 of track 4 (subtitle)" in ended.stderr
    lost = ended.stderr.decode()
    for key in ("position", "style", "animation", "script"):
        assert (f"text {key} of track 5" in lost) == (form != "mkv"), key
    texts = [[text for _, _, text in track(out, number)] for number in range(3)]
    assert texts == [["Hello", "World"], ["Привет, как дела?", "Всё хорошо"], ["Grüße", "bunt"]]


def test_what_is_copied_is_the_file(program: Program, film: Path) -> None:
    add(program, "out.mkv")
    for number, name in ((0, "film.en.srt"), (2, "de.ass")):
        assert packets(film / "out.mkv", number) == packets(film / name, 0)


def test_times_are_those_of_the_film(program: Program, film: Path) -> None:
    add(program, "out.mp4")
    assert track(film / "out.mp4", 0) == plain(cues(film / "film.en.srt"))
    # mkv has no edit list: the film begins later by the priming of its audio, and so do the subtitles.
    add(program, "out.mkv")
    delay = round(1000 * float(next(s for s in streams(film / "out.mkv") if s["codec_type"] == "video")["start_time"]))
    assert [start for start, _, _ in track(film / "out.mkv", 0)] == [f"00:00:00,{500 + delay}", f"00:00:02,{delay:03}"]


def test_a_language_is_in_the_name(program: Program, film: Path) -> None:
    for name in ("a.de.srt", "b.pt-BR.forced.srt", "c.sdh.srt"):
        (film / name).write_text(ENGLISH)
    program.ok("subtitles", "add", "film.mp4", "a.de.srt", "b.pt-BR.forced.srt", "c.sdh.srt", "-o", "out.mp4")
    assert [stream["tags"]["language"] for stream in subtitles(film / "out.mp4")] == ["deu", "por", "und"]


def test_one_default_of_several(program: Program, film: Path) -> None:
    add(program, "first.mkv", "--default")
    program.ok("subtitles", "add", "first.mkv", "de.ass", "-o", "out.mkv", "--default", "--forced")
    found = subtitles(film / "out.mkv")
    assert [stream["disposition"]["default"] for stream in found] == [0, 0, 0, 1]
    assert [stream["disposition"]["forced"] for stream in found] == [0, 0, 0, 1]


def test_cues_after_the_end_stay(program: Program, film: Path) -> None:
    (film / "late.srt").write_text("1\n00:00:05,000 --> 00:00:06,500\nA\n\n2\n00:00:08,000 --> 00:00:09,000\nB\n\n")
    program.ok("subtitles", "add", "film.mp4", "late.srt", "-o", "out.mp4")
    assert media(film / "out.mp4") == media(film / "film.mp4")
    assert track(film / "out.mp4", 0) == plain(cues(film / "late.srt"))


def test_an_export_that_encodes_has_them_too(program: Program, film: Path) -> None:
    program.ok("subtitles", "add", "film.mp4", "film.en.srt", "-o", "out.mp4", "--preset", "LowQuality")
    assert track(film / "out.mp4", 0) == plain(cues(film / "film.en.srt"))


@pytest.mark.parametrize("offset, first", [("-0.75", "00:00:00,000"), ("1.5", "00:00:02,000"), ("-5", None)])
def test_an_offset(program: Program, film: Path, offset: str, first: str) -> None:
    ended = program("subtitles", "add", "film.mp4", "film.en.srt", "-o", "out.mp4", "--offset", offset)
    if first is None:
        # Nothing of it is left, but the track.
        assert ended.returncode == 0, ended.stderr
        assert b"left out: text offset of track 3 (subtitle): 2 cues end before the start" in ended.stderr
    else:
        assert ended.returncode == 0, ended.stderr
        assert track(film / "out.mp4", 0)[0][0] == first


def test_a_track_is_replaced(program: Program, film: Path) -> None:
    add(program, "first.mkv", "--language", "eng", "--language", "ru", "--title", "English", "--default")
    program.ok("subtitles", "replace", "first.mkv", "ru.srt", "--in-language", "en", "-o", "out.mkv", "--encoding", "cp1251")
    found = subtitles(film / "out.mkv")
    assert [stream["codec_name"] for stream in found] == ["subrip", "subrip", "ass"]
    assert found[0]["tags"]["language"] == "eng"
    assert found[0]["tags"]["title"] == "English"
    assert found[0]["disposition"]["default"] == 1
    assert [text for _, _, text in track(film / "out.mkv", 0)] == ["Привет, как дела?", "Всё хорошо"]
    assert media(film / "out.mkv") == media(film / "film.mp4")
    number = json.loads(program.ok("probe", "--json", "out.mkv"))["tracks"][-1]["trackID"]
    program.ok(
        "subtitles", "replace", "out.mkv", "film.en.srt", "--track", str(number), "--language", "fr", "--title", "",
        "-o", "again.mkv",
    )
    assert [stream["tags"].get("language") for stream in subtitles(film / "again.mkv")] == ["eng", "rus", "fre"]
    assert "3 (en, " in program.fails(2, "subtitles", "replace", "out.mkv", "ru.srt", "-o", "none.mkv")
    assert "in the language ja" in program.fails(
        1, "subtitles", "replace", "out.mkv", "ru.srt", "--in-language", "ja", "-o", "none.mkv"
    )
    assert not (film / "none.mkv").exists()


def test_tracks_are_removed(program: Program, film: Path) -> None:
    add(program, "first.mkv", "--language", "eng", "--language", "ru")
    program.ok("subtitles", "remove", "first.mkv", "--track", "5", "--language", "eng", "-o", "out.mkv")
    assert [stream["tags"]["language"] for stream in subtitles(film / "out.mkv")] == ["rus"]
    assert media(film / "out.mkv") == media(film / "film.mp4")
    program.ok("subtitles", "remove", "first.mkv", "--all", "-o", "none.mkv")
    assert subtitles(film / "none.mkv") == []
    assert "no subtitles" in program.fails(1, "subtitles", "remove", "film.mp4", "--all", "-o", "x.mp4")
    assert "Choose: --track" in program.fails(2, "subtitles", "remove", "first.mkv", "-o", "x.mkv")
    assert "no track 9" in program.fails(1, "subtitles", "remove", "first.mkv", "--track", "9", "-o", "x.mkv")


@pytest.mark.parametrize("target, message", [
    ("out.ts", "The subtitles of 'film.en.srt' can't be added: ts files can't hold subrip"),
    ("film.mp4", "it is the file that the asset is made of"),
])
def test_what_can_not_be_is_refused(program: Program, film: Path, target: str, message: str) -> None:
    before = (film / "film.mp4").read_bytes()
    assert message in program.fails(1, "subtitles", "add", "film.mp4", "film.en.srt", "-o", target)
    assert (film / "film.mp4").read_bytes() == before
    assert not (film / "out.ts").exists()


def test_a_file_without_subtitles_adds_nothing(program: Program, film: Path) -> None:
    assert "'film.mp4' has no subtitles" in program.fails(1, "subtitles", "add", "film.mp4", "film.mp4", "-o", "x.mkv")
    assert "nothing.srt" in program.fails(1, "subtitles", "add", "film.mp4", "nothing.srt", "-o", "x.mkv")
    assert not (film / "x.mkv").exists()


# Conversions


@pytest.mark.parametrize("form", ["srt", "vtt", "ass"])
@pytest.mark.parametrize("source", ["film.en.srt", "ru.srt", "de.ass", "in.vtt"])
def test_each_form_becomes_each(program: Program, film: Path, source: str, form: str) -> None:
    ffmpeg(["-i", film / "film.en.srt", film / "in.vtt"])
    encoding = "cp1251" if source == "ru.srt" else "utf-8"
    program.ok("subtitles", "convert", source, f"out.{form}", "--encoding", encoding)
    (film / "utf8.srt").write_text((film / source).read_bytes().decode(encoding))
    original = film / "utf8.srt" if source.endswith(".srt") else film / source
    assert plain(cues(film / f"out.{form}")) == plain(cues(original))
    (film / f"out.{form}").read_text("utf-8")


def test_a_script_stays_one(program: Program, film: Path) -> None:
    program.ok("subtitles", "convert", "de.ass", "out.ass", "--offset", "1")
    assert r"Dialogue: 0,0:00:01.50,0:00:02.50,Default,,0,0,0,,{\pos(10,10)}Grüße" in (film / "out.ass").read_text()


def test_braces_are_no_codes_of_a_script(program: Program, film: Path) -> None:
    (film / "in.srt").write_text("1\n00:00:00,500 --> 00:00:01,500\n{x} a\\b\n\n")
    program.ok("subtitles", "convert", "in.srt", "out.ass")
    assert "\\{x\\} a\\b" in (film / "out.ass").read_text()
    program.ok("subtitles", "convert", "out.ass", "again.srt")
    assert [text for _, _, text in cues(film / "again.srt")] == ["{x} a\\b"]


@pytest.mark.parametrize("offset, expected", [
    ("-1.25", [("00:00:00,000", "00:00:00,250"), ("00:00:00,750", "00:00:01,750")]),
    ("=-1.75", [("00:00:00,250", "00:00:01,250")]),
    ("00:00:10", [("00:00:10,500", "00:00:11,500"), ("00:00:12,000", "00:00:13,000")]),
    ("1/100", [("00:00:00,510", "00:00:01,510"), ("00:00:02,010", "00:00:03,010")]),
])
@pytest.mark.parametrize("form", ["srt", "vtt", "ass"])
def test_times_are_moved(program: Program, film: Path, form: str, offset: str, expected: List[Any]) -> None:
    options = [f"--offset{offset}"] if offset.startswith("=") else ["--offset", offset]
    ended = program("subtitles", "convert", "film.en.srt", f"out.{form}", *options)
    assert ended.returncode == 0, ended.stderr
    # Scripts count hundredths of a second.
    rounded = [tuple(time[:-1] for time in cue) if form == "ass" else cue for cue in expected]
    found = [(start, end) for start, end, _ in cues(film / f"out.{form}")]
    assert [tuple(time[:-1] for time in cue) if form == "ass" else cue for cue in found] == rounded
    assert (b"1 cue ends before the start" in ended.stderr) == (len(expected) == 1)


def test_only_subtitles_have_an_offset(program: Program, film: Path) -> None:
    assert "no file of subtitles" in program.fails(1, "subtitles", "convert", "film.mp4", "x.srt", "--offset", "1")


def test_the_line_of_wrong_text_is_named(program: Program, film: Path) -> None:
    (film / "bad.srt").write_bytes(ENGLISH.encode() + b"3\n00:00:05,000 --> 00:00:06,000\nGr\xfc\xdfe\n\n")
    message = program.fails(1, "subtitles", "convert", "bad.srt", "out.srt", "--encoding", "utf-8")
    assert "Line 11 of 'bad.srt' has bytes that are no characters of utf-8" in message
    # A lone surrogate.
    wide = (ENGLISH * 20).encode("utf-16-le") + b"\x00\xd8\x0a\x00"
    (film / "wide.srt").write_bytes(wide)
    message = program.fails(1, "subtitles", "convert", "wide.srt", "out.srt", "--encoding", "utf-16le")
    assert "Line 161 of 'wide.srt'" in message
    assert not (film / "out.srt").exists()


def test_micro_dvd_and_sami(program: Program, film: Path) -> None:
    (film / "in.sub").write_text("{1}{1}25\n{25}{50}One|two\n{75}{100}{y:i}three\n")
    (film / "in.smi").write_text(
        "<SAMI><HEAD><STYLE TYPE=\"text/css\"><!--\n.ENCC {Name: English; lang: en-US;}\n--></STYLE></HEAD><BODY>\n"
        "<SYNC Start=1000><P Class=ENCC>One\n<SYNC Start=2000><P Class=ENCC>&nbsp;\n"
        "<SYNC Start=3000><P Class=ENCC>three\n<SYNC Start=4000><P Class=ENCC>&nbsp;\n</BODY></SAMI>\n"
    )
    for name in ("in.sub", "in.smi"):
        ended = program("subtitles", "convert", name, f"{name}.srt")
        assert ended.returncode == 0 and b"left out" not in ended.stderr, ended.stderr
        assert plain(cues(film / f"{name}.srt")) == plain(cues(film / name))
    assert cues(film / "in.sub.srt")[0] == ("00:00:01,000", "00:00:02,000", "One\ntwo")


def test_frames_are_counted_at_the_rate_of_the_file_or_of_the_film(program: Program, film: Path) -> None:
    lines = "{30}{60}One\n{75}{100}two\n{120}{130}three\n"
    (film / "own.sub").write_text("{1}{1}50\n" + lines)
    (film / "none.sub").write_text(lines)
    # Without audio, whose priming would be the start of the file.
    for name, rate in (("25.mp4", "25"), ("29.mp4", "30000/1001")):
        ffmpeg(["-f", "lavfi", "-i", f"testsrc2=duration=6:size=64x48:rate={rate}", "-c:v", "libx264", film / name])
    own = cues(film / "own.sub")
    assert own[0][:2] == ("00:00:00,600", "00:00:01,200")

    def added(source: str, name: str) -> List[Any]:
        program.ok("subtitles", "add", source, name, "-o", "out.mkv")
        found = track(film / "out.mkv", 0)
        (film / "out.mkv").unlink()
        return found

    for source, rate in (("25.mp4", Fraction(25)), ("29.mp4", Fraction(30000, 1001))):
        assert added(source, "own.sub") == plain(own)
        ((start, end, text), *_) = added(source, "none.sub")
        assert text == "One"
        assert [seconds(start), seconds(end)] == pytest.approx([float(30 / rate), float(60 / rate)], abs=0.0011)
    # Alone it has the rate that most films had, as in FFmpeg.
    program.ok("subtitles", "convert", "none.sub", "none.srt")
    assert len(cues(film / "none.srt")) == 3
    for ours, theirs in zip(cues(film / "none.srt"), cues(film / "none.sub")):
        assert [seconds(time) for time in ours[:2]] == pytest.approx([seconds(time) for time in theirs[:2]], abs=0.0011)
    assert seconds(cues(film / "none.srt")[0][0]) == pytest.approx(30 / 23.976, abs=0.0011)
    # A film of clips has its own rate.
    (film / "sequence.json").write_text(
        json.dumps({"clips": [{"url": "29.mp4"}], "frameRate": 25, "subtitleTracks": [{"url": "none.sub"}]})
    )
    program.ok("compose", "sequence.json", "-o", "made.mkv")
    start, end, _ = track(film / "made.mkv", 0)[0]
    assert [seconds(start), seconds(end)] == pytest.approx([1.2, 2.4], abs=0.0011)


@pytest.mark.parametrize(
    "start", ["", "\ufeff", '<?xml version="1.0"?>\n<!-- made\nby hand -->\n', '<?xml version="1.0"?>\n<!DOCTYPE tt>\n']
)
@pytest.mark.parametrize("name, prefix", [("a.ttml", ""), ("a.dfxp", "tt:"), ("wide.xml", "")])
def test_timed_text_markup_is_named(program: Program, film: Path, start: str, name: str, prefix: str) -> None:
    text = f'{start}<{prefix}tt xmlns="http://www.w3.org/ns/ttml"><{prefix}body><{prefix}p begin="1s">One</{prefix}p>'
    text += f"</{prefix}body></{prefix}tt>\n"
    (film / name).write_text(text, encoding="utf-16" if name == "wide.xml" else "utf-8")
    for command in (["subtitles", "convert", name, "out.srt"], ["subtitles", "add", "film.mp4", name, "-o", "out.mp4"]):
        message = program.fails(1, *command)
        assert f"'{name}' is TTML" in message and "Convert it to SubRip, WebVTT or ASS first" in message
    (film / "other.xml").write_text(f"{start}<html><tt>One</tt></html>\n")
    assert "TTML" not in program.fails(1, "subtitles", "convert", "other.xml", "out.srt")
    assert not (film / "out.srt").exists()


# Documents


@pytest.mark.parametrize("form", ["mkv", "mp4"])
@pytest.mark.parametrize("preset", ["Passthrough", "LowQuality"])
def test_a_sequence_has_tracks_of_subtitles(program: Program, film: Path, form: str, preset: str) -> None:
    (film / "sequence.json").write_text(json.dumps({
        "clips": [{"url": "film.mp4", "timeRange": {"start": 0, "duration": 2}}, {"url": "film.mp4"}],
        "subtitleTracks": [
            {"url": "film.en.srt", "language": "en", "timeOffset": 2, "name": "English"},
            {"url": "ru.srt", "language": "ru", "characterSet": "windows-1251", "isDefault": True},
        ],
    }))
    program.ok("compose", "sequence.json", "-o", f"out.{form}", "--preset", preset)
    found = subtitles(film / f"out.{form}")
    assert [stream["tags"]["language"] for stream in found] == ["eng", "rus"]
    assert [stream["disposition"]["default"] for stream in found] == [0, 1]
    assert [text for _, _, text in track(film / f"out.{form}", 0)] == ["Hello", "World"]
    if form == "mp4":
        assert track(film / "out.mp4", 0)[0][0] == "00:00:02,500"
    # The timeline that it becomes has them, too, and makes the same.
    timeline = program.ok("compose", "sequence.json")
    document = json.loads(timeline)
    assert [each["language"] for each in document["subtitleTracks"]] == ["en", "ru"]
    assert document["subtitleTracks"][0]["timeOffset"] == 2
    (film / "timeline.json").write_text(timeline)
    assert program.ok("compose", "timeline.json") == timeline
    program.ok("compose", "timeline.json", "-o", f"again.{form}", "--preset", preset)
    assert track(film / f"again.{form}", 1) == track(film / f"out.{form}", 1)


@pytest.mark.parametrize("form", ["mkv", "mp4"])
def test_a_sequence_has_the_subtitles_of_its_clips(program: Program, film: Path, form: str) -> None:
    for source in ("in.mkv", "in.mp4"):
        codec = "mov_text" if source == "in.mp4" else "srt"
        ffmpeg(["-i", film / "film.mp4", "-i", film / "film.en.srt", "-an", "-c", "copy", "-c:s", codec, film / source])
    (film / "sequence.json").write_text(json.dumps({"clips": [
        {"url": "in.mkv", "timeRange": {"start": 0, "duration": 3}, "transition": {"duration": 0.75}},
        {"url": "in.mp4", "timeRange": {"start": 1, "duration": 2}},
        {"url": "in.mkv", "timeRange": {"start": 0, "duration": 4}, "speed": 2},
        {"url": "in.mkv", "timeRange": {"start": 0, "duration": 4}, "speed": -1},
    ]}))
    program.ok("compose", "sequence.json", "-o", f"out.{form}", "--preset", "LowQuality")

    def seconds(stamp: str) -> float:
        hours, minutes, rest = stamp.replace(",", ".").split(":")
        return int(hours) * 3600 + int(minutes) * 60 + float(rest)

    # The first clip ends for them at 2.25 s, where the second one begins with its second 1; the third is at 4.25 s.
    expected = [
        (0.5, 1.5, "Hello"), (2, 2.25, "World"), (2.25, 2.75, "Hello"), (3.25, 4.25, "World"),
        (4.5, 5, "Hello"), (5.25, 5.75, "World"),
    ]  # fmt: skip
    found = [(seconds(start), seconds(end), text) for start, end, text in track(film / f"out.{form}", 0)]
    assert [text for _, _, text in found] == [text for _, _, text in expected]
    for (start, end, _), (begin, stop, _) in zip(found, expected):
        assert abs(start - begin) < 0.003 and abs(end - stop) < 0.003


def test_a_wrong_file_of_subtitles_is_named(program: Program, film: Path) -> None:
    (film / "sequence.json").write_text(json.dumps({
        "clips": [{"url": "film.mp4"}], "subtitleTracks": [{"url": "nothing.srt"}],
    }))
    assert "nothing.srt" in program.fails(1, "compose", "sequence.json", "-o", "out.mkv")
    assert not (film / "out.mkv").exists()


@pytest.mark.parametrize("form", ["mp4", "mov"])
@pytest.mark.parametrize("flags", [[0, 0], [0, 1], [1, 0]])
def test_the_default_of_a_movie_is_that_of_the_source(program: Program, film: Path, form: str, flags: List[int]) -> None:
    options = [f"-disposition:s:{n}" if even else str(flag) for n, flag in enumerate(flags) for even in (True, False)]
    inputs = ["-i", film / "film.mp4", "-i", film / "film.en.srt", "-i", film / "film.en.srt"]
    ffmpeg([*inputs, "-map", 0, "-map", 1, "-map", 2, "-c", "copy", *options, film / "in.mkv"])
    for preset in ("Passthrough", "LowQuality"):
        program.ok("export", "in.mkv", f"{preset}.{form}", "--preset", preset)
        found = streams(film / f"{preset}.{form}")
        defaults = {kind: [s["disposition"]["default"] for s in found if s["codec_type"] == kind] for kind in (
            "video", "audio", "subtitle")}
        assert defaults == {"video": [1], "audio": [1], "subtitle": flags}


@pytest.mark.skipif(shutil.which("mkvmerge") is None, reason="mkvmerge makes the source")
def test_languages_with_a_region(program: Program, film: Path) -> None:
    command = ["mkvmerge", "-q", "-o", "in.mkv", "--language", "0:fr-CA", "--language", "1:zh-Hant", "film.mp4"]
    subprocess.run([*command, "--language", "0:pt-BR", "film.en.srt"], check=True, cwd=film)

    def languages(name: str) -> List[Any]:
        tracks = json.loads(program.ok("probe", "--json", name))["tracks"]
        return [(track["languageCode"], track["extendedLanguageTag"]) for track in tracks]

    expected = [("fra", "fr-CA"), ("zho", "zh-Hant"), ("por", "pt-BR")]
    assert languages("in.mkv") == expected
    program.ok("export", "in.mkv", "out.mp4", "--preset", "Passthrough")
    assert languages("out.mp4") == expected
    data = (film / "out.mp4").read_bytes()
    # Version and flags, and a text that ends with 0 (ISO/IEC 14496-12, 8.4.6).
    assert [tag for _, tag in expected if b"elng\0\0\0\0" + tag.encode() + b"\0" in data] == [t for _, t in expected]
    dropped = json.loads(program.ok("export", "in.mkv", "out.mkv", "--preset", "Passthrough", "--json"))["dropped"]
    assert [item["key"] for item in dropped if item["item"] == "language"] == [tag for _, tag in expected]
