"""Audio on clocks that are coarser than its samples, against the real engine and ffmpeg."""

import subprocess

import numpy as np
import pytest
from conftest import probe

import reelwire

COUNT = 34_270
CODECS = {
    "flac": ("mka", "-c:a", "flac"),
    "alac": ("mka", "-c:a", "alac"),
    "wavpack": ("mka", "-c:a", "wavpack"),
    "pcm": ("mka", "-c:a", "pcm_s16le"),
}


def ffmpeg(*arguments):
    run = ["ffmpeg", "-v", "error", "-y", "-bitexact", *map(str, arguments)]
    subprocess.run(run, check=True)


def decoded(path, form="s16le", number="<i2"):
    """The samples as ffmpeg decodes them, without regard to times."""
    run = ["ffmpeg", "-v", "error", "-i", str(path), "-f", form, "-"]
    return np.frombuffer(subprocess.run(run, check=True, stdout=subprocess.PIPE).stdout, number)


@pytest.fixture(scope="module")
def sources(tmp_path_factory):
    folder = tmp_path_factory.mktemp("coarse")

    def make(codec):
        extension, *options = CODECS[codec]
        path = folder / f"{codec}.{extension}"
        if not path.exists():
            tone = "aevalsrc=0.4*sin(n*n/40000):s=44100:d=2"
            trim = f"atrim=end_sample={COUNT},aformat=sample_fmts=s16|s16p"
            ffmpeg("-f", "lavfi", "-i", tone, "-af", trim, *options, path)
        return path

    return make


@pytest.mark.parametrize("target", ["wav", "flac"])
@pytest.mark.parametrize("codec", CODECS)
def test_audio_without_loss_keeps_its_last_samples(engine, sources, codec, target, tmp_path):
    source = sources(codec)
    with engine.open(source) as asset:
        asset.export(tmp_path / f"out.{target}", preset={"wav": "WAV", "flac": "FLAC"}[target])
    found = decoded(tmp_path / f"out.{target}")
    assert len(found) == COUNT
    assert np.array_equal(found, decoded(source))


@pytest.mark.parametrize(
    ("codec", "target"),
    [("alac", "m4a"), ("alac", "mov"), ("flac", "mp4"), ("flac", "flac"), ("pcm", "wav")],
)
def test_copies_keep_the_last_samples(engine, sources, codec, target, tmp_path):
    source = sources(codec)
    with engine.open(source) as asset:
        asset.export(tmp_path / f"out.{target}", preset="Passthrough")
    found = decoded(tmp_path / f"out.{target}")
    assert len(found) == COUNT
    assert np.array_equal(found, decoded(source))


def test_truehd_has_the_times_of_its_samples_in_movies(engine, tmp_path):
    source = tmp_path / "tone.mka"
    tone = "sine=d=0.3:sample_rate=48000,aformat=channel_layouts=stereo"
    ffmpeg("-f", "lavfi", "-i", tone, "-strict", "-2", "-c:a", "truehd", source)
    with engine.open(source) as asset:
        asset.export(tmp_path / "copy.mp4", preset="Passthrough")
    packets = probe(tmp_path / "copy.mp4", "-show_packets")["packets"]
    times = [int(packet["pts"]) for packet in packets]
    assert np.diff(times).tolist() == [40] * (len(times) - 1)
    assert np.array_equal(decoded(tmp_path / "copy.mp4"), decoded(source))


@pytest.mark.parametrize("extension", ["webm", "mka", "nut"])
def test_vorbis_begins_with_what_comes_out_first(engine, extension, tmp_path):
    """The first packet makes no samples, though it has a length."""
    source = tmp_path / f"pulse.{extension}"
    pulse = "aevalsrc=if(between(n\\,11025\\,11035)\\,0.9\\,0.2*sin(n/20)):s=44100:d=0.5"
    ffmpeg("-f", "lavfi", "-i", pulse, "-c:a", "libvorbis", "-q:a", "4", source)
    expected = decoded(source, "f32le", "<f4")
    with engine.open(source) as asset:
        found = np.asarray(asset.audio())[0]
        length = min(len(found), len(expected))
        assert length > 22_000
        assert np.abs(found[:length] - expected[:length]).max() < 1e-4
        part = np.asarray(asset.audio(time_range=reelwire.TimeRange(0.2, 0.1)))[0]
        assert np.abs(part - found[8820 : 8820 + len(part)]).max() < 1e-4
