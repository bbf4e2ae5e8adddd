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


def placed(path):
    """The first channel as ffmpeg decodes it, at the times of its frames."""
    entries = ["-select_streams", "a", "-show_entries", "frame=pts_time", "-of", "csv=p=0"]
    run = ["ffprobe", "-v", "error", *entries, str(path)]
    times = subprocess.run(run, check=True, stdout=subprocess.PIPE, text=True).stdout.split()
    samples = decoded(path, "f32le", "<f4")
    return float(times[0].strip(",")), samples


@pytest.mark.parametrize("extension", ["webm", "mka", "nut", "mp4"])
@pytest.mark.parametrize("start", [0, 1.5])
def test_vorbis_begins_with_the_packet_that_is_heard(engine, extension, start, tmp_path):
    """The first packet makes no samples; those of the second begin at its own time."""
    whole, source = tmp_path / f"whole.{extension}", tmp_path / f"source.{extension}"
    noise = "anoisesrc=r=44100:d=3:a=0.3:seed=5"
    ffmpeg("-f", "lavfi", "-i", noise, "-c:a", "libvorbis", "-q:a", "4", whole)
    ffmpeg("-ss", start, "-i", whole, "-c", "copy", source)
    first, expected = placed(source)
    offset = round(first * 44100)
    assert start == 0 or extension in ("mp4", "nut") or offset > 500
    with engine.open(source) as asset:
        found = np.asarray(asset.audio())[0]
        assert np.abs(found[:offset]).max(initial=0) == 0
        heard = found[max(0, offset) :]
        expected = expected[max(0, -offset) :]
        length = min(len(heard), len(expected))
        assert length > 60_000
        assert np.abs(heard[:length] - expected[:length]).max() < 1e-4
        for begin in (0, 0.01, 0.2, 1.1):
            part = np.asarray(asset.audio(time_range=reelwire.TimeRange(begin, 0.1)))[0]
            place = round(begin * 44100)
            assert np.abs(part - found[place : place + len(part)]).max() < 1e-4


def test_exports_of_vorbis_stay_in_time(engine, tmp_path):
    """An export's audio is at the times of the source's, and a copy has its packets."""
    whole, source = tmp_path / "whole.mkv", tmp_path / "source.mkv"
    picture = ["-f", "lavfi", "-i", "testsrc2=s=192x108:r=25:d=4"]
    noise = ["-f", "lavfi", "-i", "anoisesrc=r=48000:d=4:a=0.3:seed=3"]
    ffmpeg(*picture, *noise, "-c:v", "libx264", "-g", "12", "-bf", "0", "-c:a", "libvorbis", whole)
    ffmpeg("-ss", "1.5", "-i", whole, "-c", "copy", source)
    first, expected = placed(source)
    assert first == 0.025
    with engine.open(source) as asset:
        asset.export(tmp_path / "encoded.mp4")
        asset.export(tmp_path / "copy.mkv", preset="Passthrough")
    run = ["-af", "aresample=async=1:first_pts=0:min_hard_comp=0.001"]
    raw = tmp_path / "encoded.f32"
    ffmpeg("-i", tmp_path / "encoded.mp4", *run, "-ac", "1", "-f", "f32le", raw)
    found = np.fromfile(raw, "<f4")
    part = expected[24_000:56_768]
    near = found[24_000:60_000]
    size = 1 << 17
    products = np.fft.irfft(np.fft.rfft(near, size) * np.conj(np.fft.rfft(part, size)), size)
    assert abs(int(np.argmax(products)) - round(first * 48000)) <= 48
    assert placed(tmp_path / "copy.mkv")[0] == first
    assert np.array_equal(placed(tmp_path / "copy.mkv")[1], expected)
