"""Copies of pictures whose times aren't all stated, or are decoded later than they are shown."""

import struct
import subprocess

import pytest
from conftest import probe

from reelwire import TimeRange, TrackOutput

RATE = 25


def ffmpeg(*arguments):
    command = ["ffmpeg", "-nostdin", "-v", "error", *map(str, arguments)]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout


def ramp(path, *encoder):
    """Two seconds in which frame n has the grey level 16 + 4 * n."""
    source = f"color=black:s=64x48:r={RATE}:d=2,format=yuv420p,geq=lum=16+4*N:cb=128:cr=128"
    ffmpeg("-f", "lavfi", "-i", source, *encoder, path)
    return path


def shown(path):
    """The numbers of the frames that ffmpeg decodes, in its order."""
    data = ffmpeg("-i", path, "-map", "0:v", "-fps_mode", "passthrough", "-f", "rawvideo", "-")
    size = 64 * 48 * 3 // 2
    frames = [data[place : place + 64 * 48] for place in range(0, len(data), size)]
    return [round((sum(frame) / len(frame) - 16) / 4) for frame in frames]


@pytest.fixture(scope="module")
def program_stream(tmp_path_factory):
    """Groups of pictures that are open, several pictures in a packet, of which only the first has a time."""
    path = tmp_path_factory.mktemp("streams") / "open.mpg"
    # Two B-frames before each I-frame but the first refer to the group before.
    ramp(path, "-c:v", "mpeg2video", "-bf", 2, "-g", 9, "-q:v", 3, "-f", "mpeg")
    packets = probe(path, "-show_packets")["packets"]
    assert sum("pts" not in packet for packet in packets) > 10
    return path


@pytest.mark.parametrize("suffix", ["mkv", "ts", "mp4"])
@pytest.mark.parametrize("first", [0, 7, 13, 18, 26, 31])
def test_a_range_of_open_groups_is_copied_whole(engine, program_stream, tmp_path, first, suffix):
    path = tmp_path / f"part.{suffix}"
    options = {"time_range": TimeRange(first / RATE, 12 / RATE)}
    with engine.open(program_stream) as asset:
        with asset.export_session(path, "Passthrough", **options) as session:
            session.export()
    found = shown(path)
    # From a random-access point on, in order, without one that is missing or broken.
    assert found == list(range(found[0], found[-1] + 1)), found
    assert found[0] <= first and found[-1] >= first + 11


@pytest.mark.parametrize("first", [0, 7, 13, 18, 26, 31])
def test_a_range_of_open_groups_is_read_as_the_whole(engine, program_stream, first):
    def levels(asset, **options):
        with asset.reader(TrackOutput("video", pixel_format="gray"), **options) as reader:
            return [bytes(buffer.data) for buffer in reader.outputs[0].samples()]

    with engine.open(program_stream) as asset:
        whole = levels(asset)
        part = levels(asset, time_range=TimeRange(first / RATE, 12 / RATE))
    assert len(whole) == 2 * RATE
    assert part == whole[first : first + 12]


def late(source, path):
    """The movie with a last sample that is decoded half a frame after it is shown (`ctts`), and no edit list.

    libavformat delays all samples by the least of the offsets, but for the last two.
    """
    data = bytearray(source.read_bytes().replace(b"edts", b"free"))
    place = data.index(b"ctts") + 4
    (count,) = struct.unpack_from(">I", data, place + 4)
    data[place] = 1
    struct.pack_into(">i", data, place + 8 * count + 4, -256)
    path.write_bytes(data)
    return path


@pytest.fixture(scope="module")
def reordered(tmp_path_factory):
    path = tmp_path_factory.mktemp("reordered") / "plain.mp4"
    return ramp(path, "-c:v", "libx264", "-bf", 2, "-g", 25, "-qp", 1, "-video_track_timescale", 12800)


@pytest.mark.parametrize("suffix", ["mp4", "mov", "mkv", "ts"])
def test_a_picture_that_is_decoded_after_it_is_shown_is_copied(
    engine, reordered, tmp_path, suffix
):
    source = late(reordered, tmp_path / "late.mp4")
    stored = probe(source, "-show_packets")["packets"]
    assert any(packet["pts"] < packet["dts"] for packet in stored)
    path = tmp_path / f"copied.{suffix}"
    with engine.open(source) as asset:
        with asset.export_session(path, "Passthrough") as session:
            session.export()
    packets = probe(path, "-show_packets")["packets"]
    assert len(packets) == len(stored)
    times = [packet["dts"] for packet in packets if "dts" in packet]
    assert times == sorted(set(times))
    assert all(packet["dts"] <= packet["pts"] for packet in packets if "dts" in packet)
    assert sorted(shown(path)) == list(range(2 * RATE))
