"""Tracks with several sample descriptions, or changing parameter sets, on the real engine."""

import random
import subprocess

import numpy as np
import pytest
from conftest import probe
from sample_descriptions import (
    chain,
    chain_fragments,
    decoded_greys,
    encode,
    encode_audio,
)

import reelwire

FRAGMENTS = ("-movflags", "frag_keyframe+empty_moov+default_base_moof")
HEVC = ("-tag:v", "hvc1", "-x265-params")
QUIET = "log-level=none:info=0:bframes=0"
FORMATS = {
    "high": ("16+8*N", "libx264"),
    "baseline": ("216-4*N", "libx264", "-profile:v", "baseline"),
    "main": ("100+2*N", "libx264", "-profile:v", "main", "-x264-params", "cabac=0"),
    "large": ("216-4*N", "libx264", "-profile:v", "baseline"),
    "hevc": ("216-4*N", "libx265", *HEVC, QUIET),
    "hevc2": ("100+2*N", "libx265", *HEVC, f"{QUIET}:ctu=16:no-sao=1"),
    "mpeg4": ("16+8*N", "mpeg4", "-q:v", "2"),
    "mpeg4quant": ("216-4*N", "mpeg4", "-q:v", "2", "-mpeg_quant", "1"),
}
GREYS = {
    "16+8*N": [16 + 8 * n for n in range(25)],
    "216-4*N": [216 - 4 * n for n in range(25)],
    "100+2*N": [100 + 2 * n for n in range(25)],
}
CHAINS = [
    ("high", "baseline"),
    ("high", "baseline", "high"),
    ("high", "baseline", "main", "high"),
    ("high", "large"),
    ("large", "high", "large"),
    ("hevc", "hevc2", "hevc"),
    ("high", "hevc", "high"),
    ("hevc", "high"),
    ("mpeg4", "mpeg4quant", "mpeg4"),
]


@pytest.fixture(scope="module")
def movies(tmp_path_factory):
    """Makes a movie of parts, and has the grey levels of its pictures."""
    folder = tmp_path_factory.mktemp("descriptions")

    def make(*names, fragments=False):
        kinds = list(dict.fromkeys(names))
        paths = [folder / f"{name}{fragments}.mp4" for name in kinds]
        for name, path in zip(kinds, paths, strict=True):
            if not path.exists():
                options = FRAGMENTS if fragments else ()
                size = "96x80" if name == "large" else "64x48"
                encode(path, *FORMATS[name], *options, size=size)
        target = folder / f"{'-'.join(names)}{fragments}.mp4"
        order = [kinds.index(name) for name in names]
        (chain_fragments if fragments else chain)(paths, target, order)
        return target, [grey for name in names for grey in GREYS[FORMATS[name][0]]]

    return make


def differences(found, expected):
    """The pictures that aren't as they were made, but for the encoding's changes."""
    assert len(found) == len(expected)
    pairs = enumerate(zip(found, expected, strict=True))
    return [(number, a, b) for number, (a, b) in pairs if abs(a - b) > 2]


@pytest.mark.parametrize("fragments", [False, True], ids=["tables", "fragments"])
@pytest.mark.parametrize("names", CHAINS, ids="-".join)
def test_pictures_in_any_order_have_their_own_description(engine, movies, names, fragments):
    path, greys = movies(*names, fragments=fragments)
    with engine.open(path) as asset:
        order = [*random.Random(5).sample(range(len(greys)), 16), 30, 6, len(greys) - 1, 0]
        with asset.image_generator(tolerance=0) as generator:
            images = [generator.image((n + 0.5) / 25, format="yuv420p") for n in order]
        found = [bytes(image.packed())[0] for image in images]
        assert differences(found, [greys[n] for n in order]) == []
        for _ in range(2):
            read = [bytes(frame.packed())[0] for frame in asset.frames(format="yuv420p")]
            assert differences(read, greys) == []


@pytest.mark.parametrize("extension", ["mp4", "mov", "mkv", "ts"])
@pytest.mark.parametrize("names", CHAINS[:6], ids="-".join)
def test_copies_keep_all_parameter_sets(engine, movies, names, extension, tmp_path):
    path, greys = movies(*names)
    target = tmp_path / f"copy.{extension}"
    with engine.open(path) as asset:
        asset.export(target, preset="Passthrough")
    assert differences(decoded_greys(target), greys) == []


@pytest.mark.parametrize("extension", ["mp4", "mkv"])
def test_copies_of_fragments_keep_all_parameter_sets(engine, movies, extension, tmp_path):
    path, greys = movies("high", "baseline", "high", fragments=True)
    target = tmp_path / f"copy.{extension}"
    with engine.open(path) as asset:
        asset.export(target, preset="Passthrough")
    assert differences(decoded_greys(target), greys) == []


@pytest.mark.parametrize("names", [CHAINS[1], CHAINS[6], CHAINS[8]], ids="-".join)
def test_a_range_of_one_description_is_copied_with_it(engine, movies, names, tmp_path):
    path, greys = movies(*names)
    with engine.open(path) as asset:
        for start, count in ((1, 20), (0, 25), (2, 10)):
            target = tmp_path / f"{start}.mp4"
            part = reelwire.TimeRange(start, count / 25)
            asset.export(target, preset="Passthrough", time_range=part)
            wanted = greys[start * 25 : start * 25 + count]
            assert differences(decoded_greys(target), wanted) == []
            tag = probe(target, "-show_streams")["streams"][0]["codec_tag_string"]
            assert tag in ("avc1", "hvc1", "mp4v")


@pytest.mark.parametrize("names", [CHAINS[6], CHAINS[8]], ids="-".join)
def test_descriptions_that_one_track_cannot_have_are_refused(engine, movies, names, tmp_path):
    path, greys = movies(*names)
    target = tmp_path / "copy.mkv"
    with engine.open(path) as asset:
        with pytest.raises(reelwire.FormatUnsupportedError, match="can't be copied"):
            asset.export(target, preset="Passthrough")
        assert not target.exists()
        asset.export(target, preset="HighestQuality")
    assert differences(decoded_greys(target), greys) == []


def test_parts_are_joined_where_each_has_one_description(engine, movies, tmp_path):
    path, greys = movies("high", "baseline", "high")
    target = tmp_path / "joined.mp4"
    with engine.open(path) as asset, engine.composition() as composition:
        for start in (1, 0):
            composition.insert_time_range(asset, time_range=reelwire.TimeRange(start, 1))
        composition.export(target, preset="Passthrough", joins={"video": "inBand"})
        assert differences(decoded_greys(target), greys[25:50] + greys[:25]) == []
    with engine.open(path) as asset, engine.composition() as composition:
        composition.insert(asset)
        composition.insert(asset)
        refused = reelwire.OperationNotSupportedForAssetError
        with pytest.raises(refused, match="sample description changes"):
            composition.export(tmp_path / "refused.mp4", preset="Passthrough")


def test_audio_has_the_description_of_its_time(engine, tmp_path):
    tones = [tmp_path / "one.m4a", tmp_path / "two.m4a"]
    encode_audio(tones[0], 440, "-c:a", "aac", "-ac", "1")
    encode_audio(tones[1], 1000, "-c:a", "aac", "-ac", "2")
    chain(tones, tmp_path / "audio.m4a", [0, 1, 0])
    with engine.open(tmp_path / "audio.m4a") as asset:
        for start, frequency in ((2.2, 440), (1.2, 1000), (0.2, 440)):
            part = reelwire.TimeRange(start, 0.5)
            samples = np.asarray(asset.audio(time_range=part))[0]
            assert np.argmax(np.abs(np.fft.rfft(samples))) * 2 == frequency
        with pytest.raises(reelwire.FormatUnsupportedError):
            asset.export(tmp_path / "copy.m4a", preset="Passthrough")


def test_hevc_whose_parameter_sets_change_is_copied_into_transport_streams(engine, tmp_path):
    """FFmpeg's own conversion puts the first ones before each sync sample."""
    stream = tmp_path / "both.hevc"
    for name in ("hevc", "hevc2"):
        encode(tmp_path / f"{name}.mp4", *FORMATS[name])
        run = ["ffmpeg", "-v", "error", "-i", str(tmp_path / f"{name}.mp4"), "-c", "copy"]
        run += ["-bsf:v", "hevc_mp4toannexb", "-f", "hevc", "-"]
        with stream.open("ab") as file:
            subprocess.run(run, check=True, stdout=file)
    source = tmp_path / "both.mkv"
    run = ["ffmpeg", "-v", "error", "-framerate", "25", "-i", str(stream), "-c", "copy"]
    run.append(str(source))
    subprocess.run(run, check=True)
    greys = GREYS["216-4*N"] + GREYS["100+2*N"]
    with engine.open(source) as asset:
        asset.export(tmp_path / "copy.ts", preset="Passthrough")
    assert differences(decoded_greys(tmp_path / "copy.ts"), greys) == []
    parts = [tmp_path / "hevc.mp4", tmp_path / "hevc2.mp4"]
    engine.join(parts, tmp_path / "joined.ts", joins={"video": "inBand"})
    assert differences(decoded_greys(tmp_path / "joined.ts"), greys) == []
