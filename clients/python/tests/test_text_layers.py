"""Texts over pictures in images and readers, against the same ones without and with ffmpeg's filter of libass."""

import subprocess
from fractions import Fraction
from pathlib import Path

import pytest
from reelwire import VideoComposition

np = pytest.importorskip("numpy")

FONT = Path("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf")
SIZE = 320, 180


@pytest.fixture(scope="module")
def film(clips):
    """Four seconds in RGB without losses: drawings come out exactly."""
    path = clips / "text-film.mkv"
    command = ["ffmpeg", "-nostdin", "-v", "error", "-y", "-f", "lavfi"]
    command += ["-i", "testsrc2=size=320x180:rate=25:duration=4,format=gbrp"]
    subprocess.run([*command, "-c:v", "ffv1", "-g", "5", str(path)], check=True)
    return path


@pytest.fixture
def composition(engine, film):
    """The film's own pictures, with the properties that texts are added to."""
    if engine.request("engine/capabilities").get("textRenderer") is None or not FONT.exists():
        pytest.skip("no text can be drawn here")
    with engine.open(film) as asset:
        yield asset, asset.video_composition()


def picture(asset, time, composition):
    return asset.image(Fraction(*time), format="rgb24", video_composition=composition).to_ndarray().astype(int)


def test_an_image_shows_what_is_drawn(composition, film, tmp_path):
    asset, plain = composition
    subtitles = tmp_path / "a.srt"
    subtitles.write_text("1\n00:00:01,000 --> 00:00:02,000\nFirst\n\n2\n00:00:02,000 --> 00:00:03,000\nSecond\n\n")
    script = tmp_path / "a.ass"
    subprocess.run(["ffmpeg", "-v", "error", "-i", str(subtitles), str(script)], check=True)
    with_text = {**plain, "subtitles": [{"url": str(subtitles)}]}
    for frame in (24, 25, 49, 50, 74, 75):
        graph = f"ass={script},select=eq(n\\,{frame})"
        command = ["ffmpeg", "-v", "error", "-i", str(film), "-vf", graph, "-frames:v", "1"]
        oracle = subprocess.run(
            [*command, "-f", "rawvideo", "-pix_fmt", "rgb24", "-"], capture_output=True, check=True
        ).stdout
        expected = np.frombuffer(oracle, np.uint8).reshape(SIZE[1], SIZE[0], 3)
        shown = picture(asset, (frame, 25), with_text)
        # All parts of RGB are of one size, so the pictures differ by rounding.
        assert np.abs(shown - expected).max() <= 2
        without = picture(asset, (frame, 25), plain)
        assert np.array_equal(shown, without) == (frame < 25 or frame >= 75)


def test_colours_and_opacity_are_exact(composition):
    """Of a box without visible letters, in its middle: half of red over the picture."""
    asset, plain = composition
    layer = {
        "text": "\u00a0" * 20,
        "timeRange": {"start": 1, "duration": "+infinity"},
        "style": {
            "font": {"url": str(FONT), "size": 60},
            "backgroundColor": [1, 0, 0, 0.5],
            "outline": {"width": 0},
        },
    }
    for opacity, fade in ((1, None), (0.5, 2)):
        text = {**layer, **({"fadeIn": fade} if fade else {})}
        shown = picture(asset, (2, 1), {**plain, "textLayers": [text]})
        without = picture(asset, (2, 1), plain)
        # Alpha has 8 bits in scripts.
        alpha = 128 / 255 * opacity
        expected = without * (1 - alpha) + np.array([255, 0, 0]) * alpha
        middle = slice(80, 100), slice(140, 180)
        assert np.abs(shown[middle] - expected[middle]).max() <= 1


def test_a_value_has_them():
    layer = {"text": "Title", "timeRange": {"start": 0, "duration": 1}}
    made = VideoComposition((64, 48), "1/25", [], subtitles=[{"url": "a.srt"}], text_layers=[layer])
    assert made["subtitles"] == [{"url": "a.srt"}] and made["textLayers"] == [layer]
    assert "subtitles" not in VideoComposition((64, 48), "1/25", [])
