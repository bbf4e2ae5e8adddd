"""The begin and the end of audio, as its container states them: against ffmpeg's count of decoded samples,
and arithmetic."""

import struct
import subprocess
from pathlib import Path

import numpy as np
import pytest
from heard_samples import count, heard

import reelwire

RATE = 48_000
TONE = ["-f", "lavfi", "-i", f"sine=440:r={RATE}:d=2.0012"]
PICTURES = ["-f", "lavfi", "-i", "color=red:s=32x32:r=25:d={}", "-c:v", "mpeg4"]


def ffmpeg(*arguments):
    run = ["ffmpeg", "-v", "error", "-y", *map(str, arguments)]
    subprocess.run(run, check=True)


def exported(asset, path):
    asset.export(path, preset="WAV")
    return count(path)


@pytest.mark.parametrize("seconds", [None, "1.9", "2.2"])
@pytest.mark.parametrize("extension", ["mkv", "mov", "avi", "nut", "ts"])
@pytest.mark.parametrize("codec", ["dca", "eac3", "mp2"])
def test_audio_beside_video_ends_with_its_last_sample(engine, tmp_path, codec, extension, seconds):
    source = tmp_path / f"a.{extension}"
    pictures = [] if seconds is None else [part.format(seconds) for part in PICTURES]
    ffmpeg(*TONE, *pictures, "-c:a", codec, "-strict", "-2", source)
    expected = heard(source)
    assert min(expected) > 1.98 * RATE
    with engine.open(source) as asset:
        found = np.asarray(asset.audio()).shape[1]
        assert found in expected
        assert exported(asset, tmp_path / "out.wav") == found


@pytest.mark.parametrize("codec, extension", [("aac", "mka"), ("aac", "mkv"), ("libvorbis", "webm")])
def test_a_precise_asset_lasts_as_long_as_its_audio(engine, tmp_path, codec, extension):
    """The last packet is filled up by the encoder and decoded whole; the header may end within it."""
    source = tmp_path / f"a.{extension}"
    pictures = [] if extension == "mka" else [part.format("1.5") for part in PICTURES]
    pictures = [part.replace("mpeg4", "libvpx") for part in pictures]
    ffmpeg(*TONE, *pictures, "-c:a", codec, source)
    with engine.open(source, prefer_precise_duration_and_timing=True) as asset:
        found = np.asarray(asset.audio()).shape[1]
        assert found in heard(source)
        # To a few ticks of a millisecond: Vorbis's blocks are of two sizes. The header of FFmpeg 6.0 and later includes
        # the encoder's delay.
        assert -0.004 < float(asset.duration) - found / RATE < (0.004 if found == count(source) else 0.026)
        assert exported(asset, tmp_path / "out.wav") == found
    with engine.open(source) as asset:
        header = ["ffprobe", "-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", str(source)]
        stated = subprocess.run(header, stdout=subprocess.PIPE, check=True).stdout
        assert float(asset.duration) == pytest.approx(float(stated), abs=0.0005)


@pytest.mark.parametrize("seconds", [None, "1.9", "2.2"])
def test_a_movies_milliseconds_are_no_end_of_its_audio(engine, tmp_path, seconds):
    """The edit list is in milliseconds; the media ends with the tone: 2.0012 s are 96,058 samples."""
    source = tmp_path / "a.mp4"
    pictures = [] if seconds is None else [part.format(seconds) for part in PICTURES]
    ffmpeg(*TONE, *pictures, "-c:a", "aac", source)
    with engine.open(source) as asset:
        assert exported(asset, tmp_path / "out.wav") == 96_058


@pytest.mark.parametrize("codec", ["dca", "eac3"])
def test_times_in_an_avi_follow_from_its_packets(engine, tmp_path, codec):
    """The header counts these in blocks of two bytes, of which a packet has some hundred."""
    source = tmp_path / "a.avi"
    tone = ["-f", "lavfi", "-i", f"aevalsrc=0.5*lt(t\\,1):s={RATE}:d=2"]
    ffmpeg(*tone, *[part.format(2) for part in PICTURES], "-c:a", codec, "-strict", "-2", source)
    with engine.open(source) as asset:
        part = np.asarray(asset.audio(time_range=reelwire.TimeRange(0.8, 0.4)))[0]
    assert len(part) == round(0.4 * RATE)
    loud = np.abs(part) > 0.25
    assert loud[: RATE // 10].all() and not loud[-RATE // 10 :].any()


# Core Audio


def patch_packet_table(source: Path, target: Path, priming: int, remainder: int) -> int:
    """States an encoder's padding before and after the audio; returns the number of remaining samples."""
    data = bytearray(source.read_bytes())
    place = data.index(b"pakt") + 12
    packets, valid, before, behind = struct.unpack_from(">qqii", data, place)
    heard = valid + before + behind - priming - remainder
    struct.pack_into(">qqii", data, place, packets, heard, priming, remainder)
    target.write_bytes(data)
    return heard


def test_a_packet_tables_priming_and_padding_are_not_heard(engine, tmp_path):
    ffmpeg("-f", "lavfi", "-i", f"sine=440:r={RATE}:d=1.003", "-c:a", "libopus", tmp_path / "whole.caf")
    heard = patch_packet_table(tmp_path / "whole.caf", tmp_path / "a.caf", 312, 500)
    with engine.open(tmp_path / "whole.caf") as asset:
        whole = np.asarray(asset.audio())[0]
    assert len(whole) == heard + 812
    with engine.open(tmp_path / "a.caf") as asset:
        assert asset.duration == reelwire.MediaTime(heard, RATE)
        found = np.asarray(asset.audio())[0]
        assert np.array_equal(found, whole[312 : 312 + heard])
        part = np.asarray(asset.audio(time_range=reelwire.TimeRange(0.5, 0.1)))[0]
        assert np.abs(part - found[RATE // 2 : RATE // 2 + len(part)]).max() < 1e-3
        assert exported(asset, tmp_path / "out.wav") == heard
        asset.export(tmp_path / "out.mka", preset="Passthrough")
    with engine.open(tmp_path / "out.mka") as copy:
        # Matroska has milliseconds.
        copied = np.asarray(copy.audio())[0]
        assert abs(len(copied) - heard) <= RATE // 1000
        assert np.abs(copied[:heard] - found[: len(copied)]).max() < 1e-3


def test_alac_in_core_audio_ends_with_its_short_packet(engine, tmp_path):
    ffmpeg("-f", "lavfi", "-i", f"sine=440:r={RATE}:d=1.003", "-c:a", "alac", tmp_path / "whole.caf")
    patch_packet_table(tmp_path / "whole.caf", tmp_path / "a.caf", 0, 1008)
    with engine.open(tmp_path / "a.caf") as asset:
        assert np.asarray(asset.audio()).shape[1] == 48_144
        asset.export(tmp_path / "out.m4a", preset="Passthrough")
    assert count(tmp_path / "out.m4a") == 48_144


# Ogg


@pytest.mark.parametrize("samples", [1, 72, 4_000, 48_000])
def test_a_short_sound_in_ogg_is_all_of_it(engine, tmp_path, samples):
    """One page has all of Vorbis's packets: nothing is late, and its end, the page's granule, is heard."""
    tone = f"aevalsrc=0.5*cos(n/20):s={RATE}:d=2,atrim=end_sample={samples}"
    ffmpeg("-f", "lavfi", "-i", tone, "-c:a", "libvorbis", "-q:a", 8, tmp_path / "a.ogg")
    with engine.open(tmp_path / "a.ogg") as asset:
        found = np.asarray(asset.audio())[0]
        assert exported(asset, tmp_path / "out.wav") == samples
    assert len(found) == samples
    if samples > 1000:
        assert np.abs(found - 0.5 * np.cos(np.arange(samples) / 20))[200:-200].max() < 0.1


# Audio that a decoder accepts without output


def test_packets_that_nothing_comes_out_of_are_an_error(engine, tmp_path):
    """TrueHD without its major syncs: libavcodec's decoder accepts each packet, and skips it."""
    source = tmp_path / "a.mka"
    tone = f"sine=440:r={RATE}:d=1,aformat=channel_layouts=stereo"
    ffmpeg("-f", "lavfi", "-i", tone, "-strict", "-2", "-c:a", "truehd", source)
    data = source.read_bytes()
    assert b"\xf8\x72\x6f\xba" in data
    source.write_bytes(data.replace(b"\xf8\x72\x6f\xba", b"\xf8\x72\x6f\x00"))
    assert count(source) == 0
    with engine.open(source) as asset:
        for work in (
            lambda: asset.audio(),
            lambda: asset.export(tmp_path / "out.wav", preset="WAV"),
            lambda: asset.waveform(count=100),
        ):
            with pytest.raises(reelwire.ReelwireError) as raised:
                work()
            assert raised.value.code in (-11855, -11829, -11821)
    assert not (tmp_path / "out.wav").exists()
