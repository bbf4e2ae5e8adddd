"""The export of joins and trims that copy keeps the promises of the preflight: random ones, ffprobe counts."""

import random
import subprocess
from fractions import Fraction

import pytest
from conftest import probe

import reelwire
from reelwire import TimeRange

SOURCES = {
    "b-frames.mp4": (Fraction(1, 30), "libx264 -g 30 -bf 3"),
    "one-group.mov": (Fraction(1001, 24000), "libx264 -g 300 -bf 2"),
    "own-clock.mp4": (Fraction(1, 25), "libx264 -g 25 -bf 2 -video_track_timescale 25"),
    "hevc.mp4": (Fraction(1, 25), "libx265 -x265-params log-level=error:keyint=25"),
    "b-frames.mkv": (Fraction(1, 30), "libx264 -g 30 -bf 3"),
    "b-frames.ts": (Fraction(1, 30), "libx264 -g 30 -bf 3"),
    "vp9.webm": (Fraction(1, 25), "libvpx-vp9 -cpu-used 8 -deadline realtime"),
    "b-frames.avi": (Fraction(1, 25), "libx264 -g 25 -bf 2"),
    "b-frames-of-mpeg-4.avi": (Fraction(1, 25), "mpeg4 -g 25 -bf 2"),
    "open-groups.mpg": (Fraction(1, 25), "mpeg2video -g 12 -bf 2"),
}
AUDIO = {"webm": "libopus", "avi": "libmp3lame", "mpg": "mp2"}
TYPES = ["mp4", "mov", "m4v", "mkv", "webm", "ts"]


@pytest.fixture(scope="module")
def sources(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sources")
    for name, (frame, encoder) in SOURCES.items():
        command = ["ffmpeg", "-nostdin", "-v", "error", "-f", "lavfi", "-i"]
        command += [f"testsrc2=s=96x64:r={1 / frame}:d=3", "-f", "lavfi", "-i", "sine=d=3"]
        audio = AUDIO.get(name.rpartition(".")[2], "aac")
        command += ["-pix_fmt", "yuv420p", "-c:a", audio, "-c:v", *encoder.split()]
        subprocess.run([*command, str(folder / name)], check=True)
    return folder


def random_range(dice, frame):
    if dice.random() < 0.5:
        start, duration = (Fraction(dice.randrange(*each), 1000) for each in ((1900,), (50, 900)))
    else:
        start, duration = dice.randrange(40) * frame, dice.randrange(1, 25) * frame
    return (Fraction(0) if dice.random() < 0.25 else start), duration


def exported(asset, path, **options):
    """True if a file was made; None where the preflight reports that it can't be."""
    with asset.export_session(path, "Passthrough", **options) as session:
        try:
            plan = session.preflight()
        except reelwire.ReelwireError:
            return None
        parts = [part for track in plan.tracks for part in track.get("segments", [])]
        if any(part["treatment"] == "refused" for part in parts):
            return None
        session.export()
        return True


@pytest.mark.parametrize("seed", range(48))
def test_a_join_that_is_promised_is_made(engine, sources, tmp_path, seed):
    dice = random.Random(seed)
    name = dice.choice(list(SOURCES))
    frame, _ = SOURCES[name]
    path = tmp_path / f"joined.{dice.choice(TYPES)}"
    parts = [random_range(dice, frame) for _ in range(dice.randrange(1, 4))]
    with engine.open(sources / name) as asset, engine.composition() as composition:
        for start, duration in parts:
            composition.insert_time_range(asset, time_range=TimeRange(start, duration))
        if not exported(composition, path):
            return
    expected = 0
    for start, duration in parts:
        first, last = start // frame, -(-(start + duration) // frame)
        expected += last - first
    counted = probe(path, "-select_streams", "v", "-count_frames", "-show_streams")
    found = int(counted["streams"][0]["nb_read_frames"])
    # A range is rounded to the ticks of its source: of a coarse clock that may be whole frames.
    slack = {"own-clock.mp4": 2, "b-frames.mp4": 0, "one-group.mov": 0, "hevc.mp4": 0}.get(name, 1)
    assert abs(found - expected) <= slack * len(parts), (name, path.suffix, parts)


@pytest.mark.parametrize("seed", range(32))
def test_a_trim_that_is_promised_is_made(engine, sources, tmp_path, seed):
    dice = random.Random(seed)
    name = dice.choice(list(SOURCES))
    path = tmp_path / f"trimmed.{dice.choice(TYPES)}"
    start, duration = random_range(dice, SOURCES[name][0])
    options = {"time_range": TimeRange(start, duration)}
    if dice.random() < 0.5:
        options["trim_mode"] = "smart"
    with engine.open(sources / name) as asset:
        if exported(asset, path, **options):
            assert probe(path, "-show_packets")["packets"]


def test_a_range_without_a_sample_is_refused_beforehand(engine, tmp_path):
    source, path = tmp_path / "gap.mkv", tmp_path / "trimmed.mkv"
    command = ["ffmpeg", "-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=96x64:r=25:d=3"]
    command += ["-vf", "select='lt(t,1)+gte(t,2)'", "-fps_mode", "vfr", "-pix_fmt", "yuv420p"]
    subprocess.run([*command, "-c:v", "libx264", "-bf", "0", str(source)], check=True)
    with engine.open(source) as asset:
        options = {"time_range": TimeRange(Fraction(3, 2), Fraction(1, 10))}
        with asset.export_session(path, "Passthrough", **options) as session:
            with pytest.raises(reelwire.ReelwireError, match="No track that is copied has anything"):
                session.preflight()
