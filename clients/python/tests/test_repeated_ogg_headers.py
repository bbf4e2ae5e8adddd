"""Ogg files whose headers stand twice, on the real engine."""

import subprocess

import numpy as np
import pytest


def pages(data):
    start = 0
    while data[start : start + 4] == b"OggS":
        segments = data[start + 26]
        lengths = data[start + 27 : start + 27 + segments]
        end = start + 27 + segments + sum(lengths)
        yield data[start:end]
        start = end


def decoded(path):
    run = ["ffmpeg", "-v", "error", "-i", str(path), "-f", "f32le", "-"]
    return np.frombuffer(subprocess.run(run, check=True, stdout=subprocess.PIPE).stdout, "<f4")


@pytest.mark.parametrize("codec", ["libvorbis", "libopus", "flac"])
def test_headers_that_stand_twice_are_one_file(engine, codec, tmp_path):
    plain, twice = tmp_path / "plain.ogg", tmp_path / "twice.ogg"
    run = ["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", "sine=d=1.5:sample_rate=48000"]
    subprocess.run([*run, "-c:a", codec, str(plain)], check=True)
    data = plain.read_bytes()
    first = list(pages(data))[:2]
    twice.write_bytes(b"".join(first) + data)
    expected = decoded(plain)
    with engine.open(plain) as asset:
        duration = asset.duration
    with engine.open(twice) as asset:
        assert asset.duration == duration
        found = np.asarray(asset.audio())[0]
    length = min(len(found), len(expected))
    assert length >= 71_000
    assert np.abs(found[:length] - expected[:length]).max() < 1e-3
