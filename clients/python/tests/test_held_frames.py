"""Tracks that are longer than their last frame: the edit list shows it longer than its sample lasts."""

import json
import struct
import subprocess
from fractions import Fraction

import numpy
import pytest

import reelwire

#: Frames of the ramp, and the level between two of them.
COUNT, STEP = 50, 4
FRAME = Fraction(1, 25)
END = Fraction(21, 10)


@pytest.fixture(scope="module", params=["h264", "h264-reordered", "mjpeg"])
def media(request, tmp_path_factory):
    """Two seconds of frames, of which frame n is grey, 16 + 4n; the movie shows them for 2.1 s."""
    codecs = {
        "h264": ["-c:v", "libx264", "-bf", "0", "-g", "12"],
        "h264-reordered": ["-c:v", "libx264", "-bf", "2", "-g", "12"],
        "mjpeg": ["-c:v", "mjpeg", "-q:v", "2"],
    }[request.param]
    path = tmp_path_factory.mktemp("held") / "held.mov"
    source = f"color=black:s=64x48:r=25:d=2,geq=lum='16+{STEP}*N':cb=128:cr=128"
    command = ["ffmpeg", "-nostdin", "-v", "error", "-f", "lavfi", "-i", source, *codecs]
    command += ["-pix_fmt", "yuvj420p" if request.param == "mjpeg" else "yuv420p", "-use_editlist", "1"]
    subprocess.run([*command, str(path)], check=True)
    _extend(path, 2100)
    return path


def _extend(path, milliseconds):
    movie = bytearray(path.read_bytes())
    edit, header, track = (movie.index(kind) for kind in (b"elst", b"mvhd", b"tkhd"))
    assert struct.unpack_from(">I", movie, edit + 8) == (1,)
    (scale,) = struct.unpack_from(">I", movie, header + 16)
    for place in (edit + 12, header + 20, track + 24):
        struct.pack_into(">I", movie, place, milliseconds * scale // 1000)
    path.write_bytes(movie)


def _number(picture):
    level = float(numpy.asarray(picture)[10:30, 10:30].mean())
    return round(level * 219 / 255 / STEP)


def _seconds(path):
    """The duration in the header. Of a movie ffprobe 7.1 has that of the packets instead."""
    if path.suffix == ".mkv":
        command = ["ffprobe", "-v", "error", "-of", "json", "-show_entries", "format=duration", str(path)]
        shown = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
        return float(shown["format"]["duration"])
    movie = path.read_bytes()
    scale, duration = struct.unpack_from(">II", movie, movie.index(b"mvhd") + 16)
    return duration / scale


def _read(asset):
    with asset.reader(reelwire.TrackOutput("video", pixel_format="gray")) as reader:
        return [(sample.presentation_time, sample.duration) for sample in reader.outputs[0]]


def test_the_last_frame_is_shown_to_the_end(engine, media):
    with engine.open(media) as asset:
        assert asset.duration == END
        assert asset.load_tracks("video")[0].load("timeRange")["timeRange"].end == END
        for time in (COUNT * FRAME - FRAME / 2, COUNT * FRAME, END - Fraction(1, 100)):
            image = asset.image(time, tolerance=0, format="gray")
            assert (_number(image), image.actual_time, image.is_exact) == (49, 49 * FRAME, True)
        read = _read(asset)
        assert read[:-1] == [(number * FRAME, FRAME) for number in range(COUNT - 1)]
        assert read[-1] == (49 * FRAME, END - 49 * FRAME)
        with asset.frames("gray") as frames:
            assert len(frames) == COUNT
            assert _number(frames.at(END - Fraction(1, 100))) == 49


def test_a_reader_of_the_end_alone_has_the_last_frame(engine, media):
    with engine.open(media) as asset:
        part = reelwire.TimeRange(COUNT * FRAME + Fraction(1, 50), Fraction(1, 50))
        with asset.reader(reelwire.TrackOutput("video", pixel_format="gray"), time_range=part) as reader:
            samples = list(reader.outputs[0])
        assert len(samples) == 1


@pytest.mark.parametrize("preset", ["Passthrough", "HighestQuality"])
@pytest.mark.parametrize("extension", ["mp4", "mov"])
def test_exports_last_as_long(engine, media, tmp_path, extension, preset):
    out = tmp_path / f"out.{extension}"
    if extension == "mp4" and preset == "Passthrough" and "mjpeg" in str(media):
        pytest.skip("Motion JPEG has no place in mp4")
    with engine.open(media) as asset:
        asset.export(out, preset)
    assert _seconds(out) == pytest.approx(2.1, abs=0.0011)
    with engine.open(out) as asset:
        assert asset.duration == END
        assert _number(asset.image(END - Fraction(1, 100), tolerance=0, format="gray")) == 49
        read = _read(asset)
        assert (len(read), read[-1]) == (COUNT, (49 * FRAME, END - 49 * FRAME))


def test_matroska_lasts_as_long(engine, media, tmp_path):
    with engine.open(media) as asset:
        asset.export(tmp_path / "out.mkv", "Passthrough")
    assert _seconds(tmp_path / "out.mkv") == pytest.approx(2.1, abs=0.0011)


def test_parts_and_joins_have_the_frame_that_is_held(engine, media, tmp_path):
    with engine.open(media) as asset, engine.composition(asset[1:] + asset[:1]) as composition:
        assert composition.duration == END
        read = _read(composition)
        assert (24 * FRAME, END - 1 - 24 * FRAME) in read
        assert _number(composition.image(END - 1 - Fraction(1, 100), tolerance=0, format="gray")) == 49
        assert _number(composition.image(END - 1 + Fraction(1, 100), tolerance=0, format="gray")) == 0
        composition.export(tmp_path / "part.mov", "HighestQuality")
    reelwire.join([media, media], tmp_path / "joined.mov")
    with engine.open(tmp_path / "part.mov") as asset:
        assert _number(asset.image(END - 1 - Fraction(1, 100), tolerance=0, format="gray")) == 49
    with engine.open(tmp_path / "joined.mov") as asset:
        assert asset.duration == 2 * END
        for time, number in ((END - Fraction(1, 100), 49), (END + Fraction(1, 100), 0)):
            assert _number(asset.image(time, tolerance=0, format="gray")) == number


def test_a_copy_of_the_end_lasts_as_long(engine, media, tmp_path):
    with engine.open(media) as asset:
        asset[1:].export(tmp_path / "out.mov", "Passthrough")
    assert _seconds(tmp_path / "out.mov") == pytest.approx(1.1, abs=0.0011)
    with engine.open(tmp_path / "out.mov") as asset:
        assert _number(asset.image(Fraction(109, 100), tolerance=0, format="gray")) == 49
