"""Exports that have less than was requested report it, and encode at a rate that fits where none was chosen."""

import subprocess
from fractions import Fraction

import pytest
from conftest import probe, seconds

from reelwire import TimeRange


@pytest.fixture(scope="module")
def noise(tmp_path_factory):
    path = tmp_path_factory.mktemp("noise") / "noise.mp4"
    command = ["ffmpeg", "-nostdin", "-v", "error", "-f", "lavfi", "-i"]
    command += ["testsrc2=s=320x180:r=25:d=8,noise=alls=30:allf=t", "-f", "lavfi", "-i", "sine=d=8"]
    command += ["-c:v", "libx264", "-preset", "ultrafast", "-qp", "24", "-g", "25"]
    subprocess.run([*command, "-pix_fmt", "yuv420p", "-c:a", "aac", str(path)], check=True)
    return path


def losses(result):
    return [(each["item"], each["reason"]) for each in result.dropped]


def test_a_range_that_goes_on_after_the_end_is_listed(engine, noise, tmp_path):
    with engine.open(noise) as asset:
        for preset, name in (("Passthrough", "a.mp4"), ("LowQuality", "b.mp4")):
            asked = TimeRange(6, 99)
            result = asset.export(tmp_path / name, preset, time_range=asked)
            ((item, reason),) = losses(result)
            assert item == "timeRange" and reason.startswith("the asset ends before the range does: 97")
            assert 1.9 < seconds(tmp_path / name) < 2.1
        whole = asset.export(tmp_path / "c.mp4", "Passthrough", time_range=TimeRange(6, 2))
        assert whole.dropped == []


def test_the_rate_is_lowered_where_nobody_chose_it(engine, noise, tmp_path):
    path, limit = tmp_path / "a.mp4", noise.stat().st_size // 4
    with engine.open(noise) as asset:
        result = asset.export(path, "MediumQuality", file_length_limit=limit)
        assert result.dropped == []
    assert path.stat().st_size <= limit
    assert seconds(path) > 7.9
    counted = probe(path, "-select_streams", "v", "-count_frames", "-show_streams")
    assert int(counted["streams"][0]["nb_read_frames"]) == 200


@pytest.mark.parametrize("preset", ["Passthrough", "MediumQuality"])
def test_what_does_not_fit_is_listed(engine, noise, tmp_path, preset):
    path, limit = tmp_path / "a.mp4", noise.stat().st_size // 4
    settings = None if preset == "Passthrough" else {"video": {"rateFactor": 20}}
    with engine.open(noise) as asset:
        result = asset.export(path, preset, settings=settings, file_length_limit=limit)
    ((item, reason),) = losses(result)
    assert item == "timeRange" and reason.startswith(f"the file may have {limit} bytes, and ends ")
    assert path.stat().st_size <= limit
    early = Fraction(reason.split()[-3])
    assert abs(seconds(path) + float(early) - 8) < 0.1
