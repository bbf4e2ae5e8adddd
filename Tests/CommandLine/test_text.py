"""Texts and subtitles over pictures; ffmpeg's filter of the same library is the oracle, and arithmetic."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any, Dict, List, Sequence

import numpy as np
import pytest

from conftest import Program, environment, ffmpeg
from test_subpictures import vobsub

FONTS = Path("/usr/share/fonts/truetype/dejavu")
FONT = FONTS / "DejaVuSans.ttf"
WIDTH, HEIGHT, RATE = 320, 240, 25

SUBRIP = (
    "1\n00:00:01,000 --> 00:00:02,500\nHello <i>there</i>\nand {this} too\n\n"
    "2\n00:00:03,000 --> 00:00:04,000\nGr\u00fc\u00dfe, \u03a9\n\n"
    "3\n00:00:03,500 --> 00:00:03,700\nover each other\n\n"
)

SCRIPT = """[Script Info]
ScriptType: v4.00+
PlayResX: 320
PlayResY: 240

[V4+ Styles]
Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, Underline, \
StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding
Style: Default,DejaVu Sans,20,&H00FFFFFF,&H00FFFFFF,&H00404040,&H80000000,-1,0,0,0,100,100,0,0,1,2,2,8,10,10,20,1

[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
Dialogue: 0,0:00:01.00,0:00:03.00,Default,,0,0,0,,Styled {\\i1}text{\\i0}
Dialogue: 1,0:00:02.00,0:00:04.00,Default,,0,0,0,,{\\move(60,60,260,200)\\fad(300,300)}moving {\\t(\\frz90)}turn
"""

LOSSLESS = ["--crf", "0"]


def has_text(program: Program) -> bool:
    answer = json.loads(program.ok("call", "engine/capabilities", "{}"))
    return "textRenderer" in answer


@pytest.fixture(autouse=True)
def drawing(program: Program) -> None:
    if not FONT.exists():
        pytest.skip(f"there is no {FONT}")
    if not has_text(program):
        pytest.skip("this build draws no text")


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Five seconds without loss, and the subtitles as a file, as a script and in a film."""
    folder = tmp_path_factory.mktemp("film")
    (folder / "in.srt").write_text(SUBRIP)
    (folder / "in.ass").write_text(SCRIPT)
    source = f"testsrc2=duration=5:size={WIDTH}x{HEIGHT}:rate={RATE}"
    ffmpeg(["-f", "lavfi", "-i", source, "-c:v", "ffv1", "-pix_fmt", "yuv420p", folder / "film.mkv"])
    ffmpeg(["-i", folder / "film.mkv", "-i", folder / "in.srt", "-c", "copy", "-c:s", "srt", folder / "with.mkv"])
    return folder


def frames(path: Path, *filters: str) -> "np.ndarray[Any, Any]":
    """Luma and chroma of each frame."""
    command = ["ffmpeg", "-v", "error", "-i", str(path), *filters, "-f", "rawvideo", "-pix_fmt", "yuv420p", "-"]
    made = subprocess.run(command, check=True, capture_output=True).stdout
    return np.frombuffer(made, np.uint8).reshape(-1, WIDTH * HEIGHT * 3 // 2)


def luma(pictures: "np.ndarray[Any, Any]") -> "np.ndarray[Any, Any]":
    return pictures[:, : WIDTH * HEIGHT].reshape(-1, HEIGHT, WIDTH).astype(int)


def as_script(subtitles: Path, target: Path) -> Path:
    """The script that libavcodec makes of subtitles; braces that are text have a mark in libass."""
    ffmpeg(["-i", subtitles, target])
    text = re.sub(r"(?<!\\)\{(?=[^\\}])", r"\\{", target.read_text())
    target.write_text(text)
    return target


def changed(pictures: "np.ndarray[Any, Any]", plain: "np.ndarray[Any, Any]") -> List[int]:
    assert len(pictures) == len(plain)
    return [number for number in range(len(plain)) if not np.array_equal(pictures[number], plain[number])]


def alike(ours: "np.ndarray[Any, Any]", theirs: "np.ndarray[Any, Any]", plain: "np.ndarray[Any, Any]") -> None:
    """Luma differs by rounding alone: chroma is halved in another way there."""
    difference = np.abs(luma(ours) - luma(theirs))
    text = luma(theirs) != luma(plain)
    assert text.any()
    assert difference.max() <= 2
    assert difference[text].mean() < 0.5


@pytest.mark.parametrize("name", ["in.srt", "in.ass"])
def test_subtitles_are_drawn_as_ffmpeg_draws_them(program: Program, film: Path, name: str) -> None:
    script = film / name if name.endswith("ass") else as_script(film / name, program.folder / "as.ass")
    program.ok("export", str(film / "film.mkv"), "out.mp4", "--burn-subtitles", str(film / name), *LOSSLESS)
    plain, ours = frames(film / "film.mkv"), frames(program.folder / "out.mp4")
    alike(ours, frames(film / "film.mkv", "-vf", f"ass={script}"), plain)
    # Before, between and after, the frames are those of the film.
    shown = range(25, 100) if name == "in.ass" else [*range(25, 63), *range(75, 100)]
    assert changed(ours, plain) == list(shown)


@pytest.mark.parametrize("options", [[], ["2"]])
def test_those_of_a_track_are_in_the_pictures_alone(program: Program, film: Path, options: List[str]) -> None:
    film_with = str(film / "with.mkv")
    program.ok("export", film_with, "out.mp4", *LOSSLESS, "--burn-subtitles", *options)
    program.ok("export", str(film / "film.mkv"), "other.mp4", *LOSSLESS, "--burn-subtitles", str(film / "in.srt"))
    assert np.array_equal(frames(program.folder / "out.mp4"), frames(program.folder / "other.mp4"))
    command = ["ffprobe", "-v", "error", "-show_entries", "stream=codec_type", "-of", "csv=p=0"]
    kinds = subprocess.run([*command, "out.mp4"], cwd=program.folder, capture_output=True, text=True, check=True)
    assert kinds.stdout.split() == ["video"]


def test_a_part_has_the_subtitles_of_its_times(program: Program, film: Path) -> None:
    program.ok(
        *("export", str(film / "film.mkv"), "part.mp4", "--start", "2", "--end", "3.5", *LOSSLESS),
        *("--burn-subtitles", str(film / "in.srt")),
    )
    plain = frames(film / "film.mkv")[50:88]
    assert changed(frames(program.folder / "part.mp4"), plain) == [*range(0, 13), *range(25, 38)]


def test_the_font_of_a_file(program: Program, film: Path) -> None:
    font = FONTS / "DejaVuSans-Bold.ttf"
    program.ok(
        *("export", str(film / "film.mkv"), "out.mp4", "--burn-subtitles", str(film / "in.srt"), *LOSSLESS),
        *("--font", str(font), "--font-size", "30"),
    )
    script = as_script(film / "in.srt", program.folder / "as.ass")
    # The height is in 288 lines there.
    text = script.read_text().replace("Style: Default,Arial,16", "Style: Default,DejaVu Sans Bold,36")
    script.write_text(text)
    oracle = frames(film / "film.mkv", "-vf", f"ass={script}:fontsdir={FONTS}")
    alike(frames(program.folder / "out.mp4"), oracle, frames(film / "film.mkv"))


@pytest.fixture
def bare(program: Program) -> Dict[str, str]:
    """The environment of a system without fonts."""
    (program.folder / "none.conf").write_text('<?xml version="1.0"?><fontconfig></fontconfig>')
    return environment(FONTCONFIG_FILE=str(program.folder / "none.conf"))


def test_fonts_of_files_need_none_of_the_system(program: Program, film: Path, bare: Dict[str, str]) -> None:
    """One that is named, and one that is attached to the film with the script."""
    plain = frames(film / "film.mkv")
    ffmpeg(
        ["-i", film / "film.mkv", "-i", film / "in.ass", "-c", "copy", "-attach", FONTS / "DejaVuSans-Bold.ttf"]
        + ["-metadata:s:t", "mimetype=application/x-truetype-font", program.folder / "attached.mkv"]
    )
    script = [str(film / "film.mkv"), "none.mp4", "--burn-subtitles", str(film / "in.ass"), *LOSSLESS]
    named = [str(film / "film.mkv"), "named.mp4", "--burn-subtitles", str(film / "in.ass"), *LOSSLESS]
    attached = ["attached.mkv", "attached.mp4", "--burn-subtitles", "2", *LOSSLESS]
    for arguments in (script, [*named, "--font", str(FONT)], attached):
        ended = program("export", *arguments, env=bare)
        assert ended.returncode == 0, ended.stderr
    assert changed(frames(program.folder / "none.mp4"), plain) == []
    assert changed(frames(program.folder / "named.mp4"), plain) == list(range(25, 100))
    with_system = program.folder / "system.mp4"
    program.ok("export", str(film / "film.mkv"), str(with_system), "--burn-subtitles", str(film / "in.ass"), *LOSSLESS)
    # Letters that lean are a font of their own, which a system may have.
    assert np.array_equal(frames(program.folder / "attached.mp4")[75:], frames(with_system)[75:])


def compose(program: Program, document: Dict[str, Any], name: str = "edit") -> "np.ndarray[Any, Any]":
    (program.folder / f"{name}.json").write_text(json.dumps(document))
    program.ok("compose", f"{name}.json", "-o", f"{name}.mp4", *LOSSLESS)
    return frames(program.folder / f"{name}.mp4")


def style(**more: Any) -> Dict[str, Any]:
    return {"font": {"url": str(FONT), "size": 40}, **more}


def test_a_title_is_where_it_is_put_for_as_long_as_it_is(program: Program, film: Path) -> None:
    text = {"text": "HHHH", "timeRange": {"start": 1, "duration": 2}}
    document = {"clips": [{"url": str(film / "film.mkv")}]}
    plain = compose(program, document)
    (program.folder / "edit.mp4").unlink()
    where = {"position": {"x": 0.25, "y": 0.75}, "style": style(outline={"width": 0}, alignment="center")}
    pictures = compose(program, {**document, "textLayers": [{**text, **where}]})
    assert changed(pictures, plain) == list(range(25, 75))
    rows, columns = np.nonzero((luma(pictures) != luma(plain))[40])
    # The centre of letters of the same height is that of the capitals, which is above that of the line.
    assert abs((columns.min() + columns.max()) / 2 - 0.25 * WIDTH) <= 2
    assert abs((rows.min() + rows.max()) / 2 - 0.75 * HEIGHT) <= 5
    assert 20 <= rows.max() - rows.min() <= 40


def test_a_text_fades(program: Program) -> None:
    document = {
        "size": {"width": WIDTH, "height": HEIGHT},
        "frameRate": RATE,
        "clips": [{"duration": 2, "text": {"text": "HH", "style": style(), "fadeIn": 1, "fadeOut": 0.4}}],
    }
    brightest = luma(compose(program, document)).max(axis=(1, 2))
    # White is 219 above black; the first picture is at the beginning of the fade.
    expected = [16 + 219 * min(1, n / 25, (50 - n) / 10) for n in range(50)]
    assert np.abs(brightest - np.array(expected)).max() <= 1.5


def test_a_title_on_a_colour(program: Program, film: Path) -> None:
    pictures = compose(
        program,
        {
            "clips": [
                {"duration": 1, "text": {"text": "Title", "style": style()}, "background": [0, 0, 1, 1]},
                {"url": str(film / "film.mkv"), "timeRange": {"start": 0, "duration": 1}},
            ],
        },
    )
    assert len(pictures) == 50
    corner = pictures[10].reshape(-1)[[0, WIDTH * HEIGHT, WIDTH * HEIGHT * 5 // 4]]
    # Blue by BT.601 in video range.
    assert np.abs(corner.astype(int) - [41, 240, 110]).max() <= 1
    assert np.array_equal(pictures[25:], frames(film / "film.mkv")[:25])


@pytest.mark.parametrize("kind", ["dissolve", "wipe", "slide", "push", "dip"])
def test_texts_of_clips_fade_within_each_transition(program: Program, kind: str) -> None:
    """Each picture is that of the clips without texts, with the two texts over it in their opacity, and nothing else."""
    levels = (60, 130)
    for level in levels:
        plane = f"nullsrc=size={WIDTH}x{HEIGHT}:rate={RATE}:duration=2,geq=lum={level}:cb=128:cr=128"
        ffmpeg(["-f", "lavfi", "-i", plane, "-c:v", "ffv1", "-pix_fmt", "yuv420p", program.folder / f"{level}.mkv"])
    looks = style(outline={"width": 0}, color=[1, 1, 1, 1])
    transition = {"kind": kind, "duration": 1}
    clips: List[Dict[str, Any]] = [{"url": "60.mkv", "transition": transition}, {"url": "130.mkv"}]
    plain = luma(compose(program, {"clips": clips}, "plain"))
    for clip, place in zip(clips, ({"x": 0.4, "y": 0.5}, {"x": 0.5, "y": 0.55})):
        clip["text"] = {"text": "HMW", "position": place, "style": looks}
    shown = luma(compose(program, {"clips": clips}))
    assert len(plain) == len(shown) == 3 * RATE
    # The parts of the pixels that the letters cover.
    cover = [(shown[n] - plain[n]) / (235 - level) for n, level in zip((RATE // 2, 5 * RATE // 2), levels)]
    assert all(part.max() > 0.99 and 300 < (part > 0.5).sum() < 6000 for part in cover)
    assert ((cover[0] > 0.5) & (cover[1] > 0.5)).any()
    for number in range(3 * RATE):
        after = number / RATE - 1
        opacity = (min(1, max(0, 1 - after)), min(1, max(0, after)))
        expected = plain[number].astype(float)
        for part, share in zip(cover, opacity):
            expected += (235 - expected) * part * share
        far = np.abs(shown[number] - expected)
        assert far.max() <= 3, (number, far.max())
        # Outside of the letters nothing is changed.
        assert not far[(cover[0] == 0) & (cover[1] == 0)].any(), number


@pytest.mark.parametrize("direction", ["left", "down"])
def test_a_text_layer_and_an_overlay_stay_over_a_wipe(program: Program, direction: str) -> None:
    for level in (60, 130, 200):
        plane = f"nullsrc=size={WIDTH}x{HEIGHT}:rate={RATE}:duration=2,geq=lum={level}:cb=128:cr=128"
        ffmpeg(["-f", "lavfi", "-i", plane, "-c:v", "ffv1", "-pix_fmt", "yuv420p", program.folder / f"{level}.mkv"])
    transition = {"kind": "wipe", "direction": direction, "duration": 1}
    everything = {"start": 0, "duration": "+infinity"}
    document = {
        "clips": [{"url": "60.mkv", "transition": transition}, {"url": "130.mkv"}],
        "overlays": [{"url": "200.mkv", "timeRange": everything, "frame": {"x": 20, "y": 30, "width": 120, "height": 60}}],
        "textLayers": [{
            "text": "HMW", "timeRange": everything, "position": {"x": 0.25, "y": 0.25},
            "style": style(outline={"width": 0}, color=[0, 0, 0, 1]),
        }],
    }  # fmt: skip
    shown = luma(compose(program, document))
    rows, columns = np.mgrid[0:HEIGHT, 0:WIDTH]
    over = (rows >= 30) & (rows < 90) & (columns >= 20) & (columns < 140)
    # The letters are those of a picture without a transition, on the same overlay.
    letters = shown[10] < 198
    letters &= over
    assert 300 < letters.sum() < 3000
    for number in range(2 * RATE):
        share = min(1, max(0, number / RATE - 1))
        if direction == "left":
            place, edge = columns, WIDTH * (1 - share)
            is_next = columns >= edge
        else:
            place, edge = rows, HEIGHT * share
            is_next = rows < edge
        expected = np.where(over, 200, np.where(is_next, 130, 60))
        steady = (np.abs(place - edge) > 2) | over
        compared = steady & ~letters
        assert np.abs(shown[number] - expected)[compared].max() <= 2, number
        assert np.abs(shown[number] - shown[10])[letters].max() <= 2, number


@pytest.mark.parametrize("text", ["{\\b1}\\N\\h", "a\\Nb", "{\\pos(0,0)}{x}", "\\{n\\}"])
def test_text_has_no_codes(program: Program, text: str) -> None:
    """As many signs are drawn as there are: each of a font whose signs have one width."""
    mono = {"font": {"url": str(FONTS / "DejaVuSansMono.ttf"), "size": 20}, "outline": {"width": 0}}

    def width(shown: str) -> float:
        document = {
            "size": {"width": WIDTH, "height": HEIGHT},
            "clips": [{"duration": 0.1, "text": {"text": f"|{shown}|", "style": mono}}],
        }
        columns = np.nonzero(luma(compose(program, document))[0] > 40)[1]
        (program.folder / "edit.mp4").unlink()
        return float(columns.max() - columns.min())

    assert abs(width(text) - width("x" * len(text))) <= 1


PROBLEMS = [
    ({"text": ""}, "/textLayers/0/text"),
    ({"text": "a\u0007"}, "/textLayers/0/text"),
    ({"text": "a" * 10_001}, "/textLayers/0/text"),
    ({"timeRange": {"start": -1, "duration": 1}}, "/textLayers/0/timeRange"),
    ({"fadeIn": 2}, "/textLayers/0/fadeIn"),
    ({"style": {"font": {"size": 0}}}, "/textLayers/0/style/font/size"),
    ({"style": {"font": {"family": "a,b"}}}, "/textLayers/0/style/font/family"),
    ({"style": {"font": {"family": "a", "url": "b"}}}, "/textLayers/0/style/font"),
    ({"style": {"color": [1, 2, 3]}}, "/textLayers/0/style/color"),
    ({"style": {"outline": {"color": [0, 0, 0, 2]}}}, "/textLayers/0/style/outline/color"),
    ({"style": {"shadow": {}, "backgroundColor": [0, 0, 0, 1]}}, "/textLayers/0/style/shadow"),
]


@pytest.mark.parametrize("members, place", PROBLEMS)
def test_what_is_wrong_with_a_text(program: Program, members: Dict[str, Any], place: str) -> None:
    layer = {"text": "a", "timeRange": {"start": 0, "duration": 1}, **members}
    (program.folder / "edit.json").write_text(json.dumps({"clips": [{"duration": 1}], "textLayers": [layer]}))
    assert place in program.fails(1, "compose", "edit.json", "-o", "edit.mp4")
    assert not (program.folder / "edit.mp4").exists()


FAILURES: List[Sequence[str]] = [
    ("missing.srt", "No such file"),
    ("clip.mp4", "has no subtitles"),
    ("7", "no track 7 of subtitles"),
    ("pictures.sub", "aren't text"),
]


@pytest.mark.parametrize("source, said", FAILURES)
def test_subtitles_that_cannot_be_drawn(program: Program, source: str, said: str) -> None:
    if source == "pictures.sub":
        (program.folder / source).write_bytes(vobsub(16))
    assert said in program.fails(1, "export", "clip.mp4", "out.mp4", "--burn-subtitles", source)
    assert not (program.folder / "out.mp4").exists()


def test_drawn_text_in_a_guessed_character_set_is_listed(program: Program, film: Path) -> None:
    text = "1\n00:00:00,500 --> 00:00:01,500\nПривет, как дела?\nВсё хорошо\n\n"
    (program.folder / "in.srt").write_bytes(text.encode("cp1251"))
    ended = program("export", "clip.mp4", "out.mp4", "--burn-subtitles", "in.srt")
    assert ended.returncode == 0, ended.stderr
    assert b"character set windows-1251 of track 1 (video)" in ended.stderr


def test_subtitles_that_have_no_picture(program: Program, film: Path) -> None:
    subtitles = str(film / "in.srt")
    ended = program("export", "clip.mp4", "out.wav", "--burn-subtitles", subtitles)
    assert ended.returncode == 0, ended.stderr
    assert b"left out: video composition: no video is written" in ended.stderr
    said = program.fails(1, "export", "out.wav", "out.mp4", "--burn-subtitles", subtitles)
    assert "There is no video" in said


def test_a_font_that_is_none(program: Program, film: Path) -> None:
    shutil.copy(film / "in.srt", program.folder / "font.ttf")
    said = program.fails(
        1, "export", "clip.mp4", "out.mp4", "--burn-subtitles", str(film / "in.srt"), "--font", "./font.ttf"
    )
    assert "is not a TrueType or OpenType font" in said


def test_options_that_contradict(program: Program) -> None:
    assert "Passthrough" in program.fails(
        2, "export", "clip.mp4", "out.mp4", "--preset", "Passthrough", "--burn-subtitles", "2"
    )
    assert "--burn-subtitles" in program.fails(2, "export", "clip.mp4", "out.mp4", "--font-size", "20")


def test_a_timeline_has_what_its_sequence_had(program: Program, film: Path) -> None:
    document = {
        "clips": [{"url": str(film / "film.mkv")}],
        "subtitles": [{"url": str(film / "in.srt")}],
        "textLayers": [{"text": "T", "timeRange": {"start": 0, "duration": "+infinity"}, "style": style()}],
    }
    pictures = compose(program, document)
    timeline = json.loads(program.ok("compose", "edit.json"))
    composition = timeline["videoComposition"]
    assert composition["subtitles"] == document["subtitles"]
    assert composition["textLayers"][0]["text"] == "T"
    again = compose(program, timeline, "again")
    assert np.array_equal(again, pictures)
