"""MP3 that is copied from its middle: packets need bytes of those before them, which aren't heard."""

import random
import subprocess
from fractions import Fraction

import pytest

import reelwire
from reelwire import TimeRange

np = pytest.importorskip("numpy")

#: The encodings of the sources, and the rates of their samples.
SOURCES = {
    "constant.mp3": (48000, ["-ac", "2", "-b:a", "128k"]),
    "variable.mp3": (44100, ["-ac", "2", "-ar", "44100", "-q:a", "4"]),
    "slow.mp3": (22050, ["-ac", "1", "-ar", "22050", "-b:a", "32k"]),
    "untagged.mp3": (48000, ["-ac", "2", "-b:a", "96k", "-write_xing", "0", "-id3v2_version", "0"]),
}


@pytest.fixture(scope="module")
def sources(tmp_path_factory):
    folder = tmp_path_factory.mktemp("mp3")
    for name, (_, options) in SOURCES.items():
        command = ["ffmpeg", "-nostdin", "-v", "error", "-f", "lavfi"]
        command += ["-i", "anoisesrc=d=4:r=48000:seed=1,lowpass=f=4000", "-c:a", "libmp3lame"]
        subprocess.run([*command, *options, str(folder / name)], check=True)
    return folder


def decoded(path, channels):
    command = ["ffmpeg", "-nostdin", "-v", "error", "-i", str(path), "-f", "f32le", "-"]
    data = subprocess.run(command, check=True, capture_output=True)
    assert data.stderr == b""
    return np.frombuffer(data.stdout, np.float32).reshape(-1, channels)


@pytest.mark.parametrize("seed", range(12))
def test_a_trim_has_the_samples_of_its_range(engine, sources, tmp_path, seed):
    dice = random.Random(seed)
    name = dice.choice(list(SOURCES))
    rate, options = SOURCES[name]
    channels = int(options[1])
    # Without a tag nothing can be discarded of less than a packet.
    first = dice.choice([0, dice.randrange(rate // 10, 2 * rate)])
    count = dice.randrange(rate // 2, rate)
    path = tmp_path / "trimmed.mp3"
    with engine.open(sources / name) as asset:
        time_range = TimeRange(Fraction(first, rate), Fraction(count, rate))
        asset.export(path, "Passthrough", time_range=time_range)
    expected = decoded(sources / name, channels)[first : first + count]
    found = decoded(path, channels)
    # A file that states nothing of its beginning states nothing of its end.
    assert len(found) == count or name == "untagged.mp3" and 0 <= len(found) - count < 1152
    assert abs(found[:count] - expected).max() < 1e-4


@pytest.mark.parametrize("name", SOURCES)
def test_a_copy_of_the_whole_has_all_samples(engine, sources, tmp_path, name):
    channels = int(SOURCES[name][1][1])
    path = tmp_path / "copied.mp3"
    with engine.open(sources / name) as asset:
        asset.export(path, "Passthrough")
    assert np.array_equal(decoded(path, channels), decoded(sources / name, channels))
